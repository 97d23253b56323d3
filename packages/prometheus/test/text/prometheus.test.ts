/** Prometheus' own format, by docs/instrumenting/exposition_formats.md and the lexer of its server. */
import { metricsParser, parseMetrics } from "@moonpack/prometheus/text";
import { describe, expect, test } from "vitest";
import { readAll } from "./read.ts";

describe("samples", () => {
  const cases: readonly (readonly [string, string, Record<string, string>, number, number?])[] = [
    ["a 1", "a", {}, 1],
    ["  a \t 1\t", "a", {}, 1],
    ["a:b_9 1", "a:b_9", {}, 1],
    ["a{} 1", "a", {}, 1],
    ["a { } 1", "a", {}, 1],
    ['a{b="c"}1', "a", { b: "c" }, 1],
    ['a{b="c",} 1', "a", { b: "c" }, 1],
    ['a{ b = "c" , d = "e" } 1', "a", { b: "c", d: "e" }, 1],
    ['a{ b = "c" d = "e" } 1', "a", { b: "c", d: "e" }, 1],
    ['a{b=""} 1', "a", { b: "" }, 1],
    ['a{b="}{,=#"} 1', "a", { b: "}{,=#" }, 1],
    ['a{b="\\\\\\"\\n"} 1', "a", { b: '\\"\n' }, 1],
    ['a{b="C:\\dir\\\\n"} 1', "a", { b: "C:\\dir\\n" }, 1],
    ['a{b="é🙂\u0000\t"} 1', "a", { b: "é🙂\u0000\t" }, 1],
    ['{"a.b"} 1', "a.b", {}, 1],
    ['{"a.b","c.d"="e",f="g"} 1', "a.b", { "c.d": "e", f: "g" }, 1],
    ['{f="g","a\\"b"} 1', 'a"b', { f: "g" }, 1],
    ["a 1 5", "a", {}, 1, 5],
    ["a 1 -5", "a", {}, 1, -5],
    ["a 1   1395066363000  ", "a", {}, 1, 1395066363000],
    ["a 1 9007199254740991", "a", {}, 1, 9007199254740991],
    ["a 1 5\r", "a", {}, 1, 5],
    ["a 1\r", "a", {}, 1],
    [
      'msdos_file_access_time_seconds{path="C:\\\\DIR\\\\FILE.TXT",error="Cannot find file:\\n\\"FILE.TXT\\""} 1.458255915e9',
      "msdos_file_access_time_seconds",
      { path: "C:\\DIR\\FILE.TXT", error: 'Cannot find file:\n"FILE.TXT"' },
      1458255915,
    ],
  ];
  for (const [text, name, labels, value, timestamp] of cases) {
    test(JSON.stringify(text), () => {
      expect(readAll(text).samples).toEqual([{ name, labels, value, timestamp, exemplar: undefined }]);
      expect(readAll(`${text}\n`).samples).toEqual([{ name, labels, value, timestamp, exemplar: undefined }]);
    });
  }
});

test("values", () => {
  const cases: readonly (readonly [string, number])[] = [
    ["0", 0],
    ["-0", -0],
    ["+1", 1],
    ["5.", 5],
    [".5", 0.5],
    ["-.5e+3", -500],
    ["1E-7", 1e-7],
    ["4.9e-324", 5e-324],
    ["1e-999", 0],
    ["123456789012345678901", 123456789012345680000],
    ["+Inf", Infinity],
    ["-Inf", -Infinity],
    ["inf", Infinity],
    ["Infinity", Infinity],
    ["NaN", NaN],
    ["nan", NaN],
  ];
  for (const [text, value] of cases) expect(readAll(`a ${text}`).samples[0]?.value, text).toBe(value);
});

test("names of labels that objects have", () => {
  const { labels } = readAll('a{__proto__="1",constructor="2",hasOwnProperty="3","999999"="4"} 1').samples[0]!;
  expect(Object.entries(labels)).toEqual([
    ["999999", "4"],
    ["__proto__", "1"],
    ["constructor", "2"],
    ["hasOwnProperty", "3"],
  ]);
});

test("metadata and comments", () => {
  const text = [
    '# HELP a b  c\\n\\\\d\\"',
    "#\tTYPE \t a  counter ",
    "# HELP e",
    "# HELP e ",
    '# HELP "f.g" h',
    "#HELP a is a comment",
    "# HELPa b",
    "# UNIT a seconds",
    "# EOF",
    "#",
    "",
    "  \t",
    "# TYPE i untyped",
    "\r",
  ].join("\n");
  const { metadata, counts, errors } = readAll(text);
  expect(metadata).toEqual([
    { name: "a", help: 'b  c\n\\d\\"' },
    { name: "a", type: "counter" },
    { name: "e", help: "" },
    { name: "e", help: "" },
    { name: "f.g", help: "h" },
    { name: "i", type: "unknown" },
  ]);
  expect(errors).toEqual([]);
  expect(counts).toEqual({ samples: 0, exemplars: 0, comments: 5, errors: 0 });
});

test("families have the samples of their types, in any order", () => {
  const text = `# HELP h x
# TYPE h histogram
h_bucket{le="1"} 1
h_bucket{le="+Inf"} 2
# TYPE c_total counter
c_total 1
h_sum 3
h_count 2
# TYPE h_other gauge
h_other 1
# TYPE s summary
s{quantile="0.5"} 1
s_sum 1
s_count 1
s_bucket 1
c_total 2
`;
  const { families, format } = parseMetrics(text);
  expect(format).toBe("prometheus");
  expect(families.map(({ name, type, help, samples }) => [name, type, help, samples.map((each) => each.name)])).toEqual(
    [
      ["h", "histogram", "x", ["h_bucket", "h_bucket", "h_sum", "h_count"]],
      ["c_total", "counter", undefined, ["c_total", "c_total"]],
      ["h_other", "gauge", undefined, ["h_other"]],
      ["s", "summary", undefined, ["s", "s_sum", "s_count"]],
      ["s_bucket", undefined, undefined, ["s_bucket"]],
    ],
  );
});

test("other metadata begins another family of the same name", () => {
  const { families } = parseMetrics(
    "# TYPE x gauge\nx 1\n# TYPE x gauge\nx 2\n# TYPE x counter\nx_total 3\n# HELP x y\nx_total 4\n",
  );
  expect(families.map(({ type, help, samples }) => [type, help, samples.map(({ value }) => value)])).toEqual([
    ["gauge", undefined, [1, 2]],
    ["counter", "y", [3, 4]],
  ]);
  const late = parseMetrics("x 1\n# TYPE x gauge\nx 2\n").families;
  expect(late.map(({ type, samples }) => [type, samples.length])).toEqual([
    [undefined, 1],
    ["gauge", 1],
  ]);
});

test("the text of a series, without blanks around it, is a key for a cache", () => {
  const keys: string[] = [];
  const parser = metricsParser({ onSample: (_, series) => keys.push(series) });
  parser.write(new TextEncoder().encode('  a 1\na{b="c"}  2 5\na { b = "}" }3\n{"d"} 4\r\n'));
  parser.end();
  expect(keys).toEqual(["a", 'a{b="c"}', 'a { b = "}" }', '{"d"}']);
});
