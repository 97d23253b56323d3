/** The times of one or more metrics in a page (docs/series-format.md, "Time column"): ascending milliseconds from its start. */
import { type ByteReader, type ByteWriter, DecodeError } from "moonpack/bytes";
import { checkPadding, packedSize } from "./bit-packing.js";
import { forSize, readSmallFor, writeFor } from "./frame-of-reference.js";
import { readUvar, uvarSize, writeUvar } from "./numbers.js";

const GRID = 0;
const BITMAP = 1;
const GAPS = 2;
const DELTA_OF_DELTA = 3;

/** The classes of kind 3: the ones of the prefix, and the bits of the number. A prefix of five ones has no final zero. */
const CLASS_BITS = [0, 3, 6, 10, 17, 24] as const;
const LAST_CLASS = CLASS_BITS.length - 1;
/** Differences from this on are in no class. */
const MAX_DELTA = 2 ** 23;

/** Writes and reads time columns, with reused memory. */
export class TimeColumns {
  #gaps = new Int32Array(64);

  /** Writes `times[0..n)`, n from 1 up. */
  write(w: ByteWriter, times: Int32Array, n: number): void {
    const gaps = this.#room(n);
    const g = commonGap(times, n, gaps);
    const isGrid = n === 1 || (times[n - 1]! - times[0]!) / g === n - 1;
    const first = times[0]!;
    const slots = isGrid ? n : (times[n - 1]! - first) / g + 1;
    let kind = GRID;
    if (!isGrid) {
      for (let i = 1; i < n; i++) gaps[i]! /= g;
      const bitmap = uvarSize(slots) + packedSize(slots, 1);
      const frames = forSize(gaps, 1, n);
      const deltas = uvarSize(gaps[1]!) + deltasSize(gaps, n);
      kind = bitmap <= frames && bitmap <= deltas ? BITMAP : frames <= deltas ? GAPS : DELTA_OF_DELTA;
    }
    w.u8(kind);
    writeUvar(w, n);
    writeUvar(w, first);
    if (n === 1) return;
    writeUvar(w, g);
    if (kind === BITMAP) writeBitmap(w, slots, gaps, n);
    else if (kind === GAPS) writeFor(w, gaps, 1, n);
    else if (kind === DELTA_OF_DELTA) writeDeltas(w, gaps, n);
  }

  /** Reads a column into `times.values`. Throws for times outside of a page of `milliseconds`. Returns the number of times. */
  read(r: ByteReader, times: Times, milliseconds: number): number {
    const start = r.pos;
    const kind = r.u8();
    const n = readUvar(r);
    const first = readUvar(r);
    if (kind > DELTA_OF_DELTA || n === 0 || n > milliseconds || first >= milliseconds) throw invalid(start);
    times.reserve(n);
    const { values } = times;
    values[0] = first;
    if (n === 1) {
      if (kind !== GRID) throw invalid(start);
      return 1;
    }
    const g = readUvar(r);
    if (g === 0 || g >= milliseconds) throw invalid(start);
    if (kind === GRID) {
      if (first + g * (n - 1) >= milliseconds) throw invalid(start);
      for (let i = 1; i < n; i++) values[i] = first + g * i;
      return n;
    }
    if (kind === BITMAP) {
      const slots = readUvar(r);
      if (slots < n || first + g * (slots - 1) >= milliseconds) throw invalid(start);
      readBitmap(r, values, n, first, g, slots, start);
      return n;
    }
    if (kind === GAPS) readSmallFor(r, values, 1, n, 1, milliseconds - 1);
    else readDeltas(r, values, n, milliseconds);
    for (let i = 1; i < n; i++) {
      const gap = values[i]! * g;
      const time = values[i - 1]! + gap;
      if (!(gap > 0 && time < milliseconds)) throw invalid(start);
      values[i] = time;
    }
    return n;
  }

  #room(n: number): Int32Array {
    if (n > this.#gaps.length) this.#gaps = new Int32Array(2 * n);
    return this.#gaps;
  }
}

/** A growing buffer of times. */
export class Times {
  values = new Int32Array(64);

  /** Makes room for `n` times. Existing times are lost. */
  reserve(n: number): void {
    if (n > this.values.length) this.values = new Int32Array(Math.max(n, 2 * this.values.length));
  }
}

function invalid(start: number): DecodeError {
  return new DecodeError("ERR_OUT_OF_RANGE", "times that are not ascending within the page", start);
}

