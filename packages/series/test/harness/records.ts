/** Records of the slow implementation, written and read by the code under test. */
import type { LogVisitor } from "../../src/log/record-format.ts";
import { RecordReader, recordAt } from "../../src/log/record-reader.ts";
import { type RecordWriter, valueKind } from "../../src/log/record-writer.ts";
import { CanonicalForms, parseCanonical } from "../../src/metric/canonical.ts";
import { Values64 } from "../../src/page/values.ts";
import type { LogRecord } from "../reference/log-record.ts";
import { values64Of, valuesOf } from "./points.ts";

/** Number of other values, ids and times before the written ones, as in a larger array. */
const BEFORE = 3;

/** Writes a record. */
export function writeRecord(w: RecordWriter, record: LogRecord): void {
  if ("define" in record) {
    const { id, type, name, tags } = record.define;
    return w.define(id, type, new CanonicalForms().of({ name, tags: Object.fromEntries(tags) }));
  }
  if ("delete" in record) return w.delete(record.delete.id, record.delete.from, record.delete.to);
  if ("forget" in record) return w.forget(record.forget.id);
  if ("synced" in record) return w.synced(record.synced.upTo);
  const { ids, times } = record.points;
  const n = ids.length;
  const values = new Values64(BEFORE + n);
  values.words.set(values64Of(record.points).words, 2 * BEFORE);
  w.points(
    n,
    ids.every((id, i) => id === ids[0]! + i) ? ids[0]! : Uint32Array.from([9, 9, 9, ...ids]),
    times.every((time) => time === times[0]) ? times[0]! : Float64Array.from([9, 9, 9, ...times]),
    values,
    valueKind(values, BEFORE, n, "int64s" in record.points),
    BEFORE,
    BEFORE,
  );
}

/** Collects the records from a reader. */
export class Collector implements LogVisitor {
  readonly records: LogRecord[] = [];
  define(id: number, type: "float" | "int64", canonical: Uint8Array): void {
    const { name, tags } = parseCanonical(canonical);
    this.records.push({ define: { id, type, name, tags: Object.entries(tags) } });
  }
  points(n: number, ids: Uint32Array, times: Float64Array, values: Values64, areInt64: boolean): void {
    const shared = { ids: [...ids.subarray(0, n)], times: [...times.subarray(0, n)] };
    this.records.push({ points: { ...shared, ...valuesOf(values, n, areInt64) } });
  }
  delete(id: number, from: number, to: number): void {
    this.records.push({ delete: { id, from, to } });
  }
  forget(id: number): void {
    this.records.push({ forget: { id } });
  }
  synced(upTo: number): void {
    this.records.push({ synced: { upTo } });
  }
}

/** The records in these bytes, up to the first that is none. Throws what the reader throws at a record's content. */
export function recordsOf(bytes: Uint8Array | readonly number[]): LogRecord[] {
  const file = Uint8Array.from(bytes);
  const view = new DataView(file.buffer);
  const collector = new Collector();
  const reader = new RecordReader();
  for (let head = recordAt(file, view, 0); head !== undefined; head = recordAt(file, view, head.end))
    reader.read(file, view, head, collector);
  return collector.records;
}
