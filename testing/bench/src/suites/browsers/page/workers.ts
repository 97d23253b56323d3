import type { Job, RowResult } from "../job.js";
import { askWorker } from "./channel.js";

/** Measures a row in a new worker, which ends afterwards or when `signal` aborts. */
export function runInWorker(job: Job, signal?: AbortSignal): Promise<RowResult> {
  // The bundler finds the worker by this expression.
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  return askWorker<Job, RowResult>(worker, job, job.row.id, signal);
}
