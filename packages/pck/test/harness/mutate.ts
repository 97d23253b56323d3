/** Damages bytes: truncated, extended, flipped, forged. */
import { pick, type Random } from "./random-schemas.ts";

/** Replacements of bytes: counts of 2^32 - 1 and more, needless last bytes, invalid flags and bits. */
const FORGED = [
  [0xff, 0xff, 0xff, 0xff, 0x0f],
  [0xff, 0xff, 0xff, 0xff, 0x10],
  [0xff, 0xff, 0xff, 0xff, 0x7f],
  [0x80, 0x80, 0x80, 0x80, 0x01],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02],
  [0x80, 0x00],
  [0x80],
  [0x00],
  [0x02],
  [0x7f],
  [0x81, 0x01],
  [0xff, 0x7f],
  [0xed, 0xa0, 0x80],
  [0xc3],
] as const;

/** Returns the bytes, damaged in one way. */
export function mutate(random: Random, bytes: readonly number[]): readonly number[] {
  const at = random(bytes.length + 1);
  const before = bytes.slice(0, at);
  switch (random(8)) {
    case 0:
    case 1:
      return before;
    case 2:
      return [...bytes, random(256)];
    case 3:
      return [...before, ...bytes.slice(at, at + 1).map((byte) => byte ^ (1 << random(8))), ...bytes.slice(at + 1)];
    case 4:
      return [...before, random(256), ...bytes.slice(at + 1)];
    case 5:
      return [...before, ...bytes.slice(at + 1)];
    case 6:
      return [...before, ...pick(random, FORGED), ...bytes.slice(at)];
    default:
      return [...before, ...pick(random, FORGED), ...bytes.slice(at + 1)];
  }
}

/** Returns the bytes with a few zeros in the middle: often a present field with an absent value. */
export function zeroed(random: Random, bytes: readonly number[]): readonly number[] {
  const at = random(bytes.length + 1);
  const end = at + 1 + random(4);
  return bytes.map((byte, i) => (i >= at && i < end ? 0 : byte));
}
