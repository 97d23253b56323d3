/** Texts that are not valid: the code and the place of each error. */

import { caught, caughtOurs } from "@moonpack/harness/caught.ts";
import {
  MoonpackError,
  metricsParser,
  PrometheusError,
  parseMetrics,
  type TextFormat,
} from "@moonpack/prometheus/text";
import { describe, expect, test } from "vitest";
import { readAll } from "./read.ts";

type Case = readonly [text: string, code: string, column: number];

const BOTH: readonly Case[] = [
  ["a", "ERR_TRUNCATED", 2],
  ["a ", "ERR_TRUNCATED", 3],
  ["a{", "ERR_TRUNCATED", 3],
  ["a{}", "ERR_TRUNCATED", 4],
  ["a{b", "ERR_TRUNCATED", 4],
  ["a{b=", "ERR_TRUNCATED", 5],
  ['a{b="c', "ERR_TRUNCATED", 5],
  ['a{b="c\\"} 1', "ERR_TRUNCATED", 5],
  ['a{b="c"', "ERR_TRUNCATED", 8],
  ["a x", "ERR_INVALID_BYTE", 3],
  ["a 0x10", "ERR_INVALID_BYTE", 3],
  ["a 1_0", "ERR_INVALID_BYTE", 3],
  ["a +nan", "ERR_INVALID_BYTE", 3],
  ["a 1e", "ERR_INVALID_BYTE", 3],
  ["a 1e999", "ERR_OUT_OF_RANGE", 3],
  ["a 1 x", "ERR_INVALID_BYTE", 5],
  ["a 1 NaN", "ERR_INVALID_BYTE", 5],
  ["a 1 99999999999999999999", "ERR_OUT_OF_RANGE", 5],
  ["a 1 2 3", "ERR_TRAILING_BYTES", 6],
  ["9a 1", "ERR_INVALID_BYTE", 1],
  ["é 1", "ERR_INVALID_BYTE", 1],
  ["a.b 1", "ERR_INVALID_BYTE", 2],
  ['a{b.c="d"} 1', "ERR_INVALID_BYTE", 4],
  ["a{b='d'} 1", "ERR_INVALID_BYTE", 5],
  ["a{,} 1", "ERR_INVALID_BYTE", 3],
  ['a{b="c",,} 1', "ERR_INVALID_BYTE", 9],
  ['a{b:c="d"} 1', "ERR_INVALID_BYTE", 4],
  ['a{""="d"} 1', "ERR_INVALID_METRIC", 3],
  ["{} 1", "ERR_INVALID_METRIC", 1],
  ['{""} 1', "ERR_INVALID_METRIC", 1],
  ['{b="c"} 1', "ERR_INVALID_METRIC", 1],
  ['a{"b"} 1', "ERR_DUPLICATE_KEY", 3],
  ['{"a","b"} 1', "ERR_DUPLICATE_KEY", 6],
  ['a{b="1",b="2"} 1', "ERR_DUPLICATE_KEY", 9],
  ['a{b="1","b"="2"} 1', "ERR_DUPLICATE_KEY", 9],
  ['a{__name__="b"} 1', "ERR_DUPLICATE_KEY", 3],
  ["# TYPE a other", "ERR_INVALID_BYTE", 10],
  ["# TYPE 9 gauge", "ERR_INVALID_BYTE", 8],
  ["# HELP a.b c", "ERR_INVALID_BYTE", 9],
  ['# HELP "a b', "ERR_TRUNCATED", 8],
];
const PROMETHEUS: readonly Case[] = [
  ["a 1 1.5", "ERR_INVALID_BYTE", 5],
  ["a 1 1e3", "ERR_INVALID_BYTE", 5],
  ['a 1 # {b="c"} 1', "ERR_TRAILING_BYTES", 4],
  ["# TYPE a unknown", "ERR_INVALID_BYTE", 10],
  ["# TYPE a info", "ERR_INVALID_BYTE", 10],
  ["# TYPE a", "ERR_INVALID_BYTE", 9],
  ["a\r1", "ERR_INVALID_BYTE", 2],
  ["a \r", "ERR_TRUNCATED", 3],
];
const OPENMETRICS: readonly Case[] = [
  [" a 1", "ERR_INVALID_BYTE", 1],
  ["a  1", "ERR_INVALID_BYTE", 3],
  ["a\t1", "ERR_INVALID_BYTE", 2],
  ["a 1 ", "ERR_TRUNCATED", 5],
  ['a{b="c"}1', "ERR_INVALID_BYTE", 9],
  ["a {} 1", "ERR_INVALID_BYTE", 3],
  ['a{ b="c"} 1', "ERR_INVALID_BYTE", 3],
  ['a{b="c" d="e"} 1', "ERR_INVALID_BYTE", 8],
  ["a 1\r", "ERR_INVALID_BYTE", 3],
  ["", "ERR_TRUNCATED", 1],
  ["#", "ERR_INVALID_BYTE", 1],
  ["# comment", "ERR_INVALID_BYTE", 1],
  ["#  HELP a b", "ERR_INVALID_BYTE", 1],
  ["# HELP a", "ERR_TRUNCATED", 9],
  ["# TYPE a untyped", "ERR_INVALID_BYTE", 10],
  ["# TYPE a counter ", "ERR_INVALID_BYTE", 10],
  ["# UNIT a_seconds bytes", "ERR_INVALID_METRIC", 18],
  ["# UNIT aseconds seconds", "ERR_INVALID_METRIC", 17],
  ["# EOF ", "ERR_INVALID_BYTE", 1],
  ["a 1 # b 1", "ERR_INVALID_BYTE", 7],
  ['a 1 # {b="c"}', "ERR_TRUNCATED", 14],
  ['a 1 # {b="c"} ', "ERR_TRUNCATED", 15],
  ['a 1 # {"b"} 1', "ERR_INVALID_BYTE", 11],
  ['a 1 # {b="c"} 1 2 3', "ERR_TRAILING_BYTES", 18],
  ["a 1 # {} 1 NaN", "ERR_INVALID_BYTE", 12],
];

