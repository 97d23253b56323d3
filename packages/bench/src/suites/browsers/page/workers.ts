import type { Answer, Job } from "../job.js";

/** Measures a row in a worker of its own, which is gone afterwards, or as soon as `signal` says so. */
export function runInWorker(job: Job, signal?: AbortSignal): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
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
    worker.addEventListener("message", ({ data }: MessageEvent<{ answer?: Answer; error?: string }>) => {
      end();
      if (data.answer !== undefined) resolve(data.answer);
      else reject(new Error(`${job.row.id}: ${data.error}`));
    });
    worker.addEventListener("error", ({ message }) => {
      end();
      reject(new Error(`${job.row.id}: ${message}`));
    });
    worker.postMessage(job);
  });
}
