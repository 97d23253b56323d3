/** What a store needs of its log; and the log of stores that have none. */
import type { MetricType } from "../metric/metric.js";
import type { Values64 } from "../page/values.js";

/** The write-ahead log of a store: see `Log` in log.ts. Calls append at once, and in order; {@link committed} tells when they hold. */
export interface WriteAheadLog {
  /** The number of the file that gets what is appended now. */
  readonly file: number;
  /** Bytes of the files, and of what is not yet written to them. */
  readonly size: number;
  readonly unwrittenBytes: number;
  /** Throws why the log cannot be written. Asked before anything is changed. */
  assertWritable(): void;
  define(id: number, type: MetricType, canonical: Uint8Array): void;
  points(
    n: number,
    ids: Uint32Array | number,
    times: Float64Array | number,
    values: Values64,
    from: number,
    areInt64: boolean,
  ): void;
  delete(id: number, from: number, to: number): void;
  forget(id: number): void;
  /** Resolves when all that was appended is as durable as the store promises. */
  committed(): Promise<void>;
  /** Undefined, or a promise of the time when fewer bytes wait to be written. */
  belowLimit(maxBytes: number): Promise<void> | undefined;
  /** What is appended from now on goes to a new file. */
  rotate(): void;
  /** Deletes the files before one. */
  removeBefore(file: number): Promise<void>;
  /** Resolves when all that was appended is on the medium. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The log of a store with durability `none`: nothing is kept. Its number is after those of files that an earlier log has left. */
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
