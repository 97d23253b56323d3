/** Each function once or more, with results by hand. Samples are 10 seconds apart from time 0 on; the time is 60 seconds. */
import { expect, test } from "vitest";
import { at, codeOf, isClose, loaded } from "../harness/evaluated.ts";

const DATA = `
x_total 0 10 20 30 40 50 60
reset_total 10 20 30 5 15 25 35
up{a="1",b="x"} 1 1 1 1 1 1 -2.5
up{a="2",b="y"} 1 1 1 1 1 1 4
walk 1 3 2 2 5 4 4
h_bucket{le="1"} 10x6
h_bucket{le="2"} 20x6
h_bucket{le="4"} 30x6
h_bucket{le="+Inf"} 40x6
target_info{job="j",instance="i",version="7"} 1x6
base{job="j",instance="i"} 5x6
`;

/** Queries with the values of their series in order, or with a number. */
const CASES: readonly (readonly [query: string, result: readonly number[] | number])[] = [
  ["rate(x_total[1m])", [1]],
  ["increase(reset_total[1m])", [54]],
  ["delta(reset_total[1m])", [18]],
  ["irate(reset_total[1m])", [1]],
  ["idelta(walk[1m])", [0]],
  ["resets(reset_total[2m])", [1]],
  ["changes(walk[2m])", [4]],
  ["deriv(x_total[1m])", [1]],
  ["predict_linear(x_total[1m], 40)", [100]],
  ["double_exponential_smoothing(walk[25s] @ 20, 0.5, 0.5)", [3.5]],
  ["sum_over_time(walk[30s])", [13]],
  ["avg_over_time(walk[40s])", [3.75]],
  ["min_over_time(walk[40s])", [2]],
  ["max_over_time(walk[2m])", [5]],
  ["count_over_time(walk[2m])", [7]],
  ["stdvar_over_time(walk[40s])", [1.1875]],
  ["stddev_over_time(walk[40s])", [Math.sqrt(1.1875)]],
  ["quantile_over_time(0.5, walk[40s])", [4]],
  ["mad_over_time(walk[2m])", [1]],
  ["first_over_time(walk[2m])", [1]],
  ["last_over_time(walk[2m])", [4]],
  ["present_over_time(walk[2m])", [1]],
  ["absent_over_time(walk[2m])", []],
  ["absent_over_time(gone[2m])", [1]],
  ["absent(walk)", []],
  ["ts_of_first_over_time(walk[2m])", [0]],
  ["ts_of_last_over_time(walk[2m])", [60]],
  ["ts_of_max_over_time(walk[2m])", [40]],
  ["ts_of_min_over_time(walk[45s])", [30]],
  ["abs(up)", [2.5, 4]],
  ["ceil(up)", [-2, 4]],
  ["floor(up)", [-3, 4]],
  ["round(up)", [-2, 4]],
  ["round(up, 5)", [0, 5]],
  ["sgn(up)", [-1, 1]],
  ["clamp(up, -1, 3)", [-1, 3]],
  ["clamp(up, 3, -1)", []],
  ["clamp_min(up, 0)", [0, 4]],
  ["clamp_max(up, 0)", [-2.5, 0]],
  ["sqrt(up > 0)", [2]],
  ["exp(up * 0)", [1, 1]],
  ["ln(up * 0 + 1) + log2(up * 0 + 8) + log10(up * 0 + 100)", [5, 5]],
  ["sin(up * 0) + cos(up * 0) + tan(up * 0)", [1, 1]],
  ["asin(up * 0) + acos(up * 0 + 1) + atan(up * 0)", [0, 0]],
  ["sinh(up * 0) + cosh(up * 0) + tanh(up * 0)", [1, 1]],
  ["asinh(up * 0) + acosh(up * 0 + 1) + atanh(up * 0)", [0, 0]],
  ["deg(rad(up))", [-2.5, 4]],
  ["pi() * 2", 2 * Math.PI],
  ["time()", 60],
  ["scalar(walk)", 4],
  ["scalar(up)", Number.NaN],
  ["max_of(1, 2) + min_of(3, NaN)", Number.NaN],
  ["vector(7)", [7]],
  ["timestamp(walk @ 25)", [20]],
  ["timestamp(-walk @ 25)", [60]],
  ["timestamp(+walk @ 25)", [60]],
  ["start() + end() + range() + step()", 120],
  ["hour(vector(1e9)) * 100 + minute(vector(1e9))", [146]],
  ["year(vector(1e9)) * 1e4 + month(vector(1e9)) * 100 + day_of_month(vector(1e9))", [20_010_909]],
  ["day_of_week(vector(1e9))", [0]],
  ["day_of_year(vector(1e9))", [252]],
  ["days_in_month(vector(951782400))", [29]],
  ["minute()", [1]],
  ["histogram_quantile(0.5, h_bucket)", [2]],
  ["histogram_quantile(0.25, h_bucket)", [1]],
  ["histogram_quantile(0.99, h_bucket)", [4]],
  ['histogram_quantiles(h_bucket, "q", 0.25, 0.5)', [1, 2]],
  ["histogram_fraction(0, 3, h_bucket)", [0.625]],
  ["histogram_count(walk)", []],
  ["sort(up)", [-2.5, 4]],
  ["sort_desc(up)", [4, -2.5]],
  ['sort_by_label(up, "b")', [-2.5, 4]],
  ['sort_by_label_desc(up, "b")', [4, -2.5]],
  ["sum(up)", [1.5]],
  ["avg(up)", [0.75]],
  ["count(up)", [2]],
  ["group(up)", [1]],
  ["min(up)", [-2.5]],
  ["max(up)", [4]],
  ["stdvar(up)", [10.5625]],
  ["stddev(up)", [3.25]],
  ["quantile(0.5, up)", [0.75]],
  ["quantile(2, up)", [Number.POSITIVE_INFINITY]],
  ["sum by (a) (up)", [-2.5, 4]],
  ["sum without (a, b) (up)", [1.5]],
  ["start_timestamp(walk)", []],
];

