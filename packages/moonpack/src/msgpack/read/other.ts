/** Reads items whose first byte is c0 to df (MessagePack specification, "Overview"), except those that message.ts reads inline. */
import { asBuffer } from "#platform";
import { DecodeError, invalidArgument } from "../../bytes/errors.js";
import { Extension } from "../extension-table.js";
import { Timestamp } from "../timestamp.js";
import type { ReaderState } from "./reader-state.js";

/** For each of c4 to df: bytes of the length or number that follows; 0 for fixext (d4 to d8). */
const WIDTHS = "1241244812481248000001242424";

/** Bytes of the length or number that follows `token`, which is one of c4 to df. */
export function widthOf(token: number): number {
  return WIDTHS.charCodeAt(token - 0xc4) - 48;
}

/** Reads the item at `pos`, whose first byte is `token`. */
export function readOther(r: ReaderState, token: number, pos: number): unknown {
  if (token < 0xc4) {
    if (token === 0xc1) throw new DecodeError("ERR_INVALID_BYTE", "0xc1 is not a valid first byte", pos);
    r.pos = pos + 1;
    return token === 0xc0 ? null : token === 0xc3;
  }
  const width = widthOf(token);
  const header = 1 + width;
  const isNumber = token >= 0xca && token < 0xd4;
  const isExtension = !isNumber && token >= 0xc7 && token < 0xd9;
  // The type byte belongs to an extension's header; without a length the data are checked with it.
  const known = pos + (isExtension && width > 0 ? header + 1 : header);
  if (known > r.end) return r.incomplete(pos, known - r.end);
  const { view } = r;
  // The length, or the unsigned number if it has up to 32 bits.
  const n =
    width === 1
      ? r.src[pos + 1]!
      : width === 2
        ? view.getUint16(pos + 1)
        : width === 4
          ? view.getUint32(pos + 1)
          : 1 << (token - 0xd4);
  const value = isNumber ? readNumber(r, token, width, n, pos) : n;
  if (r.strict) r.checkForm(token, width, value, pos);
  if (isNumber) {
    r.pos = pos + header;
    return token === 0xcf || token === 0xd3 ? exactInteger(r, token, value, pos) : value;
  }
  if (token >= 0xde) return r.readMap(n, pos, header);
  if (token >= 0xdc) return r.readArray(n, pos, header);
  if (token >= 0xd9) return r.readString(n, pos, header);
  const size = isExtension ? header + 1 : header;
  const from = pos + size;
  const to = from + n;
  if (to > r.end) return r.incomplete(pos, to - r.end);
  r.pos = to;
  return isExtension ? readExtension(r, pos, from, n) : readBinary(r, from, n);
}

/** The number of format `token`. `n`: the same bits as an unsigned number, up to 32 of them. 64-bit integers may be rounded. */
function readNumber({ view }: ReaderState, token: number, width: number, n: number, pos: number): number {
  if (token === 0xcb) return view.getFloat64(pos + 1);
  if (token === 0xca) return view.getFloat32(pos + 1);
  if (width === 8) {
    const high = token === 0xcf ? view.getUint32(pos + 1) : view.getInt32(pos + 1);
    return high * 2 ** 32 + view.getUint32(pos + 5);
  }
  const unused = 32 - 8 * width;
  return token < 0xd0 ? n : (n << unused) >> unused;
}

/** The 64-bit integer at `pos`, as the option `int64` wants it. `value`: the same, rounded. */
function exactInteger({ view, settings }: ReaderState, token: number, value: number, pos: number): number | bigint {
  if (settings.int64 !== "bigint" && Number.isSafeInteger(value)) return value;
  const exact = token === 0xd3 ? view.getBigInt64(pos + 1) : view.getBigUint64(pos + 1);
  if (settings.int64 !== "number") return exact;
  throw new DecodeError("ERR_UNSAFE_INTEGER", `${exact} is not a safe integer`, pos);
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
  throw new DecodeError("ERR_UNKNOWN_EXTENSION", `extension type ${type} is not registered${r.hintOf(type)}`, start);
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
  if (r.strict) r.checkTimestamp(n, nanoseconds, high, start);
  const { timestamps } = r.settings;
  const timestamp = new Timestamp(seconds, nanoseconds);
  if (timestamps === "timestamp" || (timestamps === "auto" && !timestamp.isDate)) return timestamp;
  const date = timestamp.toDate();
  if (!Number.isNaN(date.getTime())) return date;
  throw new DecodeError("ERR_OUT_OF_RANGE", "a time outside the range of Date", start);
}
