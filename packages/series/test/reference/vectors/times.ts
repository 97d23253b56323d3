/** Vectors of time columns: every kind, the borders between them, and the classes of kind 3. */
import { hexOf } from "../bytes.ts";
import { timeExamples } from "../examples.ts";
import { encodeTimes, timeForms } from "../times.ts";
import type { Vector } from "./notation.ts";
import { findWhere, listOf, type Random, randomFrom } from "./random.ts";

const GRID = 0;
const BITMAP = 1;
const GAPS = 2;
const DELTAS = 3;

/** A vector. Throws if the times are not stored as the kind that the name promises. */
function vector(name: string, kind: number, times: readonly number[]): Vector {
  const bytes = encodeTimes(times);
  if (bytes[0] !== kind) throw new Error(`${name}: kind ${bytes[0]}`);
  return { name, times, bytes: hexOf(bytes) };
}

/** Times from a first one and the gaps after it. */
function timesOf(first: number, gaps: readonly number[]): number[] {
  const times = [first];
  for (const gap of gaps) times.push(times.at(-1)! + gap);
  return times;
}

/** Thirteen gaps of one length, then two whose length differs by `delta`. 1,009 is prime, so no gap divides. */
function step(delta: number): number[] {
  const before = delta < 0 ? 1009 - delta : 1009;
  return timesOf(5, [...listOf(13, () => before), before + delta, before + delta]);
}

/** Around the ends of each class of kind 3. */
const CLASS_ENDS = [-4, 3, -5, 4, -32, 31, -33, 32, -512, 511, -513, 512, -65536, 65535, -65537, 65536, -250_000, 1e6];

/** Up to 40 times on a coarse grid, some of them missing. */
function sparse(random: Random): number[] {
  const unit = 1 + random(700);
  const present = listOf(3 + random(60), () => random(1 + random(4)) === 0);
  return [...present.keys()].filter((i) => present[i]).map((i) => i * unit);
}

function formSizes(times: readonly number[]): number[] {
  return timeForms(times).map(({ length }) => length);
}

/** Times for which two forms are equally short and the third is longer. */
function tie(one: number, other: number): number[] {
  const third = BITMAP + GAPS + DELTAS - one - other;
  return findWhere(1, sparse, (times) => {
    if (times.length < 4 || encodeTimes(times)[0] === GRID) return false;
    const size = (kind: number) => formSizes(times)[kind - BITMAP]!;
    return size(one) === size(other) && size(one) < size(third);
  });
}

/** Gaps of 200 to 400 ms, without any order. */
function noisy(count: number): number[] {
  const random = randomFrom(count);
  return timesOf(
    random(1000),
    listOf(count - 1, () => 200 + random(200)),
  );
}

/** About half of `n` slots, including the first two and the last. */
function half(slots: number): number[] {
  const random = randomFrom(slots);
  return listOf(slots, (i) => i)
    .filter((i) => i < 2 || i === slots - 1 || random(2) === 0)
    .map((i) => 10 * i);
}

export function timeVectors(): Vector[] {
  return [
    ...timeExamples.map(({ name, times }) => ({ name, times, bytes: hexOf(encodeTimes(times)) })),
    vector("one time, the first of a page", GRID, [0]),
    vector("one time, the last of a minute", GRID, [59_999]),
    vector("one time, the last of an hour", GRID, [3_599_999]),
    vector("two times", GRID, [12, 59_999]),
    vector("neighbouring milliseconds", GRID, [7, 8, 9, 10]),
    vector(
      "20 times, 3 s apart",
      GRID,
      listOf(20, (i) => 1250 + 3000 * i),
    ),
    vector(
      "60 times, 1 min apart",
      GRID,
      listOf(60, (i) => 60_000 * i),
    ),
    vector("one of three is missing, divisor 500", BITMAP, [500, 1000, 2000]),
    vector("a bitmap of 8 slots", BITMAP, [0, 1, 2, 4, 5, 6, 7]),
    vector("a bitmap of 9 slots", BITMAP, [0, 1, 2, 4, 5, 6, 7, 8]),
    vector("a bitmap of 129 slots", BITMAP, half(129)),
    vector("64 gaps, one run", GAPS, noisy(65)),
    vector("65 gaps, two runs", GAPS, noisy(66)),
    vector("129 gaps, three runs", GAPS, noisy(130)),
    vector("gaps with a divisor of 10", GAPS, [0, 10_030, 19_990, 30_010, 40_020]),
    vector("a bitmap as short as gaps", BITMAP, tie(BITMAP, GAPS)),
    vector("a bitmap as short as deltas", BITMAP, tie(BITMAP, DELTAS)),
    vector("gaps as short as deltas", GAPS, tie(GAPS, DELTAS)),
    ...CLASS_ENDS.map((delta) => vector(`a gap that changes by ${delta}`, DELTAS, step(delta))),
  ];
}
