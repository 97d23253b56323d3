/** Questions across metrics to a store or to DuckDB, with the same points, each in a separate process. */
import { join } from "node:path";
import { type Aggregate, type MetricHandle, openSeries, type Series } from "@moonpack/series";
import { HOUR, loadMetrics, MINUTE, NODES, SimulatedClock, START, timeOf } from "../load.js";
import { findKind } from "../values.js";
import { driverOf } from "./drivers.js";

/** The job: the store, and its size. */
export interface AcrossJob {
  readonly kind: "across";
  readonly store: "files" | "rocksdb" | "duckdb";
  readonly folder: string;
  /** A multiple of 1,000. */
  readonly metrics: number;
  readonly ticks: number;
  /** How often each question is asked; the least time counts. */
  readonly rounds: number;
}

/** Milliseconds of each question, and what they found: equal for all stores. */
export interface AcrossResult {
  readonly pointsPerSecond: number;
  readonly bytesPerPoint: number | null;
  readonly milliseconds: Readonly<Record<Question, number>>;
  readonly found: Readonly<Record<Question, number>>;
}

/** The questions. */
export const QUESTIONS = ["minutes", "hours", "lastHour", "newest", "scattered", "newestAll"] as const;
export type Question = (typeof QUESTIONS)[number];

/** Metrics of a question about some. */
const SOME = 1000;

/** Writes the points and asks all questions. */
export async function across(job: AcrossJob): Promise<AcrossResult> {
  return job.store === "duckdb" ? await ofDuckDb(job) : await ofSeries(job);
}

/** Asks each question some times. Returns the least milliseconds, and the answers' sums. */
async function ask(
  rounds: number,
  questions: Readonly<Record<Question, () => Promise<number>>>,
): Promise<Pick<AcrossResult, "milliseconds" | "found">> {
  const milliseconds: Record<string, number> = {};
  const found: Record<string, number> = {};
  for (const question of QUESTIONS) {
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds; round++) {
      const start = performance.now();
      found[question] = await questions[question]();
      least = Math.min(least, performance.now() - start);
    }
    milliseconds[question] = least;
  }
  return { milliseconds, found } as Pick<AcrossResult, "milliseconds" | "found">;
}

/** The names of the metrics of which some questions ask: the first of each node. */
function someNames(): string[] {
  return Array.from({ length: SOME / NODES }, (_, i) => `metric-${i}`);
}

async function ofSeries({ store, folder, metrics, ticks, rounds }: AcrossJob): Promise<AcrossResult> {
  const clock = new SimulatedClock();
  const driver = driverOf(store === "files" ? "files" : "rocksdb");
  const options = { path: join(folder, store), driver, now: clock.now, maxCacheBytes: 256 * 2 ** 20 };
  let series = await openSeries(options);
  const set = await series.metricSet(loadMetrics(metrics));
  const fill = findKind("uniform").start(metrics);
  const values = new Float64Array(metrics);
  const start = performance.now();
  for (let tick = 0; tick < ticks; tick++) {
    fill(tick, values);
    clock.time = timeOf(tick);
    await series.writeScrape(clock.time, set, values);
  }
  await series.flush();
  const pointsPerSecond = ((metrics * ticks) / (performance.now() - start)) * 1000;
  const { diskBytes } = await series.stats();
  await series.close();
  series = await openSeries(options);
  const end = timeOf(ticks);
  const some: MetricHandle[] = [];
  for await (const metric of series.metrics({ name: someNames() })) some.push(metric);
  const all: MetricHandle[] = [];
  for await (const metric of series.metrics()) all.push(metric);
  const scattered = all.filter(({ id }) => id % (metrics / SOME) === 0);
  const answers = await ask(rounds, {
    // By handles, as DuckDB has numbers.
    minutes: () => averages(series, all, START, end, "1m"),
    hours: () => averages(series, all, START, end, "1h"),
    lastHour: () => averages(series, some, end - HOUR, end, "1m"),
    newest: () => newest(series, some),
    scattered: () => newest(series, scattered),
    newestAll: () => newest(series, all),
  });
  await series.close();
  return { pointsPerSecond, bytesPerPoint: diskBytes / metrics / ticks, ...answers };
}

const AVERAGE: readonly Aggregate[] = ["avg"];

async function averages(
  series: Series,
  metrics: readonly MetricHandle[],
  from: number,
  to: number,
  window: "1m" | "1h",
): Promise<number> {
  let sum = 0;
  const selection = { metrics, from, to, window, aggregate: AVERAGE } as const;
  for await (const { length, columns } of series.select(selection).batches()) {
    const column = columns.avg!;
    for (let i = 0; i < length; i++) sum += column[i] as number;
  }
  return Math.round(sum);
}

async function newest(series: Series, metrics: readonly MetricHandle[]): Promise<number> {
  let sum = 0;
  for (const metric of metrics) sum += (await series.last(metric))!.value as number;
  return sum;
}

async function ofDuckDb({ folder, metrics, ticks, rounds }: AcrossJob): Promise<AcrossResult> {
  const { BIGINT, DOUBLE, DuckDBDataChunk, DuckDBInstance, UINTEGER } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(join(folder, "points.db"));
  const connection = await instance.connect();
  await connection.run("create table points (metric uinteger, time bigint, value double)");
  const appender = await connection.createAppender("points");
  const fill = findKind("uniform").start(metrics);
  const values = new Float64Array(metrics);
  const start = performance.now();
  for (let tick = 0; tick < ticks; tick++) {
    fill(tick, values);
    for (let first = 0; first < metrics; first += 2048) {
      const rows = Math.min(2048, metrics - first);
      const chunk = DuckDBDataChunk.create([UINTEGER, BIGINT, DOUBLE], rows);
      chunk.setColumnValues(
        0,
        Array.from({ length: rows }, (_, i) => first + i),
      );
      chunk.setColumnValues(1, new Array<bigint>(rows).fill(BigInt(timeOf(tick))));
      chunk.setColumnValues(2, Array.from(values.subarray(first, first + rows)));
      appender.appendDataChunk(chunk);
    }
    appender.flushSync();
  }
  appender.closeSync();
  await connection.run("checkpoint");
  const pointsPerSecond = ((metrics * ticks) / (performance.now() - start)) * 1000;
  const each = metrics / NODES;
  const isSome = `metric % ${each} < ${SOME / NODES}`;
  // A row for each metric and window, in columns, as the store gives them.
  const sumOf = (sql: string) => async () => {
    const result = await connection.run(sql);
    let sum = 0;
    for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk())
      for (const value of chunk.getColumnValues(1)) sum += value as number;
    return Math.round(sum);
  };
  const average = (length: number) => `avg(value) from points group by metric, time // ${length}`;
  const answers = await ask(rounds, {
    minutes: sumOf(`select metric, ${average(MINUTE)}`),
    hours: sumOf(`select metric, ${average(HOUR)}`),
    lastHour: sumOf(
      `select metric, avg(value) from points where ${isSome} and time >= ${timeOf(ticks) - HOUR} group by metric, time // ${MINUTE}`,
    ),
    newest: sumOf(`select metric, arg_max(value, time) from points where ${isSome} group by metric`),
    scattered: sumOf(
      `select metric, arg_max(value, time) from points where metric % ${metrics / SOME} = 0 group by metric`,
    ),
    newestAll: sumOf("select metric, arg_max(value, time) from points group by metric"),
  });
  connection.closeSync();
  instance.closeSync();
  return { pointsPerSecond, bytesPerPoint: null, ...answers };
}
