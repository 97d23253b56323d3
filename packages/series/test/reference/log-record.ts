/** Log files: their head, and the records 1 to 5. */
import { Cursor, fixed, float64, utf8 } from "./bytes.ts";
import { checksum, verify } from "./checksum.ts";
import { decodePoints, encodePoints, type Points, type PointsForm, padded } from "./log-points.ts";
import { decodeMetric, encodeMetric, type Metric, type MetricType, TYPES } from "./metric.ts";

export type LogRecord =
  | { readonly define: Metric & { readonly id: number; readonly type: MetricType } }
  | { readonly points: Points }
  /** `to` is exclusive. */
  | { readonly delete: { readonly id: number; readonly from: number; readonly to: number } }
  | { readonly forget: { readonly id: number } }
  /** Every record up to this number is on the medium. */
  | { readonly synced: { readonly upTo: number } };

const NO_FLAGS = [0, 0, 0] as const;
const FORMAT = 1;

export function encodeLogHead(file: number): number[] {
  return [...utf8("moonlog1"), ...fixed(file, 4), ...fixed(FORMAT, 4), ...new Array<number>(16).fill(0)];
}

/** The bytes of one record; `number` counts records over all files, mod 2^32. */
export function encodeRecord(number: number, record: LogRecord): number[] {
  const { type, flags, body } = formOf(record);
  const checked = [...fixed(number, 4), type, ...flags, ...body];
  return padded([...fixed(body.length, 4), ...checksum(checked), ...checked]);
}

function formOf(record: LogRecord): PointsForm & { readonly type: number } {
  if ("points" in record) return { type: 2, ...encodePoints(record.points) };
  if ("define" in record) {
    const { id, type } = record.define;
    const body = [...fixed(id, 4), TYPES.indexOf(type), 0, 0, 0, ...encodeMetric(record.define)];
    return { type: 1, flags: NO_FLAGS, body };
  }
  if ("delete" in record) {
    const { id, from, to } = record.delete;
    return { type: 3, flags: NO_FLAGS, body: [...fixed(id, 8), ...float64(from), ...float64(to)] };
  }
  if ("forget" in record) return { type: 4, flags: NO_FLAGS, body: fixed(record.forget.id, 8) };
  return { type: 5, flags: NO_FLAGS, body: fixed(record.synced.upTo, 8) };
}

export function decodeLogHead(bytes: readonly number[]): number {
  const file = Number(new Cursor(bytes.slice(8)).fixed(4));
  if (String(encodeLogHead(file)) !== String(bytes)) throw new Error("not the head of a log file");
  return file;
}

/** Reads one record, with its padding. */
export function decodeRecord(cursor: Cursor): { number: number; record: LogRecord } {
  const length = Number(cursor.fixed(4));
  const stored = cursor.take(4);
  const checked = cursor.take(8 + length);
  verify(checked, stored);
  cursor.take(padded(checked).length - checked.length);
  const inside = new Cursor(checked);
  const number = Number(inside.fixed(4));
  const record = decodeBody(inside.u8(), [inside.u8(), inside.u8(), inside.u8()], inside);
  if (!inside.isAtEnd) throw new Error("bytes are left over");
  return { number, record };
}

function decodeBody(type: number, flags: PointsForm["flags"], cursor: Cursor): LogRecord {
  if (type === 2) return { points: decodePoints(flags, cursor) };
  // A u32, and in all types but 1 a u32 of 0.
  const first = Number(cursor.fixed(type === 1 ? 4 : 8));
  if (type === 1) {
    const metricType = TYPES[Number(cursor.fixed(4))]!;
    return { define: { id: first, type: metricType, ...decodeMetric(cursor) } };
  }
  if (type === 3) return { delete: { id: first, from: cursor.float64(), to: cursor.float64() } };
  return type === 4 ? { forget: { id: first } } : { synced: { upTo: first } };
}
