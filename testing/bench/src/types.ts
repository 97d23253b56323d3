/** The two directions of a codec that a race measures. */
export type Operation = "encode" | "decode";

/**
 * The format of messages. Every standard codec reads `msgpack`; only their own codec reads the others, which are shown for
 * comparison.
 */
export type Format = "msgpack" | "msgpackr-records" | "cbor" | "json" | "json-text" | "v8";

/** An encoded message. Only `json-text` is a string: JSON without the conversion to bytes. */
export type Payload = Uint8Array | string;

/**
 * How the inputs of decoders are allocated. `uint8array` and `buffer` are cut from 64 KiB chunks at arbitrary offsets, as a
 * socket delivers messages: as plain Uint8Arrays or as Node Buffers.
 */
export type InputKind = "uint8array" | "buffer";

/** One ready codec: a fresh instance of a candidate. */
export interface Codec {
  encode?: (value: unknown) => Payload;
  decode?: (payload: Payload) => unknown;
}

/** One row of the tables: a library in one of its modes. */
export interface Candidate {
  /** Stable name in result files, bars and `--filter`. */
  readonly id: string;
  /** Name in the tables. */
  readonly title: string;
  /** npm package whose version is recorded; absent for features of the runtime. */
  readonly package?: string;
  readonly format: Format;
  /** True for moonpack. Rivals are compared with moonpack, and among each other only to find the fastest. */
  readonly ours: boolean;
  /** The next call overwrites the result of `encode`, so results cannot be kept. */
  readonly shared?: boolean;
  /** A remark under the tables. */
  readonly note?: string;
  /** Creates a codec without state from earlier messages. The instance is kept for a whole race, as in a service. */
  create(): Codec;
}

/** A named set of messages, the same on every machine. */
export interface Workload {
  readonly id: string;
  readonly title: string;
  /**
   * The messages, taken in turn. Small messages come in hundreds of different ones, as in a service. A large document is a
   * single message.
   */
  values(quick: boolean): unknown[];
}

/** One measurement task of a child process: a workload in one direction. */
export interface RaceJob {
  readonly suite: string;
  readonly workload: string;
  readonly operation: Operation;
  readonly quick: boolean;
  /** The number of the process: the seed of the order in each round. */
  readonly repetition: number;
}
