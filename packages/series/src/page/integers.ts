/** The integer codecs 0 to 3 (docs/series-format.md, "Integer codecs"): constant, runs, FOR, delta. */
import { type ByteReader, type ByteWriter, DecodeError } from "moonpack/bytes";
import { forSize, readFor, skipFor, writeFor } from "./frame-of-reference.js";
import { readUvar, readZigzag, uvarSize, writeUvar, writeZigzag, zigzag } from "./numbers.js";

export const CONSTANT = 0;
export const RUNS = 1;
export const FOR = 2;
export const DELTA = 3;

/** A codec and its encoded size. */
export interface Choice {
  codec: number;
  size: number;
}

/** Chooses the codec for `values[0..n)`. Afterwards `deltas[1..n)` holds the differences. */
export function chooseCodec(values: Float64Array, n: number, deltas: Float64Array, choice: Choice): void {
  const firstSize = uvarSize(zigzag(values[0]!));
  let runs = 1;
  for (let i = 1; i < n; i++) {
    const delta = values[i]! - values[i - 1]!;
    deltas[i] = delta;
    if (delta !== 0) runs++;
  }
  if (runs === 1) {
    choice.codec = CONSTANT;
    choice.size = firstSize;
    return;
  }
  choice.codec = FOR;
  choice.size = forSize(values, 0, n);
  // A run takes at least two bytes: lists without repeated values are not measured.
  const size = 2 * runs > choice.size ? Number.POSITIVE_INFINITY : runsSize(values, n);
  if (size <= choice.size) {
    choice.codec = RUNS;
    choice.size = size;
  }
  // The differences take at least two bytes for each run of 64.
  if (firstSize + 2 * Math.ceil((n - 1) / 64) >= choice.size) return;
  const delta = firstSize + forSize(deltas, 1, n);
  if (delta < choice.size) {
    choice.codec = DELTA;
    choice.size = delta;
  }
}

function runsSize(values: Float64Array, n: number): number {
  let size = 0;
  let before = 0;
  for (let i = 0; i < n; ) {
    const value = values[i]!;
    let end = i + 1;
    while (end < n && values[end] === value) end++;
    size += uvarSize(zigzag(value - before)) + uvarSize(end - i - 1);
    before = value;
    i = end;
  }
  return size;
}

/** Writes `values[0..n)` with the chosen codec; see {@link chooseCodec} about `deltas`. */
export function writeIntegers(
  w: ByteWriter,
  codec: number,
  values: Float64Array,
  n: number,
  deltas: Float64Array,
): void {
  if (codec === FOR) writeFor(w, values, 0, n);
  else if (codec === RUNS) writeRuns(w, values, n);
  else {
    writeZigzag(w, values[0]!);
    if (codec === DELTA) writeFor(w, deltas, 1, n);
  }
}

function writeRuns(w: ByteWriter, values: Float64Array, n: number): void {
  let before = 0;
  for (let i = 0; i < n; ) {
    const value = values[i]!;
    let end = i + 1;
    while (end < n && values[end] === value) end++;
    writeZigzag(w, value - before);
    writeUvar(w, end - i - 1);
    before = value;
    i = end;
  }
}

/** Reads `values[0..n)`, n from 1 up. Values before `first` and from `last` on may be left out. */
export function readIntegers(r: ByteReader, codec: number, values: Float64Array, n: number, first = 0, last = n): void {
  if (codec === FOR) readFor(r, values, 0, n, first, last);
  else if (codec === RUNS) readRuns(r, values, n);
  else if (codec === CONSTANT) values.fill(readZigzag(r), 0, n);
  else {
    let value = readZigzag(r);
    values[0] = value;
    readFor(r, values, 1, n);
    for (let i = 1; i < n; i++) values[i] = value += values[i]!;
  }
}

/** Skips `n` integers. */
export function skipIntegers(r: ByteReader, codec: number, n: number): void {
  if (codec === FOR) skipFor(r, n);
  else if (codec === RUNS) readRuns(r, null, n);
  else {
    readZigzag(r);
    if (codec === DELTA) skipFor(r, n - 1);
  }
}

function readRuns(r: ByteReader, values: Float64Array | null, n: number): void {
  let value = 0;
  for (let i = 0; i < n; ) {
    value += readZigzag(r);
    const start = r.pos;
    const end = i + readUvar(r) + 1;
    if (end > n) throw new DecodeError("ERR_OUT_OF_RANGE", "a run that is longer than the block", start);
    values?.fill(value, i, end);
    i = end;
  }
}
