/** The load of the article: nodes that each report all their metrics every three seconds. */
import type { Metric, MetricSet, Series } from "@moonpack/series";

/** Nodes that report. */
export const NODES = 10;
/** Milliseconds between two reports. */
export const EVERY = 3000;
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
/** Reports of a node in a minute. */
export const TICKS_A_MINUTE = MINUTE / EVERY;
export const TICKS_AN_HOUR = HOUR / EVERY;
/** The first report: midnight (UTC), so that hours and days are whole. */
export const START = Date.UTC(2023, 10, 14);

/** The time of a tick. */
export function timeOf(tick: number): number {
  return START + tick * EVERY;
}

/** A clock that advances only when it is set: simulated time runs as fast as points are written. */
export class SimulatedClock {
  time: number;

  constructor(time = START) {
    this.time = time;
  }

  readonly now = (): number => this.time;
}

/** The metrics of all nodes, node by node. `count` is a multiple of the number of nodes. */
export function loadMetrics(count: number): Metric[] {
  const each = count / NODES;
  return Array.from({ length: count }, (_, i) => ({
    name: `metric-${i % each}`,
    tags: { node: `node-${Math.floor(i / each)}` },
  }));
}

/** The sets of the nodes. */
export class NodeSets {
  readonly sets: readonly MetricSet[];
  readonly #series: Series;

  /** @internal */
  constructor(series: Series, sets: readonly MetricSet[]) {
    this.#series = series;
    this.sets = sets;
  }

  /** Registers the metrics. */
  static async register(series: Series, count: number): Promise<NodeSets> {
    const metrics = loadMetrics(count);
    const each = count / NODES;
    const sets: MetricSet[] = [];
    for (let node = 0; node < NODES; node++)
      sets.push(await series.metricSet(metrics.slice(node * each, (node + 1) * each)));
    return new NodeSets(series, sets);
  }

  /** The report of one node. */
  writeNode(node: number, time: number, values: Float64Array): Promise<unknown> {
    const set = this.sets[node]!;
    return this.#series.writeScrape(time, set, values.subarray(node * set.size, (node + 1) * set.size));
  }

  /** The reports of all nodes at a time. */
  async write(time: number, values: Float64Array): Promise<void> {
    await Promise.all(this.sets.map((_, node) => this.writeNode(node, time, values)));
  }
}

/** Calls `call` with 0 to count - 1, at most `limit` at a time. */
export async function inFlight(limit: number, count: number, call: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await call(next++);
  };
  await Promise.all(Array.from({ length: limit }, lane));
}
