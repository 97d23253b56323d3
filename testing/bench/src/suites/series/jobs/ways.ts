/** The ways to write the article's load. */
import type { MetricHandle, Series } from "@moonpack/series";
import { inFlight, MINUTE, type NodeSets, type SimulatedClock, TICKS_A_MINUTE, timeOf } from "../load.js";
import { findKind, uniformValue } from "../values.js";

/** The points that a way writes. */
export interface WriteTask {
  readonly series: Series;
  readonly clock: SimulatedClock;
  readonly nodes: NodeSets;
  /** All metrics, node by node. */
  readonly metrics: readonly MetricHandle[];
  readonly ticks: number;
}

/** A way to write. */
export interface Way {
  readonly id: string;
  readonly title: string;
  write(task: WriteTask): Promise<void>;
}

/** Calls of one point, or of one metric, that are under way. */
const IN_FLIGHT = 256;

const scrape: Way = {
  id: "scrape",
  title: "scrape: `writeScrape` for each node",
  async write({ clock, nodes, metrics, ticks }) {
    const fill = findKind("uniform").start(metrics.length);
    const values = new Float64Array(metrics.length);
    for (let tick = 0; tick < ticks; tick++) {
      clock.time = timeOf(tick);
      fill(tick, values);
      await nodes.write(clock.time, values);
    }
  },
};

const column: Way = {
  id: "column",
  title: `column: \`writeColumn\` of a metric's minute, ${IN_FLIGHT} in flight`,
  async write({ series, clock, metrics, ticks }) {
    for (let first = 0; first < ticks; first += TICKS_A_MINUTE) {
      const length = Math.min(TICKS_A_MINUTE, ticks - first);
      const times = Float64Array.from({ length }, (_, i) => timeOf(first + i));
      // The arrays are the caller's again when the call returns.
      const values = new Float64Array(length);
      clock.time = timeOf(first) + MINUTE;
      await inFlight(IN_FLIGHT, metrics.length, (index) => {
        for (let i = 0; i < length; i++) values[i] = uniformValue(index, first + i);
        return series.writeColumn(metrics[index]!, times, values);
      });
    }
  },
};

/** The points of a node as objects that are made for the call. */
function rows(id: string, title: string, refOf: (metric: MetricHandle) => Parameters<Series["metric"]>[0]): Way {
  return {
    id,
    title,
    async write({ series, clock, nodes: { sets }, ticks }) {
      for (let tick = 0; tick < ticks; tick++) {
        const timestamp = (clock.time = timeOf(tick));
        await Promise.all(
          sets.map((set, node) => {
            const first = node * set.size;
            const points = set.metrics.map((metric, i) => ({
              metric: refOf(metric),
              timestamp,
              value: uniformValue(first + i, tick),
            }));
            return series.write(points);
          }),
        );
      }
    },
  };
}

const single: Way = {
  id: "single",
  title: `one point a call, by handle, ${IN_FLIGHT} in flight`,
  async write({ series, clock, metrics, ticks }) {
    for (let tick = 0; tick < ticks; tick++) {
      const timestamp = (clock.time = timeOf(tick));
      await inFlight(IN_FLIGHT, metrics.length, (index) =>
        series.write([{ metric: metrics[index]!, timestamp, value: uniformValue(index, tick) }]),
      );
    }
  },
};

/** All ways. */
export const ways: readonly Way[] = [
  scrape,
  column,
  rows("rows-handle", "rows: `write` of objects with handles, a call for each node", (metric) => metric),
  rows("rows-named", "rows: `write` of objects with `{ name, tags }`, a call for each node", ({ name, tags }) => ({
    name,
    tags: { ...tags },
  })),
  single,
];
