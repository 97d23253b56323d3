/** Values in Redis: each kind with its codec, through a client that the program has. */
import { DecodeError, type ErrorCode, invalidArgument, ownOptions, recordOf } from "moonpack/bytes";
import {
  asBuffer,
  type BytesClient,
  type Pairs,
  type RangeOptions,
  type RawEntry,
  type RawField,
  type ReadOptions,
  type SetOptions,
} from "./clients/client.js";
import { bytesClient, type RedisClient } from "./clients/detect.js";
import { textOfBytes } from "./clients/replies.js";
import type { ValueCodec } from "./codecs/codec.js";
import { type ValueOptions, type ValueReader, valueReader } from "./codecs/reader.js";
import { RedisValueError } from "./errors.js";
import {
  checkEntries,
  checkSet,
  type ErrorHandler,
  nameOf,
  namesOf,
  pairsOfInput,
  readOptions,
  streamsOfInput,
  type ValuesInput,
  valuesOptions,
  warn,
} from "./options.js";

/** Options of {@link redisValues}. */
export interface RedisValuesOptions extends ValueOptions {
  /**
   * What reading does with bytes that cannot be decoded. `"throw"` (default): throws a {@link RedisValueError}. `"return"`: the error is in
   * the place of the value, so that the others of the reply can be used.
   */
  readonly undecodable?: "throw" | "return";
}

/** An entry of a stream. */
export interface StreamEntry<Out> {
  readonly id: string;
  readonly fields: Readonly<Record<string, Out>>;
}

/** Entries of one stream. */
export interface StreamEntries<Out> {
  readonly key: string;
  readonly entries: readonly StreamEntry<Out>[];
}

/**
 * Returns the functions that keep values of one kind in Redis, as MessagePack or with a codec. It holds no connection: it uses the client,
 * whose other commands are as before. Values are copies of what came, except with `binary: "view"` of a decoder, whose binary is a view
 * of the client's memory.
 *
 * Throws `ERR_REDIS_CLIENT` for anything but a client, `ERR_INVALID_ARGUMENT` for an invalid option.
 *
 * @example
 * const users = redisValues(new Redis(), { codec: framed(User) });
 * await users.set("user:7", { name: "Ada" }, { ttlMs: 60_000 });
 */
export function redisValues<Out, In>(
  client: RedisClient,
  options: RedisValuesOptions & { readonly codec: ValueCodec<Out, In>; readonly undecodable: "return" },
): RedisValues<Out | RedisValueError, In>;
/** The same, where reading throws what cannot be decoded. */
export function redisValues<Out, In>(
  client: RedisClient,
  options: RedisValuesOptions & { readonly codec: ValueCodec<Out, In>; readonly undecodable?: "throw" },
): RedisValues<Out, In>;
/** The same as MessagePack, for values of a type that the caller names. */
export function redisValues<T = unknown>(
  client: RedisClient,
  options: RedisValuesOptions & { readonly undecodable: "return" },
): RedisValues<T | RedisValueError, T>;
/** The same as MessagePack, where reading throws what cannot be decoded. */
export function redisValues<T = unknown>(
  client: RedisClient,
  options?: RedisValuesOptions & { readonly undecodable?: "throw" },
): RedisValues<T, T>;
export function redisValues(
  client: RedisClient,
  options?: RedisValuesOptions & { readonly codec?: ValueCodec },
): RedisValues {
  const given = valuesOptions(options);
  return new RedisValues(bytesClient(client), valueReader(given), given.undecodable === "return");
}

/** Values of one kind. Made by {@link redisValues}. A key, or a field, that does not exist is undefined; null is a value. */
export class RedisValues<Out = unknown, In = never> {
  readonly #client: BytesClient;
  readonly #reader: ValueReader;
  readonly #returnsErrors: boolean;

  /** @internal */
  constructor(client: BytesClient, reader: ValueReader, returnsErrors: boolean) {
    this.#client = client;
    this.#reader = reader;
    this.#returnsErrors = returnsErrors;
  }

