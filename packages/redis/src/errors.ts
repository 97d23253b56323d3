/** The errors of values in Redis. They belong to moonpack's family: all codes are in one table (docs/errors.md). */
import { DecodeError, type ErrorCode, MoonpackError, printable } from "moonpack/bytes";

/** The codes that only this package has, each with its meaning in one line. */
export const REDIS_ERROR_CODES = {
  ERR_REDIS_CLIENT: "neither a client of ioredis nor one of node-redis that can do what was called",
  ERR_REDIS_REPLY: "the client's reply has a form that this package does not know",
  ERR_REDIS_TEXT: "the value was written as text or JSON, not by this package",
} as const;

/** Where a value is kept. */
export interface ValuePlace {
  /** The key, or the channel of a message; undefined for the data of a job. */
  readonly key: string | undefined;
  /** The field of a hash, or of an entry in a stream. */
  readonly field: string | undefined;
  /** The id of an entry in a stream. */
  readonly entry: string | undefined;
}

/**
 * A stored value that cannot be decoded. `code`, `offset` and `cause` are those of the format: `ERR_FINGERPRINT` for a schema that is not
 * known, `ERR_REDIS_TEXT` for text or JSON.
 *
 * @example
 * try { await users.get("user:7") } catch (e) { if (e instanceof RedisValueError) console.log(e.code, e.key, e.bytes) }
 */
export class RedisValueError extends DecodeError implements ValuePlace {
  /** Recognises instances of other copies, by `instanceof`. */
  static override get brand(): symbol {
    return Symbol.for("@moonpack/redis.RedisValueError");
  }
  readonly key: string | undefined;
  readonly field: string | undefined;
  readonly entry: string | undefined;
  /** A copy of the bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;

  /** @internal */
  constructor(place: ValuePlace, bytes: Uint8Array, error: unknown) {
    const { code, text, offset, needMore } = partsOf(error);
    super(code, `${textOf(place)}: ${printable(text)}`, offset, needMore, error);
    this.key = place.key;
    this.field = place.field;
    this.entry = place.entry;
    this.bytes = new Uint8Array(bytes);
  }

  override get name(): string {
    return "RedisValueError";
  }
}

/** What a new error takes over of the one that a codec threw. */
function partsOf(error: unknown): { code: ErrorCode; text: string; offset: number; needMore: number } {
  if (error instanceof DecodeError) {
    const { code, offset, needMore } = error;
    return { code, text: error.message.replace(/ \(at byte [^)]*\)$/, ""), offset, needMore };
  }
  if (error instanceof MoonpackError) return { code: error.code, text: error.message, offset: 0, needMore: 0 };
  return { code: "ERR_USER_CODE", text: "the codec threw an error; see cause", offset: 0, needMore: 0 };
}

function textOf({ key, field, entry }: ValuePlace): string {
  const of = field === undefined ? "the value" : `field ${shown(field)}`;
  const at = entry === undefined ? "" : ` of entry ${printable(entry)}`;
  return key === undefined ? of : `${of}${at} at key ${shown(key)}`;
}

/** A key in a text. The property `key` has all of it. */
export function shown(name: string): string {
  return printable(JSON.stringify(name.length > 240 ? `${name.slice(0, 240)}..` : name));
}

/** The error for a name with lone surrogates: UTF-8 has none, so clients would write U+FFFD for each, and different names were one. */
export function notWellFormed(what: string, name: string): MoonpackError {
  return new MoonpackError("ERR_INVALID_UTF8", `${what} ${shown(name)} has a lone surrogate, which UTF-8 cannot write`);
}

/** The error for a client that cannot be used. */
export function invalidClient(message: string): MoonpackError {
  return new MoonpackError("ERR_REDIS_CLIENT", message);
}

/** The error for a reply of another form than those of Redis 6 to 8. */
export function unknownReply(command: string): MoonpackError {
  return new MoonpackError("ERR_REDIS_REPLY", `the client's reply to ${command} has an unknown form`);
}
