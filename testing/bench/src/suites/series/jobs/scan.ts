/** Reads a long time of single metrics, one after the other: all points, or windows of them. */
import { openSeries, type Series } from "@moonpack/series";
import { rocksdb } from "@moonpack/series-kv";
import { checkPoints, readRange } from "../check.js";
import { bytesFromDisk, dropCache } from "../folder.js";
import { HOUR, NodeSets, SimulatedClock, TICKS_A_MINUTE, timeOf } from "../load.js";
import { uniformValue } from "../values.js";
import type { ReadResult } from "./reads.js";

/** The points to scan. */
export interface ScanJob {
  readonly kind: "scan";
  readonly folder: string;
  readonly metrics: number;
  readonly ticks: number;
  /** All points, or the averages of minutes. */
  readonly of: "points" | "averages";
  /** Scans of a round. Each one is of a metric in another page than the one before. */
  readonly scans: number;
  readonly warmUp: number;
  readonly rounds: number;
  /** After the warm-up, the files are removed from the system's cache, and pages are read that are in no cache. */
  readonly isCold: boolean;
}

/** Metrics that share a page. */
const METRICS_A_PAGE = 16;

/** Scans in rounds. */
export async function scan(job: ScanJob): Promise<ReadResult> {
  const { folder, metrics, ticks, scans } = job;
  const clock = new SimulatedClock(timeOf(ticks) + HOUR);
  await using series = await openSeries({ path: folder, driver: rocksdb(), now: clock.now, rollupAfter: false });
  const nodes = await NodeSets.register(series, metrics);
  const handles = nodes.sets.flatMap((set) => set.metrics);
  const rounds: number[] = [];
  let fromDisk: number | undefined;
  for (let round = 0; round < job.warmUp + job.rounds; round++) {
    if (round === job.warmUp) {
      if (job.isCold && !dropCache(folder)) return { rounds: [], diskBytes: null };
      fromDisk = bytesFromDisk();
    }
    const start = performance.now();
    for (let i = 0; i < scans; i++) {
      // Page by page: then the next metric of each.
      const n = round * scans + i;
      const index = ((n * METRICS_A_PAGE) % metrics) + (Math.floor((n * METRICS_A_PAGE) / metrics) % METRICS_A_PAGE);
      const metric = handles[index]!;
      if (job.of === "points") await readRange(series, metric, index, 0, ticks);
      else await readAverages(series, metric, index, ticks);
    }
    if (round >= job.warmUp) rounds.push(performance.now() - start);
  }
  const disk = bytesFromDisk();
  await checkPoints(series, handles[0]!, 0, 0, ticks);
  const diskBytes = disk === undefined || fromDisk === undefined ? null : (disk - fromDisk) / (scans * job.rounds);
  return { rounds, diskBytes };
}

/** Reads the average of each minute, and compares the first and how many there are. */
async function readAverages(
  series: Series,
  metric: Parameters<Series["last"]>[0],
  index: number,
  ticks: number,
): Promise<void> {
  let count = 0;
  const query = { metric, from: timeOf(0), to: timeOf(ticks), window: "1m", aggregate: ["avg"] } as const;
  for await (const { length, columns } of series.query(query).batches()) {
    if (count === 0 && columns.avg![0] !== firstAverage(index)) throw new Error(`metric ${index} has another average`);
    count += length;
  }
  if (count !== ticks / TICKS_A_MINUTE) throw new Error(`metric ${index} has ${count} averages`);
}

function firstAverage(index: number): number {
  let sum = 0;
  for (let tick = 0; tick < TICKS_A_MINUTE; tick++) sum += uniformValue(index, tick);
  return sum / TICKS_A_MINUTE;
}
