/** The commands that values use, in one form for both libraries. Bytes are Buffers, which both libraries require. */
import type { Duration } from "moonpack/bytes";

/** Options of `set`. */
export interface SetOptions {
  /** Time to live of the key: `"60s"`, or whole milliseconds from 1. */
  readonly ttl?: Duration;
  /** True keeps the time to live of an existing key. Without `ttl` and `keepTtl`, the key does not expire. */
  readonly keepTtl?: boolean;
  /** Sets the key only if it does not exist (`"NX"`), or only if it does (`"XX"`). */
  readonly condition?: "NX" | "XX";
}

/** Options of `xRange`. */
export interface RangeOptions {
  /** Limit of entries, for each stream. */
  readonly count?: number;
}

/** Options of `xRead` and `xReadGroup`. */
export interface ReadOptions extends RangeOptions {
  /**
   * How long to wait for entries: `"5s"`, or whole milliseconds; 0 waits without limit. Use a separate connection: its other commands wait,
   * too.
   */
  readonly block?: Duration;
}

/** Checked options of `set`. */
export interface SetCommand {
  readonly ttlMs: number | undefined;
  readonly keepTtl: boolean;
  readonly condition: "NX" | "XX" | undefined;
}

/** Checked options of reading entries. */
export interface ReadCommand {
  readonly count: number | undefined;
  readonly blockMs: number | undefined;
}

/** A field as its client returns it. The name need not be valid UTF-8. */
export type RawField = readonly [name: string | Uint8Array, bytes: Uint8Array];

/** An entry as its client returns it. */
export interface RawEntry {
  readonly id: string;
  readonly fields: readonly RawField[];
}

/** The entries of one stream. */
export interface RawStream {
  readonly key: string;
  readonly entries: readonly RawEntry[];
}

/** Key and id, or field and bytes. */
export type Pairs<T> = readonly (readonly [string, T])[];

/** A client that returns bytes. */
export interface BytesClient {
  get(key: string): Promise<Uint8Array | undefined>;
  set(key: string, bytes: Buffer, command: SetCommand): Promise<boolean>;
  mget(keys: readonly string[]): Promise<(Uint8Array | undefined)[]>;
  mset(pairs: Pairs<Buffer>): Promise<void>;
  hget(key: string, field: string): Promise<Uint8Array | undefined>;
  hmget(key: string, fields: readonly string[]): Promise<(Uint8Array | undefined)[]>;
  hset(key: string, pairs: Pairs<Buffer>): Promise<number>;
  hgetall(key: string): Promise<readonly RawField[]>;
  xadd(key: string, id: string, pairs: Pairs<Buffer>, maxLength: number | undefined): Promise<string>;
  xrange(key: string, from: string, to: string, command: ReadCommand): Promise<readonly RawEntry[]>;
  xread(streams: Pairs<string>, command: ReadCommand): Promise<readonly RawStream[]>;
  xreadgroup(
    group: string,
    consumer: string,
    streams: Pairs<string>,
    command: ReadCommand,
  ): Promise<readonly RawStream[]>;
  publish(channel: string, bytes: Buffer): Promise<number>;
  /** Resolves with the function that ends the subscription. */
  subscribe(channel: string, listener: (bytes: Uint8Array) => void): Promise<() => Promise<void>>;
}

/** Returns a Buffer of the same memory. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
