/** An annotated dump of MessagePack bytes: for people who look at a message, whole or broken. Not a hot path. */
import { readUtf8, readUtf8Lossy } from "#utf8";
import { DecodeError, pathStep } from "../bytes/errors.js";
import { type BytesInput, toBytes, truncated } from "../bytes/input.js";
import { LIMIT_RULES } from "../bytes/limits.js";
import { readOptions } from "../bytes/options.js";
import { Timestamp } from "./timestamp.js";

/** One item of a dump. */
export interface Diagnosis {
  /** First byte of the item. */
  readonly offset: number;
  /** One past its last byte; of an array or map: past its header, its items follow as entries of their own. */
  readonly end: number;
  /** Containers open around it. */
  readonly depth: number;
  /** Where it lies in the value, `$.a[3]`; a key has the path of its map. */
  readonly path: string;
  /** What it is to its container. */
  readonly role: "value" | "key";
  /** The format's name in the specification: `fixmap`, `uint 16`, `str 8`, `timestamp 64`, ..; `broken` where there is none. */
  readonly format: string;
  /** What it says, for a person: `map of 3`, `"name"`, `1.5`. Long text and data are cut. */
  readonly meaning: string;
  /** What is wrong with it. Malformed UTF-8 does not end the dump; any other error is its last entry. */
  readonly error?: DecodeError;
}

/** Options of {@link diagnose}. */
export interface DiagnoseOptions {
  /** The input is any number of values, one after the other; otherwise bytes after the first are an error. Default false. */
  readonly sequence?: boolean;
  /** Containers that may be open at once, 1 to 4,096. Default 512. */
  readonly maxDepth?: number;
}

/** An open container. */
interface Level {
  readonly path: string;
  readonly isMap: boolean;
  /** Items to come; a pair is two. */
  left: number;
  index: number;
  /** Path of the value whose key was read last. */
  valuePath: string;
}

/** What one header says. */
interface Item {
  readonly format: string;
  readonly meaning: string;
  readonly end: number;
  /** Elements or pairs; -1 for what is no container. */
  readonly count: number;
  readonly isMap: boolean;
  /** How a value under this key is reached, where the item is a key. */
  readonly step: string;
  readonly error?: DecodeError;
}

const RULES = { sequence: [false, true], maxDepth: LIMIT_RULES.maxDepth } as const;
const SHOWN_CHARACTERS = 64;
const SHOWN_BYTES = 16;

/**
 * Walks the bytes item by item; broken input is shown up to the break, whose entry carries the error. Never throws
 * for bad bytes; linear in the input, without recursion.
 *
 * @example
 * for (const item of diagnose(new Uint8Array([0x81, 0xa1, 0x61, 0x01]))) console.log(item.path, item.format, item.meaning);
 * // $ fixmap map of 1 / $ fixstr "a" / $.a positive fixint 1
 */
export function* diagnose(input: BytesInput, options?: DiagnoseOptions): Generator<Diagnosis, void, undefined> {
  const { sequence, maxDepth } = readOptions(RULES, options) as unknown as Required<DiagnoseOptions>;
  const bytes = toBytes(input);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const levels: Level[] = [];
  let offset = 0;
  let message = 0;
  do {
    const level = levels.at(-1);
    const role = level !== undefined && level.isMap && level.left % 2 === 0 ? "key" : "value";
    const path = level === undefined ? (sequence ? `$${pathStep(message)}` : "$") : pathIn(level, role);
    const place = { offset, depth: levels.length, path, role } as const;
    let item: Item;
    try {
      item = readItem(bytes, view, offset);
      if (item.count >= 0 && levels.length >= maxDepth) {
        throw new DecodeError("ERR_LIMIT_DEPTH", `more than ${maxDepth} containers are open`, offset);
      }
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return yield { ...place, end: bytes.length, format: "broken", meaning: error.message, error };
    }
    const { end, format, meaning, error } = item;
    yield error === undefined ? { ...place, end, format, meaning } : { ...place, end, format, meaning, error };
    offset = end;
    if (level !== undefined) advance(level, role, item.step);
    if (item.count > 0) {
      levels.push({
        path,
        isMap: item.isMap,
        left: item.isMap ? 2 * item.count : item.count,
        index: 0,
        valuePath: path,
      });
    }
    while (levels.length > 0 && levels.at(-1)!.left === 0) levels.pop();
    if (levels.length === 0) message++;
  } while (levels.length > 0 || (sequence && offset < bytes.length));
  if (offset < bytes.length) {
    const error = new DecodeError("ERR_TRAILING_BYTES", `${bytes.length - offset} bytes after the value`, offset);
    yield {
      offset,
      end: bytes.length,
      depth: 0,
      path: "$",
      role: "value",
      format: "broken",
      meaning: error.message,
      error,
    };
  }
}

