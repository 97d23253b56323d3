// A service on Fastify, with a worker thread for heavy work.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { bind, carrier, fastifyPlugin } from "@moonpack/trace";
import fastify from "fastify";
import { makeLogger } from "./logger.js";
import { listening } from "./server.js";

const log = makeLogger("orders");
const worker = new Worker(new URL("./worker.js", import.meta.url));
const waiting = new Map();
let jobs = 0;

// A worker has no context of the request: send the carrier with the job.
function total(items) {
  return new Promise((resolve) => {
    waiting.set(++jobs, bind(resolve));
    worker.postMessage({ job: jobs, items, trace: carrier() });
  });
}

worker.on("message", ({ job, sum }) => {
  waiting.get(job)(sum);
  waiting.delete(job);
});

const app = fastify();
await app.register(fastifyPlugin, { useHeader: true, traceContext: true });
app.get("/orders/:number", async (request) => {
  const sum = await total([1, 2, 4]);
  log.info({ order: request.params.number, sum }, "found");
  return { order: Number(request.params.number), sum };
});
await Promise.all([app.ready(), once(worker, "online")]);
listening(app.server);
