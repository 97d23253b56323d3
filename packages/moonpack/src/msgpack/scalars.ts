/** Items of more than one byte, by the token that begins them (MessagePack specification, "Overview"). */
import { DecodeError, invalidArgument } from "../bytes/errors.js";
import { truncated } from "../bytes/input.js";
import { NO_JS_EXTENSION, readJsExtension } from "./fidelity-read.js";
import { Extension } from "./extensions.js";
import type { MessageReader } from "./read.js";
import { Timestamp } from "./timestamp.js";

/** Reads the item at `pos` that begins with a token from c0 to df. */
export function readWide(r: MessageReader, token: number, pos: number): unknown {
  const view = r.view;
  switch (token) {
    case 0xc0:
      r.pos = pos + 1;
      return null;
    case 0xc2:
      r.pos = pos + 1;
      return false;
    case 0xc3:
      r.pos = pos + 1;
      return true;
    case 0xca: {
      need(r, pos, 5);
      const value = view.getFloat32(pos + 1);
      if (r.strict) strictFloat(value, true, pos);
      return value;
    }
    case 0xcb: {
      need(r, pos, 9);
      const value = view.getFloat64(pos + 1);
      if (r.strict) strictFloat(value, false, pos);
      return value;
    }
    case 0xcc:
      need(r, pos, 2);
      return atLeast(r, r.src[pos + 1]!, 0x80, pos);
    case 0xcd:
      need(r, pos, 3);
      return atLeast(r, view.getUint16(pos + 1), 0x100, pos);
    case 0xce:
      need(r, pos, 5);
      return atLeast(r, view.getUint32(pos + 1), 0x10000, pos);
    case 0xcf:
      return readUint64(r, pos);
    case 0xd0:
      need(r, pos, 2);
      return below(r, view.getInt8(pos + 1), -32, pos);
    case 0xd1:
      need(r, pos, 3);
      return below(r, view.getInt16(pos + 1), -0x80, pos);
    case 0xd2:
      need(r, pos, 5);
      return below(r, view.getInt32(pos + 1), -0x8000, pos);
    case 0xd3:
      return readInt64(r, pos);
    case 0xd9:
      return r.readString(length8(r, pos, 32), pos, 2);
    case 0xda:
      return r.readString(length16(r, pos, 0x100), pos, 3);
    case 0xdb:
      return r.readString(length32(r, pos), pos, 5);
    case 0xc4:
      return readBinary(r, length8(r, pos, 0), pos, 2);
    case 0xc5:
      return readBinary(r, length16(r, pos, 0x100), pos, 3);
    case 0xc6:
      return readBinary(r, length32(r, pos), pos, 5);
    case 0xdc:
      return r.readArray(readCount(r, token, pos), pos, 3);
    case 0xdd:
      return r.readArray(readCount(r, token, pos), pos, 5);
    case 0xde:
      return r.readMap(readCount(r, token, pos), pos, 3);
    case 0xdf:
      return r.readMap(readCount(r, token, pos), pos, 5);
    case 0xd4:
    case 0xd5:
    case 0xd6:
    case 0xd7:
    case 0xd8:
      return r.readExtension(1 << (token - 0xd4), pos, 2);
    case 0xc7: {
      const n = length8(r, pos, 0);
      if (r.strict && isFixext(n)) throw notShortest(pos);
      return r.readExtension(n, pos, 3);
    }
    case 0xc8:
      return r.readExtension(length16(r, pos, 0x100), pos, 4);
    case 0xc9:
      return r.readExtension(length32(r, pos), pos, 6);
    default:
      throw new DecodeError("ERR_INVALID_BYTE", "the byte c1 begins nothing", pos);
  }
}

/** Checks that an item of `size` bytes is there, and steps over it. */
function need(r: MessageReader, pos: number, size: number): void {
  if (pos + size > r.end) throw truncated(pos, pos + size - r.end);
  r.pos = pos + size;
}

