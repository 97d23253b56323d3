/** The values that metrics have in these benchmarks: made up, or weather that was observed. */
import { Random } from "../../workloads/random.js";
import { weatherSeries } from "./weather.js";

/** Sets the values of all metrics at a tick. Ticks count up from 0, each once. */
export type Fill = (tick: number, values: Float64Array) => void;

/** A kind of values. */
export interface Kind {
  readonly id: string;
  readonly title: string;
  /** Starts the values of `metrics` metrics: the same ones in every run. */
  start(metrics: number): Fill;
}

/** The greatest of the article's integers. */
const GREATEST = 1000;
/** A walk goes at most so far in a tick, up or down. */
const STEP = 5;
const STEP_OF_HUNDREDTHS = 50;
/** The greatest mean of a counter's increments. */
const RATE = 50;

/**
 * The integer from 0 to 1000 of a metric at a tick: as good as random, and a reader can compute it again. The multipliers and
 * shifts come from murmur3's and lowbias32's mixing.
 */
export function uniformValue(metric: number, tick: number): number {
  let mixed = Math.imul(metric + 1, 0x85ebca6b) ^ Math.imul(tick + 1, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  mixed ^= mixed >>> 16;
  return Math.floor(((mixed >>> 0) / 2 ** 32) * (GREATEST + 1));
}

const uniform: Kind = {
  id: "uniform",
  title: "uniform integers, 0 to 1000",
  start: () => (tick, values) => {
    for (let metric = 0; metric < values.length; metric++) values[metric] = uniformValue(metric, tick);
  },
};

const walk: Kind = {
  id: "walk",
  title: `random walk of integers, at most ${STEP} a step`,
  start(metrics) {
    const random = new Random(1);
    const at = Float64Array.from({ length: metrics }, () => random.integer(0, GREATEST));
    return (_tick, values) => {
      for (let metric = 0; metric < metrics; metric++) values[metric] = at[metric]! += random.integer(-STEP, STEP);
    };
  },
};

const constant: Kind = {
  id: "constant",
  title: "constant, each metric its own integer",
  start(metrics) {
    const random = new Random(2);
    const constants = Float64Array.from({ length: metrics }, () => random.integer(0, GREATEST));
    return (_tick, values) => values.set(constants);
  },
};

const counters: Kind = {
  id: "counters",
  title: `counters: a metric's increments are 0 to 2m, its m is 1 to ${RATE}`,
  start(metrics) {
    const random = new Random(3);
    const means = Uint8Array.from({ length: metrics }, () => random.integer(1, RATE));
    const counts = new Float64Array(metrics);
    return (_tick, values) => {
      for (let metric = 0; metric < metrics; metric++)
        values[metric] = counts[metric]! += random.integer(0, 2 * means[metric]!);
    };
  },
};

const decimals: Kind = {
  id: "decimals",
  title: "uniform with two decimals, 0.00 to 1000.00",
  start() {
    const random = new Random(4);
    return (_tick, values) => {
      for (let metric = 0; metric < values.length; metric++) values[metric] = random.integer(0, GREATEST * 100) / 100;
    };
  },
};

const decimalWalk: Kind = {
  id: "decimal-walk",
  title: "random walk with two decimals, at most 0.50 a step",
  start(metrics) {
    const random = new Random(6);
    const hundredths = Float64Array.from({ length: metrics }, () => random.integer(0, GREATEST * 100));
    return (_tick, values) => {
      for (let metric = 0; metric < metrics; metric++)
        values[metric] = (hundredths[metric]! += random.integer(-STEP_OF_HUNDREDTHS, STEP_OF_HUNDREDTHS)) / 100;
    };
  },
};

const weather: Kind = {
  id: "weather",
  title: "weather that was observed, one decimal",
  start(metrics) {
    const random = new Random(5);
    const series = weatherSeries();
    const of = Array.from({ length: metrics }, (_, metric) => series[metric % series.length]!);
    const from = Uint32Array.from(of, ({ length }) => random.integer(0, length - 1));
    return (tick, values) => {
      for (let metric = 0; metric < metrics; metric++)
        values[metric] = of[metric]![(from[metric]! + tick) % of[metric]!.length]!;
    };
  },
};

/** All kinds; the article's is the first. */
export const kinds: readonly Kind[] = [uniform, walk, constant, counters, decimals, decimalWalk, weather];

/** The kind of that id. */
export function findKind(id: string): Kind {
  const found = kinds.find((kind) => kind.id === id);
  if (found === undefined) throw new RangeError(`no kind of values ${id}`);
  return found;
}
