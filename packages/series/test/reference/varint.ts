/** Integers of variable length: `uvar` and, with the sign in the lowest bit, `zig`. */
import type { Cursor } from "./bytes.ts";

const LIMIT = 2n ** 53n;

/** Seven bits a byte, the low group first; the high bit says that more follows. */
export function uvar(value: bigint | number): number[] {
  let rest = BigInt(value);
  if (rest < 0n || rest > LIMIT) throw new Error(`${value} is not a uvar`);
  const bytes: number[] = [];
  while (rest >= 128n) {
    bytes.push(Number(rest % 128n) + 128);
    rest /= 128n;
  }
  return [...bytes, Number(rest)];
}

export function zig(value: bigint): number[] {
  return uvar(value >= 0n ? 2n * value : -2n * value - 1n);
}

export function readUvar(cursor: Cursor): bigint {
  const byte = cursor.u8();
  return byte < 128 ? BigInt(byte) : BigInt(byte - 128) + 128n * readUvar(cursor);
}

export function readZig(cursor: Cursor): bigint {
  const value = readUvar(cursor);
  return value % 2n === 0n ? value / 2n : -(value + 1n) / 2n;
}
