/** Opening and closing stores, by their size. */
import { openSeries } from "@moonpack/series";
import { loadMetrics, SimulatedClock, START } from "../load.js";
import { findKind, uniformValue } from "../values.js";
import { type DriverName, driverOf } from "./drivers.js";

/** A store of uniform integers. */
interface OpenedSize {
  readonly store: DriverName;
  readonly folder: string;
  /** A multiple of the number of nodes. */
  readonly metrics: number;
  readonly ticks: number;
  /** Milliseconds between two points of a metric. */
  readonly every: number;
}

/** Writes the store. */
export interface FillOpenedJob extends OpenedSize {
  readonly kind: "fill-opened";
}

/** Opens it, reads a point, writes one of each metric, and closes it. */
export interface OpenJob extends OpenedSize {
  readonly kind: "open";
}

/** Milliseconds. */
export interface OpenResult {
  readonly open: number;
  /** From the end of opening to the newest value of a metric. */
  readonly first: number;
  readonly close: number;
}

export async function fillOpened({ store, folder, metrics, ticks, every }: FillOpenedJob): Promise<null> {
  const clock = new SimulatedClock();
  await using series = await openSeries({ path: folder, driver: driverOf(store), now: clock.now });
  const set = await series.metricSet(loadMetrics(metrics));
  const next = findKind("uniform").start(metrics);
  const values = new Float64Array(metrics);
  for (let tick = 0; tick < ticks; tick++) {
    clock.time = START + tick * every;
    next(tick, values);
    await series.writeScrape(clock.time, set, values);
  }
  await series.flush();
  await series.compact();
  return null;
}

export async function open({ store, folder, metrics, ticks, every }: OpenJob): Promise<OpenResult> {
  const clock = new SimulatedClock(START + (ticks - 1) * every + 1);
  const index = metrics >> 1;
  const metric = loadMetrics(metrics)[index]!;
  const start = performance.now();
  const series = await openSeries({ path: folder, driver: driverOf(store), now: clock.now });
  const opened = performance.now();
  const last = await series.last(metric);
  const first = performance.now() - opened;
  if (last?.value !== uniformValue(index, ticks - 1)) throw new Error(`the newest value is ${last?.value}`);
  // The same values again: the next process checks the newest one, too.
  const values = new Float64Array(metrics);
  findKind("uniform").start(metrics)(ticks - 1, values);
  await series.writeScrape(clock.time, await series.metricSet(loadMetrics(metrics)), values);
  const closing = performance.now();
  await series.close();
  return { open: opened - start, first, close: performance.now() - closing };
}
