/**
 * Floats as scaled integers (docs/series-format.md, "Value block"): v = m / 10^E, exactly, after rounding to float32, or but for a
 * small difference of the bit patterns.
 */
import { invalidArgument } from "moonpack/bytes";
import type { Values64 } from "./values.js";

/** 10^0 to 10^15: all are exact as floats. */
const POWERS = /* @__PURE__ */ Float64Array.from({ length: 16 }, (_, i) => Number(`1e${i}`));
const MAX_E = 15;
/** The largest magnitude of an integer. */
const MAX_M = 2 ** 51;
/** The largest magnitude of a residual. */
export const MAX_RESIDUAL = 127;

/** Kinds of special values. */
export const NAN = 0;
export const POSITIVE_INFINITY = 1;
export const NEGATIVE_INFINITY = 2;
export const NEGATIVE_ZERO = 3;

/** The conversion of a block's floats to integers. */
export const EXACT = 0;
export const FLOAT32 = 1;
export const RESIDUAL = 2;
/** Not possible: no exponent E fits all values. */
export const NONE = 3;

/** Memory for the integers of one block. */
export class Decimals {
  /** The integers. */
  m = new Float64Array(64);
  residuals = new Int32Array(64);
  /** Positions of special values. */
  specials = new Int32Array(64);
  specialCount = 0;
  form = NONE;
  e = 0;

  /** Makes room for `n` values. */
  reserve(n: number): void {
    if (n <= this.m.length) return;
    this.m = new Float64Array(2 * n);
    this.residuals = new Int32Array(2 * n);
    this.specials = new Int32Array(2 * n);
  }

  /** Converts `n` floats, n from 1 up. Afterwards `form` says how. */
  convert(values: Values64, n: number): void {
    this.reserve(n);
    const { floats } = values;
    this.specialCount = 0;
    for (let i = 0; i < n; i++) if (kindOf(floats[i]!) >= 0) this.specials[this.specialCount++] = i;
    for (this.form = EXACT; this.form < NONE; this.form++) {
      // If no E fits, the first value mostly shows it.
      for (this.e = 0; this.e <= MAX_E; this.e++) if (this.#holds(values, n)) return;
    }
  }

  #holds({ floats, words }: Values64, n: number): boolean {
    const { form, m } = this;
    const power = POWERS[this.e]!;
    let before = 0;
    let special = 0;
    for (let i = 0; i < n; i++) {
      if (special < this.specialCount && this.specials[special] === i) {
        special++;
        m[i] = before;
        if (form === RESIDUAL) this.residuals[i] = 0;
        continue;
      }
      const v = floats[i]!;
      // Adding 0 turns -0 into 0.
      const integer = Math.round(v * power) + 0;
      if (!(Math.abs(integer) <= MAX_M)) return false;
      const near = integer / power;
      if (form === EXACT) {
        if (near !== v) return false;
      } else if (form === FLOAT32) {
        if (Math.fround(near) !== v) return false;
      } else {
        const residual = residualOf(words, i, near);
        if (!(Math.abs(residual) <= MAX_RESIDUAL)) return false;
        this.residuals[i] = residual;
      }
      m[i] = before = integer;
    }
    return true;
  }
}

/** Returns the kind of a special value; -1 for other values. */
export function kindOf(v: number): number {
  if (v - v === 0) return v === 0 && 1 / v < 0 ? NEGATIVE_ZERO : -1;
  if (v > 0) return POSITIVE_INFINITY;
  return v < 0 ? NEGATIVE_INFINITY : NAN;
}

/** Returns the special value of a kind. */
export function specialOf(kind: number): number {
  if (kind === NAN) return Number.NaN;
  if (kind === NEGATIVE_ZERO) return -0;
  if (kind === POSITIVE_INFINITY || kind === NEGATIVE_INFINITY)
    return kind === NEGATIVE_INFINITY ? -Infinity : Infinity;
  throw invalidArgument(`unknown special-value kind ${kind}`);
}

const scratch = /* @__PURE__ */ new Float64Array(1);
const scratchWords = /* @__PURE__ */ new Int32Array(scratch.buffer);

/** Returns the difference of the bit patterns of value `i` and `near`, as integers. */
function residualOf(words: Int32Array, i: number, near: number): number {
  scratch[0] = near;
  const high = words[2 * i + 1]! - scratchWords[1]!;
  const low = (words[2 * i]! >>> 0) - (scratchWords[0]! >>> 0);
  return high * 2 ** 32 + low;
}

/** Converts integers back to floats. `residuals` is null if there are none. */
export function fromDecimals(
  values: Values64,
  n: number,
  e: number,
  isFloat32: boolean,
  residuals: Int32Array | null,
): void {
  const { floats, words } = values;
  const power = POWERS[e]!;
  if (isFloat32) for (let i = 0; i < n; i++) floats[i] = Math.fround(floats[i]! / power);
  else if (power !== 1) for (let i = 0; i < n; i++) floats[i] = floats[i]! / power;
  if (residuals === null) return;
  for (let i = 0; i < n; i++) {
    const low = (words[2 * i]! >>> 0) + residuals[i]!;
    words[2 * i] = low;
    words[2 * i + 1] = words[2 * i + 1]! + Math.floor(low / 2 ** 32);
  }
}
