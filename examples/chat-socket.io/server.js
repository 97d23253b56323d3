// A chat whose messages are binary: node server.js [PORT]
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Server } from "socket.io";
import { parser } from "./parser.js";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const page = await readFile(path("page.html"));
const { outputFiles } = await build({ entryPoints: [path("page.js")], bundle: true, format: "esm", write: false });

const http = createServer((request, response) => {
  const isScript = request.url === "/page.js";
  response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html; charset=utf-8" });
  response.end(isScript ? outputFiles[0].contents : page);
});

const server = new Server(http, { parser, serveClient: false, connectionStateRecovery: {} });
const last = []; // the last lines, for those who come later

server.on("connection", (socket) => {
  if (!socket.recovered) for (const line of last) socket.emit("line", line);
  socket.on("line", ({ name, text, picture }, answer) => {
    // The schema checks only the first argument: others may be anything.
    if (typeof answer !== "function") return;
    if (text.length > 1000 || name.length > 40) return answer("too long");
    last.push({ name, text, picture });
    if (last.length > 50) last.shift();
    server.emit("line", { name, text, picture }); // encoded once for all
    answer(null);
  });
});

http.listen(Number(process.argv[2] ?? 3000), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${http.address().port}`);
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => server.close());
