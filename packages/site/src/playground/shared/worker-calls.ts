// Calls of functions in a worker: each gets an answer, may report progress, and can be cancelled.
import { shownText } from "./shown.ts";

/** Reports the progress of a call. */
export type Report = (news: unknown, transfer?: Transferable[]) => void;

/** Functions of a worker by name. A function gets its argument, and a signal that aborts when its call is cancelled. */
export type Handlers = Readonly<Record<string, (argument: never, report: Report, signal: AbortSignal) => unknown>>;

/** A message of the page: a call, or the number of a call to cancel. */
interface Request {
  readonly id: number;
  readonly name?: string;
  readonly argument?: unknown;
}

/** A message of the worker: progress of a call, its result, or its error. */
interface Answer {
  readonly id: number;
  readonly news?: unknown;
  readonly result?: unknown;
  readonly fault?: Fault;
}

/** An error as sent: classes do not survive postMessage. */
export interface Fault {
  readonly message: string;
  /** The code of an error of moonpack. */
  readonly code?: string;
  /** The offset of an error in bytes. */
  readonly offset?: number;
  /** The line of an error in a schema. */
  readonly line?: number;
}

/** An error that a worker has answered with. */
export class CallError extends Error {
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** Describes anything that was thrown. The message may quote the input: all of its characters are shown. */
export function faultOf(error: unknown): Fault {
  if (error instanceof CallError) return error.fault;
  if (!(error instanceof Error)) return { message: shownText(String(error)) };
  const { code, offset } = error as { readonly code?: unknown; readonly offset?: unknown };
  // Chromium throws a RangeError, Firefox an InternalError.
  if (code === undefined && /call stack size|too much recursion/i.test(error.message))
    return { message: "the input is nested too deep" };
  return {
    message: shownText(error.message),
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof offset === "number" ? { offset } : {}),
  };
}

/** The side of a worker: answers calls of its functions. */
export function answerCalls(handlers: Handlers): void {
  const running = new Map<number, AbortController>();
  addEventListener("message", async ({ data }: MessageEvent<Request>) => {
    const { id, name, argument } = data;
    if (name === undefined) return running.get(id)?.abort();
    const controller = new AbortController();
    running.set(id, controller);
    const report: Report = (news, transfer = []) => postMessage({ id, news } satisfies Answer, { transfer });
    try {
      const result = await handlers[name]!(argument as never, report, controller.signal);
      postMessage({ id, result } satisfies Answer);
    } catch (error) {
      postMessage({ id, fault: faultOf(error) } satisfies Answer);
    }
    running.delete(id);
  });
}

/** Settings of one call. */
export interface CallSettings<News> {
  readonly onNews?: (news: News) => void;
  readonly signal?: AbortSignal;
}

/** The side of a page. */
export class WorkerCalls {
  #worker: Worker;
  readonly #waiting = new Map<number, { settle: (answer: Answer) => void; report?: (news: never) => void }>();
  #last = 0;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.#listen(worker);
  }

  #listen(worker: Worker): void {
    worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
      const call = this.#waiting.get(data.id);
      if ("news" in data) call?.report?.(data.news as never);
      else call?.settle(data);
    });
    // Its script did not load, or it broke outside of any call.
    worker.addEventListener("error", ({ message }) => {
      for (const [id, { settle }] of this.#waiting) settle({ id, fault: { message: message ?? "the worker ended" } });
    });
  }

  /** Calls a function of the worker. Throws a {@link CallError} with the worker's error. */
  call<Result, News = never>(name: string, argument: unknown, settings: CallSettings<News> = {}): Promise<Result> {
    const id = ++this.#last;
    const { onNews, signal } = settings;
    return new Promise<Result>((resolve, reject) => {
      const cancel = () => this.#worker.postMessage({ id } satisfies Request);
      const settle = ({ result, fault }: Answer) => {
        this.#waiting.delete(id);
        signal?.removeEventListener("abort", cancel);
        if (fault === undefined) resolve(result as Result);
        else reject(new CallError(fault));
      };
      this.#waiting.set(id, { settle, ...(onNews === undefined ? {} : { report: onNews as (news: never) => void }) });
      this.#worker.postMessage({ id, name, argument } satisfies Request);
      if (signal?.aborted) cancel();
      else signal?.addEventListener("abort", cancel);
    });
  }

  /** Ends the worker, even in the middle of its work, and starts a new one. Calls that wait throw `ERR_ABORTED`. */
  restart(worker: Worker): void {
    this.#worker.terminate();
    this.#worker = worker;
    this.#listen(worker);
    for (const [id, { settle }] of this.#waiting) settle({ id, fault: { code: "ERR_ABORTED", message: "stopped" } });
  }

  /** Ends the worker. Calls that wait get no answer. */
  end(): void {
    this.#worker.terminate();
    this.#waiting.clear();
  }
}
