import type { Job, RowResult } from "../job.js";

/** Measures a row in a new worker, which ends afterwards or when `signal` aborts. */
export function runInWorker(job: Job, signal?: AbortSignal): Promise<RowResult> {
  return new Promise<RowResult>((resolve, reject) => {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    const end = () => {
      worker.terminate();
      signal?.removeEventListener("abort", abort);
    };
    const abort = () => {
      end();
      reject(new DOMException("stopped", "AbortError"));
    };
    signal?.addEventListener("abort", abort);
    worker.addEventListener("message", ({ data }: MessageEvent<{ measurement?: RowResult; error?: string }>) => {
      end();
      if (data.measurement !== undefined) resolve(data.measurement);
      else reject(new Error(`${job.row.id}: ${data.error}`));
    });
    worker.addEventListener("error", ({ message }) => {
      end();
      reject(new Error(`${job.row.id}: ${message}`));
    });
    worker.postMessage(job);
  });
}
