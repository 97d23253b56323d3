/** Encodes and decodes values of one stored class: the fingerprint of their schema (8 bytes), then a PCK message. */
import {
  type Codec,
  codec,
  fingerprint,
  type MessageDecoder,
  resolve,
  type SchemaDocument,
  toDocument,
} from "@moonpack/pck";
import type { DataOutput } from "hazelcast-client";
import { DecodeError } from "moonpack/bytes";
import { asBuffer, writeTypeId } from "../envelope.js";
import type { Definition, OldSchema, StoredInstances } from "./definition.js";

/** Bytes of a fingerprint. */
export const FINGERPRINT_BYTES = 8;

/** The codec of a class, with decoders for all known schemas of the class. */
export class StoredCodec {
  readonly definition: Definition;
  /** The fingerprint of the class's schema, as hexadecimal digits. */
  readonly fingerprint: string;
  readonly #Class: StoredInstances;
  readonly #codec: Codec<unknown, never>;
  readonly #print: Buffer;
  /** Decoders of other schemas, by fingerprint. */
  readonly #others = new Map<string, MessageDecoder<unknown>>();

  constructor(definition: Definition, Class: StoredInstances) {
    this.definition = definition;
    this.#Class = Class;
    this.#codec = codec(definition.schema, definition.codecOptions(Class));
    this.#print = asBuffer(fingerprint(definition.schema));
    this.fingerprint = this.#print.toString("hex");
    for (const old of definition.older) this.learn(old);
  }

  /** The payload begins with a fingerprint. */
  get isFramed(): boolean {
    return true;
  }

  /**
   * Writes length, fingerprint and message after the type id `written`, which is replaced by the class's type id. Throws an
   * `EncodeError` before it writes anything.
   */
  write(output: DataOutput, value: object, written: number): void {
    const message = this.#codec.encodeShared(value as never);
    if (this.definition.typeId !== written) writeTypeId(output, this.definition.typeId);
    output.writeInt(FINGERPRINT_BYTES + message.length);
    output.write(this.#print);
    output.write(asBuffer(message));
  }

  /** Decodes a payload. Throws a `DecodeError`; offsets count from the start of the PCK message. */
  decode(payload: Buffer): unknown {
    const missing = FINGERPRINT_BYTES - payload.length;
    if (missing > 0) throw new DecodeError("ERR_TRUNCATED", "the fingerprint is truncated", 0, missing);
    const message = payload.subarray(FINGERPRINT_BYTES) as Uint8Array<ArrayBuffer>;
    if (payload.compare(this.#print, 0, FINGERPRINT_BYTES, 0, FINGERPRINT_BYTES) === 0)
      return this.#codec.decode(message);
    const print = fingerprintIn(payload)!;
    const decoder = this.#others.get(print);
    if (decoder === undefined)
      throw new DecodeError("ERR_FINGERPRINT", `its schema ${print} is unknown: add it to older, or call attach`, 0);
    return decoder.decode(message);
  }

  /** True if values of this schema can be decoded. */
  knows(print: string): boolean {
    return print === this.fingerprint || this.#others.has(print);
  }

  /** Makes values of another schema readable. Throws `ERR_SCHEMA` if the schema is incompatible. */
  learn(schema: OldSchema): void {
    const { definition } = this;
    const decoder = resolve(schema, definition.schema, definition.resolveOptions(this.#Class));
    this.#others.set(hexOf(fingerprint(schema)), decoder);
  }

  /** Returns the documents of the class's schemas, by fingerprint: the current schema first, then `older`. */
  documents(): Map<string, SchemaDocument> {
    const schemas: OldSchema[] = [this.definition.schema, ...this.definition.older];
    return new Map(schemas.map((schema) => [hexOf(fingerprint(schema)), toDocument(schema)]));
  }
}

/** Returns the fingerprint at the start of a payload, as hexadecimal digits; undefined if it is truncated. */
export function fingerprintIn(payload: Buffer): string | undefined {
  return payload.length < FINGERPRINT_BYTES ? undefined : payload.toString("hex", 0, FINGERPRINT_BYTES);
}

/** Returns a fingerprint as hexadecimal digits. */
export function hexOf(print: Uint8Array<ArrayBuffer>): string {
  return asBuffer(print).toString("hex");
}
