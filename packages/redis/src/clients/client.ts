/** What values need of a client, whichever library it is of. Bytes come and go as Buffers, on which both libraries insist. */

/** Options of `set`. */
export interface SetOptions {
  /** The key expires after so many milliseconds. */
  readonly ttlMs?: number;
  /** True: the key keeps the time to live that it has. Without both, a time to live ends. */
  readonly keepTtl?: boolean;
  /** Sets the key only if it does not exist (`"NX"`), or only if it does (`"XX"`). */
  readonly condition?: "NX" | "XX";
}

/** How many entries of a stream are read. */
export interface RangeOptions {
  /** The most entries, of each stream. */
  readonly count?: number;
}

/** How streams are read. */
export interface ReadOptions extends RangeOptions {
  /** Waits so many milliseconds for entries; 0 waits for ever. Use a connection of its own: its other commands wait too. */
  readonly blockMs?: number;
}

/** A field as its client returns it: its name may be anything but UTF-8. */
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
  set(key: string, bytes: Buffer, options: SetOptions): Promise<boolean>;
  mget(keys: readonly string[]): Promise<(Uint8Array | undefined)[]>;
  mset(pairs: Pairs<Buffer>): Promise<void>;
  hget(key: string, field: string): Promise<Uint8Array | undefined>;
  hmget(key: string, fields: readonly string[]): Promise<(Uint8Array | undefined)[]>;
  hset(key: string, pairs: Pairs<Buffer>): Promise<number>;
  hgetall(key: string): Promise<readonly RawField[]>;
  xadd(key: string, id: string, pairs: Pairs<Buffer>, maxLength: number | undefined): Promise<string>;
  xrange(key: string, from: string, to: string, options: RangeOptions): Promise<readonly RawEntry[]>;
  xread(streams: Pairs<string>, options: ReadOptions): Promise<readonly RawStream[]>;
  xreadgroup(
    group: string,
    consumer: string,
    streams: Pairs<string>,
    options: ReadOptions,
  ): Promise<readonly RawStream[]>;
  publish(channel: string, bytes: Buffer): Promise<number>;
  /** Returns the function that ends it. */
  subscribe(channel: string, listener: (bytes: Uint8Array) => void): Promise<() => Promise<void>>;
}

/** The same memory as a Buffer. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
