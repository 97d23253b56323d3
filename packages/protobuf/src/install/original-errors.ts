/**
 * The errors of a protobuf.js in which our Reader is installed, or to which it is attached.
 *
 * Users of protobuf.js catch `RangeError`, and match texts such as "index out of range: 5 + 4 > 7". So when a method of ours
 * fails, the original's own method is called on the same bytes at the same place, and its error gives class and text. That
 * holds for every version, also for those that change a text. The original also leaves its `pos`, and in a packed list its
 * values.
 *
 * The error that is thrown is an instance of the original's class and of DecodeError, and has `code`, `offset` and `needMore`.
 */
import type { DecodeError } from "moonpack/bytes";
import { OutOfRange, PlainError, TooSmall, WrongType } from "../errors.js";
import type { ErrorTranslator } from "../reader/attached-errors.js";
import type { FailedCall, FieldReader } from "../reader/fields.js";

/** The fields of protobuf.js's Reader that a call needs. */
interface OriginalReader {
  buf: Uint8Array;
  pos: number;
  len: number;
  view: null;
}

/** Translates errors by the original's methods. `originalMethods` returns an object that has them, and none of ours. */
export function errorTranslator(originalMethods: () => object): ErrorTranslator {
  return (reader, error, call, argument) => {
    // A failed call begins at the offset of its error. Only malformed text begins after its length.
    const at = call === "stringVerify" && typeof argument === "number" ? argument : error.offset;
    const original = Object.create(originalMethods()) as OriginalReader;
    Object.assign(original, { buf: reader.buf, pos: at, len: reader.len, view: null });
    const thrown = errorOfOriginal(original, call, error, argument);
    if (thrown === null) return errorWithoutOriginal(reader, error, call, at);
    reader.pos = original.pos;
    if (thrown instanceof RangeError) return new OutOfRange(thrown.message, error);
    return thrown instanceof TypeError ? new WrongType(thrown.message, error) : new PlainError(thrown.message, error);
  };
}

/** protobuf.js 7 has no `tag` and no `size`: its methods call `uint32`. */
const METHODS_OF_7: { readonly [Call in FailedCall]?: string } = { tag: "uint32", size: "bytes" };
const SGROUP = 3;
const NO_FIELD = -1;

/**
 * Returns the method and the arguments that fail as `call` did. For the checks of `skipType` these arguments fail immediately,
 * instead of skipping a group again.
 */
function repeated(
  call: FailedCall,
  { code }: DecodeError,
  argument: unknown,
): readonly [name: string, values: unknown[]] {
  if (call === "fieldNumber") return ["skipType", [0, 0, 0]];
  if (call === "groupTag" || call === "endGroup") return ["skipType", [SGROUP, 0, NO_FIELD]];
  if (call === "skipType") return [call, code === "ERR_LIMIT_DEPTH" ? [0, Infinity] : [argument]];
  return [call, [argument]];
}

/** Repeats a call by the original. Returns its error, or null if it does not throw. Only `original` and a list of values change. */
function errorOfOriginal(
  original: OriginalReader,
  call: FailedCall,
  error: DecodeError,
  argument: unknown,
): Error | null {
  // The bytes are detached. The original would read undefined as bytes, up to `len`.
  if (original.len > original.buf.length) return null;
  const methods = original as unknown as Partial<Record<string, (...values: unknown[]) => unknown>>;
  const [name, values] = repeated(call, error, argument);
  const method = methods[name] ?? methods[METHODS_OF_7[call] ?? ""];
  if (method === undefined) return null;
  try {
    method.apply(original, values);
    return null;
  } catch (thrown) {
    return thrown instanceof Error ? thrown : null;
  }
}

/** The texts of protobuf.js 8, for bytes that an older version accepts and our Reader does not. */
const TEXTS: { readonly [Call in FailedCall]?: string } = {
  bool: "invalid varint encoding",
  uint32: "invalid varint encoding",
  uint64: "invalid varint encoding",
  tag: "invalid tag encoding",
  size: "invalid length encoding",
  fieldNumber: "illegal tag: field number 0",
  groupTag: "illegal tag: field number 0",
  endGroup: "invalid end group tag",
};

function errorWithoutOriginal(reader: FieldReader, error: DecodeError, call: FailedCall, at: number): Error {
  if (error.code !== "ERR_TRUNCATED") return new PlainError(TEXTS[call] ?? error.message, error);
  return new OutOfRange(`index out of range: ${at} + ${error.needMore || 1} > ${reader.len}`, error);
}

/** Returns the error of `finishInto` when the target has too little room. */
export function noRoom(): Error {
  return new TooSmall("offset is out of bounds", "ERR_BUFFER_TOO_SMALL");
}
