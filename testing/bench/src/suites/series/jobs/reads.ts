/** Reads minutes or hours of random metrics. */
import { openSeries } from "@moonpack/series";
import { Random } from "../../../workloads/random.js";
import { checkPoints, readRange } from "../check.js";
import { drive } from "../drive.js";
import { bytesFromDisk, dropCache, fillCache } from "../folder.js";
import { HOUR, NodeSets, SimulatedClock, timeOf } from "../load.js";
import { type DriverName, driverOf } from "./drivers.js";

/** The reads to measure. */
export interface ReadJob {
  readonly kind: "read";
  readonly store: DriverName;
  readonly folder: string;
  readonly metrics: number;
  readonly ticks: number;
  /** Ticks that a read spans. It begins at a multiple of them. */
  readonly span: number;
  /** Reads of a round. */
  readonly reads: number;
  /** Rounds before those that are timed, and how many are. */
  readonly warmUp: number;
  readonly rounds: number;
  /**
   * Where pages come from. Unless it is the store's memory, the warm-up reads the first metrics only, and the rounds read the others: from
   * files that are in the system's cache, or that were removed from it.
   */
  readonly from: "memory" | "system" | "disk";
  readonly seed: number;
}

/** Times and bytes of the reads. */
export interface ReadResult {
  /** Milliseconds of each round; none where the system's cache cannot be emptied. */
  readonly rounds: readonly number[];
  /** Bytes that came from the disk for one read; null where the system does not report them. */
  readonly diskBytes: number | null;
}

const IN_FLIGHT = 64;
/** Of every 16th read, all points are compared; of others the number, the first and the last. */
const WHOLE_CHECK = 16;
/** The share of the metrics that a reader of others warms up with. */
const WARM_SHARE = 0.4;

/** Reads in rounds. */
export async function read(job: ReadJob): Promise<ReadResult> {
  const { folder, metrics, ticks, span, reads } = job;
  const readsOthers = job.from !== "memory";
  const clock = new SimulatedClock(timeOf(ticks) + HOUR);
  await using series = await openSeries({
    path: folder,
    driver: driverOf(job.store),
    now: clock.now,
    rollupAfter: false,
  });
  const nodes = await NodeSets.register(series, metrics);
  const handles = nodes.sets.flatMap((set) => set.metrics);
  const random = new Random(job.seed);
  const firstOther = readsOthers ? Math.ceil(metrics * WARM_SHARE) : 0;
  const rounds: number[] = [];
  let fromDisk: number | undefined;
  for (let round = 0; round < job.warmUp + job.rounds; round++) {
    const isWarmUp = round < job.warmUp;
    const [least, most] = readsOthers && isWarmUp ? [0, firstOther - 1] : [firstOther, metrics - 1];
    const wanted = Array.from({ length: reads }, () => ({
      index: random.integer(least, most),
      from: random.integer(0, ticks / span - 1) * span,
    }));
    if (round === job.warmUp) {
      if (job.from === "system") fillCache(folder);
      if (job.from === "disk" && !dropCache(folder)) return { rounds: [], diskBytes: null };
      fromDisk = bytesFromDisk();
    }
    const milliseconds = await drive(IN_FLIGHT, reads, (i) => {
      const { index, from } = wanted[i]!;
      const metric = handles[index]!;
      return i % WHOLE_CHECK === 0
        ? checkPoints(series, metric, index, from, from + span)
        : readRange(series, metric, index, from, from + span);
    });
    if (!isWarmUp) rounds.push(milliseconds);
  }
  const disk = bytesFromDisk();
  const diskBytes = disk === undefined || fromDisk === undefined ? null : (disk - fromDisk) / (reads * job.rounds);
  return { rounds, diskBytes };
}
