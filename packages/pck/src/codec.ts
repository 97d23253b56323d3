/** Codecs: they encode and decode the values of one schema. */

import {
  type BytesInput,
  choiceOption,
  DEFAULT_MAX_DEPTH,
  type ElementBudget,
  isInstance,
  optionsObject,
  ownOption,
  refuseUnknown,
} from "moonpack/bytes";
import { defaultGenerator } from "#engine";
import { closures } from "./closures/engine.js";
import { type SchemaInput, toModel } from "./document/to-model.js";
import { errorOfValue, ForeignWriter, foreignBudget } from "./foreign.js";
import { structFromJson, structToJson } from "./json/values.js";
import { isBounded } from "./model/bounded.js";
import type { Model } from "./model/model.js";
import { Weights } from "./model/weights.js";
import {
  PackMessages,
  packedSize,
  packMessage,
  packMessageInto,
  packMessageOwned,
  packMessageShared,
  unpackMessage,
  unpackMessageInPlace,
  unpackMessageWithin,
  writeMessage,
} from "./runtime/message.js";
import { encodeError } from "./runtime/writer.js";
import type { Schema } from "./schema/schema.js";
import { type CodecOptions, type CodecSettings, checkClasses, codecSettings, type Engine } from "./settings.js";

/** Options of {@link Codec.fromJSON}. */
export interface FromJsonOptions {
  /**
   * How 64-bit integers are read: as decimal strings, or also as numbers and bigints, for JSON that was parsed without
   * rounding. Default `"text"`.
   */
  readonly int64?: "text" | "any";
}

/**
 * Encodes and decodes the values of one schema. Made by {@link codec}. Keep it: making one takes time. It may be called
 * while it is encoding (from a getter, say).
 */
export class Codec<Out, In> {
  /** Returns true for instances of every copy of @moonpack/pck in the process. */
  static [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a subclass tests for its own instances.
    return isInstance(this, value);
  }
  /** @internal */
  static get brand(): symbol {
    return Symbol.for("@moonpack/pck.Codec");
  }
  readonly #model: Model;
  /** @internal */
  readonly settings: CodecSettings;
  readonly #engine: Engine;
  readonly #messages: PackMessages;
  /** Elements that the root struct counts. */
  readonly #weight: number;
  /** The same, or 0 if counting is off: no message of the schema can exceed the limit. */
  readonly #counted: number;
  /** The codec of the JSON form, with the default options; null until it is needed. */
  #plain: Codec<unknown, never> | null = null;
  /** The idle memory of foreign values; null while a call uses it. */
  #writer: ForeignWriter | null = null;
  /** The codec that takes objects for maps; null until it is needed. */
  #lenient: Codec<Out, In> | null = null;
  /** The codec of large foreign values, which counts their absent fields; null until it is needed. */
  #sparse: Codec<Out, In> | null = null;

  /** @internal */
  constructor(model: Model, settings: CodecSettings) {
    this.#model = model;
    this.settings = settings;
    const weights = new Weights(settings);
    const isFree = isBounded([model.root], weights, settings.maxElements);
    this.#messages = new PackMessages(settings.maxDepth, isFree ? Infinity : settings.maxElements);
    this.#weight = weights.struct(model.root);
    this.#counted = isFree ? 0 : this.#weight;
    const { generator } = settings;
    const generate = generator === undefined ? defaultGenerator : generator;
    // Generated code recurses. Closures can also read and write values that are nested deeper than the call stack
    // allows.
    const isDeep = settings.maxDepth > DEFAULT_MAX_DEPTH;
    this.#engine = (isDeep ? null : generate?.(model, settings)) ?? closures(model, settings);
  }

  /** The codec's schema; for a document, the schema that was made from it. */
  get schema(): Schema<Out, In> {
    return this.#model.root.schema as Schema<Out, In>;
  }

