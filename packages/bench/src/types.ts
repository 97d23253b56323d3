/** The two directions of a codec that a race measures. */
export type Operation = "encode" | "decode";

/**
 * What travels: `msgpack` is what every standard codec reads; the others are read only by their own kind and are shown
 * for comparison.
 */
export type Format = "msgpack" | "msgpackr-records" | "cbor" | "json" | "json-text" | "v8";

/** An encoded message. Only `json-text` is a string: JSON without the step to bytes. */
export type Payload = Uint8Array | string;

/**
 * How a decoder's input is allocated. `uint8array` and `buffer` are cut from 64 KiB chunks at arbitrary offsets, as a
 * socket delivers messages, the former as plain Uint8Arrays, the latter as Node Buffers.
 */
export type InputKind = "uint8array" | "buffer";

/** One ready codec: a fresh instance of a player. */
export interface Codec {
  encode?: (value: unknown) => Payload;
  decode?: (payload: Payload) => unknown;
}

/** One row of the tables: a library in one of its modes. */
export interface Player {
  /** Stable name in result files, bars and `--filter`s. */
  readonly id: string;
  /** Name in the tables. */
  readonly title: string;
  /** npm package whose version is recorded; absent for what the runtime brings along. */
  readonly package?: string;
  readonly format: Format;
  /** Ours are measured against everybody; rivals are not compared with each other, except to find the first. */
  readonly ours: boolean;
  /** What `encode` returns is overwritten by the next call: such results cannot be kept. */
  readonly shared?: boolean;
  /** A remark under the tables. */
  readonly note?: string;
  /** Makes a codec without state from earlier messages. Its instance is kept for a whole race, as in a service. */
  create(): Codec;
}

/** A named set of messages, the same on every machine. */
export interface Workload {
  readonly id: string;
  readonly title: string;
  /**
   * The messages, taken in turn. Small messages come in hundreds, differing as those of a service do; a large document
   * is a single message.
   */
  values(quick: boolean): unknown[];
}

/** One measurement task of a child process: a workload in one direction. */
export interface RaceJob {
  readonly suite: string;
  readonly workload: string;
  readonly operation: Operation;
  readonly quick: boolean;
  /** Rotates the first round, so that processes differ in order too. */
  readonly repetition: number;
}
