/** Vectors of block files of version 2. */
import { type BlockFacts, type BlockMetric, encodeBlock, roleMetrics } from "../block.ts";
import { hexOf } from "../bytes.ts";
import { type Vector, valuesOf } from "./notation.ts";
import { listOf } from "./random.ts";

const WEEK = 604_800_000;
const START = 2810 * WEEK;
const SEALED: BlockFacts = { level: 0, isWide: false, generations: [1, 1] };

function vector(name: string, metrics: readonly BlockMetric[], facts = SEALED, file = 1): Vector {
  const json = metrics.map(({ id, times, values }) => ({ id, times, ...valuesOf(values) }));
  return { name, file, facts, metrics: json, bytes: hexOf(encodeBlock(file, metrics, facts)) };
}

/** A block of summaries, with the points whose summaries it has. */
function summaryVector(name: string, points: readonly BlockMetric[], roles: number): Vector {
  const summary = { window: 60_000, roles };
  return vector(name, roleMetrics(points, summary), { ...SEALED, summary });
}

const grid = (n: number, step = 1000, from = START) => listOf(n, (i) => from + i * step);
const floats = (id: number, times: readonly number[], ...list: number[]): BlockMetric => ({
  id,
  times,
  values: { floats: listOf(times.length, (i) => list[i % list.length]!) },
});

export function blockVectors(): Vector[] {
  const { NaN: nan, POSITIVE_INFINITY: infinity } = Number;
  return [
    vector("one point", [floats(0, [START], 0.5)]),
    vector("two metrics that share their times", [floats(3, grid(3), 1, 2, 3), floats(4, grid(3), 5)]),
    vector("two metrics with other times", [floats(3, grid(3), 1, 2, 3), floats(9, grid(2, 7), 5)]),
    vector("both types", [
      floats(1, grid(2), 1, 2),
      { id: 2, times: grid(2), values: { int64s: [2n ** 62n, -5n] } },
      floats(3, grid(2), 4),
    ]),
    vector("512 points are a chunk, 513 two", [floats(0, grid(512), 7), floats(1, grid(513), 7, 8)]),
    vector("a chunk ends with its week", [floats(0, grid(5, 1000, START + WEEK - 2000), 1, 2, 3, 4, 5)]),
    vector("NaN is in no sum, min or max", [floats(0, grid(4), nan, 3, nan, -1), floats(1, grid(1), nan)]),
    vector("an infinite sum", [floats(0, grid(2), infinity, 1), floats(1, grid(2), 1e308, 1e308)]),
    vector("a sum whose rest is not 0", [floats(0, grid(3), 1e16, 1, 1)]),
    vector("gaps beyond 24 bits", [floats(0, [START, START + 1, START + 9_000_007, START + 9_000_010], 1)]),
    vector(
      "a wide block of a merge",
      [floats(2 ** 31 - 1, [0, START], 1, 2)],
      { level: 2, isWide: true, generations: [3, 9] },
      42,
    ),
    summaryVector(
      "minutes of a metric: count, sum and rest, max",
      [floats(5, grid(7, 20_000), 1e16, 1, 1, nan)],
      0b101111,
    ),
    summaryVector(
      "minutes of both types: all roles",
      [
        floats(1, grid(5, 30_000), 1.5, -0, nan),
        { id: 2, times: grid(3, 50_000), values: { int64s: [2n ** 62n, -5n, 3n] } },
      ],
      0b11111111,
    ),
    vector(
      "257 metrics have two index pages",
      listOf(257, (i) => floats(2 * i, [START], i)),
    ),
  ];
}
