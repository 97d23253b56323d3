/** The loop over the fields of a struct: skips most of them by itself, and calls a step for each other one. */
import type { Get } from "../closures/closure.js";
import { checkDepth, type PackReader, readBits } from "../runtime/reader.js";
import type { Key, Out } from "../runtime/take.js";

/** Reads or skips a value within a struct or container at `depth`. `start`: start of the struct's bit store. */
export type Step = (r: PackReader, depth: number, out: Out, start: number) => void;
/** Reads or skips a struct whose own depth is `depth`. */
export type Walk = (r: PackReader, depth: number, out: Out) => void;

/** How the loop skips an item. A number above 0 is its size. */
export const BY_STEP = 0;
export const VARINT = -1;
/** Bytes or text with a byte count. */
export const COUNTED = -2;

/** A value that is read as it is. */
export interface Leaf {
  readonly key: Key;
  readonly get: Get;
}

/** The items of a struct, in the order of their bytes. */
export interface Items {
  /** Number of bits in the struct's bit store. */
  readonly bits: number;
  /** How each item is skipped. */
  readonly codes: readonly number[];
  /** The number of each item's presence bit; -1 for a required item, and for a step that looks at the bit itself. */
  readonly presence: readonly number[];
  /** A step for each item. It also takes every case that the loop does not: long varints, text above 127 bytes, errors. */
  readonly steps: readonly Step[];
  /** For generated walks: what steps read that do nothing else; undefined for other steps. */
  readonly leaves: readonly (Leaf | undefined)[];
}

/**
 * Returns a walk over items.
 *
 * Hot: the position is in a local variable, and simple items need no call.
 */
export function walkOf({ bits, codes, presence, steps }: Items): Walk {
  return (r, depth, out) => {
    checkDepth(r, depth);
    const start = bits === 0 ? 0 : readBits(r, bits);
    const { bytes, end } = r;
    let { pos } = r;
    for (let i = 0; i < codes.length; i++) {
      const bit = presence[i]!;
      if (bit >= 0 && ((bytes[start + (bit >> 3)]! >> (bit & 7)) & 1) === 0) continue;
      const code = codes[i]!;
      if (code > 0) {
        if (code <= end - pos) {
          pos += code;
          continue;
        }
      } else if (code < 0 && pos < end) {
        const first = bytes[pos]!;
        if (first < 0x80) {
          const size = code === VARINT ? 1 : 1 + first;
          if (size <= end - pos) {
            pos += size;
            continue;
          }
        } else if (code === VARINT && end - pos >= 3) {
          const second = bytes[pos + 1]!;
          if (second < 0x80 && second > 0) {
            pos += 2;
            continue;
          }
          const third = bytes[pos + 2]!;
          if (second >= 0x80 && third < 0x80 && third > 0) {
            pos += 3;
            continue;
          }
        }
      }
      r.pos = pos;
      steps[i]!(r, depth, out, start);
      pos = r.pos;
    }
    r.pos = pos;
  };
}