function pathIn(level: Level, role: "key" | "value"): string {
  if (!level.isMap) return level.path + pathStep(level.index);
  return role === "key" ? level.path : level.valuePath;
}

function advance(level: Level, role: "key" | "value", step: string): void {
  level.left--;
  if (role === "key") level.valuePath = level.path + step;
  else level.index++;
}

function readItem(bytes: Uint8Array<ArrayBuffer>, view: DataView, offset: number): Item {
  if (offset >= bytes.length) throw truncated(offset, 1);
  const token = bytes[offset]!;
  const need = (size: number): number => {
    if (offset + size > bytes.length) throw truncated(offset, offset + size - bytes.length);
    return offset + size;
  };
  const scalar = (format: string, value: unknown, size: number): Item => {
    const meaning = Object.is(value, -0) ? "-0" : String(value);
    return { format, meaning, end: offset + size, count: -1, isMap: false, step: `[${meaning}]` };
  };
  const container = (format: string, isMap: boolean, count: number, end: number): Item => {
    return {
      format,
      meaning: `${isMap ? "map" : "array"} of ${count}`,
      end,
      count,
      isMap,
      step: isMap ? "[{..}]" : "[[..]]",
    };
  };
  const string = (format: string, n: number, header: number): Item => {
    const end = need(header + n);
    return text(format, bytes, view, offset, offset + header, end);
  };
  const binary = (format: string, n: number, header: number): Item => {
    const end = need(header + n);
    const meaning = `${n} bytes: ${hex(bytes, offset + header, end)}`;
    return { format, meaning, end, count: -1, isMap: false, step: "[bytes]" };
  };
  const length = (size: 1 | 2 | 4): number => {
    need(1 + size);
    return size === 1 ? bytes[offset + 1]! : size === 2 ? view.getUint16(offset + 1) : view.getUint32(offset + 1);
  };
  const extension = (format: string, n: number, header: number): Item => {
    const end = need(header + n);
    return extensionItem(format, bytes, view, offset + header, end);
  };

  if (token < 0x80) return scalar("positive fixint", token, 1);
  if (token < 0x90) return container("fixmap", true, token & 15, offset + 1);
  if (token < 0xa0) return container("fixarray", false, token & 15, offset + 1);
  if (token < 0xc0) return string("fixstr", token & 31, 1);
  if (token >= 0xe0) return scalar("negative fixint", token - 256, 1);
  switch (token) {
    case 0xc0:
      return scalar("nil", "nil", 1);
    case 0xc2:
      return scalar("false", false, 1);
    case 0xc3:
      return scalar("true", true, 1);
    case 0xc4:
      return binary("bin 8", length(1), 2);
    case 0xc5:
      return binary("bin 16", length(2), 3);
    case 0xc6:
      return binary("bin 32", length(4), 5);
    case 0xc7:
      return extension("ext 8", length(1), 3);
    case 0xc8:
      return extension("ext 16", length(2), 4);
    case 0xc9:
      return extension("ext 32", length(4), 6);
    case 0xca:
      need(5);
      return scalar("float 32", view.getFloat32(offset + 1), 5);
    case 0xcb:
      need(9);
      return scalar("float 64", view.getFloat64(offset + 1), 9);
    case 0xcc:
      return scalar("uint 8", length(1), 2);
    case 0xcd:
      return scalar("uint 16", length(2), 3);
    case 0xce:
      return scalar("uint 32", length(4), 5);
    case 0xcf:
      need(9);
      return scalar("uint 64", view.getBigUint64(offset + 1), 9);
    case 0xd0:
      need(2);
      return scalar("int 8", view.getInt8(offset + 1), 2);
    case 0xd1:
      need(3);
      return scalar("int 16", view.getInt16(offset + 1), 3);
    case 0xd2:
      need(5);
      return scalar("int 32", view.getInt32(offset + 1), 5);
    case 0xd3:
      need(9);
      return scalar("int 64", view.getBigInt64(offset + 1), 9);
    case 0xd9:
      return string("str 8", length(1), 2);
    case 0xda:
      return string("str 16", length(2), 3);
    case 0xdb:
      return string("str 32", length(4), 5);
    case 0xdc:
      return container("array 16", false, length(2), offset + 3);
    case 0xdd:
      return container("array 32", false, length(4), offset + 5);
    case 0xde:
      return container("map 16", true, length(2), offset + 3);
    case 0xdf:
      return container("map 32", true, length(4), offset + 5);
    case 0xc1:
      throw new DecodeError("ERR_INVALID_BYTE", "the byte c1 begins nothing", offset);
    default: {
      const n = 1 << (token - 0xd4); // d4 to d8
      return extension(`fixext ${n}`, n, 2);
    }
  }
}

