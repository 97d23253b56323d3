/**
 * Writes lists of numbers, for closures, generated and emitted code. Room is reserved once for many elements. Errors
 * carry the element's index.
 *
 * Hot, and long for a reason: each type has its own loop, so that V8 sees one kind of list in each. The usual case
 * is inlined by hand: through `asU32` or `putF64` a list takes up to a sixth longer, although V8 inlines these too.
 * Loops over types of 32 bits and more write four elements a step while all four are usual: 10,000 take 26 us instead
 * of 42, doubles 16 instead of 32.
 */

import { putUvar32, zigzag32 } from "moonpack/bytes";
import { asI8, asI16, asI32, asU8, asU16, asU32, putF32, putF64 } from "./write-numbers.js";
import { type PackWriter, within } from "./writer.js";

/** Most elements to reserve space for in one step: an array's length may be far larger than the number of its elements. */
const CHUNK = 1024;

/**
 * Reserves space for a chunk of elements from `from` on, of at most `size` bytes each, and returns the end of the chunk.
 */
function reserveChunk(w: PackWriter, from: number, count: number, size: number): number {
  const stop = Math.min(count, from + CHUNK);
  w.reserve((stop - from) * size);
  return stop;
}

/** Writes `count` numbers of type u8. */
export function writeU8s(w: PackWriter, list: ArrayLike<number>, count: number): void {
  let i = 0;
  try {
    while (i < count) {
      const stop = reserveChunk(w, i, count, 1);
      const b = w.bytes;
      let p = w.pos;
      for (; i < stop; i++, p += 1) {
        const item = list[i]!;
        if (typeof item === "number" && (item & 0xff) === item) b[p] = item;
        else asU8(item); // throws
      }
      w.pos = p;
    }
  } catch (error) {
    throw within(error, `[${i}]`);
  }
}

/** Writes `count` numbers of type i8. */
export function writeI8s(w: PackWriter, list: ArrayLike<number>, count: number): void {
  let i = 0;
  try {
    while (i < count) {
      const stop = reserveChunk(w, i, count, 1);
      const b = w.bytes;
      let p = w.pos;
      for (; i < stop; i++, p += 1) {
        const item = list[i]!;
        if (typeof item === "number" && (item << 24) >> 24 === item) b[p] = item;
        else asI8(item); // throws
      }
      w.pos = p;
    }
  } catch (error) {
    throw within(error, `[${i}]`);
  }
}

/** Writes `count` numbers of type u16. */
export function writeU16s(w: PackWriter, list: ArrayLike<number>, count: number): void {
  let i = 0;
  try {
    while (i < count) {
      const stop = reserveChunk(w, i, count, 2);
      const { view } = w;
      let p = w.pos;
      for (; i < stop; i++, p += 2) {
        const item = list[i]!;
        if (typeof item === "number" && (item & 0xffff) === item) view.setInt16(p, item, true);
        else asU16(item); // throws
      }
      w.pos = p;
    }
  } catch (error) {
    throw within(error, `[${i}]`);
  }
}

/** Writes `count` numbers of type i16. */
export function writeI16s(w: PackWriter, list: ArrayLike<number>, count: number): void {
  let i = 0;
  try {
    while (i < count) {
      const stop = reserveChunk(w, i, count, 2);
      const { view } = w;
      let p = w.pos;
      for (; i < stop; i++, p += 2) {
        const item = list[i]!;
        if (typeof item === "number" && (item << 16) >> 16 === item) view.setInt16(p, item, true);
        else asI16(item); // throws
      }
      w.pos = p;
    }
  } catch (error) {
    throw within(error, `[${i}]`);
  }
}

