/** The reference model of PCK, 4: numbers as bytes. All integers are bigints here. */
import type { Shape } from "./shape.ts";

type IntegerShape = Extract<Shape, { readonly is: "fixed" | "varint" }>;

/** Returns the bytes of an integer. */
export function integerBytes(shape: IntegerShape, value: bigint): number[] {
  if (shape.is === "varint") return leb128(shape.isSigned ? zigzag(value) : value);
  const bits = BigInt.asUintN(8 * shape.bytes, value);
  return Array.from({ length: shape.bytes }, (_, i) => Number((bits >> BigInt(8 * i)) & 255n));
}

/** Returns the integer of little-endian bytes. */
export function integerOf(bytes: readonly number[], isSigned: boolean): bigint {
  let value = 0n;
  for (const [i, byte] of bytes.entries()) value |= BigInt(byte) << BigInt(8 * i);
  return isSigned ? BigInt.asIntN(8 * bytes.length, value) : value;
}

/** Returns a varint: seven bits a byte, low bits first; all bytes but the last have the high bit set. */
export function leb128(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
}

/** 0, -1, 1, -2, .. as 0, 1, 2, 3, .. */
export function zigzag(value: bigint): bigint {
  return value < 0n ? -2n * value - 1n : 2n * value;
}

export function unzigzag(value: bigint): bigint {
  return value % 2n === 0n ? value / 2n : -(value + 1n) / 2n;
}

/** Returns the bytes of a float. There is one NaN. */
export function floatBytes(size: 4 | 8, value: number): number[] {
  if (Number.isNaN(value)) return size === 4 ? [0, 0, 0xc0, 0x7f] : [0, 0, 0, 0, 0, 0, 0xf8, 0x7f];
  const view = new DataView(new ArrayBuffer(size));
  if (size === 4) view.setFloat32(0, value, true);
  else view.setFloat64(0, value, true);
  return [...new Uint8Array(view.buffer)];
}

export function floatOf(bytes: readonly number[]): number {
  const view = new DataView(Uint8Array.from(bytes).buffer);
  return bytes.length === 4 ? view.getFloat32(0, true) : view.getFloat64(0, true);
}

/** Returns the JSON form of a float. */
export function floatJson(value: number): number | string {
  return Object.is(value, -0) ? "-0" : Number.isFinite(value) ? value : String(value);
}
