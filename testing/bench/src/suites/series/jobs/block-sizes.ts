/** Bytes a point in a store of files, after everything is merged. */
import { join } from "node:path";
import { openSeries } from "@moonpack/series";
import { folderBytes } from "../folder.js";
import { HOUR, loadMetrics, SimulatedClock, START } from "../load.js";
import { findKind } from "../values.js";

/** The points of the store. */
export interface BlockSizesJob {
  readonly kind: "block-sizes";
  readonly folder: string;
  readonly values: string;
  /** A multiple of the number of nodes. */
  readonly metrics: number;
  readonly ticks: number;
  /** Milliseconds between two points of a metric. */
  readonly every: number;
}

/** Bytes a point. */
export interface BlockSizes {
  readonly blocks: number;
  /** All files of the folder, with names and tags. */
  readonly whole: number;
}

/** How long after the last point all is due for merging. */
const LATER = 14 * 24 * HOUR;

/** Writes points as simulated time goes by, merges all blocks, and opens the store again, which deletes replaced files. */
export async function blockSizes({ folder, values: kind, metrics, ticks, every }: BlockSizesJob): Promise<BlockSizes> {
  const clock = new SimulatedClock();
  const options = { path: folder, now: clock.now };
  {
    await using series = await openSeries(options);
    const set = await series.metricSet(loadMetrics(metrics));
    const next = findKind(kind).start(metrics);
    const values = new Float64Array(metrics);
    for (let tick = 0; tick < ticks; tick++) {
      clock.time = START + tick * every;
      next(tick, values);
      await series.writeScrape(clock.time, set, values);
    }
    await series.flush();
    clock.time += LATER;
    await series.compact();
  }
  const again = await openSeries(options);
  await again.close();
  const points = metrics * ticks;
  return { blocks: folderBytes(join(folder, "blocks")) / points, whole: folderBytes(folder) / points };
}
