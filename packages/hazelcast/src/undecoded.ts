/** Values that cannot be decoded: their error, and their bytes, which can be written back unchanged. */
import type { DataOutput } from "hazelcast-client";
import { type ErrorCode, isInstance, MoonpackError } from "moonpack/bytes";
import { type Envelope, writeHash, writeTypeId } from "./envelope.js";

/**
 * A value that could not be decoded, for `undecodable: "keep"`, and in `error.undecoded`. It can be stored anywhere and
 * keeps its bytes. `decode` of the serialization tries it again, for instance when its schema has become known.
 *
 * @example
 * const value = await map.get("ann");
 * if (value instanceof Undecoded) await quarantine.set("ann", value);
 */
export class Undecoded {
  /** True for instances of every copy of @moonpack/hazelcast in the process. */
  static [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a subclass asks for itself.
    return isInstance(this, value);
  }
  /** @internal */
  static get brand(): symbol {
    return Symbol.for("@moonpack/hazelcast.Undecoded");
  }
  /** The type id of the value. */
  readonly typeId: number;
  /** A copy of the payload: what follows the length. */
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

  /** Why it could not be decoded: an {@link UndecodableError}. A getter, so that JSON and dumps of one have no circle. */
  get error(): UndecodableError {
    return this.#error;
  }

  /** @internal What it was read from; the payload is its copy. */
  get envelope(): Envelope {
    return this.#envelope;
  }

  /** @internal Writes the bytes that the value had, with its type id and hash. */
  writeTo(output: DataOutput): void {
    const { length, hash } = this.#envelope;
    writeTypeId(output, this.typeId);
    writeHash(output, hash);
    if (length !== null) output.writeInt(length);
    output.write(this.bytes);
  }
}

/**
 * A stored value cannot be decoded. `code` and `cause` are those of the format; `ERR_FINGERPRINT` if the program does not
 * know the schema.
 *
 * @example
 * try { await queue.poll() } catch (e) { if (e instanceof UndecodableError) await rejected.add(e.undecoded) }
 */
export class UndecodableError extends MoonpackError {
  /** Recognises instances of other copies, by `instanceof`. */
  static override get brand(): symbol {
    return Symbol.for("@moonpack/hazelcast.UndecodableError");
  }
  /** The type id of the value. */
  readonly typeId: number;
  /** The fingerprint of the value's schema, as 16 hexadecimal digits; undefined for MessagePack and cut values. */
  readonly fingerprint: string | undefined;
  /** The value, as it is stored. */
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
