/** Reads records of the write-ahead log (docs/series-format.md, section 6). */
import { crc32 } from "node:zlib";
import { ByteReader, DecodeError } from "moonpack/bytes";
import { typeOfByte } from "../metric/metric.js";
import { Values64, withRoom } from "../page/values.js";
import {
  DEFINE,
  DELETE,
  FORGET,
  HEADER,
  I16,
  I32,
  I64,
  type LogVisitor,
  MAX_BODY,
  MAX_POINTS,
  POINTS,
  SYNCED,
  valueSize,
} from "./record-format.js";

/** A record whose length and checksum are right. */
export interface RecordHead {
  readonly number: number;
  readonly type: number;
  /** The first byte of the record, and that after its padding. */
  readonly start: number;
  readonly end: number;
}

/** The record at `start`, a multiple of eight; undefined if no valid one is there. */
export function recordAt(file: Uint8Array, view: DataView, start: number): RecordHead | undefined {
  if (start + HEADER > file.length) return undefined;
  const length = view.getUint32(start, true);
  const last = start + HEADER + length;
  const end = (last + 7) & ~7;
  if (length > MAX_BODY || end > file.length) return undefined;
  if (view.getUint32(start + 4, true) !== crc32(file.subarray(start + 8, last))) return undefined;
  for (let i = last; i < end; i++) if (file[i] !== 0) return undefined;
  return { number: view.getUint32(start + 8, true), type: file[start + 12]!, start, end };
}

/** The number that a `synced` record names; undefined for other records. */
export function syncedNumber(view: DataView, record: RecordHead): number | undefined {
  return record.type === SYNCED && record.end - record.start >= HEADER + 8
    ? view.getUint32(record.start + HEADER, true)
    : undefined;
}

/** Reads the contents of valid records. It owns the memory for their points. */
export class RecordReader {
  #ids = new Uint32Array(1024);
  #times = new Float64Array(1024);
  #values = new Values64(1024);

  /** Tells the visitor what a record says. Throws a DecodeError if its checksum is right but its content is not. */
  read(file: Uint8Array, view: DataView, { start, type }: RecordHead, visitor: LogVisitor): void {
    const r = new ByteReader(file, start + HEADER, start + HEADER + view.getUint32(start, true));
    if (type === DEFINE) {
      const id = r.u32(true);
      const metricType = typeOfByte(r.u32(true));
      if (metricType === undefined) throw new DecodeError("ERR_INVALID_BYTE", "not the type of a metric", r.pos - 4);
      visitor.define(id, metricType, r.raw(r.end - r.pos));
    } else if (type === POINTS) this.#points(r, file[start + 13]!, file[start + 14]!, file[start + 15]!, visitor);
    else if (type === DELETE) {
      const id = r.u32(true);
      r.u32();
      const from = r.f64(true);
      visitor.delete(id, from, r.f64(true));
    } else if (type === FORGET) {
      const id = r.u32(true);
      r.u32();
      visitor.forget(id);
    } else if (type === SYNCED) {
      const number = r.u32(true);
      r.u32();
      visitor.synced(number);
    } else throw new DecodeError("ERR_INVALID_BYTE", `${type} is not a type of record`, start + 12);
    if (r.pos !== r.end) throw new DecodeError("ERR_TRAILING_BYTES", "bytes follow the record's content", r.pos);
  }

  #points(r: ByteReader, hasTimes: number, hasIds: number, kind: number, visitor: LogVisitor): void {
    const body = r.pos;
    const n = r.u32(true);
    const first = r.u32(true);
    const time = r.f64(true);
    if (n === 0 || n > MAX_POINTS || hasTimes > 1 || hasIds > 1 || kind > I64)
      throw new DecodeError("ERR_OUT_OF_RANGE", "not a record of points", body);
    this.#reserve(n);
    const ids = this.#ids;
    const times = this.#times;
    if (hasIds === 1) {
      for (let i = 0; i < n; i++) ids[i] = r.u32(true);
      while ((r.pos - body) % 8 !== 0) r.u8();
    } else for (let i = 0; i < n; i++) ids[i] = first + i;
    if (hasTimes === 1) for (let i = 0; i < n; i++) times[i] = r.f64(true);
    else times.fill(time, 0, n);
    const { floats, words } = this.#values;
    const size = valueSize(kind);
    r.need(n * size);
    const { view } = r;
    for (let i = 0, at = r.pos; i < n; i++, at += size) {
      if (kind === I16) floats[i] = view.getInt16(at, true);
      else if (kind === I32) floats[i] = view.getInt32(at, true);
      else {
        words[2 * i] = view.getInt32(at, true);
        words[2 * i + 1] = view.getInt32(at + 4, true);
      }
    }
    r.pos += n * size;
    // The whole body is padded, so nothing follows.
    visitor.points(n, ids, times, this.#values, kind === I64);
  }

  #reserve(n: number): void {
    if (n <= this.#ids.length) return;
    this.#ids = new Uint32Array(n);
    this.#times = new Float64Array(n);
    this.#values = withRoom(this.#values, n);
  }
}
