/** Formats of Prometheus' world beside its text: what promtool dumps, VictoriaMetrics' lines, and what export writes in them. */
import type { MetricHandle } from "@moonpack/series";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inBatches } from "../src/series/export-formats.js";
import { prometheusFormatter, victoriaMetricsFormatter } from "../src/series/export-prometheus.js";
import { labelText, storedText } from "../src/series/stored-text.js";
import { readPoints } from "./series-points.js";

const dump = (text: string, more = {}) => readPoints(text, { format: "tsdb-dump", ...more });
const victoria = (text: string, more = {}) => readPoints(text, { format: "victoriametrics", ...more });
const T = 1_769_860_800_000;

describe("promtool tsdb dump", () => {
  test.each([
    [`{__name__="up", job="a"} 1 ${T}`, `up{job="a"} ${T} 1`],
    [`{__name__="up"} 1e+06 ${T}`, `up ${T} 1000000`],
    [`{__name__="up"} NaN ${T}`, `up ${T} NaN`],
    [`{__name__="up"} -Inf ${T}`, `up ${T} -Infinity`],
    [`{__name__="a b", "c.d"="e", f="}, \\"{"} 1 ${T}`, `"a b"{c.d="e",f="}, \\"{"} ${T} 1`],
    [`{"my.metric"="x", __name__="m"} 1 ${T}`, `m{my.metric="x"} ${T} 1`],
    [`{__name__="m", x="\\u00e9\\u2028\\\\\\U0001f600é"} 1 ${T}`, `m{x="é\u2028\\\\😀é"} ${T} 1`],
  ])("%s", async (line, point) => {
    expect(await dump(line)).toMatchObject({ points: [point], errors: [] });
  });

  test("Go's escapes of control characters", async () => {
    const { written } = await dump(`{__name__="m", x="\\a\\b\\f\\n\\r\\t\\v\\x00\\x7f\\""} 1 ${T}`);
    expect(written[0]!.metric.tags).toEqual({ x: '\x07\b\f\n\r\t\v\0\x7f"' });
  });

  test("native histograms are counted", async () => {
    const text = `{__name__="h", a="b"} {count:3, sum:5, [-1,1]:2} ${T}\n{__name__="h"} 1 ${T}\n`;
    expect(await dump(text)).toMatchObject({ points: [`h ${T} 1`], errors: [], ignored: { histograms: 1 } });
  });

  test.each([
    ["up 1 5", '1:1 ERR_INVALID_BYTE expected {, found "u"'],
    ['{__name__="up" 1 5', "1:19 ERR_TRUNCATED the brace is not closed"],
    ['{__name__="up} 1 5', "1:19 ERR_TRUNCATED the quote is not closed"],
    ['{__name__="up"}1 5', '1:16 ERR_INVALID_BYTE expected a space and a value, found "1"'],
    ['{__name__="up"} 1', "1:18 ERR_TRUNCATED the timestamp is missing"],
    ['{__name__="up"} x 5', '1:17 ERR_OUT_OF_RANGE the value "x" is not a number'],
    ['{__name__="up"} 1 2 5', '1:17 ERR_OUT_OF_RANGE the value "1 2" is not a number'],
    ['{__name__="up"} 1 x', '1:19 ERR_OUT_OF_RANGE the timestamp "x" is neither a number (of ms) nor an ISO 8601 time'],
    ['{a="b"} 1 5', "1:1 ERR_INVALID_METRIC the labels have no __name__"],
    ['{__name__="up", a="b", a="c"} 1 5', '1:24 ERR_DUPLICATE_KEY the label "a" occurs twice'],
    ['{__name__="up" a="b"} 1 5', '1:15 ERR_INVALID_BYTE expected a comma or }, found " "'],
    ["{__name__=up} 1 5", '1:11 ERR_INVALID_BYTE expected a value in quotes, found "u"'],
    ['{__name__="\\xff"} 1 5', '1:12 ERR_INVALID_BYTE "\\\\xff" is not the escape of a character'],
    ['{__name__="\\q"} 1 5', '1:12 ERR_INVALID_BYTE "\\\\q" is not the escape of a character'],
    ['{__name__="\\UFFFFFFFF"} 1 5', '1:12 ERR_INVALID_BYTE "\\\\UFFFFFFFF" is not the escape of a character'],
  ])("%j is refused", async (line, error) => {
    expect(await dump(line)).toMatchObject({ points: [], errors: [error] });
  });

  test("random lines are points or errors of their lines", async () => {
    const unit = fc.constantFrom("{", "}", '"', "=", ",", " ", "a", "__name__", "\\", "1", "x41", "u00e9");
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit, maxLength: 20 }), { maxLength: 5 }), async (lines) => {
        for (const error of (await dump(lines.join("\n"))).errors)
          expect(error).toMatch(/^\d+(:\d+)? ERR_[A-Z_\d]+ .+/);
      }),
      { numRuns: 500 },
    );
  });
});

