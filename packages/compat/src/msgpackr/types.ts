/** Values of JavaScript that msgpackr writes as extensions, built from parts that have been read. */
import { copyOwned, DecodeError } from "moonpack/bytes";

/** The types of extensions. */
export const RECORD = 0x72;
export const BUNDLE = 0x62;
export const IDENTIFIED = 0x69;
export const REFERENCE = 0x70;
export const BIGINT = 0x42;
export const ERROR = 0x65;
export const SET = 0x73;
export const TYPED_ARRAY = 0x74;
export const REGEXP = 0x78;
export const UNDEFINED = 0;
export const TIMESTAMP = -1;

const ERRORS = [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError];
/** By their code in msgpackr. Their bytes are in the order of the writer's processor: little-endian. */
const VIEWS = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
];
const ARRAY_BUFFER = 0x10;
const DATA_VIEW = 0x11;
/** The most bytes of a bigint: every engine holds these 2^20 bits. */
const MAX_BIGINT_BYTES = 2 ** 17;

/** Returns the typed array, ArrayBuffer or DataView of an extension whose data are `bytes[from..to)`; its item begins at `start`. */
export function typedArray(bytes: Uint8Array, from: number, to: number, start: number): unknown {
  const code = bytes[from]!;
  const data = copyOwned(bytes, from + 1, to);
  if (code === ARRAY_BUFFER) return data.buffer;
  if (code === DATA_VIEW) return new DataView(data.buffer);
  const View = VIEWS[code];
  if (View === undefined) throw new DecodeError("ERR_UNKNOWN_EXTENSION", `typed array ${code}`, start);
  if (data.length % View.BYTES_PER_ELEMENT === 0) return new View(data.buffer);
  throw malformed("a typed array", start);
}

/** Returns the bigint in two's complement, high byte first, in `bytes[from..to)`. */
export function bigintOf(bytes: Uint8Array, from: number, to: number, start: number): bigint {
  if (from === to) throw malformed("a bigint", start);
  if (to - from > MAX_BIGINT_BYTES)
    throw new DecodeError("ERR_OUT_OF_RANGE", `a bigint of more than ${MAX_BIGINT_BYTES} bytes`, start);
  const digits = Array.from(bytes.subarray(from, to), (byte) => byte.toString(16).padStart(2, "0"));
  return BigInt.asIntN(8 * (to - from), BigInt(`0x${digits.join("")}`));
}

/** Returns the RegExp of a pattern and flags. Compiling can take seconds. */
export function regExpOf([pattern, flags, ...more]: unknown[], start: number): RegExp {
  if (typeof pattern !== "string" || typeof flags !== "string" || more.length > 0) throw malformed("a RegExp", start);
  try {
    return new RegExp(pattern, flags);
  } catch (cause) {
    throw malformed("a RegExp", start, cause);
  }
}

/** Returns the Error of a name, a message and perhaps a cause. Its stack is its text: the decoder's place means nothing. */
export function errorOf([name, message, cause, ...more]: unknown[], start: number): Error {
  if (typeof name !== "string" || typeof message !== "string" || more.length > 0) throw malformed("an Error", start);
  const Known = ERRORS.find((type) => type.name === name) ?? Error;
  const error = withoutStack(() => (cause === undefined ? new Known(message) : new Known(message, { cause })));
  const hidden = { configurable: true, writable: true };
  if (error.name !== name) Object.defineProperty(error, "name", { value: name, ...hidden });
  return Object.defineProperty(error, "stack", { value: `${name}: ${message}`, ...hidden });
}

/** Creates an error whose stack is not captured: that takes 28 us, the rest 6. */
function withoutStack(create: () => Error): Error {
  const limit: unknown = Error.stackTraceLimit; // only some engines have it, and it may be frozen
  if (typeof limit !== "number" || !Reflect.set(Error, "stackTraceLimit", 0)) return create();
  try {
    return create();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** The error for an extension with data that msgpackr does not write. */
export function malformed(what: string, start: number, cause?: unknown): DecodeError {
  return new DecodeError("ERR_INVALID_BYTE", `malformed data of ${what}`, start, 0, cause);
}

/** The error for a value that only the option `trusted` reads. */
export function untrusted(what: string, start: number): DecodeError {
  return new DecodeError("ERR_UNSUPPORTED_TYPE", `${what}, which only the option trusted reads`, start);
}

/**
 * Rounds a float of 32 bits to the digits that every such float keeps, 6 to 8, as `roundFloat32` of msgpackr does: to the smallest
 * power of ten above the distance to the next float.
 */
export function roundFloat32(n: number): number {
  if (n === 0 || !Number.isFinite(n)) return n;
  const distance = 2 ** (Math.max(-126, Math.floor(Math.log2(Math.abs(n)))) - 23);
  const power = Math.floor(Math.log10(distance)) + 1;
  const exponent = Number(n.toExponential().split("e")[1]);
  return Number(n.toPrecision(Math.max(1, exponent + 1 - power)));
}
