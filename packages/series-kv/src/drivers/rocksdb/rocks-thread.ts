/** A worker thread of a database, from the main thread. It can execute reads, writes and ranges. */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { packList, unpackList } from "./packing.js";
import type { Read, ReaderTask } from "./reader.js";
import { ThreadCalls } from "./thread-calls.js";
import type { ThreadData } from "./thread-data.js";
import type { WriterTask } from "./writer.js";

/** A thread that reads and writes. */
export class RocksThread {
  readonly #calls: ThreadCalls<ReaderTask | WriterTask, Read | undefined>;

  constructor(data: ThreadData) {
    this.#calls = new ThreadCalls(pathToFileURL(createRequire(import.meta.url).resolve("#rocksdb-thread")), data);
  }

  /** Number of pending calls. */
  get waiting(): number {
    return this.#calls.waiting;
  }

  /** Returns the values of keys. */
  async get(column: number, keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    const packed = packList(keys);
    const read = await this.#calls.call({ kind: "get", column, keys: packed }, [packed.buffer]);
    return unpackList(read!.packed);
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
