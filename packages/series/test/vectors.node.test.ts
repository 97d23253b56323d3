/**
 * The vectors of vectors/series, which the slow implementation wrote: the code under test writes the same bytes, reads them back, and
 * refuses what is damaged, cut or too long.
 */
import { ByteReader, ByteWriter, DecodeError } from "moonpack/bytes";
import { describe, expect, test } from "vitest";
import { hasHead, logHead } from "../src/log/log-files.ts";
import { recordAt } from "../src/log/record-reader.ts";
import { RecordWriter } from "../src/log/record-writer.ts";
import { CanonicalForms, parseCanonical } from "../src/metric/canonical.ts";
import { ChunkIds, chunkOf } from "../src/metric/tag-index.ts";
import { TimeColumns, Times } from "../src/page/time-column.ts";
import { ValueBlocks } from "../src/page/value-block.ts";
import { Values64 } from "../src/page/values.ts";
import { IndexKeys } from "../src/select/index-keys.ts";
import { hexOf, values64Of, valuesOf } from "./harness/points.ts";
import { recordsOf, writeRecord } from "./harness/records.ts";
import { bytesOf, type Damage, fromJson, type JsonMetric, type JsonValues, vectorsOf } from "./harness/vectors.ts";
import { craftRecord } from "./reference/crafted.ts";
import type { LogRecord } from "./reference/log-record.ts";
import { countOf } from "./reference/values.ts";

/** A reader of these bytes in a larger memory: words are read whole. */
function readerOf(bytes: Uint8Array): ByteReader {
  return new ByteReader(Uint8Array.of(...bytes, 0xff, 0xff, 0xff, 0xff), 0, bytes.length);
}

/** Every strict prefix is refused because bytes are missing, by the same function that reads the whole. */
function refusesPrefixes(bytes: Uint8Array, read: (r: ByteReader) => void): void {
  for (let i = 0; i < bytes.length; i++)
    expect(() => read(readerOf(bytes.subarray(0, i)))).toThrow(expect.objectContaining({ code: "ERR_TRUNCATED" }));
}

describe("time columns", () => {
  test.each(vectorsOf<{ times: number[]; bytes: string }>("times"))("$name", ({ times, bytes }) => {
    const columns = new TimeColumns();
    const w = new ByteWriter();
    columns.write(w, Int32Array.from(times), times.length);
    expect(hexOf(w.written())).toBe(bytes);
    const found = new Times();
    const read = (r: ByteReader) => columns.read(r, found, 3_600_000);
    const r = readerOf(bytesOf(bytes));
    expect(read(r)).toBe(times.length);
    expect(r.pos).toBe(r.end);
    expect([...found.values.subarray(0, times.length)]).toEqual(times);
    refusesPrefixes(bytesOf(bytes), read);
  });
});

describe("value blocks", () => {
  test.each(vectorsOf<JsonValues & { bytes: string }>("values"))("$name", ({ bytes, ...json }) => {
    const values = fromJson(json);
    const n = countOf(values);
    const blocks = new ValueBlocks();
    const w = new ByteWriter();
    const isInt64 = "int64s" in values;
    if (isInt64) blocks.writeInt64s(w, values64Of(values), n);
    else blocks.writeFloats(w, values64Of(values), n);
    expect(hexOf(w.written())).toBe(bytes);
    const found = new Values64(n);
    const r = readerOf(bytesOf(bytes));
    expect(blocks.read(r, found, n)).toBe(isInt64);
    expect(r.pos).toBe(r.end);
    expect(valuesOf(found, n, isInt64)).toEqual(values);
    const passed = readerOf(bytesOf(bytes));
    blocks.skip(passed, n);
    expect(passed.pos).toBe(passed.end);
    refusesPrefixes(bytesOf(bytes), (cut) => blocks.read(cut, found, n));
    refusesPrefixes(bytesOf(bytes), (cut) => blocks.skip(cut, n));
  });
});