describe("VictoriaMetrics' JSON lines", () => {
  test("points of a line", async () => {
    const text = `{"metric":{"__name__":"up","job":"a"},"values":[1,null,"-Infinity",-0],"timestamps":[${T},${T + 1},${T + 2},${T + 3}]}\n`;
    expect(await victoria(`${text}\n{"timestamps":[],"values":[],"metric":{"__name__":"x"}}\n`)).toMatchObject({
      points: [
        `up{job="a"} ${T} 1`,
        `up{job="a"} ${T + 1} NaN`,
        `up{job="a"} ${T + 2} -Infinity`,
        `up{job="a"} ${T + 3} -0`,
      ],
      errors: [],
    });
  });

  const line = (metric: string, values: string, timestamps: string) =>
    `{"metric":${metric},"values":${values},"timestamps":${timestamps}}`;
  const up = '{"__name__":"up"}';
  const FORM = '{"metric": {..}, "values": [..], "timestamps": [..]}';
  test.each([
    ["{", "1:2 ERR_TRUNCATED expected "],
    [`{"metric":${up},"values":[1]}`, `1 ERR_TRUNCATED timestamps is missing in ${FORM}`],
    [`{"metric":${up},"values":[1],"timestamps":[5],"x":1}`, `1 ERR_UNSUPPORTED_TYPE unknown member "x" in ${FORM}`],
    [line(up, "[1]", "[5,6]"), "1 ERR_TRUNCATED there are 1 values and 2 timestamps"],
    [line("{}", "[1]", "[5]"), "1 ERR_INVALID_METRIC the labels have no __name__"],
    [line('{"__name__":1}', "[1]", "[5]"), '1 ERR_UNSUPPORTED_TYPE the label "__name__" must be a string, not 1'],
    [line("[]", "[1]", "[5]"), "1 ERR_UNSUPPORTED_TYPE metric must be an object of strings, not an array"],
    [line(up, "1", "[5]"), "1 ERR_UNSUPPORTED_TYPE values must be an array, not 1"],
    [
      line(up, '[1,"x"]', "[5,6]"),
      '1 ERR_UNSUPPORTED_TYPE values[1] must be a finite number, null, or Infinity in quotes, not "x"',
    ],
    [
      line(up, "[1e999]", "[5]"),
      "1 ERR_UNSUPPORTED_TYPE values[0] must be a finite number, null, or Infinity in quotes, not Infinity",
    ],
    [line(up, "[1]", '["5"]'), '1 ERR_UNSUPPORTED_TYPE timestamps[0] must be a number, not "5"'],
    [line(up, "[1]", "[-5]"), "1 ERR_OUT_OF_RANGE the timestamp "],
    [line('{"__name__":"up","a":"x","a":"y"}', "[1]", "[5]"), "1 ERR_DUPLICATE_KEY a member or a label occurs twice"],
  ])("%j is refused", async (text, error) => {
    const { points, errors } = await victoria(text);
    expect([points, errors.map((text) => text.startsWith(error))]).toEqual([[], [true]]);
  });

  test("the reader of NDJSON names the format", async () => {
    const { errors } = await readPoints(line(up, "[1]", "[5]"), { format: "ndjson" });
    expect(errors[0]).toContain("VictoriaMetrics' JSON lines are --format victoriametrics");
  });
});

describe("truncations", () => {
  const TEXTS = {
    "tsdb-dump": `{__name__="up", job="a"} 1 ${T}\n{__name__="h"} {count:3} ${T}\n{__name__="up", x="\\u00e9"} 2 ${T}\n`,
    victoriametrics: `{"metric":{"__name__":"up"},"values":[1,null],"timestamps":[${T},${T + 1}]}\n{"metric":{"__name__":"é"},"values":["Infinity"],"timestamps":[${T}]}\n`,
    openmetrics: `# TYPE a counter\na_total{l="é\\n"} 1 1.5 # {x="y"} 1 2\nb 2\n# EOF\n`,
    prometheus: `# TYPE a counter\na{l="é\\n"} 1 ${T}\n{"b c"} 2\n`,
    line: `cpu,host=a load=1,s="x\ny" ${T}000000\nlog,host=é n=2i ${T}000000\n`,
  } as const;

  test.each(
    Object.entries(TEXTS),
  )("%s: each line that is whole is read, and what is cut is said", async (format, text) => {
    const bytes = new TextEncoder().encode(text);
    const of = (bytes: Uint8Array) => readPoints(bytes, { format: format as keyof typeof TEXTS });
    const whole = await of(bytes);
    expect(whole.errors).toEqual([]);
    for (let end = 0; end < bytes.length; end++) {
      const { points, errors } = await of(bytes.subarray(0, end));
      for (const error of errors) expect(error).toMatch(/^\d+(:\d+)? ERR_[A-Z_\d]+ .+/);
      // Only the last point can differ: a number that is cut is another number.
      expect(points.slice(0, -1), String(end)).toEqual(whole.points.slice(0, Math.max(points.length - 1, 0)));
      expect(points.length, String(end)).toBeLessThanOrEqual(whole.points.length);
      // OpenMetrics says that its end is missing, unless only the last line feed is.
      if (format === "openmetrics" && end < bytes.length - 1) expect(errors.length, String(end)).toBeGreaterThan(0);
    }
  });
});

