/** The hash of labels by which `limit_ratio` chooses series: xxHash64 of Prometheus' own encoding of labels. */
import type { Labels } from "./labels.js";

const MASK = (1n << 64n) - 1n;
const PRIME_1 = 0x9e3779b185ebca87n;
const PRIME_2 = 0xc2b2ae3d27d4eb4fn;
const PRIME_3 = 0x165667b19e3779f9n;
const PRIME_4 = 0x85ebca77c2b2ae63n;
const PRIME_5 = 0x27d4eb2f165667c5n;

/** Returns the hash of labels as a number from 0 to 1. */
export function hashRatio(labels: Labels): number {
  return Number(xxHash64(encoded(labels))) / 2 ** 64;
}

/** Each name and value follows its length: a byte, or 255 and three bytes. */
function encoded(labels: Labels): Uint8Array {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const text of [...labels].flat()) {
    const utf8 = encoder.encode(text);
    const { length } = utf8;
    if (length < 255) bytes.push(length);
    else bytes.push(255, length & 0xff, (length >> 8) & 0xff, length >> 16);
    for (const byte of utf8) bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}

/** xxHash64 with the seed 0. */
export function xxHash64(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  let hash = PRIME_5;
  if (bytes.length >= 32) {
    const lanes = [(PRIME_1 + PRIME_2) & MASK, PRIME_2, 0n, (MASK + 1n - PRIME_1) & MASK];
    for (; at + 32 <= bytes.length; at += 32)
      for (let i = 0; i < 4; i++) lanes[i] = round(lanes[i]!, view.getBigUint64(at + 8 * i, true));
    const [a, b, c, d] = lanes as [bigint, bigint, bigint, bigint];
    hash = (rotated(a, 1n) + rotated(b, 7n) + rotated(c, 12n) + rotated(d, 18n)) & MASK;
    for (const lane of lanes) hash = ((hash ^ round(0n, lane)) * PRIME_1 + PRIME_4) & MASK;
  }
  hash = (hash + BigInt(bytes.length)) & MASK;
  for (; at + 8 <= bytes.length; at += 8) {
    hash ^= round(0n, view.getBigUint64(at, true));
    hash = (rotated(hash, 27n) * PRIME_1 + PRIME_4) & MASK;
  }
  if (at + 4 <= bytes.length) {
    hash ^= (BigInt(view.getUint32(at, true)) * PRIME_1) & MASK;
    hash = (rotated(hash, 23n) * PRIME_2 + PRIME_3) & MASK;
    at += 4;
  }
  for (; at < bytes.length; at++) {
    hash ^= (BigInt(bytes[at]!) * PRIME_5) & MASK;
    hash = (rotated(hash, 11n) * PRIME_1) & MASK;
  }
  hash = ((hash ^ (hash >> 33n)) * PRIME_2) & MASK;
  hash = ((hash ^ (hash >> 29n)) * PRIME_3) & MASK;
  return hash ^ (hash >> 32n);
}

function round(lane: bigint, input: bigint): bigint {
  return (rotated((lane + input * PRIME_2) & MASK, 31n) * PRIME_1) & MASK;
}

function rotated(value: bigint, bits: bigint): bigint {
  return ((value << bits) | (value >> (64n - bits))) & MASK;
}
