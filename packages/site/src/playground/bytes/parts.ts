// The bytes of an item of MessagePack one by one: the bits of its first byte, its length, integers and floats, with their arithmetic.
import { grouped } from "../shared/numbers.ts";
import { floatText } from "./float-bits.ts";
import { type BytePart, big, bitsOf, count, digitsOf, minus, PartWriter } from "./part-writer.ts";

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
/** Explains the bytes from `from` to `to`, an item that was read without an error, or, if `isMalformed`, a text with one. */
export function partsOf(bytes: Uint8Array, from: number, to: number, isMalformed = false): BytePart[] {
  const first = bytes[from]!;
  const writer = new PartWriter(bytes, from);
  const constant = CONSTANTS.get(first);
  const numbered = NUMBERED.get(first);
  if (constant !== undefined) writer.add(from + 1, constant);
  else if (numbered !== undefined) {
    const [name, size, what] = numbered;
    const at = writer.add(
      from + 1,
      what === "length" ? `${name}: the next ${count(size, "byte")} are its length` : name,
    );
    writer.add(at + size, what === "float" ? floatText(bytes, at, size) : integerText(bytes, at, size, what));
  } else if (first >= FIXEXT && first <= FIXEXT + 4) writer.add(from + 1, `fixext ${1 << (first - FIXEXT)}`);
  else {
    const fixed = FIXED.find((one) => first >= one.from)!;
    writer.add(from + 1, fixed.text(first & ((1 << fixed.bits) - 1)), bitsOf(first, fixed.bits));
  }
  const isExtension = (first >= 0xc7 && first <= 0xc9) || (first >= FIXEXT && first <= FIXEXT + 4);
  if (isExtension) extension(bytes, to, writer);
  else if (isMalformed) malformedText(bytes, to, writer);
  else if (writer.at < to)
    writer.add(to, /^(?:fix)?str/.test(writer.parts[0]!.text) ? "its text in UTF-8" : "its data");
  return writer.parts;
}

/** The bytes of a text before the first malformed character, that character, and the rest. */
function malformedText(bytes: Uint8Array, to: number, writer: PartWriter): void {
  const { malformedAt, readTo } = firstMalformed(bytes, writer.at, to);
  if (malformedAt > writer.at) writer.add(malformedAt, "its text in UTF-8");
  const first = bytes[malformedAt]!;
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (readTo === to) {
    writer.add(to, `the start of a character of ${size} bytes, but the text ends here`);
    return;
  }
  const at = Math.max(malformedAt + 1, readTo);
  writer.add(at, at > malformedAt + 1 ? "the start of a character, but the next byte does not continue it" : NO_START);
  if (at < to) writer.add(to, "the rest of its text");
}

const NO_START = "malformed: no character begins here";

/** Bytes that are decoded at a time. */
const DECODED_BYTES = 65_536;

/** Returns where the first malformed character of a text begins, and the end of those of its bytes that a character may begin with. */
function firstMalformed(bytes: Uint8Array, from: number, to: number): { malformedAt: number; readTo: number } {
  let start = from;
  for (let end = start; end < to; start = end) {
    end = Math.min(start + DECODED_BYTES, to);
    // Characters are not cut, except at the end of the text.
    while (end < to && end > start + 1 && (bytes[end]! & 0xc0) === 0x80) end--;
    if (end === to || decoded(bytes, start, end) === undefined) break;
  }
  let readTo = start;
  for (let most = Math.min(start + DECODED_BYTES, to); readTo < most; ) {
    const middle = Math.ceil((readTo + most) / 2);
    if (decoded(bytes, start, middle) === undefined) most = middle - 1;
    else readTo = middle;
  }
  return { malformedAt: start + new TextEncoder().encode(decoded(bytes, start, readTo)).length, readTo };
}

/** The text of some bytes, without a character that is cut at their end; undefined if they are malformed. */
function decoded(bytes: Uint8Array, from: number, to: number): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.slice(from, to), { stream: true });
  } catch {
    return undefined;
  }
}

/** The type of an extension, and its data. */
function extension(bytes: Uint8Array, to: number, writer: PartWriter): void {
  const data = writer.at + 1;
  const type = (bytes[writer.at]! << 24) >> 24;
  const isTime = type === TIMESTAMP && [4, 8, 12].includes(to - data);
  writer.add(data, isTime ? "type −1: timestamp" : `type ${minus(type)}`);
  if (!isTime) {
    if (data < to) writer.add(to, "its data");
    return;
  }
  const all = BigInt(`0x${digitsOf(bytes, data, to, "")}`);
  if (to - data === 4) writer.add(to, `${grouped(Number(all))} seconds since 1970`);
  else if (to - data === 8) {
    const seconds = all & ((1n << 34n) - 1n);
    writer.add(
      to,
      `upper 30 bits: ${grouped(Number(all >> 34n))} nanoseconds; lower 34 bits: ${big(seconds)} seconds since 1970`,
    );
  } else {
    const at = writer.add(data + 4, `${grouped(Number(all >> 64n))} nanoseconds`);
    writer.add(at + 8, `${big(BigInt.asIntN(64, all))} seconds since 1970`);
  }
}

function integerText(bytes: Uint8Array, at: number, size: number, what: "length" | "uint" | "int"): string {
  const value = BigInt(`0x${digitsOf(bytes, at, at + size, "")}`);
  const signed = what === "int" ? BigInt.asIntN(8 * size, value) : value;
  const terms = size === 2 ? `${bytes[at]} × 256 + ${bytes[at + 1]} = ` : "";
  if (signed >= 0n) return `${size === 1 ? "" : `0x${digitsOf(bytes, at, at + size, "")} = ${terms}`}${big(signed)}`;
  return `${terms}${big(value)}; its first bit is 1, so 2^${8 * size} is taken off: ${big(signed)}`;
}
