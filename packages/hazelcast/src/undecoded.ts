/** Values that cannot be decoded: the error, and the bytes, which can be written back unchanged. */
import type { DataOutput } from "hazelcast-client";
import { type ErrorCode, isInstance, MoonpackError } from "moonpack/bytes";
import { type Envelope, writeHash, writeTypeId } from "./envelope.js";

/**
 * A value that could not be decoded: the result of `undecodable: "keep"`, and `error.undecoded`. It can be stored again, with the
 * same bytes. `decode` of the serialization decodes it again, for instance after its schema has become known.
 *
 * @example
 * const value = await map.get("ann");
 * if (value instanceof Undecoded) await quarantine.set("ann", value);
 */
export class Undecoded {
  /** Returns true for instances of every copy of @moonpack/hazelcast in the process. */
  static [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: subclasses pass themselves.
    return isInstance(this, value);
  }
  /** @internal */
  static get brand(): symbol {
    return Symbol.for("@moonpack/hazelcast.Undecoded");
  }
  /** The type id of the value. */
  readonly typeId: number;
  /** A copy of the payload: the bytes after the length. */
  readonly bytes: Buffer;
  readonly #envelope: Envelope;
  readonly #error: UndecodableError;

  /** @internal */
  constructor(typeId: number, envelope: Envelope, error: UndecodableError) {
    this.typeId = typeId;
    this.bytes = Buffer.from(envelope.payload);
    this.#envelope = { ...envelope, payload: this.bytes };
    this.#error = error;
  }

  /** The reason. A getter, because the error refers to this value: as a property it would be a cycle in JSON and dumps. */
  get error(): UndecodableError {
    return this.#error;
  }

  /** @internal The bytes that it was read from; the payload is a copy. */
  get envelope(): Envelope {
    return this.#envelope;
  }

  /** @internal Writes the original bytes, with the original type id and hash. */
  writeTo(output: DataOutput): void {
    const { length, hash } = this.#envelope;
    writeTypeId(output, this.typeId);
    writeHash(output, hash);
    if (length !== null) output.writeInt(length);
    output.write(this.bytes);
  }
}

/**
 * A stored value cannot be decoded. `code` and `cause` come from the decoder; `ERR_FINGERPRINT` if the schema is unknown to the
 * program.
 *
 * @example
 * try { await queue.poll() } catch (e) { if (e instanceof UndecodableError) await rejected.add(e.undecoded) }
 */
export class UndecodableError extends MoonpackError {
  /** Used by `instanceof`, which recognises instances of other copies of the package. */
  static override get brand(): symbol {
    return Symbol.for("@moonpack/hazelcast.UndecodableError");
  }
  /** The type id of the value. */
  readonly typeId: number;
  /** The fingerprint of the value's schema, as 16 hexadecimal digits; undefined for MessagePack and truncated values. */
  readonly fingerprint: string | undefined;
  /** The value with its stored bytes. */
  readonly undecoded: Undecoded;

  /** @internal */
  constructor(
    code: ErrorCode,
    message: string,
    typeId: number,
    fingerprint: string | undefined,
    envelope: Envelope,
    cause: unknown,
  ) {
    super(code, `a value of type ${typeId}: ${message}`, cause);
    this.typeId = typeId;
    this.fingerprint = fingerprint;
    this.undecoded = new Undecoded(typeId, envelope, this);
  }

  override get name(): string {
    return "UndecodableError";
  }
}