for (const [query, result] of CASES)
  test(query, async () => {
    const got = await at(loaded(10_000, DATA), query, 60_000);
    const values = typeof got === "number" ? [got] : (got as [string, number][]).map(([, value]) => value);
    expect(typeof got).toBe(typeof result);
    const wanted = typeof result === "number" ? [result] : result;
    expect(
      values.length === wanted.length && values.every((value, i) => isClose(value, wanted[i]!)),
      `${query}: ${values}`,
    ).toBe(true);
  });

test("label functions", async () => {
  const source = loaded(10_000, DATA);
  expect(await at(source, 'label_replace(walk, "n", "$1-$2-$$", "__name__", "(w)(a).*")', 60_000)).toEqual([
    ['walk{n="w-a-$"}', 4],
  ]);
  expect(await at(source, 'label_replace(up, "a", "", "b", "x")', 60_000)).toEqual([
    ['up{b="x"}', -2.5],
    ['up{a="2", b="y"}', 4],
  ]);
  expect(await at(source, 'label_join(up, "c", "/", "a", "b", "none")', 60_000)).toEqual([
    ['up{a="1", b="x", c="1/x/"}', -2.5],
    ['up{a="2", b="y", c="2/y/"}', 4],
  ]);
  expect(await at(source, 'absent(gone{a="1",b=~"2",c="3",c="4"})', 60_000)).toEqual([['{a="1"}', 1]]);
  expect(await at(source, 'absent(+gone{a="1"})', 60_000)).toEqual([["{}", 1]]);
  expect(await at(source, "info(base)", 60_000)).toEqual([['base{instance="i", job="j", version="7"}', 5]]);
  expect(await at(source, 'info(base, {version="8"})', 60_000)).toEqual([]);
  expect(await at(source, "topk by (b) (1, up)", 60_000)).toEqual([
    ['up{a="1", b="x"}', -2.5],
    ['up{a="2", b="y"}', 4],
  ]);
});

test("wrong arguments are errors of the execution", async () => {
  for (const query of [
    "double_exponential_smoothing(walk[1m], 1, 0.5)",
    'label_replace(walk, "", "x", "a", ".*")',
    'label_replace(walk, "a", "x", "a", "(")',
    'label_join(walk, "", "x", "a")',
    'count_values("", walk)',
    "limit_ratio(NaN, walk)",
    "topk(1e20, walk)",
  ])
    expect(await codeOf(at(loaded(10_000, DATA), query, 60_000)), query).toBe("ERR_PROMQL_EXECUTION");
});
