/** Values in Redis, through the caller's client. */
import { DecodeError, type ErrorCode, invalidArgument, recordOf } from "moonpack/bytes";
import type { Paths, Picked, Picker, RawNames } from "moonpack/pick";
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
import { type PlacedCodec, placedCodec, type ValueOptions } from "./codecs/placed-codec.js";
import { RedisValueError } from "./errors.js";
import {
  checkEntries,
  copyOptions,
  type ErrorHandler,
  nameOf,
  namesOf,
  pairsOfInput,
  rangeCommand,
  readCommand,
  setCommand,
  streamsOfInput,
  undecodableOf,
  type ValuesInput,
  warn,
} from "./options.js";

/** Options of {@link redisValues}. */
export interface RedisValuesOptions extends ValueOptions {
  /**
   * How bytes are read that cannot be decoded. `"throw"` (default) throws a {@link RedisValueError}. `"keep"` puts the error in the place of
   * the value, so the other values of the reply can be used. A function gets the error and returns the value.
   */
  readonly undecodable?: "throw" | "keep" | ((error: RedisValueError) => unknown);
}

/** An entry of a stream. */
export interface StreamEntry<Out> {
  /** The id of the entry, such as `1526919030474-0`. */
  readonly id: string;
  /** The values, by the names of their fields. */
  readonly fields: Readonly<Record<string, Out>>;
}

/** Entries of one stream. */
export interface StreamEntries<Out> {
  /** The key of the stream. */
  readonly key: string;
  /** The entries, in the order of their ids. */
  readonly entries: readonly StreamEntry<Out>[];
}

/**
 * Returns functions that read and write values in Redis, as MessagePack or with a codec. They use the client's connection and change nothing
 * else of the client. Values are copies of the reply; with `binary: "view"` of a decoder, binary is a view of the client's memory.
 *
 * Throws `ERR_INVALID_ARGUMENT` for anything but a client, and for an invalid or unknown option.
 *
 * @example
 * const users = redisValues(new Redis(), { codec: framed(User) });
 * await users.set("user:7", { name: "Ada" }, { ttl: "60s" });
 */
export function redisValues<Out, In>(
  client: RedisClient,
  options: RedisValuesOptions & { readonly codec: ValueCodec<Out, In>; readonly undecodable: "keep" },
): RedisValues<Out | RedisValueError, In>;
/** Uses a codec, and a function that replaces undecodable values. */
export function redisValues<Out, In, Other = Out>(
  client: RedisClient,
  options: RedisValuesOptions & {
    readonly codec: ValueCodec<Out, In>;
    readonly undecodable: (error: RedisValueError) => Other;
  },
): RedisValues<Out | Other, In>;
/** Uses a codec. Undecodable values are thrown. */
export function redisValues<Out, In>(
  client: RedisClient,
  options: RedisValuesOptions & { readonly codec: ValueCodec<Out, In>; readonly undecodable?: "throw" },
): RedisValues<Out, In>;
/** Uses MessagePack, for values of the type `T`. */
export function redisValues<T = unknown>(
  client: RedisClient,
  options: RedisValuesOptions & { readonly undecodable: "keep" },
): RedisValues<T | RedisValueError, T>;
/** Uses MessagePack, and a function that replaces undecodable values. */
export function redisValues<T = unknown, Other = T>(
  client: RedisClient,
  options: RedisValuesOptions & { readonly undecodable: (error: RedisValueError) => Other },
): RedisValues<T | Other, T>;
/** Uses MessagePack. Undecodable values are thrown. */
export function redisValues<T = unknown>(
  client: RedisClient,
  options?: RedisValuesOptions & { readonly undecodable?: "throw" },
): RedisValues<T, T>;
export function redisValues(
  client: RedisClient,
  options?: RedisValuesOptions & { readonly codec?: ValueCodec },
): RedisValues {
  const given = copyOptions(options, ["codec", "encoder", "decoder", "json", "undecodable"]);
  return new RedisValues(bytesClient(client), placedCodec(given), undecodableOf(given.undecodable));
}

/** Values of one type, made by {@link redisValues}. A missing key or field is undefined; null is a value. */
export class RedisValues<Out = unknown, In = never> {
  readonly #client: BytesClient;
  readonly #codec: PlacedCodec;
  readonly #replace: ((error: RedisValueError) => unknown) | undefined;

