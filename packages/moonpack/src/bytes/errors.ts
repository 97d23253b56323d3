/**
 * The errors of moonpack. Every error has a stable `code`; its text may change. The table in docs/errors.md is generated from
 * {@link ERROR_CODES}.
 */
import { isInstance } from "./brand.js";

/**
 * All error codes, each with its meaning in one line.
 *
 * @example
 * console.log(ERROR_CODES.ERR_TRUNCATED);
 */
export const ERROR_CODES = {
  ERR_TRUNCATED: "the input ends before the item does",
  ERR_TRAILING_BYTES: "bytes follow the value",
  ERR_INVALID_BYTE: "a byte that is not valid at this place",
  ERR_INVALID_UTF8: "a string is not well-formed UTF-8 (decode) or UTF-16 (encode)",
  ERR_NOT_SHORTEST: "strict: an item is not in its shortest form",
  ERR_NO_PLACE: "a change of a message whose place or parent is not there",
  ERR_DUPLICATE_KEY: "a map has a key twice, and duplicates are not allowed",
  ERR_LIMIT_DEPTH: "containers nested deeper than maxDepth, or too many nested keys",
  ERR_LIMIT_ELEMENTS:
    "more elements than the remaining bytes can hold, than maxElements, or than any container may have; keys chosen to collide",
  ERR_LIMIT_BYTES: "a message larger than maxBytes",
  ERR_FRAME_TOO_LARGE: "a frame declares more bytes than maxFrameBytes",
  ERR_UNSUPPORTED_TYPE: "a value that the format, or the chosen options, cannot represent",
  ERR_OUT_OF_RANGE: "a number out of range for its type",
  ERR_UNSAFE_INTEGER: "an integer that a JavaScript number cannot represent exactly",
  ERR_UNKNOWN_EXTENSION: "an extension type that is not registered",
  ERR_CYCLE: "a value that contains itself",
  ERR_BUFFER_TOO_SMALL: "the target is too small for the message",
  ERR_INVALID_ARGUMENT: "an invalid argument or option",
  ERR_USER_CODE: "a getter, toMessagePack, toJSON or an extension threw an error; see cause",
  ERR_ABORTED: "the caller aborted the work",
  ERR_CLOSED: "the object was used after it was closed",
  ERR_SCHEMA: "an invalid schema, or two schemas that are not compatible",
  ERR_FINGERPRINT: "the bytes were written with another schema",
  ERR_UNKNOWN_INDEX: "an enumeration value or union arm that is not in the schema",
  ERR_INVALID_PADDING: "unused bits that are not 0, or a flag that is not 00 or 01",
  ERR_INVALID_ASCII: "ASCII text with a character that is not ASCII",
  ERR_MAP_ORDER: "map keys that are not in strictly ascending order",
  ERR_NOT_CANONICAL: "an optional field is present, but with the value that means absent",
} as const;

/** Codes of the packages built on this one. Those packages contain the tables of meanings, so that only their users load them. */
export type PackageErrorCode =
  | "ERR_HTTP_CONNECTION"
  | "ERR_HTTP_INTERNAL"
  | "ERR_HTTP_NOT_ACCEPTABLE"
  | "ERR_HTTP_STATUS"
  | "ERR_HTTP_TYPE"
  | "ERR_INVALID_METRIC"
  | "ERR_LOAD_REFUSED"
  | "ERR_SERIES_LOCKED"
  | "ERR_SERIES_VERSION"
  | "ERR_SERIES_CORRUPT"
  | "ERR_SERIES_LOG"
  | "ERR_SERIES_FULL"
  | "ERR_SERIES_READ_ONLY"
  | "ERR_SERIES_LIMIT"
  | "ERR_SERIES_TYPE"
  | "ERR_SERIES_STORE"
  | "ERR_REDIS_CLIENT"
  | "ERR_REDIS_REPLY"
  | "ERR_REDIS_TEXT"
  | "ERR_SOCKET_IO_PACKET"
  | "ERR_WEBSOCKET_CLOSED"
  | "ERR_WEBSOCKET_TIMEOUT"
  | "ERR_WEBSOCKET_MESSAGE"
  | "ERR_WEBSOCKET_PROTOCOL"
  | "ERR_WEBSOCKET_UNREAD"
  | "ERR_WEBSOCKET_UNSENT";

/** A stable error code: a key of {@link ERROR_CODES}, one of a package's own table, or any text that your own format defines. */
export type ErrorCode = keyof typeof ERROR_CODES | PackageErrorCode | (string & {});

/**
 * The base class of moonpack's errors. Throw it, or one of its subclasses, from your own format.
 *
 * @example
 * try { decode(bytes) } catch (e) { if (e instanceof MoonpackError) console.log(e.code) }
 */