describe("export", () => {
  const metric = (name: string, tags = {}, type: "float" | "int64" = "float"): MetricHandle => ({
    id: 0,
    name,
    tags,
    type,
  });
  const write = (
    formatter: ReturnType<typeof victoriaMetricsFormatter>,
    handle: MetricHandle,
    values: (number | bigint)[],
  ) => {
    const batch = { length: values.length, timestamps: values.map((_, i) => T + i * 1001), values };
    return formatter.head + formatter.batchesOf(handle)(batch) + formatter.foot;
  };

  test("texts", () => {
    const values = [1, NaN, Infinity, -Infinity, -0];
    expect(write(inBatches(prometheusFormatter("prometheus")), metric("up", { job: "a" }), values)).toBe(
      `up{job="a"} 1 ${T}\nup{job="a"} NaN ${T + 1001}\nup{job="a"} +Inf ${T + 2002}\nup{job="a"} -Inf ${T + 3003}\nup{job="a"} -0 ${T + 4004}\n`,
    );
    expect(write(inBatches(prometheusFormatter("openmetrics")), metric("cpu.load"), [0.5, 7n])).toBe(
      '{"cpu.load"} 0.5 1769860800.000\n{"cpu.load"} 7 1769860801.001\n# EOF\n',
    );
    expect(write(victoriaMetricsFormatter(), metric("up", { job: "a" }), values)).toBe(
      `{"metric":{"__name__":"up","job":"a"},"values":[1,null,"Infinity","-Infinity",-0],"timestamps":[${values.map((_, i) => T + i * 1001)}]}\n`,
    );
    expect(write(victoriaMetricsFormatter(), metric("up"), [])).toBe("");
  });

  test("what these formats cannot hold is refused", () => {
    for (const formatter of [inBatches(prometheusFormatter("prometheus")), victoriaMetricsFormatter()]) {
      expect(() => write(formatter, metric("a", {}, "int64"), [2n ** 53n + 1n])).toThrow(
        "Prometheus cannot hold a, which has the int64 9007199254740993, which a float cannot hold exactly; use ndjson or csv",
      );
      expect(() => write(formatter, metric("a", { __name__: "b" }), [1])).toThrow("a tag __name__");
      // A tag that did not come from such a format: import would add U+E0FF.
      for (const handle of [metric("\ue0a0"), metric("a", { "\ue0ffb": "c" }), metric("a", { b: "\ue080" })])
        expect(() => write(formatter, handle, [1])).toThrow("a character from U+E000 to U+E0FF");
    }
  });

  test("what is written is read back: any name, tags and value", async () => {
    const word = fc.string({
      unit: fc.constantFrom(
        "a",
        "_",
        ".",
        ",",
        "=",
        " ",
        "\\",
        '"',
        "#",
        "é",
        "\n",
        "{",
        "}",
        "\ue00a",
        "\ue0ff",
        "\x7f",
      ),
      minLength: 1,
      maxLength: 6,
    });
    const formats = ["prometheus", "openmetrics", "victoriametrics"] as const;
    await fc.assert(
      fc.asyncProperty(
        word,
        fc.dictionary(word, word, { maxKeys: 3 }),
        fc.array(fc.oneof(fc.double(), fc.constantFrom(NaN, Infinity, -0)), { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...formats),
        async (name, tags, values, format) => {
          const formatter =
            format === "victoriametrics" ? victoriaMetricsFormatter() : inBatches(prometheusFormatter(format));
          // The store has no control characters.
          const stored = Object.fromEntries(Object.entries(tags).map((pair) => pair.map(storedText)));
          const text = write(formatter, metric(storedText(name), stored), values);
          const { written, errors } = await readPoints(text, { format });
          expect(errors).toEqual([]);
          expect(written.map(({ value }) => value)).toEqual(values);
          expect(written.map(({ timestamp }) => timestamp)).toEqual(values.map((_, i) => T + i * 1001));
          for (const { metric } of written) expect(metric).toMatchObject({ name, tags: { ...tags } });
        },
      ),
      { numRuns: 600 },
    );
  });

  test("stored texts are texts again", () => {
    const unit = fc.constantFrom(
      "a",
      "\n",
      "\0",
      "\x7f",
      "\ue000",
      "\ue00a",
      "\ue07f",
      "\ue0ff",
      "\ue0fe",
      "\x80",
      "é",
    );
    fc.assert(fc.property(fc.string({ unit }), (text) => void expect(labelText(storedText(text))).toBe(text)));
  });
});
