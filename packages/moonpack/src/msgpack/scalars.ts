/** Items whose first byte is c0 to df (MessagePack specification, "Overview"), but those that read.ts reads in line. */
import { DecodeError, invalidArgument } from "../bytes/errors.js";
import { Extension } from "./extension-table.js";
import type { MessageReader } from "./read.js";
import { Timestamp } from "./timestamp.js";

/** Bytes of the length or number that follows each of c4 to df; fixext (d4 to d8) has none. */
const WIDTHS = "1241244812481248000001242424";

/** The same for one of them. */
export function widthOf(token: number): number {
  return WIDTHS.charCodeAt(token - 0xc4) - 48;
}

/** Reads the item at `pos`, whose first byte is `token`; CUT as `MessageReader.read`. */
export function readWide(r: MessageReader, token: number, pos: number): unknown {
  if (token < 0xc4) {
    if (token === 0xc1) throw new DecodeError("ERR_INVALID_BYTE", "c1 begins nothing", pos);
    r.pos = pos + 1;
    return token === 0xc0 ? null : token === 0xc3;
  }
  const width = widthOf(token);
  const header = 1 + width;
  const isNumber = token >= 0xca && token < 0xd4;
  const isExtension = !isNumber && token >= 0xc7 && token < 0xd9;
  // The type is part of an extension's header, which is read at once where there is a length.
  const known = pos + (isExtension && width > 0 ? header + 1 : header);
  if (known > r.end) return r.short(pos, known - r.end);
  const { view } = r;
  // What the token says, or the unsigned number behind it if that has up to 32 bits.
  const n =
    width === 1
      ? r.src[pos + 1]!
      : width === 2
        ? view.getUint16(pos + 1)
        : width === 4
          ? view.getUint32(pos + 1)
          : 1 << (token - 0xd4);
  const value = isNumber ? readNumber(r, token, n, pos) : n;
  if (r.strict && !isShortest(view, token, width, value, pos)) throw notShortest(pos);
  if (isNumber) {
    r.pos = pos + header;
    return token === 0xcf || token === 0xd3 ? exactly(r, token, value, pos) : value;
  }
  if (token >= 0xde) return r.readMap(n, pos, header);
  if (token >= 0xdc) return r.readArray(n, pos, header);
  if (token >= 0xd9) return r.readString(n, pos, header);
  const size = isExtension ? header + 1 : header;
  const from = pos + size;
  const to = from + n;
  if (to > r.end) return r.short(pos, to - r.end);
  r.pos = to;
  return isExtension ? readExtension(r, pos, from, n) : bytesOf(r, from, n);
}

/** The number that is `n` as an unsigned one, or has more bits; one of 64 bits may be rounded. */
function readNumber({ view }: MessageReader, token: number, n: number, pos: number): number {
  switch (token) {
    case 0xca:
      return view.getFloat32(pos + 1);
    case 0xcb:
      return view.getFloat64(pos + 1);
    case 0xd0:
      return (n << 24) >> 24;
    case 0xd1:
      return (n << 16) >> 16;
    case 0xd2:
      return n | 0;
    case 0xcf:
      return view.getUint32(pos + 1) * 2 ** 32 + view.getUint32(pos + 5);
    case 0xd3:
      return view.getInt32(pos + 1) * 2 ** 32 + view.getUint32(pos + 5);
    default:
      return n;
  }
}

/** Refuses a header at `pos` with a length of more bytes than it needs, before what it declares has come. */
export function checkLength(r: MessageReader, pos: number, length: number): void {
  const token = r.src[pos]!;
  if (token >= 0xc4 && token < 0xe0 && !isShortest(r.view, token, widthOf(token), length, pos)) throw notShortest(pos);
}

/** Is this what the encoder would write for this number, or for this length? */
function isShortest(view: DataView, token: number, width: number, n: number, pos: number): boolean {
  if (token === 0xca || token === 0xcb) {
    // What an integer format holds is an integer. There is one NaN, and float 64 is for what float 32 would round.
    if (Number.isSafeInteger(n) && !Object.is(n, -0)) return false;
    if (token === 0xcb) return !Object.is(Math.fround(n), n);
    return !Number.isNaN(n) || view.getUint32(pos + 1) === 0x7fc00000;
  }
  if (token === 0xc7) return ![1, 2, 4, 8, 16].includes(n);
  // The least number that half the bytes have no room for; negative ones have half of that.
  const least = LEAST.get(token) ?? 0x100 ** (width / 2);
  return token < 0xd0 || token > 0xd3 ? n >= least : n < least / -2;
}

/** The same for what has other shorter forms: bin 8 has none, the others what a first byte holds. */
const LEAST: ReadonlyMap<number, number> = /* @__PURE__ */ new Map([
  [0xc4, 0],
  [0xcc, 0x80],
  [0xd0, 0x40],
  [0xd9, 0x20],
  [0xdc, 0x10],
  [0xde, 0x10],
]);

/** The integer of 64 bits at `pos` that `value` is, or comes near. */
function exactly({ view, settings }: MessageReader, token: number, value: number, pos: number): number | bigint {
  if (settings.int64 !== "bigint" && Number.isSafeInteger(value)) return value;
  const exact = token === 0xd3 ? view.getBigInt64(pos + 1) : view.getBigUint64(pos + 1);
  if (settings.int64 !== "number") return exact;
  throw new DecodeError("ERR_UNSAFE_INTEGER", `${exact} is no safe number`, pos);
}

/** A window on the input, or a copy. Never a Buffer, whatever the input is. */
function bytesOf({ src, settings }: MessageReader, from: number, n: number, mayBeView = true): Uint8Array<ArrayBuffer> {
  const window = new Uint8Array(src.buffer, src.byteOffset + from, n);
  return mayBeView && settings.binary === "view" ? window : window.slice();
}

/** An extension of `n` bytes from `from` on, its type the byte before them. */
function readExtension(r: MessageReader, start: number, from: number, n: number): unknown {
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
  const { js } = settings;
  if (js?.owns(type)) return js.read(r, type, start, from, from + n);
  if (settings.unknownExtensions === "keep") return new Extension(type, bytesOf(r, from, n));
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