/** The length that follows a header byte; strict refuses one that a shorter header (or fixed form) could hold. */
function length8(r: MessageReader, pos: number, least: number): number {
  if (pos + 2 > r.end) throw truncated(pos, 1);
  const n = r.src[pos + 1]!;
  if (r.strict && n < least) throw notShortest(pos);
  return n;
}

function length16(r: MessageReader, pos: number, least: number): number {
  if (pos + 3 > r.end) throw truncated(pos, pos + 3 - r.end);
  const n = r.view.getUint16(pos + 1);
  if (r.strict && n < least) throw notShortest(pos);
  return n;
}

function length32(r: MessageReader, pos: number): number {
  if (pos + 5 > r.end) throw truncated(pos, pos + 5 - r.end);
  const n = r.view.getUint32(pos + 1);
  if (r.strict && n < 0x10000) throw notShortest(pos);
  return n;
}

/** The count of an array16, array32, map16 or map32 whose header begins at `pos`. */
export function readCount(r: MessageReader, token: number, pos: number): number {
  return token % 2 === 0 ? length16(r, pos, 16) : length32(r, pos);
}

function isFixext(n: number): boolean {
  return n === 1 || n === 2 || n === 4 || n === 8 || n === 16;
}

function notShortest(pos: number): DecodeError {
  return new DecodeError("ERR_NOT_SHORTEST", "an item is not in its shortest form", pos);
}

function atLeast(r: MessageReader, value: number, least: number, pos: number): number {
  if (r.strict && value < least) throw notShortest(pos);
  return value;
}

function below(r: MessageReader, value: number, bound: number, pos: number): number {
  if (r.strict && value >= bound) throw notShortest(pos);
  return value;
}

/** Strict: a float holds no safe integer but -0, and float64 nothing that float32 holds. */
function strictFloat(value: number, single: boolean, pos: number): void {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) throw notShortest(pos);
  if (!single && Object.is(Math.fround(value), value)) throw notShortest(pos);
}

function readUint64(r: MessageReader, pos: number): number | bigint {
  need(r, pos, 9);
  const high = r.view.getUint32(pos + 1);
  if (r.strict && high === 0) throw notShortest(pos);
  const { int64 } = r.settings;
  if (int64 === "bigint") return r.view.getBigUint64(pos + 1);
  if (high <= 0x1fffff) return high * 0x100000000 + r.view.getUint32(pos + 5);
  if (int64 === "number") throw unsafe(r.view.getBigUint64(pos + 1), pos);
  return r.view.getBigUint64(pos + 1);
}

function readInt64(r: MessageReader, pos: number): number | bigint {
  need(r, pos, 9);
  const high = r.view.getInt32(pos + 1);
  const low = r.view.getUint32(pos + 5);
  const value = high * 0x100000000 + low;
  // A positive value fits uint64, one above -2^31 a shorter int.
  if (r.strict && value >= -0x80000000) throw notShortest(pos);
  const { int64 } = r.settings;
  if (int64 === "bigint") return r.view.getBigInt64(pos + 1);
  // The only value of high word -2^21 that is not safe is -2^53 itself.
  if (high <= 0x1fffff && (high > -0x200000 || (high === -0x200000 && low !== 0))) return value;
  if (int64 === "number") throw unsafe(r.view.getBigInt64(pos + 1), pos);
  return r.view.getBigInt64(pos + 1);
}

function unsafe(value: bigint, pos: number): DecodeError {
  return new DecodeError("ERR_UNSAFE_INTEGER", `${value} does not fit a number exactly (int64: "number")`, pos);
}

function readBinary(r: MessageReader, n: number, start: number, header: number): Uint8Array<ArrayBuffer> {
  const from = start + header;
  const to = from + n;
  if (to > r.end) throw truncated(start, to - r.end);
  r.pos = to;
  return bytesOf(r, from, to);
}

