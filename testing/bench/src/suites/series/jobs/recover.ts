/** A process that is killed with all its points in the head and the log, and one that opens the store after it. */
import { type Durability, openSeries } from "@moonpack/series";
import { rocksdb } from "@moonpack/series-kv";
import { checkSome } from "../check.js";
import { NodeSets, SimulatedClock, timeOf } from "../load.js";
import { findKind } from "../values.js";

/** The points to write before the process is killed. */
export interface CrashJob {
  readonly kind: "crash";
  readonly folder: string;
  readonly durability: Durability;
  readonly metrics: number;
  readonly ticks: number;
}

/** The points that recovery must find. */
export interface RecoverJob extends Omit<CrashJob, "kind"> {
  readonly kind: "recover";
}

/** The time of a recovery, and the points found. */
export interface RecoverResult {
  readonly milliseconds: number;
  readonly points: number;
}

const CHECKED = 100;

/** Writes, and prints a line when all points are acknowledged. Never returns: the process is killed. */
export async function crash({ folder, durability, metrics, ticks }: CrashJob): Promise<never> {
  // The clock stands still, so no minute is due.
  const clock = new SimulatedClock();
  const series = await openSeries({ path: folder, driver: rocksdb(), durability, now: clock.now });
  const nodes = await NodeSets.register(series, metrics);
  const fill = findKind("uniform").start(metrics);
  const values = new Float64Array(metrics);
  for (let tick = 0; tick < ticks; tick++) {
    fill(tick, values);
    await nodes.write(timeOf(tick), values);
  }
  const { headPoints } = await series.stats();
  if (headPoints !== metrics * ticks) throw new Error(`${headPoints} points are in the head`);
  process.stdout.write("written\n");
  return await new Promise<never>(() => setInterval(() => series.stats(), 60_000));
}

/** Opens the store and reads some of the points. */
export async function recover({ folder, durability, metrics, ticks }: RecoverJob): Promise<RecoverResult> {
  const clock = new SimulatedClock();
  const start = performance.now();
  const series = await openSeries({ path: folder, driver: rocksdb(), durability, now: clock.now });
  const milliseconds = performance.now() - start;
  const { recovery } = await series.stats();
  if (recovery.points !== metrics * ticks) throw new Error(`${recovery.points} points were recovered`);
  const nodes = await NodeSets.register(series, metrics);
  const handles = nodes.sets.flatMap((set) => set.metrics);
  await checkSome(series, handles, ticks, Math.min(CHECKED, metrics));
  await series.close();
  return { milliseconds, points: recovery.points };
}