/** Writes `count` numbers of type u32. */
export function writeU32s(w: PackWriter, list: ArrayLike<number>, count: number): void {
  let i = 0;
  try {
    while (i < count) {
      const stop = reserveChunk(w, i, count, 4);
      const { view } = w;
      let p = w.pos;
      for (const fours = stop - 3; i < fours; i++, p += 16) {
        const a = list[i]!;
        const b = list[++i]!;
        const c = list[++i]!;
        const d = list[++i]!;
        const areNumbers =
          typeof a === "number" && typeof b === "number" && typeof c === "number" && typeof d === "number";
        if (!areNumbers || a >>> 0 !== a || b >>> 0 !== b || c >>> 0 !== c || d >>> 0 !== d) {
          i -= 3;
          break;
        }
        view.setInt32(p, a, true);
        view.setInt32(p + 4, b, true);
        view.setInt32(p + 8, c, true);
        view.setInt32(p + 12, d, true);
      }
      for (; i < stop; i++, p += 4) {
        const item = list[i]!;
        if (typeof item === "number" && item >>> 0 === item) view.setInt32(p, item, true);
        else asU32(item); // throws
      }
      w.pos = p;
    }
  } catch (error) {
    throw within(error, `[${i}]`);
  }
}

/** Writes `count` numbers of type i32. */
export function writeI32s(w: PackWriter, list: ArrayLike<number>, count: number): void {
  let i = 0;
  try {
    while (i < count) {
      const stop = reserveChunk(w, i, count, 4);
      const { view } = w;
      let p = w.pos;
      for (const fours = stop - 3; i < fours; i++, p += 16) {
        const a = list[i]!;
        const b = list[++i]!;
        const c = list[++i]!;
        const d = list[++i]!;
        const areNumbers =
          typeof a === "number" && typeof b === "number" && typeof c === "number" && typeof d === "number";
        if (!areNumbers || (a | 0) !== a || (b | 0) !== b || (c | 0) !== c || (d | 0) !== d) {
          i -= 3;
          break;
        }
        view.setInt32(p, a, true);
        view.setInt32(p + 4, b, true);
        view.setInt32(p + 8, c, true);
        view.setInt32(p + 12, d, true);
      }
      for (; i < stop; i++, p += 4) {
        const item = list[i]!;
        if (typeof item === "number" && (item | 0) === item) view.setInt32(p, item, true);
        else asI32(item); // throws
      }
      w.pos = p;
    }
  } catch (error) {
    throw within(error, `[${i}]`);
  }
}

/** Writes `count` numbers of type f32 (IEEE 754). */
export function writeF32s(w: PackWriter, list: ArrayLike<number>, count: number): void {
  let i = 0;
  try {
    while (i < count) {
      const stop = reserveChunk(w, i, count, 4);
      const { view } = w;
      let p = w.pos;
      for (const fours = stop - 3; i < fours; i++, p += 16) {
        const a = list[i]!;
        const b = list[++i]!;
        const c = list[++i]!;
        const d = list[++i]!;
        const areNumbers =
          typeof a === "number" && typeof b === "number" && typeof c === "number" && typeof d === "number";
        if (!areNumbers || !Number.isFinite(Math.fround(a) + Math.fround(b) + Math.fround(c) + Math.fround(d))) {
          i -= 3;
          break;
        }
        view.setFloat32(p, a, true);
        view.setFloat32(p + 4, b, true);
        view.setFloat32(p + 8, c, true);
        view.setFloat32(p + 12, d, true);
      }
      for (; i < stop; i++, p += 4) {
        const item = list[i]!;
        if (typeof item === "number" && Math.fround(item) === item) view.setFloat32(p, item, true);
        else putF32(view, p, item); // rounds the number, or throws
      }
      w.pos = p;
    }
  } catch (error) {
    throw within(error, `[${i}]`);
  }
}

