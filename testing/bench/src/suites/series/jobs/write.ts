/** Writes the load in one way, and times it: sealing and the final flush included. */
import { type Durability, openSeries } from "@moonpack/series";
import { rocksdb } from "@moonpack/series-kv";
import { checkSome } from "../check.js";
import { peakMemory } from "../folder.js";
import { NodeSets, SimulatedClock } from "../load.js";
import { ways } from "./ways.js";

/** The points to write, and how. */
export interface WriteJob {
  readonly kind: "write";
  readonly folder: string;
  readonly way: string;
  readonly durability: Durability;
  readonly metrics: number;
  readonly ticks: number;
}

/** The time and memory of the writes. */
export interface WriteResult {
  readonly pointsPerSecond: number;
  /** Peak resident memory in bytes; null where the system does not report it. */
  readonly peak: number | null;
}

/** Metrics whose points are read back. */
const CHECKED = 100;

/** Writes, then reads some of it back. */
export async function write({ folder, way: id, durability, metrics, ticks }: WriteJob): Promise<WriteResult> {
  const way = ways.find((one) => one.id === id)!;
  const clock = new SimulatedClock();
  await using series = await openSeries({ path: folder, driver: rocksdb(), durability, now: clock.now });
  const nodes = await NodeSets.register(series, metrics);
  const handles = nodes.sets.flatMap((set) => set.metrics);
  const start = performance.now();
  await way.write({ series, clock, nodes, metrics: handles, ticks });
  await series.flush();
  const milliseconds = performance.now() - start;
  const peak = peakMemory() ?? null;
  const { points, late, refused } = await series.stats();
  if (points !== metrics * ticks || late > 0 || refused > 0)
    throw new Error(`${id}: ${points} points were accepted, ${late} of them late, and ${refused} refused`);
  await checkSome(series, handles, ticks, Math.min(CHECKED, metrics));
  return { pointsPerSecond: (points / milliseconds) * 1000, peak };
}
