// What the studies measure with, inside of the process that is measured.
import { median } from "simple-statistics";
import { collectAll, heldBytes } from "../dist/measure/heap.js";
import { interleave } from "../dist/measure/interleave.js";
import { speedRatios, summarize } from "../dist/measure/statistics.js";
import { isSmoke } from "./size.mjs";

const PASSES = isSmoke ? 1 : 3;

/** Bytes that each of `count` kept results of `make` holds, to a tenth, without what keeps them. */
export async function bytesEach(count, make) {
  const kept = new Array(count);
  const passes = [];
  // The first pass also makes compiled code and feedback, which are not the items' memory.
  for (let pass = 0; pass <= PASSES; pass++) {
    kept.fill(null);
    await collectAll();
    const before = heldBytes();
    for (let i = 0; i < count; i++) kept[i] = make(i);
    await collectAll();
    if (pass > 0) passes.push((heldBytes() - before) / count);
  }
  return Math.round(median(passes) * 10) / 10;
}

/** Bytes that one result of `make`, a large one, holds. */
export async function bytesOf(make) {
  return Math.round(await bytesEach(1, make));
}

/** The least number from `low` on for which `holds` does; undefined when none does up to `high`. */
export function firstWhere(low, high, holds) {
  for (let n = low; n <= high; n++) if (holds(n)) return n;
  return undefined;
}

/**
 * A copy of `act`, which may use nothing but its arguments and globals, with a text of its own. V8 shares what it learns
 * between closures of one literal and between equal texts; contestants that do would decide each other's times.
 */
export function ownCopy(id, act) {
  return new Function(`/* ${id} */ return ${act};`)();
}

/**
 * Lets contestants take turns: `{ id, call, bytes?, input? }`, `bytes` is what a call makes. Answers for each `id.time`,
 * nanoseconds of a call, and `id`, how many times faster than `base` it is: [median, lower quartile, upper quartile].
 */
export function race(base, contestants, { rounds = 15, sampleMs = 5, warmUpRounds = 5 } = {}) {
  const times = interleave(
    contestants.map(({ id, call, bytes = 1000, input = () => undefined }) => ({
      id,
      call,
      bytes,
      prepare: (count) => Array.from({ length: count }, input),
    })),
    { rounds, sampleMs, warmUpRounds },
  );
  const figures = {};
  for (const { id } of contestants) {
    figures[`${id}.time`] = spread(times.get(id));
    if (id !== base) figures[id] = spread(speedRatios(times.get(id), times.get(base)));
  }
  return figures;
}

function spread(values) {
  const { median, low, high } = summarize([values]);
  return [median, low, high];
}
