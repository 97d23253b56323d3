/** Makes a store of simulated minutes or hours, and returns its size after its own compaction. */
import { openSeries } from "@moonpack/series";
import { folderBytes, pageBytes } from "../folder.js";
import { HOUR, MINUTE, NodeSets, SimulatedClock, timeOf } from "../load.js";
import { findKind } from "../values.js";
import { type DriverName, driverOf } from "./drivers.js";

/** The content of the store. */
export interface FillJob {
  readonly kind: "fill";
  readonly store: DriverName;
  readonly folder: string;
  readonly values: string;
  readonly metrics: number;
  readonly ticks: number;
  /** At the end, the simulated time advances until every hour is due for roll-up. */
  readonly rollUp: boolean;
}

/** Bytes a point. */
export interface Sizes {
  /** Values of minute pages, and of hour pages. */
  readonly minutes: number;
  readonly hours: number;
  /** All files of the folder. */
  readonly whole: number;
}

/** Hours after the last point at which every hour is due. */
const ROLLED_UP_AFTER = 3;

/** Fills a store with default options. */
export async function fill({ store, folder, values: kind, metrics, ticks, rollUp }: FillJob): Promise<Sizes> {
  const clock = new SimulatedClock();
  {
    await using series = await openSeries({ path: folder, driver: driverOf(store), now: clock.now });
    const nodes = await NodeSets.register(series, metrics);
    const next = findKind(kind).start(metrics);
    const values = new Float64Array(metrics);
    for (let tick = 0; tick < ticks; tick++) {
      clock.time = timeOf(tick);
      next(tick, values);
      await nodes.write(clock.time, values);
    }
    // The last minute is over before it is sealed, as it would be.
    clock.time = timeOf(ticks) + MINUTE;
    await series.flush();
    if (rollUp) clock.time = timeOf(ticks) + ROLLED_UP_AFTER * HOUR;
    await series.compact();
    const { points } = await series.stats();
    if (points !== metrics * ticks) throw new Error(`${points} points were accepted instead of ${metrics * ticks}`);
  }
  const whole = folderBytes(folder);
  // Blocks are not divided into minutes and hours.
  const pages = store === "files" ? { minutes: 0, hours: 0 } : await pageBytes(folder);
  if (rollUp && pages.minutes > 0) throw new Error(`${pages.minutes} bytes of minute pages were not rolled up`);
  const points = metrics * ticks;
  return { minutes: pages.minutes / points, hours: pages.hours / points, whole: whole / points };
}
