// The worker thread of orders.js: a job runs in the context of its carrier.
import { parentPort } from "node:worker_threads";
import { runWithCarrier } from "@moonpack/trace";
import { makeLogger } from "./logger.js";

const log = makeLogger("worker");

parentPort.on("message", ({ job, items, trace }) =>
  runWithCarrier(trace, () => {
    log.info({ items: items.length }, "added up");
    parentPort.postMessage({ job, sum: items.reduce((a, b) => a + b, 0) });
  }),
);
