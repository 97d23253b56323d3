// Checks for the files of @moonpack/series and series-kv: pages of databases, and records of the log. Inputs lack lengths and checksums, which are
// added here: with a wrong one the rest would never be read.
import { isDeepStrictEqual } from "node:util";
import { crc32 } from "node:zlib";
import { ByteWriter } from "moonpack/bytes";
import { RecordReader, recordAt, syncedNumber } from "../../../packages/series/build/log/record-reader.js";
import { RecordWriter, valueKind } from "../../../packages/series/build/log/record-writer.js";
import { PagePoints } from "../../../packages/series/build/page/page.js";
import { Values64 } from "../../../packages/series/build/page/values.js";
import { PageReader, PageWriter } from "../../../packages/series-kv/build/page/page.js";
import { outcome } from "./outcome.mjs";
import { loadTestModules } from "./test-modules.mjs";

const MINUTE = 28_333_320;
const GROUP = 2;
const SLOTS = 16;
const ALL = 0xffff;
/** Pages with more points are only read once: an hour may claim millions, which take long to compare. */
const MAX_COMPARED = 500;
const RECORD_HEADER = 16;

/** A copy of the points that a reader shows; every NaN becomes the one that is written. */
function copyOf({ times, values, length, isInt64 }) {
  const points = new PagePoints();
  points.times = times.slice(0, length);
  points.values = new Values64(length);
  points.values.words.set(values.words.subarray(0, 2 * length));
  if (!isInt64) for (let i = 0; i < length; i++) if (Number.isNaN(values.floats[i])) points.values.floats[i] = NaN;
  points.length = length;
  points.isInt64 = isInt64;
  return points;
}

/** The points in the form of the slow implementation. */
function slotOf(slot, { times, values, isInt64 }) {
  const rest = isInt64 ? { int64s: [...new BigInt64Array(values.words.buffer)] } : { floats: [...values.floats] };
  return { slot, times: [...times], ...rest };
}

/** A page that is read is written again as the slow implementation writes it, and reads back equal, each slot alone too. */
async function checkPage() {
  const { encodePage, encodePageKey } = await loadTestModules("packages/series/test/reference", ["page", "page-key"]);
  const key = Uint8Array.from(encodePageKey({ minute: MINUTE, group: GROUP }));
  const reader = new PageReader();
  const writer = new PageWriter();
  const memory = new PagePoints();

  /** The points of each slot that exists, of all slots or only of the wanted one. */
  function read(page, wanted) {
    const slots = new Array(SLOTS).fill(undefined);
    reader.read(key, page, wanted, memory, (slot, points) => {
      slots[slot] = points.length > MAX_COMPARED ? null : copyOf(points);
    });
    return slots;
  }

  return (body) => {
    const page = new Uint8Array(body.length + 4);
    page.set(body);
    new DataView(page.buffer).setUint32(body.length, crc32(body, crc32(key)), true);
    return outcome(
      () => read(page, ALL),
      page.length,
      (slots) => {
        if (slots.includes(null)) return "large";
        const span = body[1];
        const again = writer.write(key, span, slots);
        const present = slots.flatMap((points, slot) => (points === undefined ? [] : [slotOf(slot, points)]));
        const expected = encodePage({ minute: MINUTE, group: GROUP, span, slots: present }).bytes;
        if (Buffer.compare(again, Uint8Array.from(expected)) !== 0) throw new Error("the slow implementation differs");
        if (!isDeepStrictEqual(read(again, ALL), slots)) throw new Error("the page reads back different");
        for (const { slot } of present) {
          const alone = read(page, 1 << slot).map((points, k) => points ?? (k === slot ? undefined : slots[k]));
          if (!isDeepStrictEqual(alone, slots)) throw new Error(`slot ${slot} alone is different`);
        }
        return `${span} ${present.length} ${body[4]} ${body[5]} ${body.at(-1) >> 5} ${again.length >> 4}`;
      },
    );
  };
}

/** Passes the content of records to a writer. */
function copier(writer) {
  return {
    define: (id, type, canonical) => writer.define(id, type, canonical),
    points: (n, ids, times, values, areInt64) =>
      writer.points(n, ids.slice(0, n), times.slice(0, n), values, valueKind(values, 0, n, areInt64), 0),
    delete: (id, from, to) => writer.delete(id, from, to),
    forget: (id) => writer.forget(id),
    synced: (number) => writer.synced(number),
  };
}

/** Collects the content of records as texts. */
function textsOf(texts) {
  const hex = (view) => Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString("hex");
  return {
    define: (id, type, canonical) => texts.push(`define ${id} ${type} ${hex(canonical)}`),
    points: (n, ids, times, { words }, areInt64) =>
      texts.push(`${areInt64} ${ids.subarray(0, n)} ${times.subarray(0, n)} ${hex(words.subarray(0, 2 * n))}`),
    delete: (id, from, to) => texts.push(`delete ${id} ${from} ${to}`),
    forget: (id) => texts.push(`forget ${id}`),
    synced: (number) => texts.push(`synced ${number}`),
  };
}

/** The record of these bytes: type, three flags, body. */
function recordOf(bytes) {
  const length = Math.max(0, bytes.length - 4);
  const record = new Uint8Array((RECORD_HEADER + length + 7) & ~7);
  const view = new DataView(record.buffer);
  record.set(bytes, 12);
  view.setUint32(0, length, true);
  view.setUint32(8, 1, true);
  view.setUint32(4, crc32(record.subarray(8, RECORD_HEADER + length)), true);
  return record;
}

/** A record that is read is written again as one that says the same. The raw bytes, as a file, never do any harm. */
function checkLog() {
  const reader = new RecordReader();
  const viewOf = (file) => new DataView(file.buffer, file.byteOffset, file.length);

  /** The content of the record at a position; undefined without one. */
  function contentOf(file, at) {
    const view = viewOf(file);
    const head = recordAt(file, view, at);
    if (head === undefined) return undefined;
    if (!(head.start === at && head.end > at && head.end <= file.length && head.end % 8 === 0))
      throw new Error(`a record from ${head.start} to ${head.end}`);
    syncedNumber(view, head);
    const texts = [];
    reader.read(file, view, head, textsOf(texts));
    return texts;
  }

  return (bytes) => {
    const raw = bytes.slice();
    for (let at = 0; at < raw.length; at += 8)
      outcome(
        () => contentOf(raw, at),
        raw.length,
        () => "",
      );
    const record = recordOf(bytes);
    return outcome(
      () => contentOf(record, 0),
      record.length,
      (texts) => {
        if (texts === undefined) return "no record";
        const out = new ByteWriter();
        const view = viewOf(record);
        reader.read(record, view, recordAt(record, view, 0), copier(new RecordWriter(out, 1)));
        if (!isDeepStrictEqual(contentOf(out.written().slice(), 0), texts))
          throw new Error("the record reads back different");
        return `${record.subarray(12, 16)} ${Math.min(record.length >> 4, 20)}`;
      },
    );
  };
}

export const checks = { "series-page": checkPage, "series-log": checkLog };
