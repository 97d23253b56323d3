/** Log records against the slow implementation: the same bytes, and what was written reads back. */
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { ByteWriter } from "moonpack/bytes";
import { expect, test } from "vitest";
import type { LogVisitor } from "../src/log/record-format.ts";
import { RecordReader, recordAt, syncedNumber } from "../src/log/record-reader.ts";
import { RecordWriter, valueKind } from "../src/log/record-writer.ts";
import { CanonicalForms, parseCanonical } from "../src/metric/canonical.ts";
import { Values64 } from "../src/page/values.ts";
import { logExample } from "./reference/examples.ts";
import { encodeRecord, type LogRecord } from "./reference/log-record.ts";

const hexOf = (bytes: Iterable<number>) => Buffer.from([...bytes]).toString("hex");
const forms = new CanonicalForms();

function write(w: RecordWriter, record: LogRecord): void {
  if ("define" in record) {
    const { id, type, name, tags } = record.define;
    return w.define(id, type, forms.of({ name, tags: Object.fromEntries(tags) }));
  }
  if ("delete" in record) return w.delete(record.delete.id, record.delete.from, record.delete.to);
  if ("forget" in record) return w.forget(record.forget.id);
  if ("synced" in record) return w.synced(record.synced.upTo);
  const { ids, times } = record.points;
  const areInt64 = "int64s" in record.points;
  // Behind other values, as a part of a larger array.
  const values = new Values64(ids.length + 3);
  if ("int64s" in record.points) new BigInt64Array(values.words.buffer).set(record.points.int64s, 3);
  else values.floats.set(record.points.floats, 3);
  w.points(
    ids.length,
    ids.every((id, i) => id === ids[0]! + i) ? ids[0]! : Uint32Array.from([9, 9, ...ids]),
    times.every((time) => time === times[0]) ? times[0]! : Float64Array.from([9, 9, ...times]),
    values,
    valueKind(values, 3, ids.length, areInt64),
    3,
    2,
  );
}

/** Collects the records from a reader. */
class Collector implements LogVisitor {
  readonly records: LogRecord[] = [];
  define(id: number, type: "float" | "int64", canonical: Uint8Array): void {
    const { name, tags } = parseCanonical(canonical);
    this.records.push({ define: { id, type, name, tags: Object.entries(tags) } });
  }
  points(n: number, ids: Uint32Array, times: Float64Array, values: Values64, areInt64: boolean): void {
    const all = { ids: [...ids.subarray(0, n)], times: [...times.subarray(0, n)] };
    this.records.push({
      points: areInt64
        ? { ...all, int64s: [...new BigInt64Array(values.words.buffer, 0, n)] }
        : { ...all, floats: [...values.floats.subarray(0, n)] },
    });
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

const id = fc.nat({ max: 2 ** 31 - 1 });
const time = fc.nat({ max: 2e12 });
const many = <T>(n: number, each: fc.Arbitrary<T>) => fc.array(each, { minLength: n, maxLength: n });
const points = fc.integer({ min: 1, max: 40 }).chain((n) =>
  fc
    .record({
      ids: fc.oneof(
        many(n, id),
        id.map((first) => Array.from({ length: n }, (_, i) => first + i)),
      ),
      times: fc.oneof(
        many(n, time),
        time.map((one) => new Array<number>(n).fill(one)),
      ),
      values: fc.oneof(
        many(n, fc.integer({ min: -40_000, max: 40_000 })).map((floats) => ({ floats })),
        many(n, fc.integer({ min: -100, max: 100 })).map((floats) => ({ floats })),
        many(n, fc.double({ noNaN: true })).map((floats) => ({ floats })),
        many(n, fc.constantFrom(0, -0, 1)).map((floats) => ({ floats })),
        many(n, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })).map((int64s) => ({ int64s })),
      ),
    })
    .map(({ ids, times, values }): LogRecord => ({ points: { ids, times, ...values } })),
);
const text = (most: number) => fc.stringMatching(/^[a-zé€𝄞_.]{1,12}$/u).filter((t) => Buffer.byteLength(t) <= most);
const record: fc.Arbitrary<LogRecord> = fc.oneof(
  { arbitrary: points, weight: 4 },
  fc
    .record({
      id,
      type: fc.constantFrom<"float" | "int64">("float", "int64"),
      name: text(255),
      tags: fc.uniqueArray(fc.tuple(text(127), text(1023)), { selector: ([key]) => key, maxLength: 5 }),
    })
    .map(
      (define): LogRecord => ({
        define: { ...define, tags: define.tags.sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))) },
      }),
    ),
  fc.record({ id, from: time, to: time }).map((all): LogRecord => ({ delete: all })),
  id.map((one): LogRecord => ({ forget: { id: one } })),
  fc.nat().map((upTo): LogRecord => ({ synced: { upTo } })),
);