/** A copy, or a window on the input by option. Never a Buffer, whatever the input is: `slice` of one would be a view. */
function bytesOf(r: MessageReader, from: number, to: number): Uint8Array<ArrayBuffer> {
  const { src } = r;
  if (r.settings.binary === "view") return new Uint8Array(src.buffer, src.byteOffset + from, to - from);
  return copyBytes(src, from, to);
}

function copyBytes(src: Uint8Array<ArrayBuffer>, from: number, to: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(to - from);
  if (to - from <= 32) for (let i = from; i < to; i++) copy[i - from] = src[i]!;
  else copy.set(new Uint8Array(src.buffer, src.byteOffset + from, to - from));
  return copy;
}

const TIMESTAMP_TYPE = -1;

/** The extension whose header begins at `start` and whose data are `from..to`, which the caller has checked. */
export function readExtension(r: MessageReader, start: number, from: number, to: number): unknown {
  const { settings } = r;
  const type = r.view.getInt8(from - 1);
  if (type === TIMESTAMP_TYPE) return readTimestamp(r, start, from, to - from);
  const definition = settings.extensions.ofType(type);
  if (definition !== undefined) {
    let value: unknown;
    try {
      value = definition.decode(copyBytes(r.src, from, to));
    } catch (cause) {
      throw new DecodeError("ERR_USER_CODE", `decode of extension ${type} threw: ${text(cause)}`, start, 0, cause);
    }
    // The user's code may have transferred the input's memory away.
    if (r.src.length < r.end) throw invalidArgument("the input's buffer was detached while it was being decoded");
    return value;
  }
  if (settings.fidelity === "js") {
    const value = readJsExtension(r, type, start, from, to);
    if (value !== NO_JS_EXTENSION) return value;
  }
  if (settings.keepUnknown) return new Extension(type, bytesOf(r, from, to));
  throw new DecodeError("ERR_UNKNOWN_EXTENSION", `nobody registered extension type ${type}`, start);
}

function text(cause: unknown): string {
  return cause instanceof Error ? cause.message : typeof cause;
}

/** MessagePack specification, "Timestamp extension type": 32, 64 and 96 bits. */
function readTimestamp(r: MessageReader, start: number, from: number, n: number): Date | Timestamp {
  const view = r.view;
  let seconds: number | bigint;
  let nanoseconds = 0;
  if (n === 4) seconds = view.getUint32(from);
  else if (n === 8) {
    const high = view.getUint32(from);
    nanoseconds = high >>> 2;
    seconds = (high & 3) * 0x100000000 + view.getUint32(from + 4);
    if (r.strict && nanoseconds === 0 && seconds <= 0xffffffff) throw notShortest(start);
  } else if (n === 12) {
    nanoseconds = view.getUint32(from);
    const high = view.getInt32(from + 4);
    const low = view.getUint32(from + 8);
    seconds = high >= -0x200000 && high <= 0x1fffff ? high * 0x100000000 + low : view.getBigInt64(from + 4);
    if (r.strict && high >= 0 && high <= 3) throw notShortest(start);
  } else throw new DecodeError("ERR_OUT_OF_RANGE", `a timestamp of ${n} bytes: 4, 8 and 12 exist`, start);
  if (nanoseconds > 999_999_999) throw new DecodeError("ERR_OUT_OF_RANGE", `a timestamp of ${nanoseconds} nanoseconds`, start);
  const { timestamps } = r.settings;
  if (timestamps !== "timestamp" && nanoseconds % 1_000_000 === 0 && typeof seconds === "number") {
    const date = new Date(seconds * 1000 + nanoseconds / 1_000_000);
    if (date.getTime() === date.getTime()) return date;
  }
  return dated(r, new Timestamp(seconds, nanoseconds), start);
}

function dated(r: MessageReader, timestamp: Timestamp, start: number): Date | Timestamp {
  if (r.settings.timestamps !== "date") return timestamp;
  const date = timestamp.toDate();
  if (date.getTime() === date.getTime()) return date;
  throw new DecodeError("ERR_OUT_OF_RANGE", "a timestamp beyond what a Date holds", start);
}
