/** Chooses the type of numbers: the shortest one for all samples and for larger values that may come. */
import type { DocumentType } from "../document/document.js";

/** A type, and what a reader of the schema should know about it. */
export interface Leaf {
  readonly type: DocumentType;
  readonly doc: string;
}

/** How many different fractions must fit in an f32 before it is chosen: 0.5 and 0.25 fit by chance. */
const FRACTIONS_FOR_F32 = 100;

/** The headroom that 32-bit types have at most: wider numbers are `f64`, which takes twice as many bytes. */
const HEADROOM_IN_32_BITS = 2;

/**
 * Returns the type of numbers, or a text with the reason why they have none. `headroom`: how many times the largest sample an
 * integer type holds (for 0, how many times 1); a type of 32 bits holds it twice.
 */
export function numberType(values: readonly (number | bigint)[], headroom: number): Leaf | string {
  if (values.every((value) => isExactInteger(value))) return integerType(values, headroom);
  if (values.some((value) => typeof value === "bigint")) return "bigints and fractions: no type holds both exactly";
  const numbers = values as readonly number[];
  const isSingle = hasManyFractions(numbers) && numbers.every((value) => Object.is(Math.fround(value), value));
  return { type: isSingle ? "f32" : "f64", doc: "" };
}

/** True for enough different fractions. No more of them are kept: keys of a Set can be chosen to collide. */
function hasManyFractions(numbers: readonly number[]): boolean {
  const fractions = new Set<number>();
  for (const value of numbers)
    if (!Number.isInteger(value) && fractions.add(value).size === FRACTIONS_FOR_F32) return true;
  return false;
}

/** True for a type that keys of maps may have: text, or integers that decode as numbers. */
export function isKeyType(type: DocumentType): boolean {
  return type === "utf8" || (typeof type === "string" && /^[ui](?:8|16|32|var)$/.test(type));
}

/** True for an integer that is stored as one. -0 is a float, and so is what a number cannot hold exactly. */
function isExactInteger(value: number | bigint): boolean {
  return typeof value === "bigint" || (Number.isSafeInteger(value) && !Object.is(value, -0));
}

function integerType(values: readonly (number | bigint)[], headroom: number): Leaf | string {
  let min = values[0]!;
  let max = values[0]!;
  let hasBigint = false;
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
    hasBigint ||= typeof value === "bigint";
  }
  const fixed = hasBigint ? undefined : fixedType(Number(min), Number(max), headroom);
  if (fixed !== undefined) return { type: shorter(fixed, values), doc: "" };
  if (!hasBigint)
    return { type: "f64", doc: `Integers from ${min} to ${max}: f64 holds them exactly, and they decode as numbers.` };
  if (min < -(2n ** 63n) || max >= (min < 0 ? 2n ** 63n : 2n ** 64n)) return "integers of more than 64 bits";
  return { type: shorter(min < 0 ? { name: "i64", bytes: 8 } : { name: "u64", bytes: 8 }, values), doc: "" };
}

interface Fixed {
  readonly name: string;
  readonly bytes: number;
}

/** Returns the narrowest type that holds the numbers with headroom; undefined beyond 32 bits. */
function fixedType(min: number, max: number, headroom: number): Fixed | undefined {
  const most = Math.max(max, headroom > 1 ? 1 : 0);
  for (const bytes of [1, 2, 4]) {
    const times = bytes === 4 ? Math.min(headroom, HEADROOM_IN_32_BITS) : headroom;
    const values = 2 ** (8 * bytes);
    if (min >= 0 && times * most < values) return { name: `u${8 * bytes}`, bytes };
    if (times * min >= -values / 2 && times * most < values / 2) return { name: `i${8 * bytes}`, bytes };
  }
  return undefined;
}

/** Returns the varint of the same range if the samples take fewer bytes with it, else the type of fixed width. */
function shorter({ name, bytes }: Fixed, values: readonly (number | bigint)[]): string {
  const isSigned = name.startsWith("i");
  let total = 0;
  for (const value of values) total += varintBytes(isSigned ? zigzag(value) : value);
  if (total >= bytes * values.length) return name;
  return `${isSigned ? "i" : "u"}var${bytes === 8 ? "64" : ""}`;
}

function zigzag(value: number | bigint): number | bigint {
  if (typeof value === "bigint") return value < 0n ? -2n * value - 1n : 2n * value;
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function varintBytes(value: number | bigint): number {
  let bytes = 1;
  for (let limit = 128; value >= limit; limit *= 128) bytes++;
  return bytes;
}
