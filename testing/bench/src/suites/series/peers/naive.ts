/**
 * One key a point on the RocksDB that our store uses: the metric's number and the time, big-endian, and the value as a float64. By its
 * defaults the binding compresses with ZSTD. It has no call that compacts.
 */
import { setTimeout } from "node:timers/promises";
import { RocksLevel } from "@nxtedition/rocksdb";
import { loadMetrics } from "../load.js";
import { type OpenPeer, type Peer, type PeerOptions, PointList } from "./peer.js";

const ENCODINGS = { keyEncoding: "buffer", valueEncoding: "buffer" } as const;
const KEY = 12;
/** Four bytes 255, and the number of the metric. */
const KEY_OF_NAME = 8;
const VALUE = 8;
const TWO_32 = 2 ** 32;
/** Points of a read. */
const MOST = 100_000;
/** Opening the database again moves the content of its log into a file. */
const REOPENED = 2;
const LOOK_EVERY = 50;

function setTime(key: Buffer, at: number, time: number): void {
  key.writeUInt32BE(Math.floor(time / TWO_32), at + 4);
  key.writeUInt32BE(time % TWO_32, at + 8);
}

function keyOf(metric: number, time: number): Buffer {
  const key = Buffer.allocUnsafe(KEY);
  key.writeUInt32BE(metric, 0);
  setTime(key, 0, time);
  return key;
}

async function openDatabase(folder: string): Promise<RocksLevel> {
  const db = new RocksLevel(folder, ENCODINGS);
  await db.open({ createIfMissing: true });
  return db;
}

async function open({ folder, durability, metrics }: PeerOptions): Promise<OpenPeer> {
  let db = await openDatabase(folder);
  await nameMetrics(db, metrics);
  // The keys and values of a scrape, written over for each one: a batch copies them.
  const keys = Buffer.alloc(metrics * KEY);
  const bytes = new Float64Array(metrics);
  const entries = Array.from({ length: metrics }, (_, metric) => {
    keys.writeUInt32BE(metric, metric * KEY);
    return {
      key: keys.subarray(metric * KEY, (metric + 1) * KEY),
      value: Buffer.from(bytes.buffer, metric * VALUE, VALUE),
    };
  });
  return {
    async writeScrape(time, values) {
      bytes.set(values);
      const batch = db.batch();
      for (let metric = 0; metric < metrics; metric++) {
        setTime(keys, metric * KEY, time);
        const { key, value } = entries[metric]!;
        batch.put(key, value);
      }
      await batch.write({ sync: durability === "sync" });
    },
    async finish() {},
    async compact() {
      for (let i = 0; i < REOPENED; i++) {
        await db.close();
        db = await openDatabase(folder);
        while (isBusy(db)) await setTimeout(LOOK_EVERY);
      }
    },
    async read(metric, from, to) {
      // On the calling thread: twice as fast as an iterator, also as 64 of them at a time.
      const { rows } = await db.query({ ...ENCODINGS, gte: keyOf(metric, from), lt: keyOf(metric, to), limit: MOST });
      const points = new PointList(rows.length / 2);
      for (let i = 0; i < rows.length; i += 2) {
        const key = rows[i]!;
        points.add(key.readUInt32BE(4) * TWO_32 + key.readUInt32BE(8), rows[i + 1]!.readDoubleLE());
      }
      return points.end();
    },
    close: () => db.close(),
  };
}

/** The names and tags of the metrics, in a new database: after all points. */
async function nameMetrics(db: RocksLevel, metrics: number): Promise<void> {
  const keyOfName = (metric: number) => {
    const key = Buffer.alloc(KEY_OF_NAME, 0xff);
    key.writeUInt32BE(metric, 4);
    return key;
  };
  const { rows } = await db.query({
    ...ENCODINGS,
    gte: keyOfName(0),
    lt: Buffer.alloc(KEY_OF_NAME + 1, 0xff),
    limit: 1,
  });
  if (rows.length > 0) return;
  const batch = db.batch();
  loadMetrics(metrics).forEach(({ name, tags }, metric) => {
    batch.put(keyOfName(metric), Buffer.from(JSON.stringify({ name, tags })));
  });
  await batch.write({ sync: true });
}

function isBusy(db: RocksLevel): boolean {
  return ["num-running-flushes", "num-running-compactions", "compaction-pending"].some(
    (property) => db.getProperty(`rocksdb.${property}`) !== "0",
  );
}

export const naive: Peer = {
  id: "naive",
  title: "RocksDB, one key a point",
  package: "@nxtedition/rocksdb",
  readsInFlight: 1,
  open,
};
