/** Finds metrics by their tags among many: how long it takes to the first point, and to the points of all. */
import { type Metric, openSeries } from "@moonpack/series";
import { HOUR, SimulatedClock, timeOf } from "../load.js";
import { uniformValue } from "../values.js";
import { type DriverName, driverOf } from "./drivers.js";

/** Metrics of a host. They are registered together. */
const METRICS_A_HOST = 100;
const ZONES = 70;

/** A store of hosts that each have 100 metrics. The zone of a host is its number modulo 70. */
export interface FillHostsJob {
  readonly kind: "fill-hosts";
  readonly store: DriverName;
  readonly folder: string;
  readonly hosts: number;
}

/** The selections to measure. */
export interface SelectJob {
  readonly kind: "select";
  readonly store: DriverName;
  readonly folder: string;
  readonly hosts: number;
  readonly by: keyof typeof SELECTIONS;
  readonly selections: number;
  /** This many selections, the last ones, are read to their end; of the others only the first point. */
  readonly whole: number;
}

/** Times of the selections. */
export interface SelectResult {
  /** Milliseconds to the first point. */
  readonly first: readonly number[];
  /** Milliseconds to the last point of the last metric, and how many metrics there were: of those that were read to their end. */
  readonly all: readonly number[];
  readonly hits: readonly number[];
}

/** Matchers, and how many metrics they must find. */
const SELECTIONS = {
  host: {
    match: (i: number, hosts: number) => ({ tags: { host: `host-${(i * 7919) % hosts}` } }),
    hits: () => METRICS_A_HOST,
  },
  zone: {
    match: (i: number) => ({ tags: { zone: `zone-${i % ZONES}` } }),
    hits: (i: number, hosts: number) => hostsOfZone(i % ZONES, hosts) * METRICS_A_HOST,
  },
  both: {
    match: (i: number) => ({ name: `metric-${i % METRICS_A_HOST}`, tags: { zone: `zone-${i % ZONES}` } }),
    hits: (i: number, hosts: number) => hostsOfZone(i % ZONES, hosts),
  },
  expression: {
    match: (i: number) => ({ name: `metric-${i % METRICS_A_HOST}`, tags: { host: /host-\d*7/ } }),
    hits: (_i: number, hosts: number) => Math.floor(hosts / 10) + (hosts % 10 > 7 ? 1 : 0),
  },
};

function hostsOfZone(zone: number, hosts: number): number {
  return Math.floor(hosts / ZONES) + (zone < hosts % ZONES ? 1 : 0);
}

/** Registers the metrics and writes a point of each. */
export async function fillHosts({ store, folder, hosts }: FillHostsJob): Promise<null> {
  const clock = new SimulatedClock();
  await using series = await openSeries({ path: folder, driver: driverOf(store), now: clock.now });
  for (let host = 0; host < hosts; host++) {
    const metrics = Array.from({ length: METRICS_A_HOST }, (_, i) => metricOf(host, i));
    const set = await series.metricSet(metrics);
    const values = Float64Array.from(metrics, (_, i) => uniformValue(host * METRICS_A_HOST + i, 0));
    await series.writeScrape(timeOf(0), set, values);
  }
  await series.flush();
  await series.compact();
  return null;
}

function metricOf(host: number, i: number): Metric {
  return { name: `metric-${i}`, tags: { host: `host-${host}`, zone: `zone-${host % ZONES}` } };
}

/** Selects other metrics each time. Only the first selection finds no metric in memory. */
export async function select({ store, folder, hosts, by, selections, whole }: SelectJob): Promise<SelectResult> {
  const clock = new SimulatedClock(timeOf(0) + HOUR);
  await using series = await openSeries({ path: folder, driver: driverOf(store), now: clock.now, rollupAfter: false });
  const { match, hits: expected } = SELECTIONS[by];
  const first: number[] = [];
  const all: number[] = [];
  const hits: number[] = [];
  for (let i = 0; i < selections; i++) {
    const isWhole = i >= selections - whole;
    const start = performance.now();
    let found = 0;
    for await (const { metric, points } of series.select({ ...match(i, hosts), from: timeOf(0), to: timeOf(1) })) {
      for await (const { length, values } of points.batches())
        if (length !== 1 || values[0] !== uniformValue(metric.id, 0))
          throw new Error(`metric ${metric.id} has another point`);
      if (found++ === 0) first.push(performance.now() - start);
      if (!isWhole) break;
    }
    if (!isWhole) continue;
    all.push(performance.now() - start);
    hits.push(found);
    if (found !== expected(i, hosts)) throw new Error(`${by} ${i} found ${found} metrics`);
  }
  return { first, all, hits };
}
