// The bytes of an item of MessagePack one by one: the bits of its first byte, its length, integers and floats, with their arithmetic.
import { grouped } from "../shared/numbers.ts";
import { floatText } from "./float-bits.ts";
import { hexByte } from "./hex.ts";

/** Some bytes of an item, and what they say. */
export interface BytePart {
  readonly from: number;
  readonly to: number;
  /** The bytes as digits, or the bits of a single byte whose bits have parts. */
  readonly digits: string;
  readonly text: string;
}

/** First bytes whose upper bits are the format and whose lower bits are a number. */
const FIXED: readonly { readonly from: number; readonly bits: number; readonly text: (n: number) => string }[] = [
  { from: 0xe0, bits: 5, text: (n) => `negative fixint: ${n} − 32 = ${minus(n - 32)}` },
  { from: 0xa0, bits: 5, text: (n) => `fixstr: text of ${count(n, "byte")}` },
  { from: 0x90, bits: 4, text: (n) => `fixarray: ${count(n, "item")}` },
  { from: 0x80, bits: 4, text: (n) => `fixmap: ${count(n, "pair")}` },
  { from: 0x00, bits: 7, text: (n) => `positive fixint: ${n}` },
];

/** Formats whose first byte is followed by a number of some bytes, by the first byte. */
const NUMBERED: ReadonlyMap<number, readonly [name: string, size: number, what: "length" | "uint" | "int" | "float"]> =
  new Map([
    [0xc4, ["bin 8", 1, "length"]],
    [0xc5, ["bin 16", 2, "length"]],
    [0xc6, ["bin 32", 4, "length"]],
    [0xc7, ["ext 8", 1, "length"]],
    [0xc8, ["ext 16", 2, "length"]],
    [0xc9, ["ext 32", 4, "length"]],
    [0xca, ["float 32", 4, "float"]],
    [0xcb, ["float 64", 8, "float"]],
    [0xcc, ["uint 8", 1, "uint"]],
    [0xcd, ["uint 16", 2, "uint"]],
    [0xce, ["uint 32", 4, "uint"]],
    [0xcf, ["uint 64", 8, "uint"]],
    [0xd0, ["int 8", 1, "int"]],
    [0xd1, ["int 16", 2, "int"]],
    [0xd2, ["int 32", 4, "int"]],
    [0xd3, ["int 64", 8, "int"]],
    [0xd9, ["str 8", 1, "length"]],
    [0xda, ["str 16", 2, "length"]],
    [0xdb, ["str 32", 4, "length"]],
    [0xdc, ["array 16", 2, "length"]],
    [0xdd, ["array 32", 4, "length"]],
    [0xde, ["map 16", 2, "length"]],
    [0xdf, ["map 32", 4, "length"]],
  ]);

const CONSTANTS: ReadonlyMap<number, string> = new Map([
  [0xc0, "nil"],
  [0xc2, "false"],
  [0xc3, "true"],
]);

/** Extensions of 1, 2, 4, 8 and 16 bytes follow each other from this first byte. */
const FIXEXT = 0xd4;
const TIMESTAMP = -1;
/** Content that is shown as digits. */
const MAX_DIGITS = 8;

/** Explains the bytes from `from` to `to`, an item that was read without an error. */
export function partsOf(bytes: Uint8Array, from: number, to: number): BytePart[] {
  const first = bytes[from]!;
  const parts: BytePart[] = [];
  const add = (end: number, text: string) => {
    const at = parts.at(-1)?.to ?? from;
    parts.push({ from: at, to: end, digits: digitsOf(bytes, at, end), text });
    return end;
  };
  const constant = CONSTANTS.get(first);
  const numbered = NUMBERED.get(first);
  if (constant !== undefined) add(from + 1, constant);
  else if (numbered !== undefined) {
    const [name, size, what] = numbered;
    const at = add(from + 1, what === "length" ? `${name}: the next ${count(size, "byte")} are its length` : name);
    add(at + size, what === "float" ? floatText(bytes, at, size) : integerText(bytes, at, size, what));
  } else if (first >= FIXEXT && first <= FIXEXT + 4) add(from + 1, `fixext ${1 << (first - FIXEXT)}`);
  else {
    const fixed = FIXED.find((one) => first >= one.from)!;
    const bits = first.toString(2).padStart(8, "0");
    const digits = `${bits.slice(0, 8 - fixed.bits)} ${bits.slice(8 - fixed.bits)}`;
    parts.push({ from, to: from + 1, digits, text: fixed.text(first & ((1 << fixed.bits) - 1)) });
  }
  const isExtension = (first >= 0xc7 && first <= 0xc9) || (first >= FIXEXT && first <= FIXEXT + 4);
  if (isExtension) extension(bytes, add(parts.at(-1)!.to + 1, ""), to, parts, add);
  else if (parts.at(-1)!.to < to) add(to, /^(?:fix)?str/.test(parts[0]!.text) ? "its text in UTF-8" : "its data");
  return parts;
}

/** The type of an extension, which is the last part, and its data. */
function extension(
  bytes: Uint8Array,
  data: number,
  to: number,
  parts: BytePart[],
  add: (end: number, text: string) => number,
): void {
  const type = (bytes[data - 1]! << 24) >> 24;
  const isTime = type === TIMESTAMP && [4, 8, 12].includes(to - data);
  const last = parts.pop()!;
  parts.push({ ...last, text: isTime ? "type −1: timestamp" : `type ${minus(type)}` });
  if (!isTime) {
    if (data < to) add(to, "its data");
    return;
  }
  const all = BigInt(`0x${digitsOf(bytes, data, to, "")}`);
  if (to - data === 4) add(to, `${grouped(Number(all))} seconds since 1970`);
  else if (to - data === 8) {
    const seconds = all & ((1n << 34n) - 1n);
    add(
      to,
      `upper 30 bits: ${grouped(Number(all >> 34n))} nanoseconds; lower 34 bits: ${big(seconds)} seconds since 1970`,
    );
  } else {
    const at = add(data + 4, `${grouped(Number(all >> 64n))} nanoseconds`);
    add(at + 8, `${big(BigInt.asIntN(64, all))} seconds since 1970`);
  }
}

function integerText(bytes: Uint8Array, at: number, size: number, what: "length" | "uint" | "int"): string {
  const value = BigInt(`0x${digitsOf(bytes, at, at + size, "")}`);
  const signed = what === "int" ? BigInt.asIntN(8 * size, value) : value;
  const terms = size === 2 ? `${bytes[at]} × 256 + ${bytes[at + 1]} = ` : "";
  if (signed >= 0n) return `${size === 1 ? "" : `0x${digitsOf(bytes, at, at + size, "")} = ${terms}`}${big(signed)}`;
  return `${terms}${big(value)}; its first bit is 1, so 2^${8 * size} is taken off: ${big(signed)}`;
}

const big = (value: bigint): string => minus(value.toLocaleString("en"));
const minus = (value: number | string): string => String(value).replace("-", "−");
const count = (n: number, unit: string): string => `${n} ${n === 1 ? unit : `${unit}s`}`;

function digitsOf(bytes: Uint8Array, from: number, to: number, between = " "): string {
  const isLong = between !== "" && to - from > MAX_DIGITS;
  const shown = Array.from(bytes.subarray(from, isLong ? from + MAX_DIGITS : to), hexByte).join(between);
  return isLong ? `${shown} ..` : shown;
}
