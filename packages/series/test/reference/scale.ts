/** Float values as decimal integers: value = integer / 10^exponent, exactly or nearly. */
import { floatOf, patternOf } from "./bytes.ts";
import { LIMIT } from "./integers.ts";
import { isWithin } from "./lists.ts";

/** `exact`: the quotient is the value. `float32`: it is so after rounding to float32. `near`: bit patterns differ a little. */
export type Closeness = "exact" | "float32" | "near";

export interface Scale {
  readonly exponent: number;
  readonly closeness: Closeness;
}

/** The greatest difference of bit patterns that a residual stores. */
const RESIDUAL_LIMIT = 127n;

/** Returns how all of these values, none of them special, are stored as integers; undefined if they cannot be. */
export function scaleOf(values: readonly number[]): Scale | undefined {
  for (const closeness of ["exact", "float32", "near"] as const) {
    for (let exponent = 0; exponent <= 15; exponent++) {
      const scale = { exponent, closeness };
      if (values.every((value) => holds(value, scale))) return scale;
    }
  }
  return undefined;
}

function holds(value: number, scale: Scale): boolean {
  const scaled = scaledOf(value, scale);
  if (Math.abs(scaled) > Number(LIMIT)) return false;
  const integer = BigInt(scaled);
  if (scale.closeness === "near") return isWithin(residualOf(value, integer, scale), RESIDUAL_LIMIT);
  return quotientOf(integer, scale) === value;
}

/** The integer that stands for a value. It must hold. */
export function integerOf(value: number, scale: Scale): bigint {
  return BigInt(scaledOf(value, scale));
}

/** How far the value's bit pattern is above the pattern of its integer's quotient. */
export function residualOf(value: number, integer: bigint, scale: Scale): bigint {
  return patternOf(value) - patternOf(quotientOf(integer, scale));
}

/** The value that an integer and a residual (0 unless the scale is `near`) stand for. */
export function unscaled(integer: bigint, residual: bigint, scale: Scale): number {
  return floatOf(patternOf(quotientOf(integer, scale)) + residual);
}

/** Math.round takes ties towards +infinity. Its -0 becomes 0 when it turns into a bigint. */
function scaledOf(value: number, { exponent }: Scale): number {
  return Math.round(value * powerOfTen(exponent));
}

function quotientOf(integer: bigint, { exponent, closeness }: Scale): number {
  const quotient = Number(integer) / powerOfTen(exponent);
  return closeness === "float32" ? Math.fround(quotient) : quotient;
}

/** Powers up to 10^15 are exact. They are read as decimals, since engines may round the operator `**`. */
function powerOfTen(exponent: number): number {
  return Number(`1e${exponent}`);
}