export class MoonpackError extends Error {
  /** Returns true for instances of every copy of moonpack in the process. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: in a subclass, `this` is the subclass.
    return isInstance(this, value);
  }
  /** Recognises instances of other copies, by `instanceof`. */
  static get brand(): symbol {
    return Symbol.for("moonpack.MoonpackError");
  }
  /** Stable and documented: compare this, not the text. */
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
  /** A getter: instances stay small, and bundlers may rename the class. */
  override get name(): string {
    return "MoonpackError";
  }
}

/**
 * Invalid bytes: thrown by every reader.
 *
 * @example
 * throw new DecodeError("ERR_INVALID_BYTE", `${tag} is not a valid tag`, offset);
 */
export class DecodeError extends MoonpackError {
  /** Recognises instances of other copies, by `instanceof`. */
  static override get brand(): symbol {
    return Symbol.for("moonpack.DecodeError");
  }
  /** The position of the invalid item's first byte, from the start of the input. */
  readonly offset: number;
  /** The least number of missing bytes when the input is truncated. 0 for any other error: more input does not help. */
  readonly needMore: number;
  constructor(code: ErrorCode, message: string, offset: number, needMore = 0, cause?: unknown) {
    super(code, `${message} (at byte ${offset}${needMore > 0 ? `, ${needMore} more needed` : ""})`, cause);
    this.offset = offset;
    this.needMore = needMore;
  }
  override get name(): string {
    return "DecodeError";
  }
}

/** Returns a DecodeError with its offset moved by `by` bytes, for input that is part of a stream. Other errors are returned as they are. */
export function shifted<E extends MoonpackError>(error: E, by: number): E | DecodeError {
  if (!(error instanceof DecodeError) || by === 0) return error;
  return new DecodeError(error.code, textWithoutPlace(error), error.offset + by, error.needMore, error.cause);
}

/** The characters of a path that a text shows. `path` has all of them. */
const SHOWN_PATH = 240;

/** The end of an {@link EncodeError}'s text, with its path. */
function textOfPath(path: string): string {
  return ` (at ${path.length > SHOWN_PATH ? `${path.slice(0, SHOWN_PATH)}..` : path})`;
}

/**
 * A value that cannot be encoded: thrown by every writer.
 *
 * @example
 * throw new EncodeError("ERR_OUT_OF_RANGE", `${value} is not a valid u8 (0 to 255)`, "$.port");
 */
export class EncodeError extends MoonpackError {
  /** Recognises instances of other copies, by `instanceof`. */
  static override get brand(): symbol {
    return Symbol.for("moonpack.EncodeError");
  }
  /** The place in the value: `$` is the value itself, `$.a[3].cb` a member, `$["a b"]` any other key. */
  readonly path: string;
  constructor(code: ErrorCode, message: string, path: string, cause?: unknown) {
    super(code, message + textOfPath(path), cause);
    this.path = path;
  }
  override get name(): string {
    return "EncodeError";
  }
}

/** Returns the text of an error without its end, the offset or the path: for an error at another place. */
export function textWithoutPlace(error: DecodeError | EncodeError): string {
  const { message } = error;
  if (error instanceof DecodeError) return message.slice(0, message.lastIndexOf(" (at byte "));
  return message.slice(0, -textOfPath(error.path).length);
}

/** Returns the error of a part, as an error of the whole: `step` (`[3]`) goes in front of its path. */
export function nested(error: EncodeError, step: string): EncodeError {
  return new EncodeError(error.code, textWithoutPlace(error), `$${step}${error.path.slice(1)}`, error.cause);
}

/**
 * Returns the error for an argument or option that is invalid for any data: its code is `ERR_INVALID_ARGUMENT`.
 *
 * @example
 * if (typeof listener !== "function") throw invalidArgument("listener must be a function");
 */
export function invalidArgument(message: string, cause?: unknown): MoonpackError {
  return new MoonpackError("ERR_INVALID_ARGUMENT", message, cause);
}

/** Returns one step of an {@link EncodeError.path}: `.name`, `["a b"]` or `[3]`. */
export function pathStep(key: unknown): string {
  if (typeof key === "number") return `[${key}]`;
  if (typeof key === "string") return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  if (typeof key === "bigint") return `[${key}n]`;
  return `[${describe(key)}]`;
}

/** Describes a value for an error text, without running any of its code. */
export function describe(value: unknown): string {
  const type = typeof value;
  if (typeof value === "string") return `a string of length ${value.length}`;
  if (value === null || type === "number" || type === "bigint" || type === "boolean") return String(value).slice(0, 40);
  return Array.isArray(value) ? "an array" : type;
}
