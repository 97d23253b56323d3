/**
 * The vectors of vectors/series, which the slow implementation wrote: the code under test writes the same bytes, reads them back, and
 * refuses what is damaged, cut or too long.
 */
import { readFileSync } from "node:fs";
import { ByteReader, ByteWriter, DecodeError } from "moonpack/bytes";
import { describe, expect, test } from "vitest";
import { hasHead, logHead } from "../src/log/log-files.ts";
import { recordAt } from "../src/log/record-reader.ts";
import { RecordWriter } from "../src/log/record-writer.ts";
import { CanonicalForms, parseCanonical } from "../src/metric/canonical.ts";
import type { MetricType } from "../src/metric/metric.ts";
import { ChunkIds, chunkOf } from "../src/metric/tag-index.ts";
import { PagePoints, PageReader, PageWriter, type Span } from "../src/page/page.ts";
import { groupOfKey, minuteOfKey, pageKey } from "../src/page/page-key.ts";
import { TimeColumns, Times } from "../src/page/time-column.ts";
import { ValueBlocks } from "../src/page/value-block.ts";
import { Values64 } from "../src/page/values.ts";
import { formKey, formValue, idKey, idValue } from "../src/registry/metric-entries.ts";
import { RegisteredMetric } from "../src/registry/registered-metric.ts";
import { IndexKeys } from "../src/select/index-keys.ts";
import { hexOf, placed, slotOf, values64Of, valuesOf } from "./harness/points.ts";
import { recordsOf, writeRecord } from "./harness/records.ts";
import { craftRecord, sealPage } from "./reference/crafted.ts";
import type { LogRecord } from "./reference/log-record.ts";
import type { Slot } from "./reference/page.ts";
import { countOf, type Values } from "./reference/values.ts";

type JsonValues = { floats: (number | string)[] } | { int64s: string[] };
type Json = { readonly name: string };

function vectorsOf<T>(file: string): (Json & T)[] {
  const text = readFileSync(new URL(`../../../vectors/series/${file}.json`, import.meta.url), "utf8");
  return (JSON.parse(text) as { vectors: (Json & T)[] }).vectors;
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(hex, "hex"));
}

function fromJson(json: JsonValues): Values {
  return "floats" in json ? { floats: json.floats.map(Number) } : { int64s: json.int64s.map(BigInt) };
}

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

type JsonPage = {
  minute: number;
  group: number;
  span: Span;
  slots: ({ slot: number; times: number[] } & JsonValues)[];
  key: string;
  bytes: string;
};

function readPage(key: Uint8Array, bytes: Uint8Array): Slot[] {
  const slots: Slot[] = [];
  new PageReader().read(key, bytes, 0xffff, new PagePoints(), (slot, points) => slots.push(slotOf(slot, points)));
  return slots;
}

describe("pages", () => {
  test.each(vectorsOf<JsonPage>("pages"))("$name", ({ minute, group, span, slots: json, key, bytes }) => {
    const slots = json.map(({ slot, times, ...values }): Slot => ({ slot, times, ...fromJson(values) }));
    const keyBytes = pageKey(minute, group);
    expect(hexOf(keyBytes)).toBe(key);
    expect(minuteOfKey(keyBytes)).toBe(minute);
    expect(groupOfKey(keyBytes)).toBe(group);
    const written = new PageWriter().write(keyBytes, span, placed(slots));
    expect(hexOf(written)).toBe(bytes);
    expect(readPage(keyBytes, written)).toEqual(slots);

    // Of each prefix the checksum is wrong. With a right one bytes are missing.
    const body = written.subarray(0, -4);
    for (let i = 0; i < written.length; i++) expect(() => readPage(keyBytes, written.subarray(0, i))).toThrow();
    for (let i = 0; i < body.length; i++) {
      const cut = Uint8Array.from(sealPage([...keyBytes], [...body.subarray(0, i)]));
      expect(() => readPage(keyBytes, cut)).toThrow(expect.objectContaining({ code: "ERR_TRUNCATED" }));
    }
    const longer = Uint8Array.from(sealPage([...keyBytes], [...body, 0]));
    expect(() => readPage(keyBytes, longer)).toThrow(expect.objectContaining({ code: "ERR_TRAILING_BYTES" }));
    expect(() => readPage(keyBytes, Uint8Array.of(...written, 0))).toThrow(DecodeError);
  });
});

type JsonMetric = {
  metric: { name: string; tags: [string, string][] };
  id: number;
  type: MetricType;
  canonical: string;
  entries: [key: string, value: string][];
  code?: string;
};

describe("metrics", () => {
  const forms = new CanonicalForms();
  const all = vectorsOf<JsonMetric>("metrics");
  const of = ({ metric }: JsonMetric) => forms.of({ name: metric.name, tags: Object.fromEntries(metric.tags) });

  test.each(all.filter(({ code }) => code === undefined))("$name", (vector) => {
    const form = of(vector);
    expect(hexOf(form)).toBe(vector.canonical);
    const pending = { form, metric: new RegisteredMetric({}, vector.id, vector.metric.name, {}, vector.type) };
    expect([[formKey(form), formValue(pending)].map(hexOf), [idKey(vector.id), idValue(pending)].map(hexOf)]).toEqual(
      vector.entries,
    );
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
  type Damage = { kind: "page" | "metric" | "index" | "record"; key: string; bytes: string; cause?: string };
  const all = vectorsOf<Damage>("damaged");

  test.each(all.filter(({ kind }) => kind === "page"))("page: $name", ({ key, bytes, cause }) => {
    expect(() => readPage(bytesOf(key), bytesOf(bytes))).toThrow(expect.objectContaining({ code: cause }));
  });

  test.each(all.filter(({ kind }) => kind === "metric"))("metric: $name", ({ bytes, cause }) => {
    expect(() => parseCanonical(bytesOf(bytes))).toThrow(expect.objectContaining({ code: cause }));
  });

  test.each(all.filter(({ kind }) => kind === "index"))("index: $name", ({ bytes }) => {
    expect(ChunkIds.parse(bytesOf(bytes))).toBeUndefined();
  });

  test.each(all.filter(({ kind }) => kind === "record"))("record: $name", ({ bytes }) => isRefused(bytesOf(bytes)));
});
