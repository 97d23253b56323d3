// Readings of weather stations in MessagePack, PCK and JSON: node server.js [PORT]
import { EventEmitter, on } from "node:events";
import { fileURLToPath } from "node:url";
import { bodies } from "@moonpack/http/express";
import { build } from "esbuild";
import express from "express";
import { reading, readings } from "./schema.js";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const { outputFiles } = await build({ entryPoints: [path("page.js")], bundle: true, format: "esm", write: false });

const begin = 1_700_000_000_000n;
const all = Array.from({ length: 100 }, (_, i) => ({
  station: ["Harbour", "Airport", "Summit"][i % 3],
  at: begin + BigInt(i) * 600_000n,
  celsius: Math.fround(10 + 5 * Math.sin(i / 10)),
  humidity: 60 + (i % 30),
}));
const added = new EventEmitter().setMaxListeners(0);

const http = bodies({ maxBytes: 10_000, onError: (error) => console.error(error.status, error.code) });
const app = express();

app.get("/readings", (_request, response) => http.send(response, { readings: all }, { pck: readings }));

app.post("/readings", http.body({ pck: reading }), (request, response) => {
  if (request.body === undefined) return response.status(400).end(); // a request without a body
  all.push(request.body);
  added.emit("reading", request.body);
  http.send(response.status(201), request.body, { pck: reading });
});

/** The last reading, then each new one until the client leaves. */
async function* live(signal) {
  yield all.at(-1);
  for await (const [one] of on(added, "reading", { signal })) yield one;
}
app.get("/live", (_request, response, next) => {
  http.sendStream(response, live, { pck: reading }).catch(next);
});

app.get("/", (_request, response) => response.sendFile(path("page.html")));
app.get("/page.js", (_request, response) => response.type("js").send(Buffer.from(outputFiles[0].contents)));
app.use(http.errors);

const server = app.listen(Number(process.argv[2] ?? 3000), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}