  /** @internal */
  constructor(client: BytesClient, codec: PlacedCodec, replace: ((error: RedisValueError) => unknown) | undefined) {
    this.#client = client;
    this.#codec = codec;
    this.#replace = replace;
  }

  /**
   * Returns the bytes of a value, for other commands: pipelines, transactions, scripts, lists, sets. Throws an `EncodeError` with the path of
   * an unsupported value.
   */
  encode(value: In): Buffer {
    return asBuffer(this.#codec.encode(value));
  }

  /** Returns the value of bytes from another command. Errors name `key`. Throws a {@link RedisValueError}. */
  decode(bytes: Uint8Array, key?: string): Out {
    if (!(bytes instanceof Uint8Array))
      throw invalidArgument("bytes must be a Buffer, as from getBuffer of ioredis or withTypeMapping of node-redis");
    return this.#value(bytes, key);
  }

  /**
   * Returns the same functions, which read only some parts of each value: keep the result beside its Picker of `moonpack/pick`. The rest of
   * a value is skipped, not decoded; a `Raw` is encoded again as it is. Errors are those of other values; what a function `undecodable`
   * returns is used as it is. Throws `ERR_INVALID_ARGUMENT` for anything but a Picker, and for values with a codec.
   *
   * @example
   * const names = users.pick(new Picker({ name: "/name", city: "/address/city" }));
   * const { name, city } = await names.get("user:7");
   */
  pick<const P extends Paths, const R extends RawNames>(
    picker: Picker<P, R>,
  ): RedisValues<Picked<In, P, R> | Exclude<Out, In> | Extract<Out, RedisValueError>, never> {
    return new RedisValues(this.#client, this.#codec.picking(picker), this.#replace);
  }

  /** Resolves with the value of a key, or undefined. */
  async get(key: string): Promise<Out | undefined> {
    return this.#found(await this.#client.get(nameOf(key, "key")), key);
  }

  /** Sets a key. Resolves with false if `condition` was not met. */
  async set(key: string, value: In, options?: SetOptions): Promise<boolean> {
    const command = setCommand(options);
    return this.#client.set(nameOf(key, "key"), this.encode(value), command);
  }

  /** Resolves with the values of several keys, in order; undefined for missing keys. */
  async mGet(keys: readonly string[]): Promise<(Out | undefined)[]> {
    const names = namesOf(keys, "key");
    if (names.length === 0) return [];
    return (await this.#client.mget(names)).map((bytes, i) => this.#found(bytes, names[i]!));
  }

  /** Sets several keys in one command. Sends nothing if a value cannot be encoded. */
  async mSet(values: ValuesInput<In>): Promise<void> {
    const pairs = this.#encoded(values, "key");
    if (pairs.length > 0) await this.#client.mset(pairs);
  }

  /** Resolves with the value of a hash field, or undefined. */
  async hGet(key: string, field: string): Promise<Out | undefined> {
    return this.#found(await this.#client.hget(nameOf(key, "key"), nameOf(field, "field")), key, field);
  }

  /** Resolves with the values of several fields, in order; undefined for missing fields. */
  async hMGet(key: string, fields: readonly string[]): Promise<(Out | undefined)[]> {
    const [hash, names] = [nameOf(key, "key"), namesOf(fields, "field")];
    if (names.length === 0) return [];
    return (await this.#client.hmget(hash, names)).map((bytes, i) => this.#found(bytes, key, names[i]));
  }

  /** Resolves with all fields of a hash; an empty object if the key does not exist. */
  async hGetAll(key: string): Promise<Record<string, Out>> {
    return this.#fields(await this.#client.hgetall(nameOf(key, "key")), key);
  }

  /** Sets fields of a hash. Resolves with the number of new fields. */
  async hSet(key: string, fields: ValuesInput<In>): Promise<number> {
    const [hash, pairs] = [nameOf(key, "key"), this.#encoded(fields, "field")];
    return pairs.length === 0 ? 0 : this.#client.hset(hash, pairs);
  }

  /**
   * Adds an entry to a stream; each field is a value. Resolves with its id. `maxLength` removes the oldest entries, down to approximately
   * this number. Throws `ERR_INVALID_ARGUMENT` for a duplicate field.
   */
  async xAdd(
    key: string,
    fields: ValuesInput<In>,
    options?: { readonly id?: string; readonly maxLength?: number },
  ): Promise<string> {
    const { id = "*", maxLength } = copyOptions(options, ["id", "maxLength"]);
    checkEntries("maxLength", maxLength);
    const pairs = this.#encoded(fields, "field");
    if (new Set(pairs.map(([field]) => field)).size < pairs.length)
      throw invalidArgument("an entry cannot have the same field twice");
    return this.#client.xadd(nameOf(key, "key"), nameOf(id, "id"), pairs, maxLength);
  }

  /** Resolves with entries of a stream by their ids: all entries for `"-"` and `"+"`. */
  async xRange(key: string, from = "-", to = "+", options?: RangeOptions): Promise<StreamEntry<Out>[]> {
    const words = [nameOf(key, "key"), nameOf(from, "id"), nameOf(to, "id")] as const;
    return this.#entries(await this.#client.xrange(...words, rangeCommand(options)), key);
  }

  /** Resolves with the entries after an id, of several streams: `{ readings: "0" }`. An empty array if there are none in time. */
  async xRead(streams: ValuesInput<string>, options?: ReadOptions): Promise<StreamEntries<Out>[]> {
    return this.#streams(await this.#client.xread(streamsOfInput(streams), readCommand(options)));
  }

  /**
   * Resolves with entries for a consumer of a group: `{ readings: ">" }` for new entries. An entry that cannot be decoded stays pending.
   * For other commands of groups use your client.
   */
  async xReadGroup(
    group: string,
    consumer: string,
    streams: ValuesInput<string>,
    options?: ReadOptions,
  ): Promise<StreamEntries<Out>[]> {
    const words = [nameOf(group, "group"), nameOf(consumer, "consumer"), streamsOfInput(streams)] as const;
    return this.#streams(await this.#client.xreadgroup(...words, readCommand(options)));
  }

  /** Sends a message to a channel. Resolves with the number of its receivers. */
  async publish(channel: string, value: In): Promise<number> {
    return this.#client.publish(nameOf(channel, "channel"), this.encode(value));
  }

  /**
   * Calls the listener with each message of a channel. Use a separate connection. Resolves with the function that ends the subscription.
   * A message that cannot be decoded is passed to `onError`, by default a process warning. With `undecodable` `"keep"` or a function, the
   * listener gets the error or the returned value instead.
   * An error that the listener or `onError` throws is an uncaught exception, as for any event listener. Later messages still arrive.
   */
  async subscribe(
    channel: string,
    listener: (value: Out) => void,
    options?: { readonly onError?: ErrorHandler },
  ): Promise<() => Promise<void>> {
    const { onError = warn } = copyOptions(options, ["onError"]);
    if (typeof listener !== "function" || typeof onError !== "function")
      throw invalidArgument("the listener and onError must be functions");
    const onMessage = (bytes: Uint8Array): void => {
      let value: Out;
      try {
        value = this.#value(bytes, channel);
      } catch (error) {
        if (error instanceof RedisValueError) return onError(error);
        throw error;
      }
      listener(value);
    };
    return this.#client.subscribe(nameOf(channel, "channel"), (bytes) => {
      try {
        onMessage(bytes);
      } catch (error) {
        // Thrown later: the client's parser loses messages when a listener throws.
        queueMicrotask(() => {
          throw error;
        });
      }
    });
  }

  #value(bytes: Uint8Array, key: string | undefined, field?: string, entry?: string): Out {
    try {
      return this.#codec.decode(bytes, { key, field, entry }) as Out;
    } catch (error) {
      return this.#replaced(error as RedisValueError);
    }
  }

  /** Returns the value in the place of an undecodable one, or throws the error. */
  #replaced(error: RedisValueError): Out {
    if (this.#replace === undefined) throw error;
    return this.#replace(error) as Out;
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
        found.set(field, this.#replaced(error));
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

/** Returns code and text of the error if a field cannot be a property of an object beside the others. */
function faultOf(name: string | Uint8Array, text: string, isKnown: boolean): [ErrorCode, string] | undefined {
  if (typeof name !== "string" && !asBuffer(name).equals(Buffer.from(text)))
    return ["ERR_INVALID_UTF8", "the field's name is not UTF-8; read it with the client"];
  return isKnown ? ["ERR_DUPLICATE_KEY", "the entry has this field twice; read it with the client"] : undefined;
}
