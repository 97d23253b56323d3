/** What encodes and decodes the values of one schema. */
import { defaultGenerator } from "#engine";
import type { BytesInput } from "../../bytes/input.js";
import { DEFAULT_MAX_DEPTH } from "../../bytes/limits.js";
import {
  decodeMessage,
  decodeMessageInPlace,
  encodeMessage,
  encodeMessageInto,
  encodeMessageOwned,
  encodeMessageShared,
  Messages,
  sizeOfMessage,
} from "../../bytes/pack-message.js";
import { encodeError } from "../../bytes/pack-writer.js";
import type { Model } from "../model/model.js";
import type { Schema } from "../schema/schema.js";
import { type SchemaInput, toModel } from "../to-model.js";
import { closures, type Engine } from "./engine.js";
import { structFromJson, structToJson } from "./json.js";
import { type CodecOptions, type CodecSettings, checkClasses, codecSettings } from "./settings.js";

/**
 * Encodes and decodes the values of one schema. Made by {@link codec}; may be kept and used from everywhere, also while it is
 * at work (in a getter, say).
 */
export class Codec<Out, In> {
  readonly #model: Model;
  readonly #settings: CodecSettings;
  readonly #engine: Engine;
  readonly #messages: Messages;
  /** The codec of the JSON form: with the default options. */
  #plain: Codec<unknown, never> | null = null;

  /** @internal */
  constructor(model: Model, settings: CodecSettings) {
    this.#model = model;
    this.#settings = settings;
    this.#messages = new Messages(settings.maxDepth);
    const { generator } = settings;
    const generate = generator === undefined ? defaultGenerator : generator;
    // Generated code recurses; closures know another way for what is nested deeper than usual.
    const isDeep = settings.maxDepth > DEFAULT_MAX_DEPTH;
    this.#engine = (isDeep ? null : generate?.(model, settings)) ?? closures(model, settings);
  }

  /** The schema that it writes and reads; of a document, the one that it says. */
  get schema(): Schema<Out, In> {
    return this.#model.root.schema as Schema<Out, In>;
  }

  /**
   * The value's bytes in memory that nobody writes to again. Those of 65 bytes to 2 KB are a cut from an 8 KB slab, as Node's
   * Buffers are; others, and all in Firefox and Bun, own their memory. Every failure is an `EncodeError` with code and path.
   */
  encode(value: In): Uint8Array<ArrayBuffer> {
    return encodeMessage(this.#messages, this.#engine.write, value as never);
  }

  /** As `encode`, in memory that no other result shares, whatever its size. */
  encodeOwned(value: In): Uint8Array<ArrayBuffer> {
    return encodeMessageOwned(this.#messages, this.#engine.write, value as never);
  }

  /**
   * Writes the value's bytes into `target` from `offset` on; answers the offset after them. When they do not fit it is
   * `ERR_BUFFER_TOO_SMALL` and the target is left as it was.
   */
  encodeInto(value: In, target: Uint8Array, offset = 0): number {
    return encodeMessageInto(this.#messages, this.#engine.write, value as never, target, offset);
  }

  /** The value's bytes as a view that is valid until the next call on this codec: for sockets and stores that copy at once. */
  encodeShared(value: In): Uint8Array<ArrayBuffer> {
    return encodeMessageShared(this.#messages, this.#engine.write, value as never);
  }

  /** How many bytes the value takes. It is written to find out. */
  size(value: In): number {
    return sizeOfMessage(this.#messages, this.#engine.write, value as never);
  }

  /**
   * The value of a whole message. Every failure is a `DecodeError` with code and offset, but for `ERR_INVALID_ARGUMENT`: an input
   * that is no bytes.
   */
  decode(input: BytesInput): Out {
    const decode = this.#settings.binary === "view" ? decodeMessageInPlace : decodeMessage;
    return decode(this.#messages, this.#engine.read, input) as Out;
  }

  /** The JSON form of a value: 64-bit integers as decimal strings, bytes as base64, maps as lists of pairs. */
  toJSON(value: In): unknown {
    const plain = this.#json();
    return structToJson(this.#model.root, plain.decode(this.encodeShared(value)) as Record<string, unknown>);
  }

  /** The value that a JSON form stands for. `EncodeError` with the path of what it does not allow. */
  fromJSON(json: unknown): Out {
    try {
      const value = structFromJson(this.#model.root, json, this.#settings.maxDepth);
      return this.decode(this.#json().encodeOwned(value as never));
    } catch (error) {
      throw encodeError(error);
    }
  }

  #json(): Codec<unknown, never> {
    const { maxDepth } = this.#settings;
    return (this.#plain ??= new Codec<unknown, never>(this.#model, {
      ...codecSettings({ maxDepth }),
      generator: null,
    }));
  }
}

/**
 * A codec of a schema, or of a schema document.
 * `ERR_SCHEMA` for a schema that is not valid, `ERR_INVALID_ARGUMENT` for an option that makes no sense.
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
