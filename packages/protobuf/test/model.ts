/**
 * A model of Protobuf's wire format, as simple as possible: every value becomes a new array of bytes, and nested messages are
 * concatenated. It uses bigint and TextEncoder, so it shares no code with the library.
 */

import { concat } from "@moonpack/harness/hex.ts";
import type { Int64Input, Writer } from "@moonpack/protobuf";

const encoder = new TextEncoder();

/** A 64-bit varint. Negative integers are in two's complement. */
export function varint(value: bigint | number): Uint8Array<ArrayBuffer> {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

/** The content after its length. */
export function delimited(content: Uint8Array): Uint8Array<ArrayBuffer> {
  return concat(varint(content.length), content);
}

/** A tag and the content after it. */
export function field(id: number, wireType: number, content: Uint8Array): Uint8Array<ArrayBuffer> {
  return concat(varint(id * 8 + wireType), content);
}

function whole(value: number): bigint {
  return Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n;
}

function integer(value: Int64Input): bigint {
  if (typeof value === "number") return whole(value);
  if (typeof value !== "object") return BigInt(value);
  return BigInt.asIntN(64, (BigInt(value.high) << 32n) + BigInt(value.low >>> 0));
}

function zigzag(value: bigint): bigint {
  return value < 0n ? -2n * value - 1n : 2n * value;
}

/** The low bits in little-endian order. */
function fixed(value: bigint, size: number): Uint8Array<ArrayBuffer> {
  const bits = BigInt.asUintN(size * 8, value);
  return Uint8Array.from({ length: size }, (_, i) => Number((bits >> BigInt(8 * i)) & 0xffn));
}

function ieee(value: number, size: 4 | 8): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(size));
  if (size === 4) view.setFloat32(0, value, true);
  else view.setFloat64(0, value, true);
  return new Uint8Array(view.buffer);
}

/** The bytes that each method writes. */
export const model = {
  uint32: (value: number) => varint(BigInt.asUintN(32, whole(value))),
  int32: (value: number) => varint(BigInt.asIntN(32, whole(value))),
  sint32: (value: number) => varint(zigzag(BigInt.asIntN(32, whole(value)))),
  uint64: (value: Int64Input) => varint(integer(value)),
  int64: (value: Int64Input) => varint(integer(value)),
  sint64: (value: Int64Input) => varint(zigzag(BigInt.asIntN(64, integer(value)))),
  bool: (value: boolean) => Uint8Array.of(value ? 1 : 0),
  fixed32: (value: number) => fixed(whole(value), 4),
  sfixed32: (value: number) => fixed(whole(value), 4),
  fixed64: (value: Int64Input) => fixed(integer(value), 8),
  sfixed64: (value: Int64Input) => fixed(integer(value), 8),
  float: (value: number) => ieee(value, 4),
  double: (value: number) => ieee(value, 8),
  string: (value: string) => delimited(encoder.encode(value)),
  bytes: (value: ArrayLike<number>) => delimited(Uint8Array.from(value)),
} as const;

/** Methods for 32-bit integers, floats and doubles. Each has a packed form. */
export const NUMBERS = ["uint32", "int32", "sint32", "fixed32", "sfixed32", "float", "double"] as const;
/** Methods for 64-bit integers. */
export const INTEGERS64 = ["uint64", "int64", "sint64", "fixed64", "sfixed64"] as const;

/** A call of a Writer's method, and the bytes that it adds. */
export interface Call {
  readonly name: string;
  readonly bytes: Uint8Array;
  apply(writer: Writer): unknown;
}

const EDGES = [
  0,
  1,
  -1,
  127,
  128,
  16383,
  16384,
  2097151,
  2097152,
  268435455,
  268435456,
  2147483647,
  2147483648,
  4294967295,
  4294967296,
  -2147483648,
  -2147483649,
  1.5,
  -1.5,
  1e10,
  -1e10,
  2 ** 52,
  2 ** 53,
  -(2 ** 53),
  0.1,
  -0,
];
const EDGES64 = [
  0n,
  1n,
  -1n,
  127n,
  128n,
  1n << 31n,
  1n << 32n,
  -(1n << 31n),
  -(1n << 32n),
  (1n << 63n) - 1n,
  -(1n << 63n),
];
const LETTERS = ["a", "Z", "0", " ", "é", "ß", "日", "本", "€", "😀", "🎉", "\0", "\uffff", "\ufeff"];

