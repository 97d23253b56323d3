/** The message of a worker that has finished its job. */
interface Answer<Result> {
  readonly result?: Result;
  readonly error?: string;
}

/** Has a new worker do a job. The worker ends afterwards, or when `signal` aborts. `name`: of the job, for errors. */
export function askWorker<Job, Result>(worker: Worker, job: Job, name: string, signal?: AbortSignal): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    const end = () => {
      worker.terminate();
      signal?.removeEventListener("abort", abort);
    };
    const abort = () => {
      end();
      reject(new DOMException("stopped", "AbortError"));
    };
    signal?.addEventListener("abort", abort);
    worker.addEventListener("message", ({ data }: MessageEvent<Answer<Result>>) => {
      end();
      if (data.error === undefined) resolve(data.result as Result);
      else reject(new Error(`${name}: ${data.error}`));
    });
    worker.addEventListener("error", ({ message }) => {
      end();
      reject(new Error(`${name}: ${message}`));
    });
    worker.postMessage(job);
  });
}

/** The side of the worker: passes each job to `work` and posts the result. */
export function answerJobs<Job, Result>(work: (job: Job) => Promise<Result>): void {
  globalThis.addEventListener("message", ({ data }: MessageEvent<Job>) => {
    work(data).then(
      (result) => globalThis.postMessage({ result } satisfies Answer<Result>),
      (error: unknown) => globalThis.postMessage({ error: String(error) } satisfies Answer<Result>),
    );
  });
}
