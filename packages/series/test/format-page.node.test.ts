/** The examples in docs/series-format.md are what the slow implementation writes. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Bytes, Cursor, hexOf } from "./reference/bytes.ts";
import { logExample, pageExample } from "./reference/examples.ts";
import { decodeLogHead, encodeLogHead, encodeRecord } from "./reference/log-record.ts";
import { encodeMetric, type Metric } from "./reference/metric.ts";
import { encodePage } from "./reference/page.ts";
import { encodePageKey } from "./reference/page-key.ts";
import { chunkOf, encodeChunk, indexKey } from "./reference/tag-index.ts";
import { encodeTimes } from "./reference/times.ts";
import { encodeValues } from "./reference/values.ts";
import { readUvar, uvar, zig } from "./reference/varint.ts";

const PAGE = readFileSync(new URL("../../../docs/series-format.md", import.meta.url), "utf8");

/** The rows of all tables with these columns, each row as its cells without the marks of code. */
function rowsOf(...columns: readonly string[]): string[][] {
  const tables = PAGE.matchAll(/^\|(.*)\|\n\|[ |-]+\|\n((?:\|.*\|\n)+)/gm);
  const cells = (row: string) => row.split("|").map((cell) => cell.replaceAll("`", "").trim());
  return [...tables]
    .filter(([, head]) => cells(head!).join() === columns.join())
    .flatMap(([, , rows]) => rows!.trimEnd().split("\n"))
    .map((row) => cells(row).slice(1, -1));
}

const tidy = (hex: string | undefined) => hex!.replaceAll(" ", "");
const numbersOf = (list: string | undefined) => list!.split(" ").map(Number);

/** A test of each row of a table: its last cells must be these bytes. */
function tableTest(columns: readonly string[], least: number, bytesOf: (...cells: string[]) => readonly Bytes[]): void {
  test(columns.join(", "), () => {
    const rows = rowsOf(...columns);
    expect(rows.length).toBeGreaterThanOrEqual(least);
    for (const row of rows) {
      const bytes = bytesOf(...row);
      expect(row.slice(-bytes.length).map(tidy), row.join(" | ")).toEqual(bytes.map(hexOf));
    }
  });
}

/** `cpu{host=a1,dc=eu}`. */
function metricOf(text: string): Metric {
  const [, name, tags] = /^(\w+)(?:\{(.*)\})?$/.exec(text)!;
  const pairs = (tags ?? "").split(",").filter((tag) => tag !== "");
  return { name: name!, tags: pairs.map((tag) => tag.split("=") as [string, string]) };
}

tableTest(["metric", "canonical form"], 3, (metric) => [encodeMetric(metricOf(metric))]);

tableTest(["tag", "ids", "key", "value"], 2, (tag, ids) => {
  const [key, value] = tag.split("=");
  const list = numbersOf(ids);
  return [indexKey(key!, value!, chunkOf(list[0]!)), encodeChunk(list)];
});

tableTest(["minute", "group", "key"], 3, (minute, group) => [
  encodePageKey({ minute: Number(minute), group: Number(group) }),
]);

tableTest(["times", "bytes"], 5, (times) => [encodeTimes(numbersOf(times))]);

tableTest(["values", "block"], 9, (values) => [encodeValues({ floats: numbersOf(values) })]);

tableTest(["int64 values", "block"], 3, (values) => [encodeValues({ int64s: values.split(" ").map(BigInt) })]);

tableTest(["file", "head"], 1, (file, head) => {
  expect(decodeLogHead(Buffer.from(tidy(head), "hex").toJSON().data)).toBe(Number(file));
  return [encodeLogHead(Number(file))];
});

test("value, uvar, zig", () => {
  const rows = rowsOf("value", "uvar", "zig");
  expect(rows.length).toBeGreaterThanOrEqual(7);
  for (const [value, asUvar, asZig] of rows) {
    if (asUvar !== "") {
      expect(asUvar).toBe(hexOf(uvar(BigInt(value!))));
      expect(readUvar(new Cursor(uvar(BigInt(value!))))).toBe(BigInt(value!));
    }
    if (asZig !== "") expect(asZig).toBe(hexOf(zig(BigInt(value!))));
  }
});

test("the page and the record, byte by byte", () => {
  const parts = rowsOf("bytes", "part", "meaning");
  const { key, bytes } = encodePage(pageExample.page);
  const all = [...bytes, ...encodeRecord(logExample.number, logExample.record)];
  expect(parts.map(([part]) => tidy(part)).join("")).toBe(hexOf(all));
  expect(PAGE).toContain("key `0afa 00000002 2155`");
  expect(hexOf(key)).toBe("0afa000000022155");
});
