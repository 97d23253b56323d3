/** The rules of PromQL that are easy to get wrong, one by one. Samples are 10 seconds apart from time 0 on unless stated. */
import { resultRows } from "@moonpack/prometheus";
import { describe, expect, test } from "vitest";
import { at, codeOf, loaded, run, shown } from "../harness/evaluated.ts";

const S = 10_000;

describe("selectors", () => {
  test("ranges and the lookback are open on the left", async () => {
    const source = loaded(S, "x 1 2 3 4");
    expect(await at(source, "count_over_time(x[20s])", 3 * S)).toEqual([["{}", 2]]);
    expect(await at(source, "x", 3 * S + 299_999)).toEqual([["x", 4]]);
    expect(await at(source, "x", 3 * S + 300_000)).toEqual([]);
    expect(await at(source, "count_over_time(x[1ms])", 2 * S)).toEqual([["{}", 1]]);
  });
  test("a staleness marker ends a series at once, and is not a sample of a range; NaN is one", async () => {
    const source = loaded(S, "x 1 stale _ 3\ny 1 NaN _ 3");
    expect(await at(source, "x", S)).toEqual([]);
    expect(await at(source, "x", 2 * S)).toEqual([]);
    expect(await at(source, "y", 2 * S)).toEqual([["y", Number.NaN]]);
    expect(await at(source, "count_over_time(x[1m])", 3 * S)).toEqual([["{}", 2]]);
    expect(await at(source, "count_over_time(y[1m])", 3 * S)).toEqual([["{}", 3]]);
  });
  test("offset and @ bind to the selector; @ start() is the query's start, in subqueries too", async () => {
    const source = loaded(S, "x 0+1x20");
    expect(await at(source, "x offset 30s", 10 * S)).toEqual([["x", 7]]);
    expect(await at(source, "x offset -30s", 10 * S)).toEqual([["x", 13]]);
    expect(await at(source, "x @ 50 offset 10s", 10 * S)).toEqual([["x", 4]]);
    const query = "sum_over_time((x @ start())[30s:10s])";
    const { value } = await run(source, query, { start: 10 * S, end: 12 * S, step: S });
    expect(value.resultType === "matrix" && [...value.series[0]!.values]).toEqual([30, 30, 30]);
  });
  test("subqueries align to multiples of the subquery's step", async () => {
    const source = loaded(S, "x 0+1x20");
    const { value } = await run(source, "x[50s:20s]", { start: 105_000 });
    expect(value.resultType === "matrix" && [...value.series[0]!.timestamps]).toEqual([60_000, 80_000, 100_000]);
  });
  test("equal selectors are read once, others for themselves", async () => {
    const source = loaded(S, "x_total 0+1x20");
    await run(source, "rate(x_total[1m]) / rate(x_total[1m]) + rate(x_total[2m])", { start: 10 * S });
    expect(source.reads).toBe(2);
  });
});

