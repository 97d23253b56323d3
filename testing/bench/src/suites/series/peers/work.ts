/** The measurements of a peer, each in its own process. */
import { mkdirSync } from "node:fs";
import { Random } from "../../../workloads/random.js";
import { TICKS_A_MINUTE, timeOf } from "../load.js";
import { findKind, uniformValue } from "../values.js";
import { findPeer } from "./index.js";
import type { OpenPeer, Peer, PeerDurability, PeerPoints } from "./peer.js";

/** `check`: writes and compares every point. `write`: a load, into a new folder. `read`: reads an existing folder. */
export interface PeerJob {
  readonly kind: "check" | "write" | "read";
  readonly peer: string;
  readonly folder: string;
  readonly durability: PeerDurability;
  readonly metrics: number;
  readonly ticks: number;
  /** `write` only: compacts the written points. */
  readonly compact: boolean;
  /** Milliseconds of reading, for each length of time. */
  readonly readMs: number;
}

/** Of a load. */
export interface PeerWrite {
  readonly pointsPerSecond: number;
  readonly version: string | null;
}

/** Reads a second: of a minute of a metric, and of all of its points. */
export interface PeerReads {
  readonly minute: number;
  readonly metric: number;
}

/** Does a job. */
export async function peerWork(job: PeerJob): Promise<PeerWrite | PeerReads | null> {
  const peer = findPeer(job.peer);
  mkdirSync(job.folder, { recursive: true });
  const open = await peer.open(job);
  try {
    if (job.kind === "read") return await readAll(peer, open, job);
    const written = await writeAll(open, job);
    if (job.kind === "check") await checkAll(open, job);
    return written;
  } finally {
    await open.close();
  }
}

async function writeAll(open: OpenPeer, { kind, metrics, ticks, compact }: PeerJob): Promise<PeerWrite> {
  const fill = findKind("uniform").start(metrics);
  const values = new Float64Array(metrics);
  const start = performance.now();
  for (let tick = 0; tick < ticks; tick++) {
    fill(tick, values);
    await open.writeScrape(timeOf(tick), values);
  }
  await open.finish();
  const milliseconds = performance.now() - start;
  if (kind === "write" && compact) await open.compact();
  return { pointsPerSecond: ((metrics * ticks) / milliseconds) * 1000, version: open.version ?? null };
}

/** Every point of every metric, before and after compaction. */
async function checkAll(open: OpenPeer, { peer, metrics, ticks }: PeerJob): Promise<void> {
  for (let pass = 0; pass < 2; pass++) {
    for (let metric = 0; metric < metrics; metric++)
      checkPoints(peer, metric, 0, ticks, await open.read(metric, timeOf(0), timeOf(ticks), 0));
    // A part: the start belongs to it, the end does not.
    checkPoints(peer, 1, 3, 7, await open.read(1, timeOf(3), timeOf(7), 0));
    await open.compact();
  }
}

/** Throws if the points are others than those from one tick up to, and without, another. */
export function checkPoints(
  peer: string,
  metric: number,
  from: number,
  to: number,
  { times, values }: PeerPoints,
): void {
  const isSame = (i: number) => times[i] === timeOf(from + i) && values[i] === uniformValue(metric, from + i);
  if (times.length !== to - from || values.length !== to - from || !values.every((_, i) => isSame(i)))
    throw new Error(`${peer} returned other points of metric ${metric} than those that were written`);
}

async function readAll(peer: Peer, open: OpenPeer, job: PeerJob): Promise<PeerReads> {
  return {
    minute: await readRate(peer, open, job, TICKS_A_MINUTE),
    metric: await readRate(peer, open, job, job.ticks),
  };
}

/** Reads of random metrics a second. The first quarter of the time is warm-up. */
async function readRate(peer: Peer, open: OpenPeer, job: PeerJob, span: number): Promise<number> {
  const random = new Random(span);
  const warm = performance.now() + job.readMs / 4;
  let start = 0;
  let end = Number.POSITIVE_INFINITY;
  let reads = 0;
  const lane = async (number: number) => {
    for (;;) {
      const now = performance.now();
      if (start === 0 && now >= warm) {
        start = now;
        end = now + job.readMs;
        reads = 0;
      }
      if (now >= end) return;
      const metric = random.integer(0, job.metrics - 1);
      const from = random.integer(0, job.ticks / span - 1) * span;
      const points = await open.read(metric, timeOf(from), timeOf(from + span), number);
      checkPoints(peer.id, metric, from, from + span, points);
      reads++;
    }
  };
  await Promise.all(Array.from({ length: peer.readsInFlight }, (_, number) => lane(number)));
  return (reads / (performance.now() - start)) * 1000;
}
