/**
 * Bytes as plain lists of numbers, numbers of fixed width, and a cursor that reads both. All numbers are little-endian unless
 * the name ends in BE.
 */
export type Bytes = readonly number[];

/** The `size` low bytes of an integer, the lowest first. Negative integers become two's complement. */
export function fixed(value: bigint | number, size: number): number[] {
  const bytes: number[] = [];
  for (let i = 0; i < size; i++) bytes.push(Number(BigInt.asUintN(8, BigInt(value) >> BigInt(8 * i))));
  return bytes;
}

export function fixedBE(value: bigint | number, size: number): number[] {
  return fixed(value, size).reverse();
}

/** The eight bytes of a float64. */
export function float64(value: number): number[] {
  return fixed(patternOf(value), 8);
}

/** The bit pattern of a float64 as an unsigned integer. Every NaN has the same pattern. */
export function patternOf(value: number): bigint {
  if (Number.isNaN(value)) return 0x7ff8000000000000n;
  return new BigUint64Array(Float64Array.of(value).buffer)[0]!;
}

export function floatOf(pattern: bigint): number {
  return new Float64Array(BigUint64Array.of(pattern).buffer)[0]!;
}

export function utf8(text: string): number[] {
  return [...new TextEncoder().encode(text)];
}

export function textOf(bytes: Bytes): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
}

export function hexOf(bytes: Bytes): string {
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Reads hex digits; spaces are allowed, as in the examples of the format's page. */
export function bytesOf(hex: string): number[] {
  return (hex.replace(/\s/g, "").match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
}

/** A position in bytes that are read from front to back. */
export class Cursor {
  readonly bytes: Bytes;
  at = 0;

  constructor(bytes: Bytes) {
    this.bytes = bytes;
  }

  take(count: number): number[] {
    if (this.at + count > this.bytes.length) throw new Error(`${count} bytes at ${this.at} overrun the input`);
    this.at += count;
    return this.bytes.slice(this.at - count, this.at);
  }

  u8(): number {
    return this.take(1)[0]!;
  }

  /** An unsigned integer of `size` bytes. */
  fixed(size: number): bigint {
    return this.take(size).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  }

  fixedBE(size: number): bigint {
    return this.take(size).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  }

  float64(): number {
    return floatOf(this.fixed(8));
  }

  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }
}
