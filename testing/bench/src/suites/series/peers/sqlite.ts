/** SQLite, from Node: a table of points with the key metric and time, a transaction for each scrape. */
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { loadMetrics } from "../load.js";
import { type OpenPeer, type Peer, type PeerOptions, PointList } from "./peer.js";

/** KiB of its cache: as much as our store's. */
const CACHE_KIB = 65_536;

async function open({ folder, durability, metrics }: PeerOptions): Promise<OpenPeer> {
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(join(folder, "points.db"));
  // NORMAL does not wait for the medium when a transaction ends, FULL does.
  db.exec(`
    pragma journal_mode = wal;
    pragma synchronous = ${durability === "sync" ? "full" : "normal"};
    pragma cache_size = -${CACHE_KIB};
    create table if not exists points (metric integer, time integer, value real, primary key (metric, time)) without rowid;
  `);
  nameMetrics(db, metrics);
  const insert = db.prepare("insert into points values (?, ?, ?)");
  const range = db.prepare("select time, value from points where metric = ? and time >= ? and time < ? order by time");
  const { version } = db.prepare("select sqlite_version() as version").get() as { version: string };
  return {
    version,
    async writeScrape(time, values) {
      db.exec("begin");
      for (let metric = 0; metric < metrics; metric++) insert.run(metric, time, values[metric]!);
      db.exec("commit");
    },
    async finish() {},
    async compact() {
      db.exec("vacuum");
      db.exec("pragma wal_checkpoint(truncate)");
    },
    async read(metric, from, to) {
      const rows = range.all(metric, from, to) as { time: number; value: number }[];
      const points = new PointList(rows.length);
      for (const { time, value } of rows) points.add(time, value);
      return points.end();
    },
    async close() {
      db.close();
    },
  };
}

/** The names and tags of the metrics, in a new database. */
function nameMetrics(db: DatabaseSync, metrics: number): void {
  db.exec("create table if not exists metrics (id integer primary key, name text not null, tags text not null)");
  if (db.prepare("select 1 from metrics").get() !== undefined) return;
  const insert = db.prepare("insert into metrics values (?, ?, ?)");
  db.exec("begin");
  loadMetrics(metrics).forEach(({ name, tags }, id) => void insert.run(id, name, JSON.stringify(tags)));
  db.exec("commit");
}

export const sqlite: Peer = {
  id: "sqlite",
  title: "SQLite (node:sqlite), a row a point",
  package: undefined,
  readsInFlight: 1,
  open,
};
