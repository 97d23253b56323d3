/** The layout of log records (docs/series-format.md, section 6) that their writer and their reader share. */
import type { MetricType } from "../metric/metric.js";
import type { Values64 } from "../page/values.js";

/** Bytes of a record's header: length, checksum, number, type, and the forms of its lists. */
export const HEADER = 16;
/** Maximum number of points in a record. */
export const MAX_POINTS = 65_536;
/** The longest canonical form of a metric. */
export const MAX_CANONICAL = 4096;
/** The longest body: the maximum of points with id, time and value, and the fields before them. */
export const MAX_BODY = MAX_POINTS * 20 + 16;

/** Types of records. */
export const DEFINE = 1;
export const POINTS = 2;
export const DELETE = 3;
export const FORGET = 4;
export const SYNCED = 5;

/** The types of values. */
export const F64 = 0;
export const I32 = 1;
export const I16 = 2;
export const I64 = 3;

/** Returns the bytes of a value. */
export function valueSize(kind: number): number {
  return kind === I16 ? 2 : kind === I32 ? 4 : 8;
}

/** Returns the bytes of a list of ids, with padding. */
export function idsSize(n: number): number {
  return (4 * n + 7) & ~7;
}

/** Returns the bytes of the body of `n` points, without padding. `times` and `ids` are 1 for a list, otherwise 0. */
export function pointsSize(n: number, times: number, ids: number, kind: number): number {
  return 16 + (ids === 1 ? idsSize(n) : 0) + times * 8 * n + n * valueSize(kind);
}

/** Rounds `size` up to a multiple of 8. */
export function padded(size: number): number {
  return (size + 7) & ~7;
}

/** Receives the records of a log in order. */
export interface LogVisitor {
  /** `canonical` is valid until the next call. */
  define(id: number, type: MetricType, canonical: Uint8Array): void;
  /** `n` points. The arrays are valid until the next call. */
  points(n: number, ids: Uint32Array, times: Float64Array, values: Values64, areInt64: boolean): void;
  delete(id: number, from: number, to: number): void;
  forget(id: number): void;
  /** All records up to this number are synced. */
  synced(number: number): void;
}