  /**
   * The bytes of a value, for commands that are not here: pipelines, transactions, scripts, lists, sets. Throws an `EncodeError` with the
   * path of what cannot be written.
   */
  encode(value: In): Buffer {
    return asBuffer(this.#reader.encode(value));
  }

  /** The value of bytes that another command returned. `key` is for the text of an error. Throws a {@link RedisValueError}. */
  decode(bytes: Uint8Array, key?: string): Out {
    if (!(bytes instanceof Uint8Array))
      throw invalidArgument("bytes must be a Buffer: getBuffer of ioredis, withTypeMapping of node-redis return them");
    return this.#value(bytes, key);
  }

  /** The value of a key, or undefined. */
  async get(key: string): Promise<Out | undefined> {
    return this.#found(await this.#client.get(nameOf(key, "key")), key);
  }

  /** Sets a key. Resolves with false if `condition` was not met. */
  async set(key: string, value: In, options: SetOptions = {}): Promise<boolean> {
    const given = ownOptions(options);
    checkSet(given);
    return this.#client.set(nameOf(key, "key"), this.encode(value), given);
  }

  /** The values of several keys, in their order; undefined for those that do not exist. */
  async mGet(keys: readonly string[]): Promise<(Out | undefined)[]> {
    const names = namesOf(keys, "key");
    if (names.length === 0) return [];
    return (await this.#client.mget(names)).map((bytes, i) => this.#found(bytes, names[i]!));
  }

  /** Sets several keys at once: all, or none if one cannot be encoded. */
  async mSet(values: ValuesInput<In>): Promise<void> {
    const pairs = this.#encoded(values, "key");
    if (pairs.length > 0) await this.#client.mset(pairs);
  }

  /** The value of a field of a hash, or undefined. */
  async hGet(key: string, field: string): Promise<Out | undefined> {
    return this.#found(await this.#client.hget(nameOf(key, "key"), nameOf(field, "field")), key, field);
  }

  /** The values of several fields, in their order; undefined for those that do not exist. */
  async hMGet(key: string, fields: readonly string[]): Promise<(Out | undefined)[]> {
    const [hash, names] = [nameOf(key, "key"), namesOf(fields, "field")];
    if (names.length === 0) return [];
    return (await this.#client.hmget(hash, names)).map((bytes, i) => this.#found(bytes, key, names[i]));
  }

  /** All fields of a hash; none if the key does not exist. */
  async hGetAll(key: string): Promise<Record<string, Out>> {
    return this.#fields(await this.#client.hgetall(nameOf(key, "key")), key);
  }

  /** Sets fields of a hash. Resolves with the number of fields that are new. */
  async hSet(key: string, fields: ValuesInput<In>): Promise<number> {
    const [hash, pairs] = [nameOf(key, "key"), this.#encoded(fields, "field")];
    return pairs.length === 0 ? 0 : this.#client.hset(hash, pairs);
  }

  /**
   * Adds an entry to a stream; each field is a value. Resolves with its id. With `maxLength` the oldest entries are removed, about down to
   * that many. A field cannot come twice.
   */
  async xAdd(
    key: string,
    fields: ValuesInput<In>,
    options: { readonly id?: string; readonly maxLength?: number } = {},
  ): Promise<string> {
    const { id = "*", maxLength } = ownOptions(options);
    checkEntries("maxLength", maxLength);
    const pairs = this.#encoded(fields, "field");
    if (new Set(pairs.map(([field]) => field)).size < pairs.length)
      throw invalidArgument("a field cannot be twice in an entry");
    return this.#client.xadd(nameOf(key, "key"), nameOf(id, "id"), pairs, maxLength);
  }

  /** Entries of a stream by their ids: all of them for `"-"` and `"+"`. */
  async xRange(key: string, from = "-", to = "+", options: RangeOptions = {}): Promise<StreamEntry<Out>[]> {
    const words = [nameOf(key, "key"), nameOf(from, "id"), nameOf(to, "id")] as const;
    return this.#entries(await this.#client.xrange(...words, readOptions(options)), key);
  }

  /** Entries behind an id, of several streams: `{ readings: "0" }`. An empty array if there are none, or none came in time. */
  async xRead(streams: ValuesInput<string>, options: ReadOptions = {}): Promise<StreamEntries<Out>[]> {
    return this.#streams(await this.#client.xread(streamsOfInput(streams), readOptions(options)));
  }

  /**
   * Entries for a consumer of a group: `{ readings: ">" }` for new ones. An entry that cannot be decoded stays pending. Everything else
   * of groups has no values: use your client's commands.
   */
  async xReadGroup(
    group: string,
    consumer: string,
    streams: ValuesInput<string>,
    options: ReadOptions = {},
  ): Promise<StreamEntries<Out>[]> {
    const words = [nameOf(group, "group"), nameOf(consumer, "consumer"), streamsOfInput(streams)] as const;
    return this.#streams(await this.#client.xreadgroup(...words, readOptions(options)));
  }

  /** Sends a message to a channel. Resolves with the number of those who got it. */
  async publish(channel: string, value: In): Promise<number> {
    return this.#client.publish(nameOf(channel, "channel"), this.encode(value));
  }

  /**
   * Calls the listener with each message of a channel, on a connection that does nothing else. Resolves with the function that ends it.
   * A message that cannot be decoded goes to `onError`, by default as a warning of the process; with `undecodable: "return"` to the listener.
   * What the listener or `onError` throws is an uncaught exception, as for any listener of an event, and later messages arrive.
   */
  async subscribe(
    channel: string,
    listener: (value: Out) => void,
    options: { readonly onError?: ErrorHandler } = {},
  ): Promise<() => Promise<void>> {
    const { onError = warn } = ownOptions(options);
    if (typeof listener !== "function" || typeof onError !== "function")
      throw invalidArgument("the listener and onError must be functions");
    const onMessage = (bytes: Uint8Array): void => {
      let value: Out;
      try {
        value = this.#value(bytes, channel);
      } catch (error) {
        return onError(error as RedisValueError);
      }
      listener(value);
    };
    return this.#client.subscribe(nameOf(channel, "channel"), (bytes) => {
      try {
        onMessage(bytes);
      } catch (error) {
        // Not here: it would pass through the client's parser, which then loses messages.
        queueMicrotask(() => {
          throw error;
        });
      }
    });
  }

  #value(bytes: Uint8Array, key: string | undefined, field?: string, entry?: string): Out {
    try {
      return this.#reader.decode(bytes, { key, field, entry }) as Out;
    } catch (error) {
      if (this.#returnsErrors) return error as Out;
      throw error;
    }
  }

  #found(bytes: Uint8Array | undefined, key: string, field?: string): Out | undefined {
    return bytes === undefined ? undefined : this.#value(bytes, key, field);
  }

  #encoded(values: ValuesInput<In>, what: string): Pairs<Buffer> {
    return pairsOfInput(values, what).map(([name, value]) => [name, this.encode(value)]);
  }

