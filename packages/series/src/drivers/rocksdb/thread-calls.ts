/** Calls to a worker thread: each has a number, by which it is answered. */
import { Worker } from "node:worker_threads";

/** An error as it crosses threads: a structured clone would drop all but the text. */
export interface Failure {
  readonly message: string;
  /** The binding's. */
  readonly code: string | undefined;
  /** The key whose value could not be read. */
  readonly key: Uint8Array | undefined;
}

/** The answer to a call. */
export interface Answer<Result> {
  readonly id: number;
  readonly result?: Result;
  readonly failure?: Failure;
}

/** What a thread's error says. */
export function failureOf(error: unknown): Failure {
  const { message, code, key } = error as Error & Partial<Failure>;
  return { message: message ?? String(error), code, key };
}

interface Waiting<Result> {
  resolve(result: Result): void;
  reject(error: Error): void;
}

/** A worker thread and the calls that it has not answered. It keeps the process alive only while there are any. */
export class ThreadCalls<Task, Result> {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting<Result>>();
  readonly #onIdle: () => void;
  #calls = 0;
  #ended: Error | undefined;

  /** `onIdle` is called when all calls are answered. */
  constructor(file: URL, workerData: unknown, onIdle: () => void) {
    this.#onIdle = onIdle;
    this.#worker = new Worker(file, {
      workerData,
      // The flags of this process may not be allowed in a worker.
      execArgv: [],
      // The thread's own objects are few. Without a bound its young generation grows to 16 MiB.
      resourceLimits: { maxYoungGenerationSizeMb: 2 },
    });
    this.#worker.on("message", (answer: Answer<Result>) => this.#answered(answer));
    this.#worker.on("error", (error) => this.#failAll(error));
    this.#worker.on("exit", () => this.#failAll(new Error("the thread has ended")));
    this.#worker.unref();
  }

  /** Calls that are not answered. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** The thread's answer. `transfer` moves to the thread. */
  call(task: Task, transfer: ArrayBuffer[] = []): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended);
      const id = this.#calls++;
      this.#worker.postMessage({ id, task }, transfer);
      if (this.#waiting.size === 0) this.#worker.ref();
      this.#waiting.set(id, { resolve, reject });
    });
  }

  /** Ends the thread, whatever it does. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #answered({ id, result, failure }: Answer<Result>): void {
    const waiting = this.#waiting.get(id)!;
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (failure === undefined) waiting.resolve(result as Result);
    else waiting.reject(Object.assign(new Error(failure.message), { code: failure.code, key: failure.key }));
    if (this.#waiting.size === 0) this.#onIdle();
  }

  #failAll(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#onIdle();
  }
}
