/** Writes values: chooses the format of each value. */
import { type DataOutput, HazelcastJsonValue } from "hazelcast-client";
import { invalidArgument } from "moonpack/bytes";
import { Encoder, type EncoderOptions } from "moonpack/msgpack";
import { asBuffer, writeTypeId } from "./envelope.js";
import { Packed } from "./packed.js";
import type { Definition, StoredInstances } from "./stored/definition.js";
import { definitionOf } from "./stored/stored.js";
import type { StoredCodec } from "./stored/stored-codec.js";
import { JSON_TYPE_ID } from "./type-ids.js";
import { Undecoded } from "./undecoded.js";

/** Settings of a writer. */
export interface WriterSettings {
  readonly typeId: number;
  readonly packedTypeId: number;
  readonly encoder: EncoderOptions;
  /** Writes JSON instead of MessagePack for objects whose class is not stored. */
  readonly asJson: boolean;
  readonly codecs: ReadonlyMap<number, StoredCodec>;
}

/** Writes the values that the client has no type for. */
export class ValueWriter {
  readonly #settings: WriterSettings;
  readonly #encoder: Encoder;
  readonly #canonical: Encoder;

  constructor(settings: WriterSettings) {
    this.#settings = settings;
    this.#encoder = new Encoder(settings.encoder);
    this.#canonical = new Encoder({ ...settings.encoder, canonical: true });
  }

  /**
   * Writes a value after the type id `written`, which is replaced if the value has another one. Throws an `EncodeError` for a
   * value that cannot be encoded; the client then sends nothing.
   */
  write(output: DataOutput, value: unknown, written: number): void {
    // Most values are plain: they need this test only.
    if (isPlain(value) || typeof value !== "object" || value === null) this.#plain(output, value, written);
    else if (value instanceof Packed) {
      this.#message(output, this.#canonical, value.value, this.#settings.packedTypeId, written);
    } else if (value instanceof Undecoded) value.writeTo(output);
    else if (value instanceof HazelcastJsonValue) this.#json(output, value.toString(), written);
    else {
      const definition = definitionOf(value);
      if (definition === undefined) this.#plain(output, value, written);
      else this.#stored(output, value, definition, written);
    }
  }

  #plain(output: DataOutput, value: unknown, written: number): void {
    const { asJson, typeId } = this.#settings;
    if (asJson) this.#json(output, JSON.stringify(value) ?? null, written);
    else this.#message(output, this.#encoder, value, typeId, written);
  }

  #message(output: DataOutput, encoder: Encoder, value: unknown, typeId: number, written: number): void {
    const message = encoder.encodeShared(value);
    if (typeId !== written) writeTypeId(output, typeId);
    output.writeByteArray(asBuffer(message));
  }

  #json(output: DataOutput, text: string | null, written: number): void {
    if (JSON_TYPE_ID !== written) writeTypeId(output, JSON_TYPE_ID);
    output.writeString(text);
  }

  #stored(output: DataOutput, value: object, definition: Definition, written: number): void {
    const codec = this.#settings.codecs.get(definition.typeId);
    if (codec?.definition !== definition) {
      const { name } = value.constructor as StoredInstances;
      throw invalidArgument(
        `the class ${name} (type id ${definition.typeId}) is not in the serialization's \`stored\``,
      );
    }
    codec.write(output, value, written);
  }
}

/** True for plain objects and arrays. */
function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}
