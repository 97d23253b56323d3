/** A worker thread of a database, from the main thread. It can execute reads, writes and ranges. */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { GetTarget } from "./batched-gets.js";
import type { Read, ReaderTask } from "./reader.js";
import { ThreadCalls } from "./thread-calls.js";
import type { ThreadData } from "./thread-data.js";
import type { WriterTask } from "./writer.js";

/** A thread that reads and writes. */
export class RocksThread implements GetTarget {
  readonly #calls: ThreadCalls<ReaderTask | WriterTask, Read | undefined>;

  constructor(data: ThreadData) {
    this.#calls = new ThreadCalls(pathToFileURL(createRequire(import.meta.url).resolve("#rocksdb-thread")), data, () =>
      this.onFree(),
    );
  }

  onFree: () => void = () => {};

  get isBusy(): boolean {
    return this.#calls.waiting > 0;
  }

  /** Returns the packed values of packed keys, which move to the thread. */
  async get(column: number, keys: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const read = await this.#calls.call({ kind: "get", column, keys }, [keys.buffer]);
    return read!.packed;
  }

  /** Returns a chunk of a range. */
  async read(task: ReaderTask): Promise<Read> {
    return (await this.#calls.call(task))!;
  }

  /** `transfer` moves to the thread. */
  async write(task: WriterTask, transfer: ArrayBuffer[] = []): Promise<void> {
    await this.#calls.call(task, transfer);
  }

  /** Terminates the thread at once. */
  end(): Promise<void> {
    return this.#calls.end();
  }
}
