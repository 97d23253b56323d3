// The parts of an item, one after another, and the numbers in them.
import { grouped } from "../shared/numbers.ts";
import { hexByte } from "./hex.ts";

/** Some bytes of an item, and what they say. */
export interface BytePart {
  readonly from: number;
  readonly to: number;
  /** The bytes as digits, or the bits of a single byte whose bits have parts. */
  readonly digits: string;
  readonly text: string;
}

/** Content that is shown as digits. */
const MAX_DIGITS = 8;

/** Collects the parts of the bytes from an offset on. Each part begins where the last one ends. */
export class PartWriter {
  readonly parts: BytePart[] = [];
  /** The offset after the last part. */
  at: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, from: number) {
    this.#bytes = bytes;
    this.at = from;
  }

  /** Adds the bytes to an offset. Returns the offset. */
  add(end: number, text: string, digits: string = digitsOf(this.#bytes, this.at, end)): number {
    this.parts.push({ from: this.at, to: end, digits, text });
    this.at = end;
    return end;
  }

  /** Adds a varint, whose text is made of its value and of its arithmetic. Returns the value. */
  varint(to: number, textOf: (value: bigint, terms: string) => string): bigint {
    const { value, end, text } = varint(this.#bytes, this.at, to);
    this.add(end, textOf(value, text));
    return value;
  }
}

/** A varint (LEB128), and its sum of groups of seven bits from the lowest. */
export function varint(bytes: Uint8Array, from: number, to: number): { value: bigint; end: number; text: string } {
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
  return { value, end: at, text: terms.length === 1 ? big(value) : `${terms.join(" + ")} = ${big(value)}` };
}

/** Bytes as digits. With spaces between them, only the first ones. */
export function digitsOf(bytes: Uint8Array, from: number, to: number, between = " "): string {
  const isLong = between !== "" && to - from > MAX_DIGITS;
  const shown = Array.from(bytes.subarray(from, isLong ? from + MAX_DIGITS : to), hexByte).join(between);
  return isLong ? `${shown} ..` : shown;
}

/** The bits of a byte, the highest first; the last ones are set apart. */
export function bitsOf(byte: number, apart = 0): string {
  const bits = byte.toString(2).padStart(8, "0");
  return apart === 0 ? bits : `${bits.slice(0, 8 - apart)} ${bits.slice(8 - apart)}`;
}

/** An integer with separators, and a minus sign. */
export const big = (value: bigint): string => minus(value.toLocaleString("en"));
export const minus = (value: number | string): string => String(value).replace("-", "−");

/** A number of things: `1 byte`, `2 bytes`. */
export const count = (n: number, unit: string): string => `${grouped(n)} ${n === 1 ? unit : `${unit}s`}`;