/** Writes `count` numbers of type f64 (IEEE 754). */
export function writeF64s(w: PackWriter, list: ArrayLike<number>, count: number): void {
  let i = 0;
  try {
    while (i < count) {
      const stop = reserveChunk(w, i, count, 8);
      const { view } = w;
      let p = w.pos;
      for (const fours = stop - 3; i < fours; i++, p += 32) {
        const a = list[i]!;
        const b = list[++i]!;
        const c = list[++i]!;
        const d = list[++i]!;
        const areNumbers =
          typeof a === "number" && typeof b === "number" && typeof c === "number" && typeof d === "number";
        // The sum is NaN for a NaN, and for opposite infinities: the loop below handles both.
        if (!areNumbers || Number.isNaN(a + b + c + d)) {
          i -= 3;
          break;
        }
        view.setFloat64(p, a, true);
        view.setFloat64(p + 8, b, true);
        view.setFloat64(p + 16, c, true);
        view.setFloat64(p + 24, d, true);
      }
      for (; i < stop; i++, p += 8) {
        const item = list[i]!;
        if (typeof item === "number" && !Number.isNaN(item)) view.setFloat64(p, item, true);
        else putF64(view, p, item); // writes NaN, or throws
      }
      w.pos = p;
    }
  } catch (error) {
    throw within(error, `[${i}]`);
  }
}

// A varint of up to four bytes is stored as one 32-bit word. No branch depends on the size, since in mixed lists the processor
// cannot predict it: 10,000 of 1 to 3 bytes take 24 us instead of 90, by tables of sizes 28.

/** Largest number whose varint has four bytes; also the mask of such numbers. */
const MAX_WORD = 0xfffffff;

/** Spreads the bits of a number up to {@link MAX_WORD} over four bytes, seven bits a byte. */
function spread(n: number): number {
  const two = (n + (n & ~0x7f)) | 0;
  const three = (two + (two & ~0x7fff)) | 0;
  return (three + (three & ~0x7fffff)) | 0;
}

/** Stores the varint of spread bits and returns the position after it. */
function putSpread(view: DataView, p: number, bits: number): number {
  const zeros = Math.clz32(bits | 1);
  // All bytes below the last one, which has the first bit, have a continuation bit.
  view.setInt32(p, bits | (0x808080 >>> (zeros & 24)), true);
  return (p + 4 - (zeros >> 3)) | 0;
}

/** Writes `count` uint32 varints (LEB128). */
export function writeUvars(w: PackWriter, list: ArrayLike<number>, count: number): void {
  let i = 0;
  try {
    while (i < count) {
      const stop = reserveChunk(w, i, count, 5);
      const { bytes, view } = w;
      let p = w.pos;
      for (const fours = stop - 3; i < fours; i++) {
        const a = list[i]!;
        const b = list[++i]!;
        const c = list[++i]!;
        const d = list[++i]!;
        const areNumbers =
          typeof a === "number" && typeof b === "number" && typeof c === "number" && typeof d === "number";
        // Nothing is left of the comparisons of small integers. One test is enough for their range.
        if (
          !areNumbers ||
          (a | 0) !== a ||
          (b | 0) !== b ||
          (c | 0) !== c ||
          (d | 0) !== d ||
          ((a | b | c | d) & ~MAX_WORD) !== 0
        ) {
          i -= 3;
          break;
        }
        // Before all stores: 24 us instead of 26.
        const aBits = spread(a);
        const bBits = spread(b);
        const cBits = spread(c);
        const dBits = spread(d);
        p = putSpread(view, p, aBits);
        p = putSpread(view, p, bBits);
        p = putSpread(view, p, cBits);
        p = putSpread(view, p, dBits);
      }
      for (; i < stop; i++) {
        const item = list[i]!;
        if (typeof item === "number" && (item & MAX_WORD) === item) p = putSpread(view, p, spread(item));
        else p = putUvar32(bytes, p, asU32(item));
      }
      w.pos = p;
    }
  } catch (error) {
    throw within(error, `[${i}]`);
  }
}

/** Writes `count` int32 varints (zigzag, LEB128). */
export function writeIvars(w: PackWriter, list: ArrayLike<number>, count: number): void {
  let i = 0;
  try {
    while (i < count) {
      const stop = reserveChunk(w, i, count, 5);
      const { bytes, view } = w;
      let p = w.pos;
      for (; i < stop; i++) {
        const item = zigzag32(asI32(list[i]!));
        p = (item & MAX_WORD) === item ? putSpread(view, p, spread(item)) : putUvar32(bytes, p, item);
      }
      w.pos = p;
    }
  } catch (error) {
    throw within(error, `[${i}]`);
  }
}
