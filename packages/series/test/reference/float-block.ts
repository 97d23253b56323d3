/** Value blocks of float metrics. */
import { type Cursor, floatOf, patternOf } from "./bytes.ts";
import { decodeFor, encodeFor } from "./frame-of-reference.ts";
import { decodeIntegers, encodeIntegers } from "./integers.ts";
import { integerOf, residualOf, type Scale, scaleOf, unscaled } from "./scale.ts";
import { encodeSpecials, isSpecial, withSpecials } from "./specials.ts";
import { decodeXor, encodeXor } from "./xor.ts";

/** In the head: a scale byte follows. */
const SCALED = 0x08;
const XOR = 4;

/** In the scale byte, above the exponent. */
const FLOAT32 = 0x10;
const RESIDUALS = 0x20;
const SPECIALS = 0x40;

/** A block in decimal form, before it is compared with codec 4. */
export interface DecimalForm {
  readonly codec: number;
  readonly scaleByte: number;
  /** Codec bytes, residuals and specials. */
  readonly body: readonly number[];
}

export function encodeFloats(values: readonly number[]): number[] {
  const decimal = decimalForm(values);
  const xor = encodeXor(values.map(patternOf));
  if (decimal === undefined || isLarger(decimal, xor)) return [XOR, ...xor];
  const { codec, scaleByte, body } = decimal;
  return scaleByte === 0 ? [codec, ...body] : [codec | SCALED, scaleByte, ...body];
}

/** Only blocks with residuals or specials are compared. The scale byte counts, heads do not. */
function isLarger({ scaleByte, body }: DecimalForm, xor: readonly number[]): boolean {
  return (scaleByte & (RESIDUALS | SPECIALS)) !== 0 && xor.length < body.length + 1;
}

/** Returns undefined if no exponent holds all values. */
export function decimalForm(values: readonly number[]): DecimalForm | undefined {
  const scale = scaleOf(values.filter((value) => !isSpecial(value)));
  if (scale === undefined) return undefined;
  const integers = integersOf(values, scale);
  const { codec, bytes } = encodeIntegers(integers);
  const residuals = scale.closeness === "near" ? encodeFor(residualsOf(values, integers, scale)) : [];
  const specials = encodeSpecials(values);
  const closeness = { exact: 0, float32: FLOAT32, near: RESIDUALS }[scale.closeness];
  return {
    codec,
    scaleByte: scale.exponent | closeness | (specials.length > 0 ? SPECIALS : 0),
    body: [...bytes, ...residuals, ...specials],
  };
}

/** A special repeats the integer before it, and is 0 at the start. */
function integersOf(values: readonly number[], scale: Scale): bigint[] {
  let before = 0n;
  return values.map((value) => (before = isSpecial(value) ? before : integerOf(value, scale)));
}

function residualsOf(values: readonly number[], integers: readonly bigint[], scale: Scale): bigint[] {
  return values.map((value, i) => (isSpecial(value) ? 0n : residualOf(value, integers[i]!, scale)));
}

/** Reads the rest of a block, after its head. */
export function decodeFloats(head: number, count: number, cursor: Cursor): number[] {
  const codec = head % 8;
  if (codec === XOR) return decodeXor(count, cursor).map(floatOf);
  const scaleByte = (head & SCALED) === 0 ? 0 : cursor.u8();
  const has = (flag: number) => (scaleByte & flag) !== 0;
  const closeness = has(FLOAT32) ? "float32" : has(RESIDUALS) ? "near" : "exact";
  const scale: Scale = { exponent: scaleByte % 16, closeness };
  const integers = decodeIntegers(codec, count, cursor);
  const residuals = has(RESIDUALS) ? decodeFor(count, cursor) : integers.map(() => 0n);
  const values = integers.map((integer, i) => unscaled(integer, residuals[i]!, scale));
  return has(SPECIALS) ? withSpecials(values, cursor) : values;
}