describe("functions of ranges", () => {
  test("rate extrapolates to a near border, else by half a gap; a counter never below zero", async () => {
    const source = loaded(
      S,
      "x_total 100 110 120 130 140 150 160\ny_total _ _ _ 0 10 20 30\nz_total _ _ _ 100 110 120 130",
    );
    expect(await at(source, "increase(x_total[1m])", 6 * S)).toEqual([["{}", 60]]);
    // The first sample is 30 seconds from the border: half a gap is added, unless the counter would be below zero there.
    expect(await at(source, "increase(z_total[1m])", 6 * S)).toEqual([["{}", 35]]);
    expect(await at(source, "increase(y_total[1m])", 6 * S)).toEqual([["{}", 30]]);
    expect(await at(source, "rate(x_total[10s])", 6 * S)).toEqual([]);
  });
  test("resets within the range are added, also when the range moves on", async () => {
    const source = loaded(S, "x_total 5 10 2 4 1 3 3 7");
    const { value } = await run(source, "increase(x_total[30s])", { start: 2 * S, end: 7 * S, step: S });
    const { value: naive } = await run(source, "delta(x_total[30s])", { start: 2 * S, end: 7 * S, step: S });
    expect(
      value.resultType === "matrix" && [...value.series[0]!.values].map((one) => Math.round(one * 1e6) / 1e6),
    ).toEqual([9, 4.5, 4.5, 4, 4.5, 5].map((_, i) => expectedIncrease(i)));
    expect(naive.resultType === "matrix" && naive.series[0]!.values.length).toBe(6);
  });
  test("sums keep small values beside large ones; a mean does not overflow", async () => {
    const source = loaded(S, 'x{a="1"} 1e100\nx{a="2"} 1\nx{a="3"} -1e100\ny{a="1"} 1.7e308\ny{a="2"} 1.7e308');
    expect(await at(source, "sum(x)", 0)).toEqual([["{}", 1]]);
    expect(await at(source, "avg(y)", 0)).toEqual([["{}", 1.7e308]]);
    expect(await at(loaded(S, "x 1e100 1 -1e100"), "sum_over_time(x[1m])", 2 * S)).toEqual([["{}", 1]]);
  });
});

/** The increase of 30 seconds at each step of `5 10 2 4 1 3 3 7`, by hand: two or three samples, extrapolated. */
function expectedIncrease(step: number): number {
  const samples = [5, 10, 2, 4, 1, 3, 3, 7];
  const last = step + 2;
  const first = last - 2;
  let difference = samples[last]! - samples[first]!;
  for (let i = first + 1; i <= last; i++) if (samples[i]! < samples[i - 1]!) difference += samples[i - 1]!;
  const before = Math.min(10, (20 * samples[first]!) / difference);
  return Math.round(((difference * (20 + before)) / 20) * 1e6) / 1e6;
}

describe("operators", () => {
  test("-1 ^ 2 is -1; 1 ^ NaN and (-1) ^ Inf are 1", async () => {
    const source = loaded(S, "x 1");
    expect(await at(source, "-1 ^ 2", 0)).toBe(-1);
    expect(await at(source, "2 ^ 3 ^ 0", 0)).toBe(2);
    expect(await at(source, "1 ^ NaN", 0)).toBe(1);
    expect(await at(source, "(-1) ^ Inf", 0)).toBe(1);
    expect(await at(source, "-7 % 3", 0)).toBe(-1);
  });
  test("a comparison with a scalar keeps the vector's value, whichever side it is on", async () => {
    const source = loaded(S, "x 5");
    expect(await at(source, "3 < x", 0)).toEqual([["x", 5]]);
    expect(await at(source, "x > 3", 0)).toEqual([["x", 5]]);
    expect(await at(source, "3 > x", 0)).toEqual([]);
    expect(await at(source, "3 > bool x", 0)).toEqual([["{}", 0]]);
  });
  test("duplicates on the one side are an error even where nothing matches, but not without a series on the other side", async () => {
    const source = loaded(S, 'x{a="1"} 1\ny{a="2",b="1"} 1\ny{a="2",b="2"} 1');
    expect(await codeOf(at(source, "x * on (a) group_left y", 0))).toBe("ERR_PROMQL_EXECUTION");
    expect(await at(source, "missing * on (a) group_left y", 0)).toEqual([]);
  });
  test("a missing series is filled in", async () => {
    const source = loaded(S, 'x{a="1"} 1\nx{a="2"} 2\ny{a="2"} 20\ny{a="3"} 30');
    expect(await at(source, "x + fill (0) y", 0)).toEqual([
      ['{a="1"}', 1],
      ['{a="2"}', 22],
      ['{a="3"}', 30],
    ]);
  });
});

