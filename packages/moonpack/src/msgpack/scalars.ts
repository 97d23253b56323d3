/** Items whose first byte is c0 to df (MessagePack specification, "Overview"), but those that read.ts reads in line. */
import { DecodeError, invalidArgument } from "../bytes/errors.js";
import { truncated } from "../bytes/input.js";
import { Extension } from "./extension-table.js";
import { NOT_MINE } from "./fidelity/support.js";
import type { MessageReader } from "./read.js";
import { Timestamp } from "./timestamp.js";

/** Bytes of the length or number that follows each of c4 to df; fixext (d4 to d8) has none. */
const WIDTHS = "1241244812481248000001242424";

/** Reads the item at `pos`, whose first byte is `token`. */
export function readWide(r: MessageReader, token: number, pos: number): unknown {
  if (token < 0xc4) {
    if (token === 0xc1) throw new DecodeError("ERR_INVALID_BYTE", "c1 begins nothing", pos);
    r.pos = pos + 1;
    return token === 0xc0 ? null : token === 0xc3;
  }
  const width = WIDTHS.charCodeAt(token - 0xc4) - 48;
  const n = readLength(r, token, pos, width);
  const next = pos + 1 + width;
  if (token >= 0xdc) return token < 0xde ? r.readArray(n, pos, width + 1) : r.readMap(n, pos, width + 1);
  if (token >= 0xd9) return r.readString(n, pos, width + 1);
  if (token >= 0xd4) return readExtension(r, pos, next + 1, 1 << (token - 0xd4));
  if (token < 0xc7) return readBinary(r, pos, next, n);
  if (token < 0xca) return readExtension(r, pos, next + 1, n);
  r.pos = next;
  const { view } = r;
  switch (token) {
    case 0xca:
      return view.getFloat32(pos + 1);
    case 0xcb:
      return view.getFloat64(pos + 1);
    case 0xd0:
      return view.getInt8(pos + 1);
    case 0xd1:
      return view.getInt16(pos + 1);
    case 0xd2:
      return view.getInt32(pos + 1);
    case 0xcf:
    case 0xd3:
      return readInt64(r, token === 0xd3, pos);
    default:
      return n; // uint 8, 16 and 32
  }
}

/** The unsigned number of `width` bytes (0 of 8) behind the first byte, which strict wants no shorter form to hold. */
export function readLength(r: MessageReader, token: number, pos: number, width: number): number {
  // The type is part of an extension's header.
  const header = token >= 0xc7 && token <= 0xc9 ? width + 2 : width + 1;
  if (pos + header > r.end) throw truncated(pos, pos + header - r.end);
  const { view } = r;
  const n =
    width === 1 ? r.src[pos + 1]! : width === 2 ? view.getUint16(pos + 1) : width === 4 ? view.getUint32(pos + 1) : 0;
  if (r.strict && width > 0 && !isShortest(view, token, n, pos)) throw notShortest(pos);
  return n;
}

/** Is this what the encoder would write? `n` is the unsigned number behind the token, where that has up to 32 bits. */
function isShortest(view: DataView, token: number, n: number, pos: number): boolean {
  switch (token) {
    case 0xc4:
      return true;
    case 0xc7:
      return n !== 1 && n !== 2 && n !== 4 && n !== 8 && n !== 16;
    case 0xca:
      return isFloat(view.getFloat32(pos + 1)) && (n === ONE_NAN || (n & 0x7fffffff) <= INFINITY);
    case 0xcb: {
      const value = view.getFloat64(pos + 1);
      return isFloat(value) && !Object.is(Math.fround(value), value);
    }
    case 0xcc:
      return n >= 0x80;
    case 0xcf:
      return view.getUint32(pos + 1) > 0;
    case 0xd0:
      return n >= 0x80 && n < 0xe0;
    case 0xd1:
      return n >= 0x8000 && n < 0xff80;
    case 0xd2:
      return n >= 0x80000000 && n < 0xffff8000;
    case 0xd3:
      return view.getBigInt64(pos + 1) < -0x80000000n;
    case 0xd9:
      return n >= 32;
    case 0xdc:
    case 0xde:
      return n >= 16;
    case 0xc5:
    case 0xc8:
    case 0xcd:
    case 0xda:
      return n >= 0x100;
    default:
      return n >= 0x10000; // what has 32 bits
  }
}

/** As float 32: the NaN that is written, and the positive infinity, above which all others lie. */
const ONE_NAN = 0x7fc00000;
const INFINITY = 0x7f800000;

