/** Reads items whose first byte is c0 to df (MessagePack specification, "Overview"), except those that message.ts reads inline. */
import { asBuffer } from "#platform";
import { DecodeError, invalidArgument } from "../../bytes/errors.js";
import { Extension } from "../extension-table.js";
import { Timestamp } from "../timestamp.js";
import { integerAt, isExtension, isNumber, numberAt, widthOf } from "./formats.js";
import type { ReaderState } from "./reader-state.js";

/** Reads the item at `pos`, whose first byte is `token`. */
export function readOther(r: ReaderState, token: number, pos: number): unknown {
  if (token < 0xc4) {
    if (token === 0xc1) throw new DecodeError("ERR_INVALID_BYTE", "0xc1 is not a valid first byte", pos);
    r.pos = pos + 1;
    return token === 0xc0 ? null : token === 0xc3;
  }
  const hasType = isExtension(token);
  const width = widthOf(token);
  const at = pos + 1;
  const next = at + width;
  // The type byte belongs to an extension's header; without a length the data are checked with it.
  const from = hasType ? next + 1 : next;
  const known = width > 0 ? from : next;
  if (known > r.end) return r.incomplete(pos, known - r.end);
  const n = numberAt(r.src, r.view, token, at);
  if (r.settings.strict) r.checkForm!(token, n, pos);
  if (isNumber(token)) {
    r.pos = next;
    return token === 0xcf || token === 0xd3 ? integerAt(r.view, token, at, n, r.settings.int64) : n;
  }
  if (token >= 0xde) return r.readMap(n, pos, next - pos);
  if (token >= 0xdc) return r.readArray(n, pos, next - pos);
  if (token >= 0xd9) return r.readString(n, pos, next - pos);
  const to = from + n;
  if (to > r.end) return r.incomplete(pos, to - r.end);
  r.pos = to;
  return hasType ? readExtension(r, pos, from, n) : readBinary(r, from, n);
}

/** The `n` bytes of an item of binary, in the form that the option `binary` chooses. */
function readBinary(r: ReaderState, from: number, n: number): Uint8Array<ArrayBuffer> {
  const bytes = viewOrCopy(r, from, n);
  return r.settings.binary === "buffer" ? asBuffer(bytes) : bytes;
}

/** `n` bytes of the input as a view or a copy; never a Buffer, even if the input is one. */
function viewOrCopy(
  { src, settings }: ReaderState,
  from: number,
  n: number,
  mayBeView = true,
): Uint8Array<ArrayBuffer> {
  const view = new Uint8Array(src.buffer, src.byteOffset + from, n);
  return mayBeView && settings.binary === "view" ? view : view.slice();
}

/** Reads an extension of `n` data bytes from `from` on; the byte before them is its type. */
function readExtension(r: ReaderState, start: number, from: number, n: number): unknown {
  const { settings } = r;
  const type = r.view.getInt8(from - 1);
  if (type === -1) return readTimestamp(r, start, from, n);
  // The preset goes first: its types may have been registered by the user after the decoder was created.
  if (settings.js?.owns(type)) return settings.js.read(r, type, start, from, from + n);
  const definition = settings.extensions.byType.get(type);
  if (definition !== undefined) {
    let value: unknown;
    try {
      value = definition.decode(viewOrCopy(r, from, n, false));
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : typeof cause;
      throw new DecodeError("ERR_USER_CODE", `decode of extension ${type} threw: ${message}`, start, 0, cause);
    }
    // The user's code may have transferred the input's memory.
    if (r.src.length < r.end) throw invalidArgument("the input was detached while it was decoded");
    return value;
  }
  if (settings.unknownExtensions === "keep") return new Extension(type, viewOrCopy(r, from, n));
  throw new DecodeError(
    "ERR_UNKNOWN_EXTENSION",
    `extension type ${type} is not registered${r.hintOf?.(type) ?? ""}`,
    start,
  );
}

/** Reads a timestamp of 32, 64 or 96 bits (MessagePack specification, "Timestamp extension type"). */
function readTimestamp(r: ReaderState, start: number, from: number, n: number): Date | Timestamp {
  if (n !== 4 && n !== 8 && n !== 12)
    throw new DecodeError("ERR_OUT_OF_RANGE", `a timestamp has 4, 8 or 12 bytes, not ${n}`, start);
  const { view } = r;
  const first = view.getUint32(from);
  const nanoseconds = n === 4 ? 0 : n === 8 ? first >>> 2 : first;
  const high = n === 4 ? 0 : n === 8 ? first & 3 : view.getInt32(from + 4);
  let seconds: number | bigint = high * 2 ** 32 + view.getUint32(from + n - 4);
  if (!Number.isSafeInteger(seconds)) seconds = view.getBigInt64(from + 4);
  if (nanoseconds > 999_999_999) throw new DecodeError("ERR_OUT_OF_RANGE", "more than 999999999 nanoseconds", start);
  if (r.settings.strict) r.checkTimestamp!(n, nanoseconds, high, start);
  const { timestamps } = r.settings;
  const timestamp = new Timestamp(seconds, nanoseconds);
  if (timestamps === "timestamp" || (timestamps === "auto" && !timestamp.isDate)) return timestamp;
  const date = timestamp.toDate();
  if (!Number.isNaN(date.getTime())) return date;
  throw new DecodeError("ERR_OUT_OF_RANGE", "a time outside the range of Date", start);
}
