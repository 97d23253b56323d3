// A float by its sign, exponent and fraction.
import { grouped } from "../shared/numbers.ts";

const WIDTHS: ReadonlyMap<number, { readonly exponent: number; readonly fraction: number }> = new Map([
  [4, { exponent: 8, fraction: 23 }],
  [8, { exponent: 11, fraction: 52 }],
]);

/** Explains the float of 4 or 8 bytes at an offset, whose first byte is the highest. */
export function floatText(bytes: Uint8Array, at: number, size: number): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, size);
  const value = size === 4 ? view.getFloat32(0) : view.getFloat64(0);
  const { exponent: width, fraction: digits } = WIDTHS.get(size)!;
  const bits = Array.from(bytes.subarray(at, at + size), (byte) => byte.toString(2).padStart(8, "0")).join("");
  const exponentBits = bits.slice(1, 1 + width);
  const raw = Number.parseInt(exponentBits, 2);
  const fraction = Number.parseInt(bits.slice(1 + width), 2) / 2 ** digits;
  const bias = 2 ** (width - 1) - 1;
  const sign = `sign ${bits[0]} (${bits[0] === "0" ? "+" : "−"})`;
  if (raw === 2 * bias + 1) return `${sign}, exponent all ones: ${fraction === 0 ? text(value) : "not a number"}`;
  if (raw === 0 && fraction === 0) return `${sign}, all other bits 0: ${Object.is(value, -0) ? "−0" : "0"}`;
  const power = raw === 0 ? 1 - bias : raw - bias;
  const factor = (bits[0] === "0" ? 1 : -1) * (raw === 0 ? fraction : 1 + fraction);
  const steps = raw === 0 ? "0: no leading 1" : `${grouped(raw)} − ${grouped(bias)} = ${text(power)}`;
  return `${sign}, exponent ${exponentBits} = ${steps}, fraction ${text(factor)}: ${text(factor)} × 2^${text(power)} = ${text(value)}`;
}

const text = (value: number): string => String(value).replaceAll("-", "−");