/** A text whose third line is not valid is read without it; without `onError` its error is thrown. */
function check(format: TextFormat, [line, code, column]: Case): void {
  const end = format === "openmetrics" ? "\n# EOF\n" : "\n";
  const text = `good 1\ngood 2\n${line}\ngood 3${end}`;
  const { samples, errors, counts } = readAll(text, format);
  expect(errors).toEqual([[code, 3, column]]);
  expect(samples.map(({ value }) => value)).toEqual([1, 2, 3]);
  expect(counts).toMatchObject({ samples: 3, errors: 1 });
  const error = caught(() => parseMetrics(text, { format })) as PrometheusError;
  expect(error).toBeInstanceOf(PrometheusError);
  expect(error).toMatchObject({ code, line: 3, column });
  expect(error.message).toMatch(`line 3, column ${column}: `);
}

describe("both formats", () => {
  for (const format of ["prometheus", "openmetrics"] as const)
    test.each(BOTH)(`${format}: %j`, (...found) => check(format, found));
});
test.each(PROMETHEUS)("prometheus: %j", (...found) => check("prometheus", found));
test.each(OPENMETRICS)("openmetrics: %j", (...found) => check("openmetrics", found));

test("texts of errors are safe to print", () => {
  const error = caught(() => parseMetrics("a{\u202e\u009b")) as PrometheusError;
  expect(error.message).toBe('line 1, column 3: expected a label\'s name or }, found "\\u202e"');
});

test("the end of OpenMetrics", () => {
  expect(readAll("a 1\n", "openmetrics").errors).toEqual([["ERR_TRUNCATED", 2, 1]]);
  expect(readAll("", "openmetrics").errors).toEqual([["ERR_TRUNCATED", 1, 1]]);
  expect(readAll("a 1\n# EOF\na 2\n\n", "openmetrics").errors).toEqual([
    ["ERR_TRAILING_BYTES", 3, 1],
    ["ERR_TRAILING_BYTES", 4, 1],
  ]);
});

test("text that is not UTF-8", () => {
  const bytes = Uint8Array.of(0x61, 0x7b, 0x62, 0x3d, 0x22, 0xff, 0x22, 0x7d, 0x20, 0x31, 0x0a);
  expect(readAll(bytes).errors).toEqual([["ERR_INVALID_UTF8", 1, 1]]);
  // Prometheus does not look into comments.
  expect(readAll(Uint8Array.of(0x23, 0x20, 0xff, 0x0a)).counts).toMatchObject({ comments: 1, errors: 0 });
  const help = new Uint8Array([...new TextEncoder().encode("# HELP a "), 0xff]);
  expect(readAll(help).errors).toEqual([["ERR_INVALID_UTF8", 1, 1]]);
  expect(caughtOurs(() => parseMetrics('a{b="\ud800"} 1')).code).toBe("ERR_INVALID_ARGUMENT");
});

test("after an error that it throws, a parser reads no more", () => {
  const parser = metricsParser({ onSample: () => undefined });
  const bad = new TextEncoder().encode("a x\n");
  expect(caughtOurs(() => parser.write(bad)).code).toBe("ERR_INVALID_BYTE");
  expect(caughtOurs(() => parser.write(bad)).code).toBe("ERR_CLOSED");
  expect(caughtOurs(() => parser.end()).code).toBe("ERR_CLOSED");
});

test("a parser ends once, and its callbacks may not call it", () => {
  const bytes = new TextEncoder().encode("a 1\n");
  const codes: unknown[] = [];
  const parser = metricsParser({ onSample: () => codes.push(caughtOurs(() => parser.write(bytes)).code) });
  parser.write(bytes);
  expect(codes).toEqual(["ERR_CLOSED"]);
  expect(parser.end().samples).toBe(1);
  expect(caughtOurs(() => parser.end()).code).toBe("ERR_CLOSED");
});

test("an error of a callback is thrown as it is, and ends the parser", () => {
  const own = new PrometheusError("ERR_TIMEOUT", "mine");
  const errors: unknown[] = [];
  const parser = metricsParser({
    onSample() {
      throw own;
    },
    onError: (error) => errors.push(error),
  });
  const bytes = new TextEncoder().encode("a 1\n");
  expect(caught(() => parser.write(bytes))).toBe(own);
  expect(errors).toEqual([]);
  expect(caughtOurs(() => parser.end()).code).toBe("ERR_CLOSED");
});

test("arguments", () => {
  const wrong: readonly (() => unknown)[] = [
    () => metricsParser({} as never),
    () => metricsParser({ onSample: 1 } as never),
    () => metricsParser({ onSample() {}, format: "json" } as never),
    () => metricsParser({ onSample() {}, onError: 1 } as never),
    () => metricsParser({ onSample() {}, maxLineBytes: 0 }),
    () => metricsParser({ onSample() {} }).write("a 1" as never),
    () => parseMetrics(5 as never),
    () => parseMetrics("", { format: "json" } as never),
    () => parseMetrics("", { onError: 1 } as never),
    () => parseMetrics("", { formt: "prometheus" } as never),
  ];
  for (const call of wrong) {
    const error = caught(call) as MoonpackError;
    expect(error).toBeInstanceOf(MoonpackError);
    expect(error.code).toBe("ERR_INVALID_ARGUMENT");
  }
  expect(() => metricsParser({ onSample() {}, onSampel() {} } as never)).toThrow("did you mean onSample?");
});