function check(first: number, records: readonly LogRecord[]): void {
  const out = new ByteWriter();
  // Memory is used again: what is left in it must not show in padding.
  out.bytes.fill(0xff);
  const w = new RecordWriter(out, first);
  for (const each of records) write(w, each);
  const expected = records.flatMap((each, i) => encodeRecord((first + i) % 2 ** 32, each));
  expect(hexOf(out.written())).toBe(hexOf(expected));
  const file = out.written().slice();
  const view = new DataView(file.buffer);
  const collector = new Collector();
  const reader = new RecordReader();
  let at = 0;
  for (let i = 0; i < records.length; i++) {
    const head = recordAt(file, view, at)!;
    expect(head.number).toBe((first + i) % 2 ** 32);
    reader.read(file, view, head, collector);
    at = head.end;
  }
  expect(at).toBe(file.length);
  expect(collector.records).toEqual(records);
}

test("the example of the format's page", () => check(logExample.number, [logExample.record]));

test("any records, also where their numbers wrap", () =>
  fc.assert(fc.property(fc.constantFrom(0, 1, 2 ** 32 - 2), fc.array(record, { minLength: 1, maxLength: 4 }), check), {
    numRuns: 300,
  }));

test("a record that is truncated or has a changed bit is invalid", () => {
  const bytes = Uint8Array.from(encodeRecord(logExample.number, logExample.record));
  for (let i = 0; i < bytes.length; i++) {
    const cut = bytes.slice(0, i);
    expect(recordAt(cut, new DataView(cut.buffer), 0)).toBeUndefined();
    for (let bit = 0; bit < 8; bit++) {
      const changed = bytes.slice();
      changed[i]! ^= 1 << bit;
      expect(recordAt(changed, new DataView(changed.buffer), 0)).toBeUndefined();
    }
  }
});

test("a record with the right checksum and an invalid form is invalid", () => {
  const example = Uint8Array.from(encodeRecord(logExample.number, logExample.record));
  const changed = (length: number, change: (view: DataView) => void) => {
    const bytes = new Uint8Array(Math.ceil(length / 8) * 8 + 16);
    bytes.set(example.subarray(0, bytes.length));
    const view = new DataView(bytes.buffer);
    view.setUint32(0, length, true);
    change(view);
    view.setUint32(4, crc32(bytes.subarray(8, 16 + length)), true);
    return recordAt(bytes, view, 0);
  };
  expect(changed(20, () => {})).toMatchObject({ type: 2, end: 40 });
  const forms: readonly [length: number, change: (view: DataView) => void][] = [
    // Points: none, too many, more values than there are; lists and values of no known kind; a body without a head.
    [16, (view) => view.setUint32(16, 0, true)],
    [16 + 2 * 65_537, (view) => view.setUint32(16, 65_537, true)],
    [20, (view) => view.setUint32(16, 3, true)],
    [20 + 2 * 16, (view) => view.setUint8(13, 2)],
    [20, (view) => view.setUint8(14, 2)],
    [16 + 2 * 8, (view) => view.setUint8(15, 4)],
    [8, () => {}],
    [0, () => {}],
    // An unknown type, and flags without points.
    [8, (view) => view.setUint32(12, 0, true)],
    [8, (view) => view.setUint32(12, 6, true)],
    [8, (view) => view.setUint32(12, 4 + 256, true)],
    // Wrong lengths for delete, forget and synced; a definition without a canonical form, or with a too long one.
    [32, (view) => view.setUint32(12, 3, true)],
    [16, (view) => view.setUint32(12, 4, true)],
    [7, (view) => view.setUint32(12, 5, true)],
    [8, (view) => view.setUint32(12, 1, true)],
    [8 + 4097, (view) => view.setUint32(12, 1, true)],
  ];
  for (const [length, change] of forms) expect(changed(length, change)).toBeUndefined();
});

test("only a synced record names a number", () => {
  const bytes = Uint8Array.from([
    ...encodeRecord(7, { synced: { upTo: 6 } }),
    ...encodeRecord(8, { forget: { id: 3 } }),
  ]);
  const view = new DataView(bytes.buffer);
  const synced = recordAt(bytes, view, 0)!;
  expect(syncedNumber(view, synced)).toBe(6);
  expect(syncedNumber(view, recordAt(bytes, view, synced.end)!)).toBeUndefined();
});