  /**
   * Returns the bytes of a value, in memory that is never written again. A result of 65 bytes to 2 KB is a view of an 8
   * KB slab, like a small Buffer of Node; other results, and all results in Firefox and Bun, own their buffer. Errors
   * are `EncodeError`s with a code and a path.
   */
  encode(value: In): Uint8Array<ArrayBuffer> {
    return packMessage(this.#messages, this.#engine.write, value as never);
  }

  /** Works like `encode`; the result owns its buffer, whatever its size. */
  encodeOwned(value: In): Uint8Array<ArrayBuffer> {
    return packMessageOwned(this.#messages, this.#engine.write, value as never);
  }

  /**
   * Writes the bytes of a value into `target` from `offset` on and returns the offset after them.
   * Throws `ERR_BUFFER_TOO_SMALL` when they do not fit; the target is unchanged then.
   */
  encodeInto(value: In, target: Uint8Array, offset = 0): number {
    return packMessageInto(this.#messages, this.#engine.write, value as never, target, offset);
  }

  /**
   * Works like `encode`; the result is a view that is valid until the next call on this codec. For consumers that copy immediately.
   */
  encodeShared(value: In): Uint8Array<ArrayBuffer> {
    return packMessageShared(this.#messages, this.#engine.write, value as never);
  }

  /** Returns how many bytes a value takes, by writing it. */
  size(value: In): number {
    return packedSize(this.#messages, this.#engine.write, value as never);
  }

  /**
   * Decodes a whole message. Errors are `DecodeError`s with a code and an offset; an input that is not bytes is
   * `ERR_INVALID_ARGUMENT`.
   */
  decode(input: BytesInput): Out {
    const decode = this.settings.binary === "view" ? unpackMessageInPlace : unpackMessage;
    return decode(this.#messages, this.#engine.read, input, this.#counted) as Out;
  }

  /**
   * @internal Like `decode`, for a message that shares its element budget with others. The codec is made with
   * `maxElements: 1`, so that it counts.
   */
  decodeWithin(input: BytesInput, budget: ElementBudget): Out {
    const { maxDepth } = this.settings;
    return unpackMessageWithin(maxDepth, this.#engine.read, input, this.#weight, budget) as Out;
  }

  /** Returns the JSON form of a value: 64-bit integers as decimal strings, bytes as base64, maps as lists of pairs. */
  toJSON(value: In): unknown {
    const plain = this.#json();
    return structToJson(this.#model.root, plain.decode(this.encodeShared(value)) as Record<string, unknown>);
  }

  /**
   * Returns the value of a JSON form. Objects are taken for maps with text keys, too. An invalid one is an `EncodeError`
   * with a path. Throws `ERR_LIMIT_ELEMENTS` also for a large value that leaves out more fields than its text pays for.
   */
  fromJSON(json: unknown, options?: FromJsonOptions): Out {
    if (options !== undefined) refuseUnknown(optionsObject(options), ["int64"]);
    const isAny = choiceOption("int64", ownOption(options, "int64"), ["text", "any"]) === "any";
    try {
      const value = structFromJson(this.#model.root, json, this.settings.maxDepth, isAny);
      return this.#foreign(value, json, this.#json().#engine.write);
    } catch (error) {
      throw encodeError(error);
    }
  }

  /**
   * Checks a value that came in another format, such as MessagePack, and returns it as `decode` returns it: with all
   * fields, without unknown properties. Objects are taken for maps with text keys, too. An invalid value is an
   * `EncodeError` with a path. Throws `ERR_LIMIT_ELEMENTS` also for a large value that leaves out more fields than its bytes
   * pay for.
   */
  check(value: unknown): Out {
    this.#lenient ??= this.settings.maps === "object" ? this : this.#with({ maps: "object" });
    return this.#foreign(value, value, this.#lenient.#engine.write);
  }

  /** @internal Like `check`, for a value that `encode` takes. */
  checkStrictly(value: In): Out {
    return this.#foreign(value, value, this.#engine.write);
  }

  /** Encodes and decodes a value. `source`: what was sent. */
  #foreign(value: unknown, source: unknown, write: Engine["write"]): Out {
    const { maxDepth, maxElements, binary } = this.settings;
    const sent = maxElements === Infinity ? undefined : source;
    const writer = this.#writer ?? new ForeignWriter(maxDepth);
    this.#writer = null;
    writer.reset();
    writer.source = sent;
    writeMessage(writer, write, value as never);
    writer.source = undefined;
    const bytes = binary === "view" ? writer.bytes.slice(0, writer.pos) : writer.bytes.subarray(0, writer.pos);
    const budget = foreignBudget(sent, bytes.length, maxElements);
    try {
      if (budget === null) return this.decode(bytes);
      this.#sparse ??= this.#with({ maxElements: 1, countsAllAbsent: true, generator: null });
      return this.#sparse.decodeWithin(bytes, budget);
    } catch (error) {
      throw encodeError(errorOfValue(error));
    } finally {
      this.#writer = writer;
    }
  }

  #with(settings: Partial<CodecSettings>): Codec<Out, In> {
    return newCodec<Out, In>(this.#model, { ...this.settings, ...settings });
  }

  #json(): Codec<unknown, never> {
    const { maxDepth } = this.settings;
    // It decodes only its own bytes, which need no limit.
    const settings = codecSettings({ maxDepth, maxElements: Infinity });
    return (this.#plain ??= newCodec<unknown, never>(this.#model, { ...settings, generator: null }));
  }
}

/** Outside the class: TypeScript compiles its own name inside it to a variable, which bundlers then keep with all of the class. */
function newCodec<Out, In>(model: Model, settings: CodecSettings): Codec<Out, In> {
  return new Codec(model, settings);
}

/**
 * Returns a codec of a schema, or of a schema document.
 * Throws `ERR_SCHEMA` for a schema that is not valid, `ERR_INVALID_ARGUMENT` for an unknown or invalid option.
 *
 * @example
 * const players = codec(Player);
 * const bytes = players.encode({ health: 100, jumping: true }); // 8 bytes
 */
export function codec<Out, In>(schema: SchemaInput<Out, In>, options?: CodecOptions): Codec<Out, In> {
  const model = toModel(schema);
  const settings = codecSettings(options);
  checkClasses(settings, model);
  return new Codec<Out, In>(model, settings);
}