describe("metrics", () => {
  const forms = new CanonicalForms();
  const all = vectorsOf<JsonMetric>("metrics");
  const of = ({ metric }: JsonMetric) => forms.of({ name: metric.name, tags: Object.fromEntries(metric.tags) });

  test.each(all.filter(({ code }) => code === undefined))("$name", (vector) => {
    const form = of(vector);
    expect(hexOf(form)).toBe(vector.canonical);
    const parsed = parseCanonical(form);
    expect(parsed.name).toBe(vector.metric.name);
    const present = vector.metric.tags.filter(([, value]) => value !== "");
    expect(Object.entries(parsed.tags).sort()).toEqual([...present].sort());
    for (let i = 0; i < form.length; i++)
      expect(() => parseCanonical(form.subarray(0, i))).toThrow(expect.objectContaining({ code: "ERR_TRUNCATED" }));
    const longer = Uint8Array.of(...form, 0);
    expect(() => parseCanonical(longer)).toThrow(expect.objectContaining({ code: "ERR_TRAILING_BYTES" }));
  });

  test.each(all.filter(({ code }) => code !== undefined))("$name is refused", (vector) => {
    expect(() => of(vector)).toThrow(expect.objectContaining({ code: vector.code }));
  });
});

describe("entries of the tag index", () => {
  type Entry = { tag: [string, string]; ids: number[]; key: string; bytes: string };
  test.each(vectorsOf<Entry>("index"))("$name", ({ tag, ids, key, bytes }) => {
    const chunk = chunkOf(ids[0]!);
    expect(hexOf(new IndexKeys().entry(tag[0], tag[1], chunk))).toBe(key);
    const set = new ChunkIds();
    for (const id of ids) set.add(id);
    expect(hexOf(set.value()!)).toBe(bytes);
    const places = ChunkIds.parse(bytesOf(bytes))?.list();
    expect(places?.map((place) => chunk * 4096 + place)).toEqual(ids);
  });
});

type JsonRecord = Exclude<LogRecord, { points: unknown }> | { points: { ids: number[]; times: number[] } & JsonValues };

function recordOf(json: JsonRecord): LogRecord {
  if (!("points" in json)) return json;
  const { ids, times, ...values } = json.points;
  return { points: { ids, times, ...fromJson(values) } };
}

/** Expects a missing record, or an unreadable one. */
function isRefused(bytes: Uint8Array | readonly number[]): void {
  const file = Uint8Array.from(bytes);
  if (recordAt(file, new DataView(file.buffer), 0) !== undefined) expect(() => recordsOf(file)).toThrow(DecodeError);
}

describe("records of the log", () => {
  const all = vectorsOf<{ number: number; record: JsonRecord; file?: number; bytes: string }>("log");
  test.each(all.filter(({ file }) => file !== undefined))("$name", ({ file, bytes }) => {
    expect(hexOf(logHead(file!))).toBe(bytes);
    const head = bytesOf(bytes);
    expect(hasHead(Uint8Array.of(...head, 1), file!)).toBe(true);
    for (let i = 0; i < head.length; i++) {
      expect(hasHead(head.subarray(0, i), file!)).toBe(false);
      expect(hasHead(head.with(i, head[i]! ^ 1), file!)).toBe(false);
    }
  });

  test.each(all.filter(({ record }) => record !== undefined))("$name", ({ number, record: json, bytes }) => {
    const record = recordOf(json);
    const out = new ByteWriter();
    writeRecord(new RecordWriter(out, number), record);
    expect(hexOf(out.written())).toBe(bytes);
    const file = bytesOf(bytes);
    expect(recordAt(file, new DataView(file.buffer), 0)?.number).toBe(number);
    expect(recordsOf(file)).toEqual([record]);

    for (let i = 0; i < file.length; i++) {
      const cut = file.slice(0, i);
      expect(recordAt(cut, new DataView(cut.buffer), 0)).toBeUndefined();
    }
    // With a right length and checksum the content is still too short, or too long.
    const length = new DataView(file.buffer).getUint32(0, true);
    const body = [...file.subarray(16, 16 + length)];
    const flags = [...file.subarray(13, 16)];
    for (let i = 0; i < body.length; i++) isRefused(craftRecord(number, file[12]!, flags, body.slice(0, i)));
    isRefused(craftRecord(number, file[12]!, flags, [...body, 0]));
  });
});

describe("what is damaged", () => {
  const all = vectorsOf<Damage>("damaged");

  test.each(all.filter(({ kind }) => kind === "metric"))("metric: $name", ({ bytes, cause }) => {
    expect(() => parseCanonical(bytesOf(bytes))).toThrow(expect.objectContaining({ code: cause }));
  });

  test.each(all.filter(({ kind }) => kind === "index"))("index: $name", ({ bytes }) => {
    expect(ChunkIds.parse(bytesOf(bytes))).toBeUndefined();
  });

  test.each(all.filter(({ kind }) => kind === "record"))("record: $name", ({ bytes }) => isRefused(bytesOf(bytes)));
});
