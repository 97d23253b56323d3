// Shows the pointers of all pages to all pages: node server.js [PORT]
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { encodeKind, serve } from "@moonpack/websocket/ws";
import { build } from "esbuild";
import { encode } from "moonpack";
import { kinds, POINTER } from "./kinds.js";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const page = await readFile(path("page.html"));
const { outputFiles } = await build({ entryPoints: [path("page.js")], bundle: true, format: "esm", write: false });

const http = createServer((request, response) => {
  const isScript = request.url === "/page.js";
  response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html; charset=utf-8" });
  response.end(isScript ? outputFiles[0].contents : page);
});

let next = 1;
const limits = { maxMessageBytes: 1000, idleTimeout: 10_000 };
const serving = serve({ ws: { server: http }, kinds, ...limits }, async (connection) => {
  const who = next++;
  await connection.send({ hello: who });
  try {
    for await (const { kind, value } of connection) {
      // The number comes from the server, whatever the page sends.
      if (kind === POINTER) toOthers(connection, encodeKind(POINTER, kinds[POINTER], { ...value, who }));
    }
  } finally {
    toOthers(connection, encode({ left: who }));
  }
});

/** Encodes once for all connections. Late pointers are useless: a slow connection gets the next one. */
function toOthers(connection, bytes) {
  for (const other of serving.connections) {
    if (other !== connection && other.bufferedBytes < 10_000) void other.sendBytes(bytes);
  }
}

http.listen(Number(process.argv[2] ?? 3000), "127.0.0.1");
console.log(`http://127.0.0.1:${(await serving.listening).port}`);
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, async () => {
    await serving.close();
    http.close();
    http.closeAllConnections();
  });
}
