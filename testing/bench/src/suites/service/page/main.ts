// The page: a driver calls `moonpackRun`.
import type { Drivable } from "../../browsers/drive.js";
import { askWorker } from "../../browsers/page/channel.js";
import type { PageJob, PageTimes } from "./job.js";

(globalThis as Drivable<PageJob, PageTimes>).moonpackRun = (job) => {
  // The bundler finds the worker by this expression.
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  return askWorker(worker, job, `${job.kind}, ${job.operation}`);
};
