// Pictures with tRPC in MessagePack: node server.js [PORT]
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { moonpackHandler } from "@moonpack/trpc/node";
import { build } from "esbuild";
import { router } from "./router.js";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const page = await readFile(path("page.html"));
const { outputFiles } = await build({ entryPoints: [path("page.js")], bundle: true, format: "esm", write: false });

const trpc = moonpackHandler({
  router,
  basePath: "/trpc/",
  msgpack: { maxBytes: 10_000 },
  onError: ({ error, path: procedure }) => console.error(procedure, error.code, error.message),
});

const server = createServer((request, response) => {
  if (request.url.startsWith("/trpc/")) return trpc(request, response);
  const isScript = request.url === "/page.js";
  response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html; charset=utf-8" });
  response.end(isScript ? outputFiles[0].contents : page);
});
server.listen(Number(process.argv[2] ?? 3000), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}
