/** The errors of values in Redis, with codes of moonpack's family: docs/errors.md lists all. */
import { DecodeError, type ErrorCode, MoonpackError, printable, textWithoutPlace } from "moonpack/bytes";

/** The codes of this package, each with its meaning. */
export const REDIS_ERROR_CODES = {
  ERR_REDIS_CLIENT: "a client of ioredis or node-redis without the command",
  ERR_REDIS_REPLY: "the client's reply has an unknown form",
  ERR_REDIS_TEXT: "the value is text or JSON, which this package did not write",
} as const;

/** The place of a value in Redis. */
export interface ValuePlace {
  /** The key, or the channel of a message; undefined for the data of a job. */
  readonly key: string | undefined;
  /** The field of a hash, or of an entry in a stream. */
  readonly field: string | undefined;
  /** The id of an entry in a stream. */
  readonly entry: string | undefined;
}

/**
 * A stored value that cannot be decoded. `code` and `offset` come from the error of the format, which is the `cause`: `ERR_FINGERPRINT` for
 * an unknown schema, `ERR_REDIS_TEXT` for text or JSON.
 *
 * @example
 * try { await users.get("user:7") } catch (e) { if (e instanceof RedisValueError) console.log(e.code, e.key, e.bytes) }
 */
export class RedisValueError extends DecodeError implements ValuePlace {
  /** Lets `instanceof` recognise instances of other copies of this package. */
  static override get brand(): symbol {
    return Symbol.for("@moonpack/redis.RedisValueError");
  }
  /** The key of the value, if it has one. */
  readonly key: string | undefined;
  /** The field of a hash or of a stream's entry, if it has one. */
  readonly field: string | undefined;
  /** The id of a stream's entry, if it has one. */
  readonly entry: string | undefined;
  /** A copy of the bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;

  /** @internal */
  constructor(place: ValuePlace, bytes: Uint8Array, error: unknown) {
    const { code, text, offset, needMore } = partsOf(error);
    super(code, `${placeText(place)}: ${printable(text)}`, offset, needMore, error);
    this.key = place.key;
    this.field = place.field;
    this.entry = place.entry;
    this.bytes = new Uint8Array(bytes);
  }

  /** The name of the class. */
  override get name(): string {
    return "RedisValueError";
  }
}

/** Returns fields copied from the codec's error. */
function partsOf(error: unknown): { code: ErrorCode; text: string; offset: number; needMore: number } {
  if (error instanceof DecodeError) {
    const { code, offset, needMore } = error;
    return { code, text: textWithoutPlace(error), offset, needMore };
  }
  if (error instanceof MoonpackError) return { code: error.code, text: error.message, offset: 0, needMore: 0 };
  return { code: "ERR_USER_CODE", text: "the codec threw an error; see cause", offset: 0, needMore: 0 };
}

function placeText({ key, field, entry }: ValuePlace): string {
  const of = field === undefined ? "the value" : `field ${shown(field)}`;
  const at = entry === undefined ? "" : ` of entry ${printable(entry)}`;
  return key === undefined ? of : `${of}${at} at key ${shown(key)}`;
}

/** Returns a key for an error text, shortened. The property `key` is complete. */
export function shown(name: string): string {
  return printable(JSON.stringify(name.length > 240 ? `${name.slice(0, 240)}..` : name));
}

/** Returns the error for a name with lone surrogates. Clients would write U+FFFD for each, so different names would become equal. */
export function malformedName(what: string, name: string): MoonpackError {
  return new MoonpackError("ERR_INVALID_UTF8", `${what} ${shown(name)} has a lone surrogate, which UTF-8 cannot write`);
}

/** Returns the error for a client without a command. */
export function invalidClient(message: string): MoonpackError {
  return new MoonpackError("ERR_REDIS_CLIENT", message);
}

/** Returns the error for a reply whose form is not one of Redis 6 to 8. */
export function unknownReply(command: string): MoonpackError {
  return new MoonpackError("ERR_REDIS_REPLY", `the client's reply to ${command} has an unknown form`);
}
