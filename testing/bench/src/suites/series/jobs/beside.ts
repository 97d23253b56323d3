/** Processes that read a store while this one writes it. */
import { setTimeout as sleep } from "node:timers/promises";
import { openSeries } from "@moonpack/series";
import { median } from "simple-statistics";
import { runScript } from "../../../measure/child.js";
import { Random } from "../../../workloads/random.js";
import { loadMetrics } from "../load.js";
import { uniformValue } from "../values.js";

/** The load of the writer, in real time, and its readers. */
export interface BesideJob {
  readonly kind: "beside";
  readonly folder: string;
  readonly metrics: number;
  readonly seconds: number;
  readonly readers: number;
}

/** A reader. `start` is the time of the first point. */
export interface BesideReaderJob {
  readonly kind: "beside-reader";
  readonly folder: string;
  readonly metrics: number;
  readonly seconds: number;
  readonly start: number;
  readonly seed: number;
}

/** Of all readers together. Null without readers. */
export interface BesideResult {
  /** Points/s that the writer could write while it had nothing else to do. */
  readonly pointsPerSecond: number;
  readonly readsPerSecond: number | null;
  /** Milliseconds from a point's time to when a reader has seen it: the median, and the greatest. */
  readonly lag: number | null;
  readonly greatestLag: number | null;
}

/** Of one reader. */
interface ReaderResult {
  readonly readsPerSecond: number;
  readonly lags: readonly number[];
}

/** Milliseconds between two reports. */
const EVERY = 100;
/** Points that a read spans. */
const SPAN = 20;
const LAG_SAMPLES = 16;
const CHILD = new URL("../child.js", import.meta.url);

/** Writes a report every 100 ms. */
export async function beside({ folder, metrics, seconds, readers }: BesideJob): Promise<BesideResult> {
  await using series = await openSeries({ path: folder });
  const set = await series.metricSet(loadMetrics(metrics));
  const values = new Float64Array(metrics);
  const start = Date.now();
  let busy = 0;
  let tick = 0;
  const report = async () => {
    for (let metric = 0; metric < metrics; metric++) values[metric] = uniformValue(metric, tick);
    const before = performance.now();
    await series.writeScrape(start + tick++ * EVERY, set, values);
    busy += performance.now() - before;
  };
  for (let i = 0; i < SPAN; i++) {
    await sleep(start + tick * EVERY - Date.now());
    await report();
  }
  const job = { kind: "beside-reader", folder, metrics, seconds, start } as const;
  const reading = Promise.all(
    Array.from({ length: readers }, (_, seed) =>
      runScript<ReaderResult>(CHILD, [JSON.stringify({ ...job, seed } satisfies BesideReaderJob)]),
    ),
  );
  let isReading = readers > 0;
  const read = reading.finally(() => {
    isReading = false;
  });
  const end = Date.now() + 1000 * seconds;
  while (isReading || Date.now() < end) {
    await sleep(Math.max(0, start + tick * EVERY - Date.now()));
    await report();
  }
  const results = await read;
  const pointsPerSecond = ((metrics * tick) / busy) * 1000;
  const lags = results.flatMap((result) => result.lags);
  if (lags.length === 0) return { pointsPerSecond, readsPerSecond: null, lag: null, greatestLag: null };
  const readsPerSecond = results.reduce((sum, result) => sum + result.readsPerSecond, 0);
  return { pointsPerSecond, readsPerSecond, lag: median(lags), greatestLag: Math.max(...lags) };
}

/** Reads random spans for some seconds, and compares every point. */
export async function besideReader(job: BesideReaderJob): Promise<ReaderResult> {
  const { folder, metrics, seconds, start } = job;
  await using series = await openSeries({ path: folder, readOnly: true });
  const all = loadMetrics(metrics);
  const random = new Random(job.seed);
  const lags: number[] = [];
  const began = Date.now();
  const end = began + 1000 * seconds;
  let reads = 0;
  // The newest report that this reader has seen: a report has all metrics, and a reader never goes back.
  let newest = 0;
  while (Date.now() < end) {
    const index = random.integer(0, metrics - 1);
    const metric = all[index]!;
    if (reads++ % LAG_SAMPLES === 0) {
      const last = await series.last(metric);
      lags.push(Date.now() - last!.timestamp);
      newest = (last!.timestamp - start) / EVERY;
      continue;
    }
    const from = random.integer(0, Math.max(0, newest + 1 - SPAN));
    const range = { from: start + from * EVERY, to: start + (from + SPAN) * EVERY };
    let tick = from;
    for await (const { length, values } of series.query({ metric, ...range }).batches())
      for (let i = 0; i < length; i++)
        if (values[i] !== uniformValue(index, tick++)) throw new Error(`metric ${index} has another value`);
    if (tick !== from + SPAN) throw new Error(`metric ${index} has ${tick - from} points instead of ${SPAN}`);
  }
  return { readsPerSecond: (reads / (Date.now() - began)) * 1000, lags };
}
