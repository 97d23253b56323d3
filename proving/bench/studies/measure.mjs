// Functions with which the studies measure, in the measured process.
import { median } from "simple-statistics";
import { collectAll, heldBytes } from "../dist/measure/heap.js";
import { interleave } from "../dist/measure/interleave.js";
import { speedRatios, summarize } from "../dist/measure/statistics.js";
import { isSmoke } from "./size.mjs";

const PASSES = isSmoke ? 1 : 3;

/** Bytes that each of `count` kept results of `make` holds, to a tenth, without the array that keeps them. */
export async function bytesEach(count, make) {
  const kept = new Array(count);
  const passes = [];
  // The first pass also creates compiled code and feedback, which are not memory of the items.
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

/** Bytes that one large result of `make` holds. */
export async function bytesOf(make) {
  return Math.round(await bytesEach(1, make));
}

/** The least number from `low` on for which `holds` is true; undefined if there is none up to `high`. */
export function firstWhere(low, high, holds) {
  for (let n = low; n <= high; n++) if (holds(n)) return n;
  return undefined;
}

/**
 * A copy of `act` with a unique source text. `act` may use only its arguments and globals. V8 shares feedback between closures of
 * one literal and between equal texts, so contestants that share them would affect each other's times.
 */
export function ownCopy(id, act) {
  return new Function(`/* ${id} */ return ${act};`)();
}

/**
 * Lets contestants `{ id, call, bytes?, input? }` take turns; `bytes` is the size of a result. Returns for each `id.time`, the
 * nanoseconds per call, and `id`, how many times faster it is than `base`: [median, lower quartile, upper quartile].
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
