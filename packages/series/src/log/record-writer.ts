/**
 * Writes records of the write-ahead log (docs/series-format.md, section 6). Each starts at a multiple of eight and has a number and a
 * checksum, so that a reader finds the end of the log and detects missing parts.
 *
 * A record's size is known before it is written, so its memory is reserved once.
 */
import { crc32 } from "node:zlib";
import type { ByteWriter } from "moonpack/bytes";
import { type MetricType, typeByte } from "../metric/metric.js";
import type { Values64 } from "../page/values.js";
import {
  DEFINE,
  DELETE,
  F64,
  FORGET,
  HEADER,
  I16,
  I32,
  I64,
  idsSize,
  POINTS,
  padded,
  pointsSize,
  SYNCED,
} from "./record-format.js";

/** Appends records to a buffer. */
export class RecordWriter {
  /** The buffer. It may be replaced between records. */
  out: ByteWriter;
  /** The number of the next record. */
  next: number;

  constructor(out: ByteWriter, next: number) {
    this.out = out;
    this.next = next;
  }

  define(id: number, type: MetricType, canonical: Uint8Array): void {
    const length = 8 + canonical.length;
    const start = this.#begin(DEFINE, length);
    const { bytes, view } = this.out;
    view.setUint32(start + HEADER, id, true);
    view.setUint32(start + HEADER + 4, typeByte(type), true);
    bytes.set(canonical, start + HEADER + 8);
    this.#end(start, length);
  }

  /**
   * Appends `n` points, at most 65,536. `ids` is a list, or the first of consecutive ids; `times` is a list, or the time of all points. The
   * first value is at `from` in `values`, the first id and time at `listFrom` in their lists. `kind` is a result of {@link valueKind}.
   */
  points(
    n: number,
    ids: Uint32Array | number,
    times: Float64Array | number,
    values: Values64,
    kind: number,
    from: number,
    listFrom = 0,
  ): void {
    const hasIds = typeof ids === "number" ? 0 : 1;
    const hasTimes = typeof times === "number" ? 0 : 1;
    const length = pointsSize(n, hasTimes, hasIds, kind);
    const start = this.#begin(POINTS | (hasTimes << 8) | (hasIds << 16) | (kind << 24), length);
    const { view } = this.out;
    let at = start + HEADER;
    view.setUint32(at, n, true);
    view.setUint32(at + 4, typeof ids === "number" ? ids : ids[listFrom]!, true);
    view.setFloat64(at + 8, typeof times === "number" ? times : 0, true);
    at += 16;
    if (typeof ids !== "number") {
      const end = at + idsSize(n);
      for (let i = listFrom; i < listFrom + n; i++, at += 4) view.setUint32(at, ids[i]!, true);
      if (at < end) view.setUint32(at, 0, true);
      at = end;
    }
    if (typeof times !== "number") {
      for (let i = listFrom; i < listFrom + n; i++, at += 8) view.setFloat64(at, times[i]!, true);
    }
    const { floats, words } = values;
    if (kind === I16) for (let i = from; i < from + n; i++, at += 2) view.setInt16(at, floats[i]!, true);
    else if (kind === I32) for (let i = from; i < from + n; i++, at += 4) view.setInt32(at, floats[i]!, true);
    else for (let i = 2 * from; i < 2 * (from + n); i++, at += 4) view.setInt32(at, words[i]!, true);
    this.#end(start, length);
  }

  delete(id: number, from: number, to: number): void {
    const start = this.#begin(DELETE, 24);
    const { view } = this.out;
    this.#idAndZero(start, id);
    view.setFloat64(start + HEADER + 8, from, true);
    view.setFloat64(start + HEADER + 16, to, true);
    this.#end(start, 24);
  }

  forget(id: number): void {
    const start = this.#begin(FORGET, 8);
    this.#idAndZero(start, id);
    this.#end(start, 8);
  }

  synced(number: number): void {
    const start = this.#begin(SYNCED, 8);
    this.#idAndZero(start, number);
    this.#end(start, 8);
  }

  /** Reserves memory for a record and writes its header, without the checksum. */
  #begin(typeAndLists: number, length: number): number {
    const { out } = this;
    const start = out.pos;
    out.reserve(HEADER + padded(length));
    out.view.setUint32(start, length, true);
    out.view.setUint32(start + 8, this.next, true);
    out.view.setUint32(start + 12, typeAndLists, true);
    this.next = (this.next + 1) >>> 0;
    return start;
  }

  #idAndZero(start: number, id: number): void {
    this.out.view.setUint32(start + HEADER, id, true);
    this.out.view.setUint32(start + HEADER + 4, 0, true);
  }

  /** Pads the body with zeros, since the memory may contain old bytes, and writes the checksum. */
  #end(start: number, length: number): void {
    const { out } = this;
    const last = start + HEADER + length;
    const end = start + HEADER + padded(length);
    for (let i = last; i < end; i++) out.bytes[i] = 0;
    out.view.setUint32(start + 4, crc32(out.bytes.subarray(start + 8, last)), true);
    out.pos = end;
  }
}

/** Returns the narrowest form for `n` values. */
export function valueKind(values: Values64, from: number, n: number, areInt64: boolean): number {
  if (areInt64) return I64;
  const { floats } = values;
  let isSmall = true;
  for (let i = from; i < from + n; i++) {
    const v = floats[i]!;
    const integer = v | 0;
    if (integer !== v || (integer === 0 && 1 / v < 0)) return F64;
    if ((integer << 16) >> 16 !== integer) isSmall = false;
  }
  return isSmall ? I16 : I32;
}
