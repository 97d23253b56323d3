/** Calls to a worker thread. Each has a number that its answer repeats. */
import { Worker } from "node:worker_threads";

/** An error in a message between threads: a structured clone would keep only its message. */
export interface Failure {
  readonly message: string;
  /** The code of the binding's error. */
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

/** The content of a thread's error. */
export function failureOf(error: unknown): Failure {
  const { message, code, key } = error as Error & Partial<Failure>;
  return { message: message ?? String(error), code, key };
}

interface Waiting<Result> {
  resolve(result: Result): void;
  reject(error: Error): void;
}

/** A worker thread and its pending calls. It keeps the process alive only while calls are pending. */
export class ThreadCalls<Task, Result> {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting<Result>>();
  #calls = 0;
  #ended: Error | undefined;

  constructor(file: URL, workerData: unknown) {
    this.#worker = new Worker(file, {
      workerData,
      // Some flags of this process are not allowed in a worker.
      execArgv: [],
      // The thread has few objects. Without a limit its young generation would grow to 16 MiB.
      resourceLimits: { maxYoungGenerationSizeMb: 2 },
    });
    this.#worker.on("message", (answer: Answer<Result>) => this.#answered(answer));
    this.#worker.on("error", (error) => this.#failAll(error));
    this.#worker.on("exit", () => this.#failAll(new Error("the thread has ended")));
    this.#worker.unref();
  }

  /** Number of pending calls. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Sends a task and returns the thread's answer. `transfer` moves to the thread. */
  call(task: Task, transfer: ArrayBuffer[] = []): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended);
      const id = this.#calls++;
      this.#worker.postMessage({ id, task }, transfer);
      if (this.#waiting.size === 0) this.#worker.ref();
      this.#waiting.set(id, { resolve, reject });
    });
  }

  /** Terminates the thread at once. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #answered({ id, result, failure }: Answer<Result>): void {
    const waiting = this.#waiting.get(id)!;
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (failure === undefined) waiting.resolve(result as Result);
    else waiting.reject(Object.assign(new Error(failure.message), { code: failure.code, key: failure.key }));
  }

  #failAll(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
