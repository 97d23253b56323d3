/** Random cases for the comparison with Prometheus' engine: data as the engine and as ours reads it, and queries. */
import { randomSource } from "@moonpack/harness/random.ts";
import type { EngineQuery, EngineSeries } from "@moonpack/promql/engine.ts";
import { MemorySource, STALE } from "./memory-source.ts";
import { randomQueryOfAnyType } from "./random-evaluation.ts";
import { FIRST, GAP, type RandomSeries, randomSeries } from "./random-series.ts";

type Random = (below: number) => number;

/** Data and the queries over them. */
export interface EngineCases {
  readonly source: MemorySource;
  readonly series: readonly EngineSeries[];
  readonly queries: readonly EngineQuery[];
  /** True if a histogram has two buckets with the same bound, in two forms. */
  readonly hasEqualBounds: boolean;
}

/** Returns the cases of a seed. */
export function engineCases(seed: number, count: number): EngineCases {
  const random = randomSource(seed);
  const source = new MemorySource();
  const series = randomSeries(random).map((one) => {
    const times = timesOf(random, one);
    source.addAt(one.labels, times, one.points);
    return engineSeries(one, times);
  });
  const bounds = new Set(series.flatMap(({ labels }) => labels["le"] ?? []));
  const hasEqualBounds =
    new Set(Array.from(bounds, (text) => Number(text.replace("Inf", "Infinity")))).size < bounds.size;
  return { source, series, hasEqualBounds, queries: Array.from({ length: count }, () => randomTimes(random)) };
}

/** Samples come at exact times, all late by the same time, or each at another time. */
function timesOf(random: Random, { points }: RandomSeries): number[] {
  const late = random(2) * random(GAP);
  const jitter = random(2) === 0 ? 1 : 1 + random(4000);
  return points.map((_, i) => FIRST + i * GAP + late + random(jitter));
}

function engineSeries({ labels, points }: RandomSeries, times: readonly number[]): EngineSeries {
  const present = points.flatMap((point, i) => (point === undefined ? [] : [{ point, time: times[i]! }]));
  return {
    labels: Object.fromEntries(labels),
    times: present.map(({ time }) => time),
    values: present.map(({ point }) => (point === STALE ? "stale" : Object.is(point, -0) ? "-0" : String(point))),
  };
}

/** A random query, half of them instant. Times lie on samples, between them, and outside. */
function randomTimes(random: Random): EngineQuery {
  const text = randomQueryOfAnyType(random);
  const start = FIRST + (random(2) === 0 ? random(100) * GAP : random(1_450_000) - 30_000);
  if (random(2) === 0) return { text, start, end: start, step: 0 };
  const step = random(3) === 0 ? 1 + random(120_000) : (1 + random(8)) * GAP;
  return { text, start, end: start + random(12 * step), step };
}
