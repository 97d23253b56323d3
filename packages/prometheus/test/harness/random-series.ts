/** Random series for comparisons of evaluators. The same seed gives the same series. */
import { Labels } from "@moonpack/prometheus";
import { type Point, STALE } from "./memory-source.ts";

type Random = (below: number) => number;

/** A series with points 15 seconds apart. */
export interface RandomSeries {
  readonly labels: Labels;
  readonly points: readonly Point[];
}

/** The time of the first sample. */
export const FIRST = 1_700_000_010_000;
/** The time between samples, in milliseconds. */
export const GAP = 15_000;
const POINTS = 90;
/** Bounds of buckets: as usual; one of them twice; some that are no bounds; without the last one. */
const BOUNDS = [
  ["0.1", "1", "10", "+Inf"],
  ["0.1", "1", "10", "+Inf"],
  ["-5", "0", "1", "1.0", "1e3", "Inf"],
  ["0.1", "", "x", "2", "+Inf"],
  ["0", "2.5", "+Inf"],
  ["1", "10"],
];
/** The names of the counters and gauges. */
export const METRICS: readonly string[] = ["a_total", "b_total", "c", "d"];

/** Returns series of counters, gauges and a histogram, with gaps, staleness markers, NaN and infinite values. */
export function randomSeries(random: Random): RandomSeries[] {
  const series: RandomSeries[] = [];
  for (const name of METRICS)
    for (const job of ["x", "y"])
      for (const instance of ["1", "2", "10"]) {
        if (random(5) === 0) continue;
        const more = { ...(random(3) === 0 ? { zone: "z" } : {}), ...(random(9) === 0 ? { __type__: "gauge" } : {}) };
        const labels = Labels.of({ __name__: name, job, instance, ...more });
        series.push({ labels, points: name.endsWith("_total") ? counter(random) : gauge(random) });
      }
  for (const job of ["x", "y"]) {
    let below: Point[] = [];
    for (const le of pick(random, BOUNDS)) {
      const own = counter(random);
      const points = own.map((point, i) => {
        const before = below[i];
        return typeof point === "number" && typeof before === "number" ? point + before : point;
      });
      below = points;
      if (random(15) !== 0) series.push({ labels: Labels.of({ __name__: "e_bucket", job, le }), points });
    }
    series.push({
      labels: Labels.of({ __name__: "target_info", job, instance: "1", version: `v${random(3)}` }),
      points: gauge(random),
    });
  }
  return series;
}

function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[random(choices.length)]!;
}

function points(random: Random, next: () => number): Point[] {
  const gaps = random(4);
  let isAway = false;
  return Array.from({ length: POINTS }, () => {
    if (random(25) < gaps) isAway = !isAway;
    if (isAway) return random(20) === 0 ? STALE : undefined;
    return random(12) < gaps ? undefined : random(60) === 0 ? STALE : next();
  });
}

function counter(random: Random): Point[] {
  let value = random(100);
  return points(random, () => {
    value = random(20) === 0 ? random(5) : value + random(50) / (1 + random(3));
    return value;
  });
}

function gauge(random: Random): Point[] {
  const isPlain = random(3) > 0;
  // None is subnormal: Go's logarithm of such numbers is wrong on x86.
  const constant = random(10) === 0 ? pick(random, [0, -0, 1, 0.1, 1e-300]) : undefined;
  return points(random, () => {
    if (constant !== undefined) return constant;
    const kind = isPlain ? 9 : random(40);
    if (kind === 0) return Number.NaN;
    if (kind === 1) return random(2) === 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    if (kind === 2) return 1e308 * (1 + random(1000) / 2000);
    return random(2) === 0 ? random(10) - 3 : (random(20_000) - 9000) / 7;
  });
}
