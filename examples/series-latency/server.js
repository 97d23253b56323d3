// A service that records its own latency and shows it: node server.js [PORT] [FOLDER]
import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import fastify from "fastify";
import { openLatency } from "./latency.js";

const [port = "3000", folder = "latency-store"] = process.argv.slice(2);
const app = fastify({ logger: { level: "warn" } });
const latency = await openLatency(folder, (error) => app.log.error(error));

app.addHook("onResponse", async (request, reply) => {
  latency.record(request.routeOptions.url ?? "unknown", reply.statusCode, reply.elapsedTime);
});

// The work of the service: two routes that take their time.
app.get("/fast", async () => ({ ok: true }));
app.get("/slow", async () => {
  await setTimeout(20 + 80 * Math.random());
  return { ok: true };
});

// The last hour, in windows of ten seconds.
app.get("/latency.json", async () => latency.since(Date.now() - 3_600_000, "10s"));

const files = {
  "/": ["./page.html", "text/html; charset=utf-8"],
  "/page.js": ["./page.js", "text/javascript"],
  "/uplot.js": [import.meta.resolve("uplot/dist/uPlot.esm.js"), "text/javascript"],
  "/uplot.css": [import.meta.resolve("uplot/dist/uPlot.min.css"), "text/css"],
};
for (const [url, [file, type]] of Object.entries(files)) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  app.get(url, async (_request, reply) => reply.type(type).send(await readFile(path)));
}

await app.listen({ port: Number(port), host: "127.0.0.1" });
console.log(`http://127.0.0.1:${app.server.address().port}`);

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, async () => {
    await app.close();
    await latency.close();
  });
}
