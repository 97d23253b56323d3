/** Vectors of canonical forms, index entries and log records that readers refuse. */
import { type Bytes, fixed, float64, hexOf, utf8 } from "../bytes.ts";
import { craftRecord } from "../crafted.ts";
import { encodeRecord } from "../log-record.ts";
import { encodeMetric } from "../metric.ts";
import { encodeChunk } from "../tag-index.ts";
import { uvar } from "../varint.ts";
import type { Vector } from "./notation.ts";
import { listOf } from "./random.ts";

/** A text with its length before it. */
function text(value: string): number[] {
  return [...uvar(utf8(value).length), ...utf8(value)];
}

/** A canonical form of these texts, whatever they are. */
function form(name: string, count: number, ...texts: readonly string[]): number[] {
  return [...text(name), ...uvar(count), ...texts.flatMap(text)];
}

export function damagedMetrics(): Vector[] {
  const metric = (name: string, cause: string, bytes: Bytes): Vector => ({
    name,
    kind: "metric",
    bytes: hexOf(bytes),
    cause,
  });
  return [
    metric("no bytes of a metric", "ERR_TRUNCATED", []),
    metric("a name without a character", "ERR_OUT_OF_RANGE", form("", 0)),
    metric("a name that is too long", "ERR_OUT_OF_RANGE", form("n".repeat(256), 0)),
    metric("a name with a control character", "ERR_OUT_OF_RANGE", form("a\n", 0)),
    metric("a name that is not UTF-8", "ERR_INVALID_UTF8", [1, 0xff, 0]),
    metric("33 tags in a form", "ERR_OUT_OF_RANGE", form("a", 33)),
    metric("a tag without a key", "ERR_OUT_OF_RANGE", form("a", 1, "", "v")),
    metric("a key that is too long", "ERR_OUT_OF_RANGE", form("a", 1, "k".repeat(128), "v")),
    metric("a tag without a value", "ERR_OUT_OF_RANGE", form("a", 1, "k", "")),
    metric("a value that is too long", "ERR_OUT_OF_RANGE", form("a", 1, "k", "v".repeat(1024))),
    metric("a value with U+007F", "ERR_OUT_OF_RANGE", form("a", 1, "k", "\u007f")),
    metric("a key twice", "ERR_MAP_ORDER", form("a", 2, "k", "1", "k", "2")),
    metric("keys that descend", "ERR_MAP_ORDER", form("a", 2, "l", "1", "k", "2")),
    metric("a key after the one that begins with it", "ERR_MAP_ORDER", form("a", 2, "kk", "1", "k", "2")),
    metric("a tag too few", "ERR_TRUNCATED", form("a", 2, "k", "1")),
    metric("a tag too many", "ERR_TRAILING_BYTES", form("a", 1, "k", "1", "l", "2")),
    metric("a count in two bytes", "ERR_NOT_SHORTEST", [...text("a"), 0x80, 0x00]),
  ];
}

export function damagedIndexEntries(): Vector[] {
  const entry = (name: string, bytes: Bytes): Vector => ({ name, kind: "index", bytes: hexOf(bytes) });
  const list = (...places: readonly number[]) => places.flatMap((place) => fixed(place, 2));
  return [
    entry("an entry without ids", []),
    entry("an odd number of bytes", [1]),
    entry("a place of 4,096", list(4096)),
    entry("places that descend", list(2, 1)),
    entry("a place twice", list(1, 1)),
    entry("257 places as a list", list(...listOf(257, (i) => 3 * i))),
    entry("a bitmap that is cut", encodeChunk(listOf(256, (i) => i)).slice(0, -1)),
  ];
}

export function damagedRecords(): Vector[] {
  const record = (name: string, bytes: Bytes): Vector => ({ name, kind: "record", bytes: hexOf(bytes) });
  const points = (name: string, n: number, flags: Bytes, rest: Bytes) =>
    record(name, craftRecord(1, 2, flags, [...fixed(n, 4), ...fixed(32, 4), ...float64(1.7e12), ...rest]));
  const none = [0, 0, 0];
  const metric = encodeMetric({ name: "cpu", tags: [] });
  const right = encodeRecord(1, { forget: { id: 33 } });
  const short = craftRecord(1, 9, none, [1]);
  return [
    record("nothing but zeros", new Array<number>(16).fill(0)),
    record("a wrong checksum of a record", right.with(4, right[4]! ^ 1)),
    record("a body that changed", right.with(16, right[16]! ^ 1)),
    record("a number that changed", right.with(8, 2)),
    record("padding that is not 0", short.with(-1, 1)),
    record("more bytes than a record may have", craftRecord(1, 4, none, fixed(33, 8), 65_536 * 20 + 65)),
    record("a record of type 0", craftRecord(1, 0, none, fixed(33, 8))),
    record("a record of type 6", craftRecord(1, 6, none, fixed(33, 8))),
    points("no points", 0, [0, 0, 2], []),
    points("65,537 points", 65_537, [0, 0, 2], []),
    points("times that are neither 0 nor 1", 1, [2, 0, 2], fixed(5, 2)),
    points("ids that are neither 0 nor 1", 1, [0, 2, 2], fixed(5, 2)),
    points("values of kind 4", 1, [0, 0, 4], float64(5)),
    points("a value too few", 2, [0, 0, 2], fixed(5, 2)),
    points("a value too many", 1, [0, 0, 0], [...float64(5), ...float64(5)]),
    points("an id too few", 3, [0, 1, 2], [...fixed(1, 4), ...fixed(2, 4)]),
    points("a time too few", 2, [1, 0, 2], float64(1.7e12)),
    record("a metric of type 2", craftRecord(1, 1, none, [...fixed(7, 4), 2, 0, 0, 0, ...metric])),
    record("a byte after the type", craftRecord(1, 1, none, [...fixed(7, 4), 1, 0, 1, 0, ...metric])),
    record("delete without an end", craftRecord(1, 3, none, [...fixed(33, 8), ...float64(0)])),
    record("delete with bytes after it", craftRecord(1, 3, none, [...fixed(33, 8), ...fixed(0, 24)])),
    record("forget of four bytes", craftRecord(1, 4, none, fixed(33, 4))),
    record("forget of nine bytes", craftRecord(1, 4, none, fixed(33, 9))),
    record("synced of four bytes", craftRecord(1, 5, none, fixed(33, 4))),
    record("synced of sixteen bytes", craftRecord(1, 5, none, fixed(33, 16))),
  ];
}
