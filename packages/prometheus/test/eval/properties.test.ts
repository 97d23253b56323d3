/** Random queries: the result does not depend on how it is computed. */
import { share } from "@moonpack/harness/effort.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { Labels, parseQuery, type QueryValue } from "@moonpack/prometheus";
import { expect, test } from "vitest";
import { isClose, run } from "../harness/evaluated.ts";
import { MemorySource } from "../harness/memory-source.ts";
import { keyOf, type NaiveRow, naive } from "../harness/naive-evaluator.ts";
import { randomQuery } from "../harness/random-evaluation.ts";
import { naiveQuery } from "../harness/random-naive.ts";
import { FIRST, GAP, randomSeries } from "../harness/random-series.ts";

const ROUNDS = 12;
const QUERIES = 60;

function sourceOf(random: (below: number) => number) {
  const series = randomSeries(random);
  const source = new MemorySource();
  for (const { labels, points } of series) source.add(labels, FIRST, GAP, points);
  return { series, source };
}

/** The values of a result at a time, by labels. */
function rowsAt(value: QueryValue, time: number): Map<string, number> {
  if (value.resultType === "scalar") return new Map([[Labels.of({}).key, value.value]]);
  if (value.resultType === "vector") return new Map(value.labels.map((labels, i) => [labels.key, value.values[i]!]));
  if (value.resultType !== "matrix") return new Map();
  return new Map(
    value.series.flatMap(({ labels, timestamps, values }) => {
      const index = timestamps.indexOf(time);
      return index === -1 ? [] : [[labels.key, values[index]!] as const];
    }),
  );
}

function differences(got: ReadonlyMap<string, number>, wanted: ReadonlyMap<string, number>): string[] {
  const keys = new Set([...got.keys(), ...wanted.keys()]);
  return [...keys].filter((key) => {
    const [a, b] = [got.get(key), wanted.get(key)];
    return a === undefined || b === undefined || !isClose(a, b);
  });
}

test("a range query returns at each step what an instant query returns", async () => {
  const random = randomSource(35_001);
  let compared = 0;
  for (let round = 0; round < share(ROUNDS); round++) {
    const { source } = sourceOf(random);
    for (let i = 0; i < QUERIES; i++) {
      // Names that depend on other steps, and times that mean the query's own, differ on purpose.
      const query = randomQuery(random);
      if (/(?:start|end|step|range)\(\)|__name__|sort|limitk|\bor\b/.test(query)) continue;
      const start = FIRST + random(1200) * 1000;
      const step = 1 + random(120_000);
      const end = start + 3 * step;
      const range = await run(source, query, { start, end, step }).catch(() => undefined);
      if (range === undefined) continue;
      for (let time = start; time <= end; time += step) {
        const { value } = await run(source, query, { start: time });
        expect(
          differences(rowsAt(range.value, time), rowsAt(value, time)),
          `${query} at ${time} of ${start} ${step}`,
        ).toEqual([]);
        compared += rowsAt(value, time).size;
      }
    }
  }
  expect(compared).toBeGreaterThan(share(ROUNDS) * 100);
});

test("a naive evaluator has the same results", async () => {
  const random = randomSource(35_002);
  let compared = 0;
  for (let round = 0; round < share(ROUNDS); round++) {
    const { series, source } = sourceOf(random);
    // Sums without compensation differ where values cancel each other out, or overflow. Types of metrics are unknown to it.
    const small = series.filter(
      ({ labels, points }) =>
        labels.get("__type__") === "" && points.every((point) => typeof point !== "number" || Math.abs(point) < 1e6),
    );
    source.clear();
    for (const { labels, points } of small) source.add(labels, FIRST, GAP, points);
    for (let i = 0; i < QUERIES; i++) {
      const query = naiveQuery(random);
      const start = FIRST + random(1200) * 1000;
      const step = 1 + random(90_000);
      const end = start + 2 * step;
      const result = await run(source, query, { start, end, step }).catch(() => undefined);
      if (result === undefined) continue;
      for (let time = start; time <= end; time += step) {
        const rows = naive({ series: small, start, end }, parseQuery(query), time) as NaiveRow[];
        if (new Set(rows.map(({ labels }) => keyOf(labels))).size < rows.length) continue;
        const wanted = new Map(rows.map(({ labels, value }) => [Labels.of(labels).key, value]));
        const wrong = differences(rowsAt(result.value, time), wanted).filter(
          (key) => !isClose(rowsAt(result.value, time).get(key) ?? Number.NaN, wanted.get(key) ?? 0, 1e-6),
        );
        expect(wrong, `${query} at ${time} of ${start} ${end} ${step}`).toEqual([]);
        compared += wanted.size;
      }
    }
  }
  expect(compared).toBeGreaterThan(share(ROUNDS) * 100);
});
