/** DuckDB: a table of points, written with its appender. It always syncs when a transaction ends. */
import { join } from "node:path";
import type { DuckDBConnection, DuckDBDataChunk } from "@duckdb/node-api";
import { loadMetrics } from "../load.js";
import { type OpenPeer, type Peer, type PeerOptions, PointList } from "./peer.js";

const LANES = 4;
/** Rows of a chunk: the maximum of DuckDB. */
const ROWS = 2048;

async function open({ folder, metrics }: PeerOptions): Promise<OpenPeer> {
  const { BIGINT, DOUBLE, DuckDBDataChunk, DuckDBInstance, UINTEGER } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(join(folder, "points.db"));
  const connection = await instance.connect();
  await connection.run("create table if not exists points (metric uinteger, time bigint, value double)");
  await nameMetrics(connection, metrics);
  const appender = await connection.createAppender("points");
  // Chunks are appended half as fast again as rows are. The metrics of a chunk are the same in every report.
  const chunks: { readonly first: number; readonly rows: number; readonly chunk: DuckDBDataChunk }[] = [];
  for (let first = 0; first < metrics; first += ROWS) {
    const rows = Math.min(ROWS, metrics - first);
    const chunk = DuckDBDataChunk.create([UINTEGER, BIGINT, DOUBLE], rows);
    chunk.setColumnValues(
      0,
      Array.from({ length: rows }, (_, i) => first + i),
    );
    chunks.push({ first, rows, chunk });
  }
  const lanes: Promise<Lane>[] = Array.from({ length: LANES }, async () => prepareRead(await instance.connect()));
  await Promise.all(lanes);
  return {
    async writeScrape(time, values) {
      const when = BigInt(time);
      for (const { first, rows, chunk } of chunks) {
        chunk.setColumnValues(1, new Array<bigint>(rows).fill(when));
        chunk.setColumnValues(2, Array.from(values.subarray(first, first + rows)));
        appender.appendDataChunk(chunk);
      }
      appender.flushSync();
    },
    async finish() {},
    async compact() {
      await connection.run("checkpoint");
    },
    async read(metric, from, to, lane) {
      return await (await lanes[lane]!)(metric, from, to);
    },
    async close() {
      appender.closeSync();
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** The names and tags of the metrics, in a new database. */
async function nameMetrics(connection: DuckDBConnection, metrics: number): Promise<void> {
  await connection.run("create table if not exists metrics (id uinteger, name varchar, tags varchar)");
  if ((await connection.runAndReadAll("select 1 from metrics limit 1")).currentRowCount > 0) return;
  const appender = await connection.createAppender("metrics");
  loadMetrics(metrics).forEach(({ name, tags }, id) => {
    appender.appendUInteger(id);
    appender.appendVarchar(name);
    appender.appendVarchar(JSON.stringify(tags));
    appender.endRow();
  });
  appender.closeSync();
}

type Lane = (metric: number, from: number, to: number) => ReturnType<OpenPeer["read"]>;

/** A statement of one connection, which can do one thing at a time. */
async function prepareRead(connection: DuckDBConnection): Promise<Lane> {
  const statement = await connection.prepare(
    "select time, value from points where metric = $1 and time >= $2 and time < $3 order by time",
  );
  return async (metric, from, to) => {
    statement.bindUInteger(1, metric);
    statement.bindBigInt(2, BigInt(from));
    statement.bindBigInt(3, BigInt(to));
    const [times = [], values = []] = (await statement.runAndReadAll()).getColumns();
    const points = new PointList(times.length);
    for (let i = 0; i < times.length; i++) points.add(Number(times[i]), values[i] as number);
    return points.end();
  };
}

export const duckdb: Peer = {
  id: "duckdb",
  title: "DuckDB, a row a point",
  package: "@duckdb/node-api",
  readsInFlight: LANES,
  open,
};
