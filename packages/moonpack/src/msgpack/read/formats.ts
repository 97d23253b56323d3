/**
 * The formats of MessagePack by their first byte (specification, "Formats"): what follows it, and how many bytes. Only the hot loops
 * of readers and writers know formats too: base.ts and generate.ts read the most frequent ones inline, and the writers write them.
 */
import { DecodeError } from "../../bytes/errors.js";

/** For each of c4 to df: bytes of the length or number that follows; 0 for fixext (d4 to d8). */
const WIDTHS = "1241244812481248000001242424";

/** Names of c0 to df. */
const NAMES: readonly string[] = /* @__PURE__ */ (
  "nil,,false,true,bin 8,bin 16,bin 32,ext 8,ext 16,ext 32,float 32,float 64,uint 8,uint 16,uint 32,uint 64," +
  "int 8,int 16,int 32,int 64,fixext 1,fixext 2,fixext 4,fixext 8,fixext 16,str 8,str 16,str 32," +
  "array 16,array 32,map 16,map 32"
).split(",");

/** Returns the format's name in the specification, such as `str 8`. */
export function nameOf(token: number): string {
  if (token < 0x80) return "positive fixint";
  if (token < 0x90) return "fixmap";
  if (token < 0xa0) return "fixarray";
  if (token < 0xc0) return "fixstr";
  return NAMES[token - 0xc0] ?? "negative fixint";
}

/** Returns the bytes of the length or number that follows `token`, which is one of c4 to df; 0 for fixext. */
export function widthOf(token: number): number {
  return WIDTHS.charCodeAt(token - 0xc4) - 48;
}

/** Returns true for the first byte of a number that follows it. */
export function isNumber(token: number): boolean {
  return token >= 0xca && token < 0xd4;
}

/** Returns true for the first byte of an extension. */
export function isExtension(token: number): boolean {
  return (token >= 0xc7 && token < 0xca) || (token >= 0xd4 && token < 0xd9);
}

/** Returns true for the first byte of an array or a map. */
export function isContainer(token: number): boolean {
  return (token >= 0x80 && token < 0xa0) || (token >= 0xdc && token < 0xe0);
}

/** Returns the first byte of an extension of `n` bytes that needs no length; 0 if it needs one. */
export function fixextOf(n: number): number {
  return n > 0 && n <= 16 && (n & (n - 1)) === 0 ? 0xd3 + 32 - Math.clz32(n) : 0;
}

/** Returns the size of the header of a text of `n` bytes. */
export function textHeader(n: number): number {
  return n < 32 ? 1 : n < 0x100 ? 2 : n < 0x10000 ? 3 : 5;
}

/** Returns the size of the header of an array or map of `n` elements or pairs. */
export function containerHeader(n: number): number {
  return n < 16 ? 1 : n < 0x10000 ? 3 : 5;
}

/**
 * Returns the number at `at`, or the length of text, binary, an extension or a container, after its first byte `token`, one of c4 to df. A
 * fixext has its length in its first byte. Integers of 64 bits may be rounded.
 */
export function numberAt(src: Uint8Array, view: DataView, token: number, at: number): number {
  const width = widthOf(token);
  if (width === 1) return token === 0xd0 ? view.getInt8(at) : src[at]!;
  if (width === 2) return token === 0xd1 ? view.getInt16(at) : view.getUint16(at);
  if (width === 0) return 1 << (token - 0xd4);
  if (token === 0xca) return view.getFloat32(at);
  if (token === 0xcb) return view.getFloat64(at);
  const n = token === 0xd2 || token === 0xd3 ? view.getInt32(at) : view.getUint32(at);
  return width === 4 ? n : n * 2 ** 32 + view.getUint32(at + 4);
}

/**
 * Returns the 64-bit integer at `at`, after its first byte `token`, as the option `int64` wants it. `value`: its {@link numberAt}.
 * Throws `ERR_UNSAFE_INTEGER` where `int64` is `"number"` and the integer is not a safe one.
 */
export function integerAt(
  view: DataView,
  token: number,
  at: number,
  value: number,
  int64: "auto" | "bigint" | "number",
): number | bigint {
  if (int64 !== "bigint" && Number.isSafeInteger(value)) return value;
  const exact = token === 0xd3 ? view.getBigInt64(at) : view.getBigUint64(at);
  if (int64 !== "number") return exact;
  throw new DecodeError("ERR_UNSAFE_INTEGER", `${exact} is not a safe integer`, at - 1);
}

/** Returns the size of the header of the item at `pos`. */
export function headerSize(src: Uint8Array, pos: number): number {
  const token = src[pos]!;
  if (token < 0xc4 || token >= 0xe0) return 1;
  return widthOf(token) + (isExtension(token) ? 2 : 1);
}

/**
 * Returns the bytes after the header of the string, binary or extension at `pos`; 0 for other items, and while the header is incomplete.
 * `header`: its {@link headerSize}.
 */
export function payloadSize(src: Uint8Array, view: DataView, pos: number, header: number, end: number): number {
  const token = src[pos]!;
  if (token < 0xc4) return token >= 0xa0 && token < 0xc0 ? token & 31 : 0;
  if (token >= 0xdc || isNumber(token) || pos + header > end) return 0;
  return numberAt(src, view, token, pos + 1);
}

/** Returns true if the item at `pos` is complete. A container is complete with its header. */
export function isComplete(src: Uint8Array, view: DataView, pos: number, end: number): boolean {
  const token = src[pos]!;
  if (token < 0xa0 || token >= 0xe0) return true; // one byte, like most items
  return pos + itemSize(src, view, pos, end) <= end;
}

/**
 * Returns the size of the item at `pos`, in bytes. A container counts as its header. An item whose header is incomplete at `end` counts as
 * its header too.
 */
export function itemSize(src: Uint8Array, view: DataView, pos: number, end: number): number {
  const header = headerSize(src, pos);
  return header + payloadSize(src, view, pos, header, end);
}