/** Nothing that an integer format holds. */
function isFloat(value: number): boolean {
  return !Number.isSafeInteger(value) || Object.is(value, -0);
}

function readInt64(r: MessageReader, signed: boolean, pos: number): number | bigint {
  const { view } = r;
  const { int64 } = r.settings;
  const value = (signed ? view.getInt32(pos + 1) : view.getUint32(pos + 1)) * 2 ** 32 + view.getUint32(pos + 5);
  if (int64 !== "bigint" && Number.isSafeInteger(value)) return value;
  const exact = signed ? view.getBigInt64(pos + 1) : view.getBigUint64(pos + 1);
  if (int64 !== "number") return exact;
  throw new DecodeError("ERR_UNSAFE_INTEGER", `${exact} is no safe number`, pos);
}

/** Steps over the `n` bytes from `from` on, of the item that begins at `start`. */
function take(r: MessageReader, start: number, from: number, n: number): void {
  const missing = from + n - r.end;
  if (missing > 0) throw truncated(start, missing);
  r.pos = from + n;
}

function readBinary(r: MessageReader, start: number, from: number, n: number): Uint8Array<ArrayBuffer> {
  take(r, start, from, n);
  return bytesOf(r, from, n, r.settings.binary === "view");
}

/** A window on the input, or a copy. Never a Buffer, whatever the input is. */
function bytesOf({ src }: MessageReader, from: number, n: number, isView: boolean): Uint8Array<ArrayBuffer> {
  const window = new Uint8Array(src.buffer, src.byteOffset + from, n);
  return isView ? window : window.slice();
}

/** An extension of `n` bytes from `from` on, its type the byte before them. */
function readExtension(r: MessageReader, start: number, from: number, n: number): unknown {
  take(r, start, from, n);
  const { settings } = r;
  const type = r.view.getInt8(from - 1);
  if (type === -1) return readTimestamp(r, start, from, n);
  const definition = settings.extensions.byType.get(type);
  if (definition !== undefined) {
    let value: unknown;
    try {
      value = definition.decode(bytesOf(r, from, n, false));
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : typeof cause;
      throw new DecodeError("ERR_USER_CODE", `decode of extension ${type} threw: ${message}`, start, 0, cause);
    }
    // The user's code may have transferred the input's memory away.
    if (r.src.length < r.end) throw invalidArgument("the input was detached while it was decoded");
    return value;
  }
  if (settings.js !== null) {
    const value = settings.js.read(r, type, start, from, from + n);
    if (value !== NOT_MINE) return value;
  }
  if (settings.unknownExtensions === "keep")
    return new Extension(type, bytesOf(r, from, n, settings.binary === "view"));
  throw new DecodeError("ERR_UNKNOWN_EXTENSION", `extension type ${type} is not registered`, start);
}

/** MessagePack specification, "Timestamp extension type": 32, 64 and 96 bits. */
function readTimestamp(r: MessageReader, start: number, from: number, n: number): Date | Timestamp {
  if (n !== 4 && n !== 8 && n !== 12) throw new DecodeError("ERR_OUT_OF_RANGE", `a timestamp of ${n} bytes`, start);
  const { view } = r;
  const first = view.getUint32(from);
  const nanoseconds = n === 4 ? 0 : n === 8 ? first >>> 2 : first;
  const high = n === 4 ? 0 : n === 8 ? first & 3 : view.getInt32(from + 4);
  let seconds: number | bigint = high * 2 ** 32 + view.getUint32(from + n - 4);
  if (!Number.isSafeInteger(seconds)) seconds = view.getBigInt64(from + 4);
  if (nanoseconds > 999_999_999) throw new DecodeError("ERR_OUT_OF_RANGE", "more than 999999999 nanoseconds", start);
  if (r.strict && (n === 8 ? nanoseconds === 0 && high === 0 : n === 12 && high >= 0 && high < 4)) {
    throw notShortest(start);
  }
  const { timestamps } = r.settings;
  const timestamp = new Timestamp(seconds, nanoseconds);
  if (timestamps === "timestamp" || (timestamps === "auto" && !timestamp.isDate)) return timestamp;
  const date = timestamp.toDate();
  if (!Number.isNaN(date.getTime())) return date;
  throw new DecodeError("ERR_OUT_OF_RANGE", "a time that no Date holds", start);
}

function notShortest(start: number): DecodeError {
  return new DecodeError("ERR_NOT_SHORTEST", "not the shortest form", start);
}
