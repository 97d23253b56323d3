/**
 * Writes records of the write-ahead log (docs/series-format.md, section 6). Each begins at a multiple of eight and carries its number
 * and a checksum, so a reader knows where the log ends and whether a part of it is missing.
 */
import { crc32 } from "node:zlib";
import type { ByteWriter } from "moonpack/bytes";
import { type MetricType, typeByte } from "../metric/metric.js";
import type { Values64 } from "../page/values.js";
import { DEFINE, DELETE, F64, FORGET, HEADER, I16, I32, I64, POINTS, SYNCED, valueSize } from "./record-format.js";

/** Appends records to a buffer that a writer takes whole. */
export class RecordWriter {
  readonly #out: ByteWriter;
  /** The number of the next record. */
  next: number;

  constructor(out: ByteWriter, next: number) {
    this.#out = out;
    this.next = next;
  }

  define(id: number, type: MetricType, canonical: Uint8Array): void {
    const start = this.#begin(DEFINE, 0, 0, 0);
    this.#out.u32(id, true);
    this.#out.u32(typeByte(type), true);
    this.#out.raw(canonical);
    this.#end(start);
  }

  /** `ids` is a list, or the first of consecutive ids; `times` is a list, or the time of all. `n` is at most 65,536. */
  points(
    n: number,
    ids: Uint32Array | number,
    times: Float64Array | number,
    values: Values64,
    from: number,
    areInt64: boolean,
  ): void {
    const hasIds = typeof ids !== "number";
    const hasTimes = typeof times !== "number";
    const kind = areInt64 ? I64 : narrowest(values.floats, from, n);
    const out = this.#out;
    const start = this.#begin(POINTS, hasTimes ? 1 : 0, hasIds ? 1 : 0, kind);
    out.u32(n, true);
    out.u32(hasIds ? ids[0]! : ids, true);
    out.f64(hasTimes ? 0 : times, true);
    // Lists begin at multiples of eight within the body; the buffer itself may not.
    if (hasIds) {
      for (let i = 0; i < n; i++) out.u32(ids[i]!, true);
      this.#pad(start);
    }
    if (hasTimes) for (let i = 0; i < n; i++) out.f64(times[i]!, true);
    out.reserve(n * valueSize(kind));
    const { view } = out;
    let { pos } = out;
    if (kind === I16) for (let i = from; i < from + n; i++, pos += 2) view.setInt16(pos, values.floats[i]!, true);
    else if (kind === I32) for (let i = from; i < from + n; i++, pos += 4) view.setInt32(pos, values.floats[i]!, true);
    else {
      for (let i = 2 * from; i < 2 * (from + n); i++, pos += 4) view.setInt32(pos, values.words[i]!, true);
    }
    out.pos = pos;
    this.#end(start);
  }

  delete(id: number, from: number, to: number): void {
    const start = this.#begin(DELETE, 0, 0, 0);
    this.#out.u32(id, true);
    this.#out.u32(0);
    this.#out.f64(from, true);
    this.#out.f64(to, true);
    this.#end(start);
  }

  forget(id: number): void {
    const start = this.#begin(FORGET, 0, 0, 0);
    this.#out.u32(id, true);
    this.#out.u32(0);
    this.#end(start);
  }

  synced(number: number): void {
    const start = this.#begin(SYNCED, 0, 0, 0);
    this.#out.u32(number, true);
    this.#out.u32(0);
    this.#end(start);
  }

  #begin(type: number, times: number, ids: number, values: number): number {
    const out = this.#out;
    const start = out.pos;
    out.u32(0);
    out.u32(0);
    out.u32(this.next, true);
    this.next = (this.next + 1) >>> 0;
    out.u32(type | (times << 8) | (ids << 16) | (values << 24), true);
    return start;
  }

  #pad(start: number): void {
    const out = this.#out;
    while ((out.pos - start) % 8 !== 0) out.u8(0);
  }

  /** Pads the body, and fills in its length and checksum. */
  #end(start: number): void {
    const out = this.#out;
    const length = out.pos - start - HEADER;
    out.view.setUint32(start, length, true);
    out.view.setUint32(start + 4, crc32(out.bytes.subarray(start + 8, out.pos)), true);
    this.#pad(start);
  }
}

/** The narrowest form that holds all values. */
function narrowest(floats: Float64Array, from: number, n: number): number {
  let isSmall = true;
  for (let i = from; i < from + n; i++) {
    const v = floats[i]!;
    const integer = v | 0;
    if (integer !== v || (integer === 0 && 1 / v < 0)) return F64;
    if ((integer << 16) >> 16 !== integer) isSmall = false;
  }
  return isSmall ? I16 : I32;
}