describe("names", () => {
  test("names go at the end: label_replace sees them", async () => {
    const source = loaded(S, "x_total 0+1x10");
    const query = 'label_replace(rate(x_total[30s]), "name", "$1", "__name__", "(.*)")';
    expect(await at(source, query, 5 * S)).toEqual([['{name="x_total"}', 0.1]]);
    expect(await at(source, "sum by (__name__) (rate(x_total[30s]))", 5 * S)).toEqual([["{}", 0.1]]);
  });
  test("series that become equal at one step are an error, else they merge", async () => {
    const source = loaded(S, "x 1 _ _\ny _ stale 3");
    expect(await codeOf(at(loaded(S, "x 1\ny 1"), '-{__name__=~"x|y"}', 0))).toBe("ERR_PROMQL_EXECUTION");
    const { value } = await run(source, 'last_over_time({__name__=~"x|y"}[5s]) * 2', { start: 0, end: 2 * S, step: S });
    expect(value.resultType === "matrix" && value.series.map(({ labels }) => shown(labels))).toEqual(["{}"]);
    expect(value.resultType === "matrix" && [...value.series[0]!.values]).toEqual([2, 6]);
  });
});

test("series of both sides of `or` with equal labels are one, with a name if the earlier one has", async () => {
  const namesOf = async (text: string): Promise<unknown> => {
    const { value } = await run(loaded(S, text), "(x > 5) or -x", { start: 0, end: S, step: S });
    return value.resultType === "matrix" && value.series.map(({ labels, values }) => [shown(labels), [...values]]);
  };
  expect(await namesOf("x 9 1")).toEqual([["x", [9, -1]]]);
  expect(await namesOf("x 1 9")).toEqual([["{}", [-1, 9]]]);
});

describe("aggregations", () => {
  test("among equal values, and among NaN, the first series stay", async () => {
    const source = loaded(S, 'x{a="1"} NaN\nx{a="2"} NaN\ny{a="1"} 1\ny{a="2"} 1');
    expect(await at(source, "topk(1, x)", 0)).toEqual([['x{a="1"}', Number.NaN]]);
    expect(await at(source, "bottomk(1, y)", 0)).toEqual([['y{a="1"}', 1]]);
    expect(await at(source, "limitk(1, y)", 0)).toEqual([['y{a="1"}', 1]]);
  });
  test("topk keeps all labels and, for an instant, its order; NaN is last; k below 1 gives nothing", async () => {
    const source = loaded(S, 'x{a="1"} 1\nx{a="2"} NaN\nx{a="3"} 3\nx{a="4"} 2');
    expect(await at(source, "topk(3, x)", 0)).toEqual([
      ['x{a="3"}', 3],
      ['x{a="4"}', 2],
      ['x{a="1"}', 1],
    ]);
    expect(await at(source, "bottomk(2, x)", 0)).toEqual([
      ['x{a="1"}', 1],
      ['x{a="4"}', 2],
    ]);
    expect(await at(source, "topk(0, x)", 0)).toEqual([]);
    expect(await codeOf(at(source, "topk(NaN, x)", 0))).toBe("ERR_PROMQL_EXECUTION");
  });
  test("count_values writes no exponents", async () => {
    const source = loaded(S, 'x{a="1"} 1e21\nx{a="2"} 1e-7\nx{a="3"} NaN');
    expect(await at(source, 'count_values("v", x)', 0)).toEqual([
      ['{v="1000000000000000000000"}', 1],
      ['{v="0.0000001"}', 1],
      ['{v="NaN"}', 1],
    ]);
  });
  test("limit_ratio and its complement have all series, none twice", async () => {
    const source = loaded(S, Array.from({ length: 50 }, (_, i) => `x{a="${i}"} 1`).join("\n"));
    const few = (await at(source, "limit_ratio(0.3, x)", 0)) as unknown[];
    const rest = (await at(source, "limit_ratio(-0.7, x)", 0)) as unknown[];
    expect(few.length + rest.length).toBe(50);
    expect(few.length).toBeGreaterThan(3);
    expect(await at(source, "limit_ratio(0.3, x) and limit_ratio(-0.7, x)", 0)).toEqual([]);
  });
});

