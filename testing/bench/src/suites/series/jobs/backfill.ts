/** The history of sensors, written sensor by sensor, a day a call: to a store, or to another database. */
import { join } from "node:path";
import { openSeries } from "@moonpack/series";
import { folderBytes, peakMemory } from "../folder.js";
import { HOUR, SimulatedClock, START } from "../load.js";
import { uniformValue } from "../values.js";
import { driverOf } from "./drivers.js";

/** Where the history goes, and its size. */
export interface BackfillJob {
  readonly kind: "backfill";
  readonly store: "files" | "rocksdb" | "duckdb" | "sqlite";
  readonly folder: string;
  readonly sensors: number;
  readonly days: number;
  /** Milliseconds between two points of a sensor. */
  readonly every: number;
  /** A limit for points in memory, in bytes; absent: the default. */
  readonly maxHeadBytes?: number;
}

/** Of the whole history. */
export interface BackfillResult {
  readonly pointsPerSecond: number;
  readonly peak: number | null;
  readonly bytesPerPoint: number;
}

/** Writes a day of a sensor. */
type WriteDay = (sensor: number, times: Float64Array, values: Float64Array) => unknown;

/** An open database. */
interface Target {
  readonly write: WriteDay;
  /** Ends writing: all points are on the medium. */
  end(): Promise<void>;
  /** Number of points, and the sum of their values. */
  check(): Promise<readonly [count: number, sum: number]>;
  close(): Promise<void>;
}

const DAY = 24 * HOUR;

/** Writes the history. */
export async function backfill(job: BackfillJob): Promise<BackfillResult> {
  const { store, folder, sensors, days, every } = job;
  const open = store === "duckdb" ? openDuckDb : store === "sqlite" ? openSqlite : openStore;
  const target = await open(job);
  const n = DAY / every;
  const times = new Float64Array(n);
  const values = new Float64Array(n);
  let sum = 0;
  const start = performance.now();
  for (let sensor = 0; sensor < sensors; sensor++) {
    for (let day = 0; day < days; day++) {
      for (let i = 0; i < n; i++) {
        times[i] = START + day * DAY + i * every;
        sum += values[i] = uniformValue(sensor, day * n + i);
      }
      await target.write(sensor, times, values);
    }
  }
  await target.end();
  const milliseconds = performance.now() - start;
  const points = sensors * days * n;
  const peak = peakMemory() ?? null;
  const [count, found] = await target.check();
  if (count !== points || found !== sum) throw new Error(`${store} has ${count} points with the sum ${found}`);
  await target.close();
  return { pointsPerSecond: (points / milliseconds) * 1000, peak, bytesPerPoint: folderBytes(folder) / points };
}

async function openStore({ store, folder, sensors, days, maxHeadBytes }: BackfillJob): Promise<Target> {
  const clock = new SimulatedClock(START + days * DAY);
  const driver = driverOf(store === "files" ? "files" : "rocksdb");
  const options = { path: folder, driver, now: clock.now, ...(maxHeadBytes && { maxHeadBytes }) };
  const series = await openSeries(options);
  const { metrics } = await series.metricSet(
    Array.from({ length: sensors }, (_, i) => ({ name: "sensor", tags: { i: String(i) } })),
  );
  return {
    write: (sensor, times, values) => series.writeColumn(metrics[sensor]!, times, values),
    end: () => series.flush(),
    async check() {
      let [count, sum] = [0, 0];
      for await (const { length, columns } of series.select({ window: "1d", aggregate: ["count", "sum"] }).batches())
        for (let i = 0; i < length; i++) {
          count += columns.count![i] as number;
          sum += columns.sum![i] as number;
        }
      return [count, sum];
    },
    async close() {
      await series.close();
      // Opening deletes files that were replaced.
      await (await openSeries(options)).close();
    },
  };
}

/** Rows of a chunk: the maximum of DuckDB. */
const ROWS = 2048;

async function openDuckDb({ folder }: BackfillJob): Promise<Target> {
  const { BIGINT, DOUBLE, DuckDBDataChunk, DuckDBInstance, UINTEGER } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(join(folder, "points.db"));
  const connection = await instance.connect();
  await connection.run("create table points (metric uinteger, time bigint, value double)");
  const appender = await connection.createAppender("points");
  return {
    write(sensor, times, values) {
      for (let first = 0; first < times.length; first += ROWS) {
        const rows = Math.min(ROWS, times.length - first);
        const chunk = DuckDBDataChunk.create([UINTEGER, BIGINT, DOUBLE], rows);
        chunk.setColumnValues(0, new Array<number>(rows).fill(sensor));
        chunk.setColumnValues(1, Array.from(times.subarray(first, first + rows), BigInt));
        chunk.setColumnValues(2, Array.from(values.subarray(first, first + rows)));
        appender.appendDataChunk(chunk);
      }
      appender.flushSync();
    },
    async end() {
      appender.closeSync();
      await connection.run("checkpoint");
    },
    async check() {
      const reader = await connection.runAndReadAll("select count(*), sum(value) from points");
      const [[count, sum]] = reader.getRows() as [[bigint, number]];
      return [Number(count), sum];
    },
    async close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function openSqlite({ folder }: BackfillJob): Promise<Target> {
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(join(folder, "points.db"));
  db.exec(`
    pragma journal_mode = wal;
    pragma synchronous = normal;
    create table points (metric integer, time integer, value real, primary key (metric, time)) without rowid;
  `);
  const insert = db.prepare("insert into points values (?, ?, ?)");
  return {
    write(sensor, times, values) {
      db.exec("begin");
      for (let i = 0; i < times.length; i++) insert.run(sensor, times[i]!, values[i]!);
      db.exec("commit");
    },
    async end() {
      db.exec("pragma wal_checkpoint(truncate)");
    },
    async check() {
      const row = db.prepare("select count(*) as count, sum(value) as sum from points").get();
      const { count, sum } = row as { count: number; sum: number };
      return [count, sum];
    },
    async close() {
      db.close();
    },
  };
}