function text(format: string, bytes: Uint8Array, view: DataView, offset: number, from: number, end: number): Item {
  const whole = readUtf8(bytes, view, from, end);
  const shown = whole ?? readUtf8Lossy(bytes, from, end);
  // The JSON form shows control characters and quotes; a pair of surrogates is not cut in two.
  let cut = SHOWN_CHARACTERS;
  if ((shown.charCodeAt(cut - 1) & 0xfc00) === 0xd800) cut--;
  const meaning =
    shown.length <= SHOWN_CHARACTERS
      ? JSON.stringify(shown)
      : `${JSON.stringify(shown.slice(0, cut))}.. (${end - from} bytes)`;
  const item = {
    format,
    meaning,
    end,
    count: -1,
    isMap: false,
    step: pathStep(shown.length > SHOWN_CHARACTERS ? `${shown.slice(0, cut)}..` : shown),
  };
  return whole !== null
    ? item
    : { ...item, error: new DecodeError("ERR_INVALID_UTF8", "a string is not well-formed UTF-8", offset) };
}

function hex(bytes: Uint8Array, from: number, to: number): string {
  const shown = Array.from(bytes.subarray(from, Math.min(to, from + SHOWN_BYTES)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  );
  return shown.join(" ") + (to - from > SHOWN_BYTES ? " .." : "");
}

function extensionItem(format: string, bytes: Uint8Array, view: DataView, from: number, end: number): Item {
  const type = view.getInt8(from - 1);
  const n = end - from;
  const time = type === -1 ? timestampOf(view, from, n) : undefined;
  if (time !== undefined) {
    const date = time.toDate();
    const shown = !Number.isNaN(date.getTime()) ? date.toISOString().slice(0, -5) : `${time.seconds} s`;
    const meaning = `${shown}${time.nanoseconds > 0 ? `.${String(time.nanoseconds).padStart(9, "0")}` : ""}Z`;
    return { format: `timestamp ${n * 8}`, meaning, end, count: -1, isMap: false, step: `[${meaning}]` };
  }
  const meaning = `extension ${type} of ${n} bytes: ${hex(bytes, from, end)}`;
  return { format, meaning, end, count: -1, isMap: false, step: `[extension ${type}]` };
}

/** The time of a timestamp's data; undefined when they are malformed. */
function timestampOf(view: DataView, from: number, n: number): Timestamp | undefined {
  if (n === 4) return new Timestamp(view.getUint32(from));
  const nanoseconds = n === 8 ? view.getUint32(from) >>> 2 : n === 12 ? view.getUint32(from) : Infinity;
  if (nanoseconds > 999_999_999) return undefined;
  const seconds = n === 8 ? view.getBigUint64(from) & 0x3ffffffffn : view.getBigInt64(from + 4);
  return new Timestamp(seconds, nanoseconds);
}
