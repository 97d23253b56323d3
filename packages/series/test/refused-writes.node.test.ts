/** A call that is refused leaves no trace: no point, no metric, no type. */

import type { Metric, Series } from "@moonpack/series";
import { memory, openSeries } from "@moonpack/series";
import { describe, expect, test } from "vitest";

const NOW = 1_700_000_000_000;

type Refused = (series: Series) => Promise<unknown>;

const point = (metric: Metric, value: unknown = 1, timestamp = NOW) => ({ metric, timestamp, value: value as number });
const times = Float64Array.of(NOW);

const CALLS: Record<string, Refused> = {
  "a bigint for a float": (series) => series.write([point({ name: "a" }, 1n)]),
  "a fraction for an int64": (series) => series.write([point({ name: "a", type: "int64" }, 0.5)]),
  "a value that is none": (series) => series.write([point({ name: "a" }), point({ name: "b" }, "1")]),
  "a time that is none": (series) => series.write([point({ name: "a" }), point({ name: "a" }, 1, -1)]),
  "a later metric that is none": (series) => series.write([point({ name: "a" }), point({ name: "" })]),
  "a later type that is none": (series) =>
    series.write([point({ name: "a" }), point({ name: "b", type: "text" as "float" })]),
  "one metric with two types": (series) =>
    series.write([point({ name: "a", type: "int64" }), point({ name: "a", type: "float" })]),
  "a later value of another type": (series) =>
    series.write([point({ name: "a" }), point({ name: "b", type: "int64" }, 2n ** 63n)]),
  "an iterable that throws": (series) =>
    series.write(
      (function* () {
        yield point({ name: "a" });
        throw new TypeError("not today");
      })(),
    ),
  "a column of the other kind": (series) => series.writeColumn({ name: "a" }, times, BigInt64Array.of(1n)),
  "a column with a time that is none": (series) =>
    series.writeColumn({ name: "a" }, Float64Array.of(1.5), Float64Array.of(1)),
  "a column that is too long": (series) => series.writeColumn({ name: "a" }, times, Float64Array.of(1, 2)),
  "a set with two types": (series) => series.metricSet([{ name: "a" }, { name: "b", type: "int64" }]),
  "a set with a metric that is none": (series) => series.metricSet([{ name: "a" }, { name: "\n" }]),
  "a set with one metric and two types": (series) => series.metricSet([{ name: "a" }, { name: "a", type: "int64" }]),
};

// With memory for few metrics each must be searched in the store.
describe.each([
  ["all metrics in memory", 1000],
  ["metrics in the store", 1],
])("%s", (_, maxCachedMetrics) => {
  test.each(Object.entries(CALLS))("%s", async (_name, call) => {
    const series = await openSeries({ driver: memory(), now: () => NOW, maxCachedMetrics });
    for (const name of ["known", "others"]) {
      await series.write([point({ name })]);
      await series.flush();
    }
    await expect(call(series)).rejects.toThrow();
    expect((await series.stats()).metrics).toBe(2);
    // The types are free still.
    for (const name of ["a", "b"]) expect((await series.metric({ name, type: "int64" })).type).toBe("int64");
    expect((await series.stats()).points).toBe(2);
    await series.close();
  });

  test("a metric may be given with and without its type in one call", async () => {
    const series = await openSeries({ driver: memory(), now: () => NOW, maxCachedMetrics });
    await series.write([point({ name: "a", type: "int64" }), point({ name: "a" }, 5, NOW - 1)]);
    expect(await series.query({ metric: { name: "a" } }).toArray()).toEqual([
      { timestamp: NOW - 1, value: 5n },
      { timestamp: NOW, value: 1n },
    ]);
    expect((await series.stats()).metrics).toBe(1);
    await series.close();
  });
});
