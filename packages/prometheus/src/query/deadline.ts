/** Ends calls at an abort and at a deadline. */
import { MoonpackError } from "moonpack/bytes";
import { PrometheusError } from "../errors.js";

/**
 * Calls `task` with a signal that aborts with the caller's and after `timeout` milliseconds. At that moment the promise rejects with
 * `ERR_ABORTED` or `ERR_TIMEOUT`, even if the task has not ended yet.
 */
export async function withDeadline<T>(
  signal: AbortSignal | undefined,
  timeout: number,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const canceled = (): MoonpackError => new MoonpackError("ERR_ABORTED", "query was canceled", signal?.reason);
  if (signal?.aborted) throw canceled();
  const ends = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort: (() => void) | undefined;
  const end = new Promise<never>((_, reject) => {
    const endWith = (error: MoonpackError): void => {
      reject(error);
      ends.abort(error);
    };
    abort = () => endWith(canceled());
    signal?.addEventListener("abort", abort, { once: true });
    const expire = (): void => endWith(new PrometheusError("ERR_TIMEOUT", `query timed out after ${timeout} ms`));
    timer = setTimeout(expire, Math.min(timeout, 2 ** 31 - 1));
  });
  const result = task(ends.signal);
  // It may end with an error of its own after the end of this call.
  result.catch(() => undefined);
  try {
    return await Promise.race([result, end]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort!);
  }
}
