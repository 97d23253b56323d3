/** What encodes and decodes the values of one schema. */
import { defaultGenerator } from "#engine";
import { invalidArgument, MoonpackError } from "../../bytes/errors.js";
import type { BytesInput } from "../../bytes/input.js";
import { MessageOpener } from "../../bytes/pack-message.js";
import { expectEnd } from "../../bytes/pack-reader.js";
import { encodeError, PackWriter } from "../../bytes/pack-writer.js";
import { copyOwned, Slab } from "../../bytes/slab.js";
import type { Model } from "../model/model.js";
import type { Schema } from "../schema/schema.js";
import { type SchemaInput, toModel } from "../to-model.js";
import { closures, type Engine } from "./engine.js";
import { structFromJson, structToJson } from "./json.js";
import { type CodecOptions, type CodecSettings, codecSettings } from "./settings.js";
import { SharedViews } from "./shared-views.js";

const INITIAL_BYTES = 1024;

/**
 * Encodes and decodes the values of one schema. Made by {@link codec}; may be kept and used from everywhere, also while it is
 * at work (in a getter, say).
 */
export class Codec<Out, In> {
  readonly #model: Model;
  readonly #settings: CodecSettings;
  readonly #engine: Engine;
  readonly #slab = new Slab();
  /** The one that is not in use; null while it is. */
  #free: PackWriter | null = null;
  readonly #views = new SharedViews();
  readonly #opener: MessageOpener;
  /** The codec of the JSON form: with the default options. */
  #plain: Codec<unknown, never> | null = null;

  /** @internal */
  constructor(model: Model, settings: CodecSettings) {
    this.#model = model;
    this.#settings = settings;
    this.#opener = new MessageOpener(settings.maxDepth);
    const { generator } = settings;
    const generate = generator === undefined ? defaultGenerator : generator;
    this.#engine = generate?.(model, settings) ?? closures(model, settings);
  }

  /** The schema that it writes and reads; of a document, the one that it says. */
  get schema(): Schema<Out, In> {
    return this.#model.root.schema as Schema<Out, In>;
  }

  /**
   * The value's bytes in memory that nobody writes to again. Up to 64 bytes they are an array of their own, up to 2 KB a
   * cut from an 8 KB slab, as Node's Buffers are, larger ones own their memory. Every failure is an `EncodeError` with code
   * and path.
   */
  encode(value: In): Uint8Array<ArrayBuffer> {
    const writer = this.#write(value);
    const bytes = this.#slab.copy(writer.bytes, 0, writer.pos);
    this.#free = writer;
    return bytes;
  }

  /** As `encode`, in memory that no other result shares, whatever its size. */
  encodeOwned(value: In): Uint8Array<ArrayBuffer> {
    const writer = this.#write(value);
    const bytes = copyOwned(writer.bytes, 0, writer.pos);
    this.#free = writer;
    return bytes;
  }

  /**
   * Writes the value's bytes into `target` from `offset` on; answers the offset after them. When they do not fit it is
   * `ERR_BUFFER_TOO_SMALL` and the target is left as it was.
   */
  encodeInto(value: In, target: Uint8Array, offset = 0): number {
    if (!(target instanceof Uint8Array)) throw invalidArgument("target must be a Uint8Array");
    if (!Number.isInteger(offset) || offset < 0 || offset > target.length) {
      throw invalidArgument(`offset must be an integer from 0 to ${target.length}`);
    }
    const writer = this.#write(value);
    const { bytes, pos } = writer;
    this.#free = writer;
    const room = target.length - offset;
    if (pos > room) {
      throw new MoonpackError(
        "ERR_BUFFER_TOO_SMALL",
        `the message takes ${pos} bytes, the target has room for ${room}`,
      );
    }
    target.set(bytes.subarray(0, pos), offset);
    return offset + pos;
  }

  /** The value's bytes as a view that is valid until the next call on this codec: for sockets and stores that copy at once. */
  encodeShared(value: In): Uint8Array<ArrayBuffer> {
    const writer = this.#write(value);
    this.#free = writer;
    return this.#views.view(writer.bytes, writer.pos);
  }

  /** How many bytes the value takes. It is written to find out. */
  size(value: In): number {
    const writer = this.#write(value);
    this.#free = writer;
    return writer.pos;
  }

  /** The value of a whole message. Every failure is a `DecodeError` with code and offset. */
  decode(input: BytesInput): Out {
    const opener = this.#opener;
    const reader = this.#settings.binary === "view" ? opener.openInPlace(input) : opener.open(input);
    const value = this.#engine.read(reader);
    expectEnd(reader);
    return value as Out;
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

  #write(value: In): PackWriter {
    const writer = this.#free ?? new PackWriter(INITIAL_BYTES, this.#settings.maxDepth);
    // While it is at work a getter may call this codec: that call finds no free one, and makes one.
    this.#free = null;
    writer.reset();
    try {
      this.#engine.write(writer, value as never);
    } catch (error) {
      throw encodeError(error);
    }
    if (writer.bytes.length < writer.pos) {
      throw new MoonpackError("ERR_CLOSED", "a getter transferred away what was being written to");
    }
    return writer;
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
  return new Codec<Out, In>(toModel(schema), codecSettings(options));
}