  #fields(fields: readonly RawField[], key: string, entry?: string): Record<string, Out> {
    const found = new Map<string, Out>();
    for (const [name, bytes] of fields) {
      const field = typeof name === "string" ? name : textOfBytes(name);
      const fault = faultOf(name, field, found.has(field));
      if (fault === undefined) found.set(field, this.#value(bytes, key, field, entry));
      else {
        const error = new RedisValueError({ key, field, entry }, bytes, new DecodeError(...fault, 0));
        if (!this.#returnsErrors) throw error;
        found.set(field, error as Out);
      }
    }
    return recordOf(found);
  }

  #entries(entries: readonly RawEntry[], key: string): StreamEntry<Out>[] {
    return entries.map(({ id, fields }) => ({ id, fields: this.#fields(fields, key, id) }));
  }

  #streams(streams: readonly { key: string; entries: readonly RawEntry[] }[]): StreamEntries<Out>[] {
    return streams.map(({ key, entries }) => ({ key, entries: this.#entries(entries, key) }));
  }
}

/** Why a field cannot be in an object with the others: code and text. */
function faultOf(name: string | Uint8Array, text: string, isKnown: boolean): [ErrorCode, string] | undefined {
  if (typeof name !== "string" && !asBuffer(name).equals(Buffer.from(text)))
    return ["ERR_INVALID_UTF8", "the field's name is not UTF-8; read it with the client"];
  return isKnown ? ["ERR_DUPLICATE_KEY", "the field comes twice; read it with the client"] : undefined;
}
