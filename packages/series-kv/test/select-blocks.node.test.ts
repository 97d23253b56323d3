/** `blocks()` of a store in a database: the points of a query of each metric, as numbers. */
import { type LabelMatcher, openSeries } from "@moonpack/series";
import { memoryDatabase } from "@moonpack/series-kv";
import { expect, test } from "vitest";
import { ON_DISK, temporaryPaths } from "./driver-harness.ts";

const MINUTE = 60_000;
const NOW = Date.UTC(2023, 10, 14, 6);
const path = temporaryPaths();

test.each([
  ["memory", () => ({ driver: memoryDatabase() })],
  [ON_DISK[0]!.name, () => ({ driver: ON_DISK[0]!.make(), path: path("blocks") })],
] as const)("%s: sealed, late and deleted points, and points in memory", async (_, options) => {
  const series = await openSeries({ ...options(), now: () => NOW });
  const metrics = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      series.metric({ name: "m", tags: { i: String(i), kind: `k${i % 5}` }, type: i % 3 === 0 ? "int64" : "float" }),
    ),
  );
  const write = async (from: number, to: number, step: number) => {
    for (const metric of metrics) {
      const times = Float64Array.from({ length: Math.ceil((to - from) / step) }, (_, k) => NOW - to + k * step);
      const values = metric.type === "int64" ? BigInt64Array.from(times, (time) => BigInt(time)) : times.map(Math.sin);
      await series.writeColumn(metric, times, values);
    }
  };
  await write(60 * MINUTE, 200 * MINUTE, 30_000);
  await series.flush();
  await write(100 * MINUTE, 110 * MINUTE, 7000);
  await series.delete({ metric: metrics[2]!, from: NOW - 150 * MINUTE, to: NOW - 90 * MINUTE });
  await write(0, 20 * MINUTE, 30_000);
  await series.delete({ metric: metrics[7]! });
  const matchers: LabelMatcher[] = [
    { name: "kind", op: "=~", value: "k[0-2]" },
    { name: "kind", op: "!=", value: "k1" },
    { name: "i", op: "!~", value: "3\\d" },
  ];
  for (const from of [0, NOW - 130 * MINUTE, NOW - 5 * MINUTE]) {
    const found = new Map<number, [number, number][]>();
    for await (const { metrics: some, offsets, timestamps, values } of series.blocks({ matchers, from }))
      some.forEach(({ id }, m) => {
        const points = found.get(id) ?? [];
        found.set(id, points);
        for (let i = offsets[m]!; i < offsets[m + 1]!; i++) points.push([timestamps[i]!, values[i]!]);
      });
    const expected = new Map<number, [number, number][]>();
    for (const [i, metric] of metrics.entries()) {
      if (i >= 30 || i === 7 || ![0, 2].includes(i % 5)) continue;
      const points = await series.query({ metric, from }).toArray();
      expected.set(
        metric.id,
        points.map(({ timestamp, value }) => [timestamp, Number(value)]),
      );
    }
    expect(found).toEqual(expected);
  }
  await series.close();
});
