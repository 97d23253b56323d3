/**
 * Packed bits. A text of the digits 0 and 1 stands for bits, the first bit first. They fill bytes from bit 0 up, and zero bits
 * complete the last byte.
 */
import type { Cursor } from "./bytes.ts";

/** The `width` low bits of an integer, the low bit first. Negative integers become two's complement. */
export function bitsOf(value: bigint, width: number): string {
  let bits = "";
  for (let i = 0; i < width; i++) bits += (value >> BigInt(i)) & 1n;
  return bits;
}

/** The unsigned integer of these bits, the low bit first. */
export function unsignedOf(bits: string): bigint {
  return [...bits].reduceRight((sum, bit) => sum * 2n + BigInt(bit), 0n);
}

/** The two's complement integer of these bits, the low bit first. */
export function signedOf(bits: string): bigint {
  return BigInt.asIntN(bits.length, unsignedOf(bits));
}

/** The number of bits of a non-negative integer; 0 has none. */
export function widthOf(value: bigint): number {
  return value === 0n ? 0 : value.toString(2).length;
}

/** The number of zero bits below the lowest bit that is set. */
export function trailingZeros(value: bigint): number {
  return bitsOf(value, widthOf(value)).indexOf("1");
}

export function pack(bits: string): number[] {
  return (bits.match(/.{1,8}/g) ?? []).map((eight) => Number(unsignedOf(eight)));
}

/** Reads one packed part bit by bit. The bits left in its last byte are zero. */
export class BitReader {
  readonly #cursor: Cursor;
  #left = "";

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
  }

  take(width: number): string {
    while (this.#left.length < width) this.#left += bitsOf(BigInt(this.#cursor.u8()), 8);
    const bits = this.#left.slice(0, width);
    this.#left = this.#left.slice(width);
    return bits;
  }
}