export type Random = (below: number) => number;

export function randomNumber(random: Random): number {
  const kind = random(4);
  if (kind === 0) return EDGES[random(EDGES.length)]!;
  if (kind === 1) return random(300);
  if (kind === 2) return random(2 ** 32) - 2 ** 31;
  return random(2 ** 32) * (random(2) === 0 ? 1 : -1024) + random(1000) / 1000;
}

/** The integer in a random form: number, text, bigint or words. */
export function randomInt64(random: Random): Int64Input {
  const kind = random(5);
  if (kind === 0) return Math.trunc(randomNumber(random));
  const value =
    random(2) === 0
      ? EDGES64[random(EDGES64.length)]!
      : BigInt.asIntN(64, (BigInt(random(2 ** 32)) << 32n) | BigInt(random(2 ** 32)));
  if (kind === 1) return String(value);
  if (kind === 2) return value;
  return {
    low: Number(BigInt.asIntN(32, value)),
    high: Number(BigInt.asIntN(32, value >> 32n)),
    unsigned: random(2) === 0,
  };
}

export function randomText(random: Random, units = random(20) === 0 ? random(400) : random(24)): string {
  if (random(3) === 0) return "x".repeat(units);
  let text = "";
  while (text.length < units) text += LETTERS[random(LETTERS.length)]!;
  return text;
}

export function randomBytes(
  random: Random,
  length = random(20) === 0 ? random(400) : random(24),
): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, () => random(256));
}

/** A random call of a method that writes one value. */
export function randomCall(random: Random): Call {
  const kind = random(20);
  if (kind < 6) {
    const name = NUMBERS[random(NUMBERS.length)]!;
    const value = randomNumber(random);
    return { name: `${name}(${value})`, bytes: model[name](value), apply: (writer) => writer[name](value) };
  }
  if (kind < 10) {
    const name = INTEGERS64[random(INTEGERS64.length)]!;
    const value = randomInt64(random);
    return { name, bytes: model[name](value), apply: (writer) => writer[name](value) };
  }
  if (kind < 12) {
    const value = random(2) === 0;
    return { name: "bool", bytes: model.bool(value), apply: (writer) => writer.bool(value) };
  }
  if (kind < 15) {
    const value = randomText(random);
    return { name: `string of ${value.length}`, bytes: model.string(value), apply: (writer) => writer.string(value) };
  }
  if (kind < 17) {
    const value = randomBytes(random);
    const given = random(3) === 0 ? [...value] : value;
    if (random(2) === 0) return { name: "raw", bytes: value, apply: (writer) => writer.raw(given) };
    return { name: "bytes", bytes: model.bytes(value), apply: (writer) => writer.bytes(given) };
  }
  return randomPacked(random);
}

/** A random call of a packed method. */
export function randomPacked(random: Random): Call {
  const length = random(10) === 0 ? random(300) : random(12);
  const kind = random(3);
  if (kind === 0) {
    const name = NUMBERS[random(NUMBERS.length)]!;
    const values = Array.from({ length }, () => randomNumber(random));
    const bytes = delimited(concat(...values.map((value) => model[name](value))));
    return { name: `${name}s`, bytes, apply: (writer) => writer[`${name}s`](values) };
  }
  if (kind === 1) {
    const name = INTEGERS64[random(INTEGERS64.length)]!;
    const values = Array.from({ length }, () => randomInt64(random));
    const bytes = delimited(concat(...values.map((value) => model[name](value))));
    return { name: `${name}s`, bytes, apply: (writer) => writer[`${name}s`](values) };
  }
  const values = Array.from({ length }, () => random(2) === 0);
  const bytes = delimited(concat(...values.map((value) => model.bool(value))));
  return { name: "bools", bytes, apply: (writer) => writer.bools(values) };
}
