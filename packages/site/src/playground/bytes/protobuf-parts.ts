// The bytes of a field of Protobuf one by one: its tag, varints in groups of seven bits, and little-endian numbers.
import { grouped } from "../shared/numbers.ts";
import { hexByte } from "./hex.ts";
import type { BytePart } from "./parts.ts";

const WIRE_TYPES = ["a varint", "64 bits", "bytes with a length", "a group begins", "the group ends", "32 bits"];
/** Content that is shown as digits. */
const MAX_DIGITS = 8;

/** Explains the bytes from `from` to `to`, a field that was read without an error. */
export function protobufParts(bytes: Uint8Array, from: number, to: number): BytePart[] {
  if (to <= from) return [];
  const tag = varint(bytes, from, to);
  const wire = Number(tag.value & 7n);
  const bits = bytes[from]!.toString(2).padStart(8, "0");
  const isShort = tag.end === from + 1;
  const parts: BytePart[] = [
    {
      from,
      to: tag.end,
      digits: isShort ? `${bits.slice(0, 5)} ${bits.slice(5)}` : digitsOf(bytes, from, tag.end),
      text: `tag: field ${tag.value >> 3n}, wire type ${wire}, ${WIRE_TYPES[wire]}`,
    },
  ];
  const add = (end: number, text: string) =>
    parts.push({ from: parts.at(-1)!.to, to: end, digits: digitsOf(bytes, parts.at(-1)!.to, end), text });
  if (wire === 0 || wire === 2) {
    const number = varint(bytes, tag.end, to);
    add(number.end, `${wire === 2 ? "length: " : ""}${number.text}`);
    if (wire === 2 && number.end < to) add(to, "its content");
  } else if (wire === 1 || wire === 5) add(to, "little-endian: the last byte is the highest");
  return parts;
}

/** A varint, as its groups of seven bits from the lowest. */
function varint(bytes: Uint8Array, from: number, to: number): { value: bigint; end: number; text: string } {
  let value = 0n;
  let at = from;
  const terms: string[] = [];
  while (at < to) {
    const byte = bytes[at]!;
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - from));
    terms.push(at === from ? String(byte & 0x7f) : `${byte & 0x7f} × 2^${7 * (at - from)}`);
    at++;
    if (byte < 0x80) break;
  }
  value = BigInt.asUintN(64, value);
  const total = value <= Number.MAX_SAFE_INTEGER ? grouped(Number(value)) : value.toLocaleString("en");
  return { value, end: at, text: terms.length === 1 ? total : `${terms.join(" + ")} = ${total}` };
}

function digitsOf(bytes: Uint8Array, from: number, to: number): string {
  const shown = Array.from(bytes.subarray(from, Math.min(to, from + MAX_DIGITS)), hexByte).join(" ");
  return to - from > MAX_DIGITS ? `${shown} ..` : shown;
}
