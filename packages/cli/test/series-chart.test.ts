import fc from "fast-check";
import { expect, test } from "vitest";
import { type ChartData, connected, runsOf } from "../src/series/chart-data.js";
import { svgChart } from "../src/series/svg-chart.js";
import { terminalChart } from "../src/series/terminal-chart.js";
import { LABEL_WIDTH, timeTicks } from "../src/series/time-axis.js";
import { valueLabels } from "../src/series/value-labels.js";

const START = Date.parse("2026-01-31T12:00:00Z");

/** The data of lines, a value each second. */
function dataOf(...lines: readonly (readonly number[])[]): ChartData {
  const all = lines.flat().filter((value) => !Number.isNaN(value));
  return {
    from: START,
    to: START + lines[0]!.length * 1000,
    step: 1000,
    lines: lines.map((values, i) => ({ label: `m{i="${i}"}`, values: Float64Array.from(values) })),
    least: Math.min(...all),
    greatest: Math.max(...all),
  };
}

const plain = { height: 6, hasColours: false };
const _ = NaN;

test("a chart in the terminal: lines, gaps and labels", () => {
  const values = Array.from({ length: 40 }, (_, i) => (i < 15 ? i : i < 25 ? NaN : 40 - i));
  expect(
    terminalChart(dataOf(values), "title", plain),
  ).toBe(`title  2026-01-31T12:00:00.000Z to 2026-01-31T12:00:40.000Z (UTC)
m{i="0"}
       20┤
         │             ╭─          ─╮
       10┤         ╭───╯            ╰───╮
         │     ╭───╯                    ╰───╮
         │ ╭───╯                            ╰───╮
        0┤─╯                                    ╰─
         └┬──────────────┬──────────────┬──────────
      12:00:00       12:00:15       12:00:30
`);
});

test("labels of values are whole, also where no value is at one", () => {
  const value = fc.double({ min: -60, max: 60, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 30, maxLength: 70 }),
      fc.integer({ min: 6, max: 20 }),
      (values, height) => {
        fc.pre(Math.max(...values) - Math.min(...values) > 1);
        const rows = terminalChart(dataOf(values), "title", { height, hasColours: false }).split("\n");
        const labels = rows.filter((row) => row.includes("┤")).map((row) => Number(row.slice(0, row.indexOf("┤"))));
        const steps = labels.slice(1).map((label, i) => Math.round((labels[i]! - label) * 1e6) / 1e6);
        expect(steps.length).toBeGreaterThan(0);
        expect(steps[0]).toBeGreaterThan(0);
        expect(new Set(steps).size).toBe(1);
        expect(labels[0]).toBeGreaterThanOrEqual(Math.max(...values));
        expect(labels.at(-1)).toBeLessThanOrEqual(Math.min(...values));
      },
    ),
  );
});

test("points that come less often than columns are one line", () => {
  const values = Float64Array.of(0, _, _, 3, _, _, 6, _, _, 9, _, _, _, _, _, _, _, _, _, _, 20, _, _, 23);
  expect(runsOf(values).map((run) => run.map(([at]) => at))).toEqual([
    [0, 3, 6, 9],
    [20, 23],
  ]);
  expect([...connected(values)].slice(0, 12)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, NaN, NaN]);
  expect(runsOf(Float64Array.of(_, 5, _))).toEqual([[[1, 5]]]);
  expect(runsOf(Float64Array.of(_, _))).toEqual([]);
});

test.each([
  [0.5, 2.5, 0.5, "0.5"],
  [1, 10, 3, "3"],
  [10_000, 50_000, 20_000, "20000"],
  [50_000, 250_000, 150_000, "150k"],
  [0.25e6, 1.25e6, 0.75e6, "0.75M"],
  [0.2e9, 1.2e9, 0, "0"],
  [2e-8, 1e-7, 4e-8, "4.0e-8"],
  [1e299, 1e300, -1e300, "-1.0e+300"],
  [0.5, 2, -0.01, "0.0"],
])("with ticks every %d up to %d, %d is labelled %s", (step, most, value, label) => {
  expect(valueLabels(step, most)(value)).toBe(label);
});

test.each([
  [
    "2026-01-31T12:00:00.000Z",
    "2026-01-31T12:00:00.004Z",
    ["12:00:00.000", "12:00:00.001", "12:00:00.002", "12:00:00.003"],
  ],
  ["2026-01-31T12:00:00.000Z", "2026-01-31T12:00:20.000Z", ["12:00:00", "12:00:05", "12:00:10", "12:00:15"]],
  ["2026-01-31T12:00:00.000Z", "2026-02-01T12:00:00.000Z", ["12:00", "18:00", "2026-02-01", "06:00"]],
  ["2026-01-31T12:00:00.000Z", "2026-02-04T12:00:00.000Z", ["2026-02-01", "2026-02-02", "2026-02-03", "2026-02-04"]],
  ["2026-01-31T12:00:00.000Z", "2026-05-15T12:00:00.000Z", ["2026-02", "2026-03", "2026-04", "2026-05"]],
])("ticks from %s to %s", (from, to, labels) => {
  expect(timeTicks(Date.parse(from), Date.parse(to), 4).map(({ label }) => label)).toEqual(labels);
});

test("any finite values and times make a chart that fits, and SVG without NaN", () => {
  const values = fc.array(
    fc.oneof(fc.double({ noNaN: true, min: -1e300, max: 1e300 }), fc.constant(NaN), fc.integer()),
    {
      minLength: 30,
      maxLength: 60,
    },
  );
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 4e9 }), fc.boolean(), (values, step, hasColours) => {
      fc.pre(values.some((value) => !Number.isNaN(value)));
      const data = { ...dataOf(values), step, to: START + values.length * step };
      const [, , ...rows] = terminalChart(data, "t", { height: 8, hasColours }).split("\n");
      for (const row of rows) expect(row.length).toBeLessThanOrEqual(values.length + 11);
      const svg = svgChart(data, "t");
      expect(svg).not.toMatch(/NaN|Infinity|undefined/);
      for (const { label } of timeTicks(data.from, data.to, 5)) expect(label.length).toBeLessThanOrEqual(LABEL_WIDTH);
    }),
    { numRuns: 300 },
  );
});

test("texts are escaped: in SVG for XML, in the terminal control characters", () => {
  const data = dataOf([1, 2], [2, 1]);
  const [line, other] = data.lines;
  const lines = [{ ...line!, label: '<a & "b">\u0000\ud800' }, other!];
  const svg = svgChart({ ...data, lines }, "\u001b[31m<title>");
  expect(svg).toContain("<title>&lt;a &amp; &quot;b&quot;&gt;\ufffd\ufffd</title>");
  expect(svg).toContain(">\ufffd[31m&lt;title&gt;</text>");
  const text = terminalChart({ ...data, lines: [{ ...line!, label: "\u001b[31m" }, other!] }, "\u001b]0;", plain);
  expect(text).not.toContain("\u001b");
});
