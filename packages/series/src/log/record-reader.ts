/**
 * Reads records of the write-ahead log (docs/series-format.md, section 6). `recordAt` checks a record's form, then its checksum. At a wrong
 * offset of a damaged file the form is nearly always invalid, so a search for records is cheap.
 */
import { crc32 } from "node:zlib";
import { DecodeError } from "moonpack/bytes";
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
  idsSize,
  type LogVisitor,
  MAX_BODY,
  MAX_CANONICAL,
  MAX_POINTS,
  POINTS,
  padded,
  pointsSize,
  SYNCED,
} from "./record-format.js";

/** A record with a valid form and checksum. */
export interface RecordHead {
  readonly number: number;
  readonly type: number;
  /** The offset of the record, and the offset after its padding. */
  readonly start: number;
  readonly end: number;
}

/** Returns the record at `start`, a multiple of eight; undefined without a valid one. */
export function recordAt(file: Uint8Array, view: DataView, start: number): RecordHead | undefined {
  if (start + HEADER > file.length) return undefined;
  const length = view.getUint32(start, true);
  const last = start + HEADER + length;
  const end = start + HEADER + padded(length);
  if (length > MAX_BODY || end > file.length || !isForm(view, start, length)) return undefined;
  if (view.getUint32(start + 4, true) !== crc32(file.subarray(start + 8, last))) return undefined;
  for (let i = last; i < end; i++) if (file[i] !== 0) return undefined;
  return { number: view.getUint32(start + 8, true), type: view.getUint8(start + 12), start, end };
}

/** True if the length of a body is valid for its type. */
function isForm(view: DataView, start: number, length: number): boolean {
  const type = view.getUint8(start + 12);
  if (type === POINTS) {
    if (length < 16) return false;
    const n = view.getUint32(start + HEADER, true);
    const times = view.getUint8(start + 13);
    const ids = view.getUint8(start + 14);
    const kind = view.getUint8(start + 15);
    if (n === 0 || n > MAX_POINTS || times > 1 || ids > 1 || kind > I64) return false;
    return length === pointsSize(n, times, ids, kind);
  }
  if (view.getUint32(start + 12, true) !== type) return false;
  if (type === DEFINE) return length > 8 && length <= 8 + MAX_CANONICAL;
  return type === DELETE ? length === 24 : (type === FORGET || type === SYNCED) && length === 8;
}

/** Returns the number in a `synced` record; undefined for other records. */
export function syncedNumber(view: DataView, record: RecordHead): number | undefined {
  return record.type === SYNCED ? view.getUint32(record.start + HEADER, true) : undefined;
}

/** Reads the contents of valid records into reused memory. */
export class RecordReader {
  #ids = new Uint32Array(1024);
  #times = new Float64Array(1024);
  #values = new Values64(1024);

  /** Calls the visitor with the content of a record of {@link recordAt}. Throws a DecodeError for a metric of an unknown type. */
  read(file: Uint8Array, view: DataView, { start, type }: RecordHead, visitor: LogVisitor): void {
    const body = start + HEADER;
    if (type === POINTS) return this.#points(view, start, visitor);
    const id = view.getUint32(body, true);
    if (type === DEFINE) {
      const metricType = typeOfByte(view.getUint32(body + 4, true));
      if (metricType === undefined) throw new DecodeError("ERR_INVALID_BYTE", "not the type of a metric", body + 4);
      visitor.define(id, metricType, file.subarray(body + 8, body + view.getUint32(start, true)));
    } else if (type === DELETE) visitor.delete(id, view.getFloat64(body + 8, true), view.getFloat64(body + 16, true));
    else if (type === FORGET) visitor.forget(id);
    else visitor.synced(id);
  }

  #points(view: DataView, start: number, visitor: LogVisitor): void {
    let at = start + HEADER;
    const n = view.getUint32(at, true);
    const first = view.getUint32(at + 4, true);
    const time = view.getFloat64(at + 8, true);
    const kind = view.getUint8(start + 15);
    at += 16;
    this.#reserve(n);
    const ids = this.#ids;
    const times = this.#times;
    if (view.getUint8(start + 14) === 1) {
      for (let i = 0; i < n; i++) ids[i] = view.getUint32(at + 4 * i, true);
      at += idsSize(n);
    } else for (let i = 0; i < n; i++) ids[i] = first + i;
    if (view.getUint8(start + 13) === 1) {
      for (let i = 0; i < n; i++) times[i] = view.getFloat64(at + 8 * i, true);
      at += 8 * n;
    } else times.fill(time, 0, n);
    const { floats, words } = this.#values;
    if (kind === I16) for (let i = 0; i < n; i++, at += 2) floats[i] = view.getInt16(at, true);
    else if (kind === I32) for (let i = 0; i < n; i++, at += 4) floats[i] = view.getInt32(at, true);
    else for (let i = 0; i < 2 * n; i++, at += 4) words[i] = view.getInt32(at, true);
    visitor.points(n, ids, times, this.#values, kind === I64);
  }

  #reserve(n: number): void {
    if (n <= this.#ids.length) return;
    this.#ids = new Uint32Array(n);
    this.#times = new Float64Array(n);
    this.#values = withRoom(this.#values, n);
  }
}