test("a bucket whose bound is NaN does not move the others, at its steps nor before them", async () => {
  const source = loaded(S, 'h{le="1"} 5 5\nh{le="NaN"} _ 7\nh{le="+Inf"} 10 10\nh{le="2"} 8 8');
  const { value } = await run(source, "histogram_fraction(1, 2, h)", { start: 0, end: S, step: S });
  expect(resultRows(value)).toEqual([{ labels: {}, times: [0, S], values: [0.3, 0.3] }]);
});

describe("warnings and infos", () => {
  test("they name their place", async () => {
    const source = loaded(S, "gauge 0+1x10");
    const { warnings, infos } = await run(source, "quantile_over_time(2,\n gauge[1m]) > rate(gauge[1m])", {
      start: 10 * S,
    });
    expect(warnings).toEqual(["PromQL warning: quantile value should be between 0 and 1, got 2 (1:20)"]);
    expect(infos).toEqual([
      'PromQL info: metric might not be a counter, name does not end in _total/_sum/_count/_bucket: "gauge" (2:20)',
    ]);
  });
  test("of equal ones the last place counts: the call's own after its arguments'", async () => {
    const { warnings } = await run(loaded(S, 'h{le="+Inf"} 1'), "histogram_quantile(2, quantile_over_time(2, h[1m]))", {
      start: 0,
    });
    expect(warnings).toEqual(["PromQL warning: quantile value should be between 0 and 1, got 2 (1:20)"]);
    // Of the second series the outer range has no sample.
    const source = loaded(S, 'gauge{a="1"} 1 2 3\ngauge{a="2"} 1 2');
    const { infos } = await run(source, "rate((rate(gauge[20s]))[11s:10s])", { start: 2 * S });
    expect(infos).toEqual([
      'PromQL info: metric might not be a counter, name does not end in _total/_sum/_count/_bucket: "gauge" (1:1)',
    ]);
  });
  test("the bounds of a parameter are noted: NaN, and infinity beside it", async () => {
    const source = loaded(S, "k 2 NaN -Inf 0.5\nx 1 1 1 1");
    const { warnings } = await run(source, "quantile(scalar(k), x)", { start: 0, end: 3 * S, step: S });
    expect(warnings.map((text) => text.replace(/.*got /, ""))).toEqual(["NaN (1:10)", "-Inf (1:10)"]);
  });
  test("falling counts of a histogram are raised, an info", async () => {
    const source = loaded(S, 'h_bucket{le="1"} 10\nh_bucket{le="2"} 5\nh_bucket{le="+Inf"} 20\nh_bucket{le="x"} 1');
    const { value, warnings, infos } = await run(source, "histogram_quantile(0.25, h_bucket)", { start: 0 });
    expect(value.resultType === "vector" && [...value.values]).toEqual([0.5]);
    expect(warnings).toHaveLength(1);
    expect(infos[0]).toContain("from buckets 2 to 2, with a max diff of 5, over 1 samples from 1970-01-01T00:00:00Z");
  });
  test("the difference of falling counts has two digits, a middle rounded to the even one", async () => {
    for (const [difference, text] of [
      [385, "3.8e+02"],
      [375, "3.8e+02"],
      [995, "1e+03"],
      [12.5, "12"],
      [0.375, "0.38"],
      [0.0625, "0.062"],
      [99.9, "1e+02"],
    ] as const) {
      const source = loaded(S, `h{le="1"} ${difference}\nh{le="2"} 0\nh{le="+Inf"} 2000`);
      const { infos } = await run(source, "histogram_quantile(0.5, h)", { start: 0 });
      expect(infos[0]).toContain(`with a max diff of ${text}, over`);
    }
  });
  test("a quantile without a bucket for +Inf is NaN", async () => {
    expect(await at(loaded(S, 'h{le="1"} 10\nh{le="2"} 15'), "histogram_quantile(0.5, h)", 0)).toEqual([
      ["{}", Number.NaN],
    ]);
  });
});
