/** The interface of a store's log, and the implementation for stores without a log. */
import type { MetricType } from "../metric/metric.js";
import type { Values64 } from "../page/values.js";

/** The write-ahead log of a store: see `Log` in log.ts. Calls append synchronously and in order; {@link committed} resolves when they are durable. */
export interface WriteAheadLog {
  /** The file of the next record. */
  readonly file: number;
  /** Total size of the files, and unwritten bytes. */
  readonly size: number;
  /** Bytes that are not yet written to a file. */
  readonly unwrittenBytes: number;
  /** Throws if the log cannot accept records. Called before any change. */
  assertWritable(): void;
  /** Appends the definition of a metric. */
  define(id: number, type: MetricType, canonical: Uint8Array): void;
  /** Appends `n` points, from the index `from` of the arrays. */
  points(
    n: number,
    ids: Uint32Array | number,
    times: Float64Array | number,
    values: Values64,
    from: number,
    areInt64: boolean,
    listFrom?: number,
  ): void;
  /** Appends the delete of a range. */
  delete(id: number, from: number, to: number): void;
  /** Appends that a metric is forgotten. */
  forget(id: number): void;
  /** Resolves when all appended records have the store's durability. */
  committed(): Promise<void>;
  /** Returns a promise that resolves when fewer bytes are unwritten; undefined if that is already so. */
  belowLimit(maxBytes: number): Promise<void> | undefined;
  /** Starts a new file for later records. */
  rotate(): void;
  /** Deletes the files before `file`. */
  removeBefore(file: number): Promise<void>;
  /** Resolves when all appended records are synced. */
  sync(): Promise<void>;
  /** Writes all records, and closes the files. */
  close(): Promise<void>;
}

/** The log of a store with durability `none`: it discards all records. Its file number is after the files of an earlier log. */
export class NoLog implements WriteAheadLog {
  readonly file: number;
  readonly size = 0;
  readonly unwrittenBytes = 0;
  readonly #done = Promise.resolve();

  constructor(file: number) {
    this.file = file;
  }

  assertWritable(): void {}
  define(): void {}
  points(): void {}
  delete(): void {}
  forget(): void {}
  rotate(): void {}
  committed(): Promise<void> {
    return this.#done;
  }
  belowLimit(): undefined {
    return undefined;
  }
  removeBefore(): Promise<void> {
    return this.#done;
  }
  sync(): Promise<void> {
    return this.#done;
  }
  close(): Promise<void> {
    return this.#done;
  }
}
