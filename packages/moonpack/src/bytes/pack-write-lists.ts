/**
 * Writing lists of numbers, as closures, generated and emitted code do: room is made once for many. What fails fails with the
 * place of the element.
 *
 * Hot: one loop a type, so that V8 sees one kind of list in each, and the usual case in line: through `asU32` or `putF64` lists
 * take up to a sixth longer, though V8 puts these in line, too. Four at once of 32 bits and more, as long as all of them are
 * usual: 10,000 take 26 us instead of 42, doubles 16 instead of 32.
 */
import { asI8, asI16, asI32, asU8, asU16, asU32, putF32, putF64 } from "./pack-write-numbers.js";
import { type PackWriter, within } from "./pack-writer.js";
import { putUvar32 } from "./varint.js";
import { zigzag32 } from "./zigzag.js";

/** Room is made for so many elements at most at once: a list may say that it is longer than what it has elements for. */
const CHUNK = 1024;

/** Makes room for the elements from `from` on, of `size` bytes at most each; answers the first one that has none. */
function reserveChunk(w: PackWriter, from: number, count: number, size: number): number {
  const stop = Math.min(count, from + CHUNK);
  w.reserve((stop - from) * size);
  return stop;
}

/** Unsigned, 1 byte each. */
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
        else asU8(item); // refuses it
      }
      w.pos = p;
    }
  } catch (error) {
    throw within(error, `[${i}]`);
  }
}

/** Signed, 1 byte each. */
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
        else asI8(item); // refuses it
      }
      w.pos = p;
    }
  } catch (error) {
    throw within(error, `[${i}]`);
  }
}

/** Unsigned, 2 bytes each. */
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
        else asU16(item); // refuses it
      }
      w.pos = p;
    }
  } catch (error) {
    throw within(error, `[${i}]`);
  }
}

/** Signed, 2 bytes each. */
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
        else asI16(item); // refuses it
      }
      w.pos = p;
    }
  } catch (error) {
    throw within(error, `[${i}]`);
  }
}

/** Unsigned, 4 bytes each. */
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
        else asU32(item); // refuses it
      }
      w.pos = p;
    }
  } catch (error) {
    throw within(error, `[${i}]`);
  }
}

/** Signed, 4 bytes each. */
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
        else asI32(item); // refuses it
      }
      w.pos = p;
    }
  } catch (error) {
    throw within(error, `[${i}]`);
  }
}

/** IEEE 754, 4 bytes each. */
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
        else putF32(view, p, item); // rounds it, or refuses it
      }
      w.pos = p;
    }
  } catch (error) {
    throw within(error, `[${i}]`);
  }
}

/** IEEE 754, 8 bytes each. */
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
        if (!areNumbers || Number.isNaN(a + b + c + d)) {
          // or opposite infinities
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
        else putF64(view, p, item); // NaN, or refuses it
      }
      w.pos = p;
    }
  } catch (error) {
    throw within(error, `[${i}]`);
  }
}

// A varint of up to four bytes goes out as one word, of which `MARKS` are the bits that say "more" and `SIZES` counts; both by
// the zeros that the number begins with. No branch depends on the size, which in mixed lists nothing foretells: 10,000 of 1 to
// 3 bytes take 35 us instead of 90, 10,000 of one size as long as with branches.
const SIZES: Uint8Array = /* @__PURE__ */ Uint8Array.from(
  { length: 33 },
  (_, zeros) => Math.ceil((32 - zeros) / 7) || 1,
);
const MARKS: Int32Array = /* @__PURE__ */ Int32Array.from(SIZES, (size) => 0x808080 & ((1 << (8 * (size - 1))) - 1));
/** The numbers that take four bytes at most. */
const WORDS = 0xfffffff;

/** The bits of a number up to {@link WORDS}, seven in each byte. */
function spread(n: number): number {
  const two = n + (n & ~0x7f);
  const three = two + (two & ~0x7fff);
  return (three + (three & ~0x7fffff)) | 0;
}

/** uint32 as LEB128. */
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
        if (!areNumbers || (a & WORDS) !== a || (b & WORDS) !== b || (c & WORDS) !== c || (d & WORDS) !== d) {
          i -= 3;
          break;
        }
        const za = Math.clz32(a);
        const zb = Math.clz32(b);
        const zc = Math.clz32(c);
        const zd = Math.clz32(d);
        view.setInt32(p, spread(a) | MARKS[za]!, true);
        p = (p + SIZES[za]!) | 0;
        view.setInt32(p, spread(b) | MARKS[zb]!, true);
        p = (p + SIZES[zb]!) | 0;
        view.setInt32(p, spread(c) | MARKS[zc]!, true);
        p = (p + SIZES[zc]!) | 0;
        view.setInt32(p, spread(d) | MARKS[zd]!, true);
        p = (p + SIZES[zd]!) | 0;
      }
      for (; i < stop; i++) {
        const item = list[i]!;
        if (typeof item === "number" && (item & WORDS) === item) {
          const zeros = Math.clz32(item);
          view.setInt32(p, spread(item) | MARKS[zeros]!, true);
          p = (p + SIZES[zeros]!) | 0;
        } else p = putUvar32(bytes, p, asU32(item));
      }
      w.pos = p;
    }
  } catch (error) {
    throw within(error, `[${i}]`);
  }
}

/** int32 as zigzagged LEB128. */
export function writeIvars(w: PackWriter, list: ArrayLike<number>, count: number): void {
  let i = 0;
  try {
    while (i < count) {
      const stop = reserveChunk(w, i, count, 5);
      const { bytes, view } = w;
      let p = w.pos;
      for (; i < stop; i++) {
        const item = zigzag32(asI32(list[i]!));
        if ((item & WORDS) === item) {
          const zeros = Math.clz32(item);
          view.setInt32(p, spread(item) | MARKS[zeros]!, true);
          p = (p + SIZES[zeros]!) | 0;
        } else p = putUvar32(bytes, p, item);
      }
      w.pos = p;
    }
  } catch (error) {
    throw within(error, `[${i}]`);
  }
}
