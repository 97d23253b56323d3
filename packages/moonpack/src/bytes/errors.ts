/**
 * The one error family of moonpack. Every error carries a stable `code`; texts may be reworded, codes may not.
 * The table in docs/errors.md is generated from {@link ERROR_CODES}.
 */

/** What each code means, in one line. The keys are the codes. */
export const ERROR_CODES = {
  ERR_TRUNCATED: "the input ends before the item does",
  ERR_TRAILING_BYTES: "bytes are left over after the value",
  ERR_INVALID_BYTE: "a byte that no format defines at this place",
  ERR_INVALID_UTF8: "a string is not well-formed UTF-8 (decode) or UTF-16 (encode)",
  ERR_NOT_SHORTEST: "strict: an item is not in its shortest form",
  ERR_DUPLICATE_KEY: "a map holds a key twice where that is refused",
  ERR_LIMIT_DEPTH: "more containers are open than maxDepth allows",
  ERR_LIMIT_ELEMENTS: "a container declares more elements than the message may hold",
  ERR_LIMIT_BYTES: "a message is larger than maxBytes allows",
  ERR_FRAME_TOO_LARGE: "a frame declares more bytes than maxFrameBytes allows",
  ERR_UNSUPPORTED_TYPE: "a value that the format or the chosen options cannot hold",
  ERR_OUT_OF_RANGE: "a number beyond what its place can hold",
  ERR_UNSAFE_INTEGER: "an integer that a JavaScript number cannot hold exactly",
  ERR_UNKNOWN_EXTENSION: "an extension type that nobody registered",
  ERR_CYCLE: "a value that contains itself",
  ERR_BUFFER_TOO_SMALL: "the target has less room than the message needs",
  ERR_INVALID_ARGUMENT: "a call or an option that makes no sense",
  ERR_USER_CODE: "a getter, toMessagePack, toJSON or an extension threw; see cause",
  ERR_ABORTED: "the caller aborted the work",
  ERR_CLOSED: "the object was used after it was closed",
  ERR_SCHEMA: "a schema that is not valid, or two that do not fit",
  ERR_FINGERPRINT: "bytes of another schema than the one expected",
  ERR_UNKNOWN_INDEX: "an enumeration value or union arm that the schema does not have",
  ERR_INVALID_PADDING: "spare bits that are not 0, or a flag that is neither 00 nor 01",
  ERR_INVALID_ASCII: "ASCII text with another character",
  ERR_MAP_ORDER: "a map whose keys are not in ascending order, or equal",
  ERR_NOT_CANONICAL: "an optional field that is present with the value that means absent",
} as const;

/** A stable error code, see {@link ERROR_CODES}. */
export type ErrorCode = keyof typeof ERROR_CODES;

/**
 * Base of every error that moonpack throws on purpose.
 *
 * @example
 * try { decode(bytes) } catch (e) { if (e instanceof MoonpackError) console.log(e.code) }
 */
export class MoonpackError extends Error {
  /** Stable, documented, safe to compare with. */
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
  /** On the prototype: instances stay small and bundlers may rename the class. */
  override get name(): string {
    return "MoonpackError";
  }
}

/** Bad bytes: thrown by everything that reads. */
export class DecodeError extends MoonpackError {
  /** Position of the first byte of the offending item, counted from the start of the input. */
  readonly offset: number;
  /** When the input was cut short: how many bytes are missing at least. Otherwise 0: more input will not help. */
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

/** The same error, `by` bytes further on: where the input is part of a stream. Other errors are left as they are. */
export function shifted<E extends MoonpackError>(error: E, by: number): E | DecodeError {
  if (!(error instanceof DecodeError) || by === 0) return error;
  const text = error.message.slice(0, error.message.lastIndexOf(" (at byte "));
  return new DecodeError(error.code, text, error.offset + by, error.needMore, error.cause);
}

/** Characters of a path that a message shows; `path` has it whole. */
const SHOWN_PATH = 240;

function place(path: string): string {
  return ` (at ${path.length > SHOWN_PATH ? `${path.slice(0, SHOWN_PATH)}..` : path})`;
}

/** A value that cannot be written: thrown by everything that encodes. */
export class EncodeError extends MoonpackError {
  /** Where in the value: `$` is the value itself, `$.a[3].cb` a member, `$["a b"]` any other key. */
  readonly path: string;
  constructor(code: ErrorCode, message: string, path: string, cause?: unknown) {
    super(code, message + place(path), cause);
    this.path = path;
  }
  override get name(): string {
    return "EncodeError";
  }
}

/** The same error of a value that is a part of a larger one, at `step` (`[3]`) of it. */
export function nested(error: EncodeError, step: string): EncodeError {
  const text = error.message.slice(0, -place(error.path).length);
  return new EncodeError(error.code, text, `$${step}${error.path.slice(1)}`, error.cause);
}

/** A call that makes no sense, whatever the data: an option out of range, a wrong argument type. */
export function invalidArgument(message: string, cause?: unknown): MoonpackError {
  return new MoonpackError("ERR_INVALID_ARGUMENT", message, cause);
}

/** One step of a path as it appears in {@link EncodeError.path}: `.name`, `["a b"]` or `[3]`. */
export function pathStep(key: unknown): string {
  if (typeof key === "number") return `[${key}]`;
  if (typeof key === "string") return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  if (typeof key === "bigint") return `[${key}n]`;
  return `[${describe(key)}]`;
}

/** Names a value for an error text without running any code of the value's. */
export function describe(value: unknown): string {
  const type = typeof value;
  if (typeof value === "string") return `a string of length ${value.length}`;
  if (value === null || type === "number" || type === "bigint" || type === "boolean") return String(value).slice(0, 40);
  return Array.isArray(value) ? "an array" : type;
}
