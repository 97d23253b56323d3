/** Random documents in any form of their headers, with equal keys, and the oracle: decode, then walk. */
import { ByteWriter } from "moonpack/bytes";
import { each, type PathStep } from "moonpack/pick";

/** A random integer from 0 to `below` - 1. */
export type Random = (below: number) => number;

const TEXTS = [
  "id",
  "name",
  "items",
  "a",
  "b",
  "0",
  "1",
  "7",
  "__proto__",
  "constructor",
  "é",
  "日本",
  "k".repeat(31),
  "k".repeat(32),
];
const NUMBERS: readonly (number | bigint)[] = [
  0,
  1,
  7,
  -1,
  -33,
  255,
  65536,
  -129,
  2 ** 32,
  2 ** 53,
  2n ** 63n,
  -(2n ** 63n),
];

/** Writes a random item. */
export function writeItem(w: ByteWriter, random: Random, depth: number): void {
  const kind = random(depth > 0 ? 10 : 6);
  if (kind < 2) writeText(w, random, TEXTS[random(TEXTS.length)]!);
  else if (kind < 4) writeNumber(w, random, NUMBERS[random(NUMBERS.length)]!);
  else if (kind === 4) w.u8([0xc0, 0xc2, 0xc3][random(3)]!);
  else if (kind === 5) writeBinary(w, random);
  else writeContainer(w, random, depth, kind < 9);
}

function writeContainer(w: ByteWriter, random: Random, depth: number, isMap: boolean): void {
  const n = random(12) === 0 ? 15 + random(3) : random(6);
  const form = n > 15 ? 1 + random(2) : random(3);
  if (form === 0) w.u8((isMap ? 0x80 : 0x90) | n);
  else {
    w.u8((isMap ? 0xde : 0xdc) + form - 1);
    if (form === 1) w.u16(n);
    else w.u32(n);
  }
  for (let i = 0; i < n; i++) {
    if (isMap) writeKey(w, random);
    writeItem(w, random, depth - 1);
  }
}

function writeKey(w: ByteWriter, random: Random): void {
  if (random(4) > 0) writeText(w, random, TEXTS[random(TEXTS.length)]!);
  else writeNumber(w, random, NUMBERS[random(NUMBERS.length)]!);
}

function writeText(w: ByteWriter, random: Random, text: string): void {
  const bytes = new TextEncoder().encode(text);
  const form = bytes.length > 31 ? 1 + random(3) : random(4);
  if (form === 0) w.u8(0xa0 | bytes.length);
  else {
    w.u8(0xd8 + form);
    if (form === 1) w.u8(bytes.length);
    else if (form === 2) w.u16(bytes.length);
    else w.u32(bytes.length);
  }
  w.raw(bytes);
}

function writeNumber(w: ByteWriter, random: Random, n: number | bigint): void {
  const big = BigInt(n);
  if (big >= -32n && big < 128n && random(3) > 0) return w.u8(Number(big) & 0xff);
  if (random(5) === 0 && typeof n === "number") {
    w.u8(0xcb);
    return w.f64(n);
  }
  const bits =
    big < 0n
      ? [8, 16, 32, 64].filter((size) => big >= -(2n ** BigInt(size - 1)))
      : [8, 16, 32, 64].filter((size) => big < 2n ** BigInt(size));
  const size = bits[random(bits.length)]!;
  w.u8((big < 0n ? 0xd0 : 0xcc) + Math.log2(size / 8));
  if (size === 8) w.u8(Number(big) & 0xff);
  else if (size === 16) w.u16(Number(big) & 0xffff);
  else if (size === 32) w.u32(Number(BigInt.asUintN(32, big)));
  else w.u64(Number(big & 0xffffffffn), Number(BigInt.asUintN(32, big >> 32n)));
}

function writeBinary(w: ByteWriter, random: Random): void {
  const n = random(20);
  const form = random(3);
  w.u8(0xc4 + form);
  if (form === 0) w.u8(n);
  else if (form === 1) w.u16(n);
  else w.u32(n);
  for (let i = 0; i < n; i++) w.u8(random(256));
}

/** A random document. */
export function document(random: Random): Uint8Array<ArrayBuffer> {
  const w = new ByteWriter();
  writeItem(w, random, 4);
  return w.written().slice();
}

/** A random path of up to four steps. */
export function path(random: Random): PathStep[] {
  return Array.from({ length: random(5) }, () => {
    const kind = random(5);
    if (kind === 0) return each;
    return kind === 1 ? NUMBERS[random(NUMBERS.length)]! : kind === 2 ? random(4) : TEXTS[random(TEXTS.length)]!;
  });
}

/** The value of a decoded document at a path. */
export function walk(value: unknown, steps: readonly PathStep[]): unknown {
  if (steps.length === 0) return value;
  const [step, ...rest] = steps as [PathStep, ...PathStep[]];
  if (step === each) return Array.isArray(value) ? value.map((item) => walk(item, rest)) : undefined;
  return walk(member(value, step), rest);
}

function member(value: unknown, step: string | number | bigint): unknown {
  if (Array.isArray(value))
    return typeof step === "number" && Number.isInteger(step) && step >= 0 ? value[step] : undefined;
  if (value instanceof Map) return value.get(step);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array || typeof step !== "string")
    return undefined;
  return Object.hasOwn(value, step) ? (value as Record<string, unknown>)[step] : undefined;
}