/** Writes the gaps into `gaps[1..n)`, and returns their greatest common divisor; 1 without gaps. */
function commonGap(times: Int32Array, n: number, gaps: Int32Array): number {
  let common = 0;
  for (let i = 1; i < n; i++) {
    const gap = times[i]! - times[i - 1]!;
    gaps[i] = gap;
    if (common === 1 || gap === common) continue;
    let a = gap;
    while (a !== 0) {
      const rest = common % a;
      common = a;
      a = rest;
    }
  }
  return common === 0 ? 1 : common;
}

function writeBitmap(w: ByteWriter, slots: number, gaps: Int32Array, n: number): void {
  writeUvar(w, slots);
  const size = packedSize(slots, 1);
  w.reserve(size);
  const { bytes, pos } = w;
  bytes.fill(0, pos, pos + size);
  bytes[pos] = 1;
  for (let i = 1, slot = 0; i < n; i++) {
    slot += gaps[i]!;
    bytes[pos + (slot >> 3)]! |= 1 << (slot & 7);
  }
  w.pos = pos + size;
}

function readBitmap(
  r: ByteReader,
  values: Int32Array,
  n: number,
  first: number,
  g: number,
  slots: number,
  start: number,
): void {
  const bits = r.raw(packedSize(slots, 1));
  checkPadding(r, slots);
  let i = 0;
  for (let at = 0; at < bits.length; at++) {
    for (let byte = bits[at]!; byte !== 0; byte &= byte - 1) {
      if (i === n) throw invalid(start);
      values[i++] = first + g * (at * 8 + 31 - Math.clz32(byte & -byte));
    }
  }
  // The first and the last slot must be points: otherwise the bitmap would be shorter.
  const isTight = (bits[0]! & 1) === 1 && values[n - 1] === first + g * (slots - 1);
  if (i !== n || !isTight) throw invalid(start);
}

/** Returns the smallest class for a number. */
function classOf(delta: number): number {
  let c = 0;
  // Two's complement: 3 bits hold -4 to 3.
  while (c > 0 ? delta >= 1 << (CLASS_BITS[c]! - 1) || delta < -(1 << (CLASS_BITS[c]! - 1)) : delta !== 0) c++;
  return c;
}

function prefixBits(c: number): number {
  return c === LAST_CLASS ? c : c + 1;
}

/** The bytes of the differences; infinite if one is too large for all classes, as in a week with long pauses. */
function deltasSize(gaps: Int32Array, n: number): number {
  let bits = 0;
  for (let i = 2; i < n; i++) {
    const delta = gaps[i]! - gaps[i - 1]!;
    if (delta >= MAX_DELTA || delta < -MAX_DELTA) return Number.POSITIVE_INFINITY;
    const c = classOf(delta);
    bits += prefixBits(c) + CLASS_BITS[c]!;
  }
  return packedSize(bits, 1);
}

function writeDeltas(w: ByteWriter, gaps: Int32Array, n: number): void {
  writeUvar(w, gaps[1]!);
  let word = 0;
  let filled = 0;
  const put = (bits: number, width: number) => {
    word |= bits << filled;
    filled += width;
    while (filled >= 8) {
      w.u8(word);
      word >>>= 8;
      filled -= 8;
    }
  };
  for (let i = 2; i < n; i++) {
    const delta = gaps[i]! - gaps[i - 1]!;
    const c = classOf(delta);
    // The prefix in bit order: its ones are the lower bits.
    put((1 << c) - 1, prefixBits(c));
    const width = CLASS_BITS[c]!;
    if (width > 0) put(delta & ((1 << width) - 1), width);
  }
  if (filled > 0) w.u8(word);
}

/** Reads gaps into `values[1..n)`. */
function readDeltas(r: ByteReader, values: Int32Array, n: number, milliseconds: number): void {
  const start = r.pos;
  let gap = readUvar(r);
  if (gap >= milliseconds) throw invalid(start);
  values[1] = gap;
  let byte = 0;
  let left = 0;
  const bit = () => {
    if (left === 0) {
      byte = r.u8();
      left = 8;
    }
    const b = byte & 1;
    byte >>>= 1;
    left--;
    return b;
  };
  for (let i = 2; i < n; i++) {
    let c = 0;
    while (c < LAST_CLASS && bit() === 1) c++;
    const width = CLASS_BITS[c]!;
    let delta = 0;
    for (let k = 0; k < width; k++) delta |= bit() << k;
    // The highest bit is the sign.
    if (width > 0) gap += (delta << (32 - width)) >> (32 - width);
    if (gap <= 0 || gap >= milliseconds) throw invalid(start);
    values[i] = gap;
  }
  if (byte !== 0) throw new DecodeError("ERR_INVALID_PADDING", "unused bits are not 0", r.pos - 1);
}
