/** Reads values, and applies the option `undecodable` to values that cannot be decoded. */
import type { DataInput } from "hazelcast-client";
import { type ErrorCode, invalidArgument, MoonpackError } from "moonpack/bytes";
import { type Envelope, readEnvelope } from "./envelope.js";
import { fingerprintIn } from "./stored/stored-codec.js";
import { UndecodableError, Undecoded } from "./undecoded.js";

/** Decodes the payloads of one type id. */
export interface PayloadDecoder {
  decode(payload: Buffer): unknown;
  /** The payload begins with a fingerprint. */
  readonly isFramed: boolean;
}

/** Called with a value that cannot be decoded. Returns the value to use, or throws. */
export type Undecodable = (value: Undecoded) => unknown;

/** Reads the values of all type ids of a serialization. */
export class ValueReader {
  readonly #decoders: ReadonlyMap<number, PayloadDecoder>;
  readonly #undecodable: Undecodable;

  constructor(decoders: ReadonlyMap<number, PayloadDecoder>, undecodable: Undecodable) {
    this.#decoders = decoders;
    this.#undecodable = undecodable;
  }

  /** Reads the value after a type id. */
  read(input: DataInput, typeId: number): unknown {
    const envelope = readEnvelope(input);
    try {
      return this.#decoded(envelope, typeId);
    } catch (error) {
      return this.#undecodable(undecodableError(error, typeId, envelope, this.#isFramed(typeId)).undecoded);
    }
  }

  /** Decodes a value that could not be decoded before. Throws an {@link UndecodableError} if it still cannot. */
  decode(value: Undecoded): unknown {
    if (!(value instanceof Undecoded)) throw invalidArgument("decode expects an Undecoded");
    const { typeId, envelope } = value;
    if (!this.#decoders.has(typeId)) throw invalidArgument(`type id ${typeId} does not belong to this serialization`);
    try {
      return this.#decoded(envelope, typeId);
    } catch (error) {
      throw undecodableError(error, typeId, envelope, this.#isFramed(typeId));
    }
  }

  #decoded({ payload, error }: Envelope, typeId: number): unknown {
    if (error !== null) throw error;
    return this.#decoders.get(typeId)!.decode(payload);
  }

  #isFramed(typeId: number): boolean {
    return this.#decoders.get(typeId)!.isFramed;
  }
}

function undecodableError(error: unknown, typeId: number, envelope: Envelope, isFramed: boolean): UndecodableError {
  // Accessors of classes can throw anything.
  const code: ErrorCode = error instanceof MoonpackError ? error.code : "ERR_USER_CODE";
  const message = error instanceof Error ? error.message : String(error);
  const print = isFramed && envelope.error === null ? fingerprintIn(envelope.payload) : undefined;
  return new UndecodableError(code, message, typeId, print, envelope, error);
}
