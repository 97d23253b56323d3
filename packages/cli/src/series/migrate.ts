/** `moonpack series migrate`: copies a store of any driver into a new store of files. */
import { MoonpackError } from "moonpack/bytes";
import { DataError, describeError } from "../shared/failure.js";
import { summarize } from "../shared/messages.js";
import { userPath } from "../shared/paths.js";
import { printable } from "../shared/printable.js";
import { Progress } from "../shared/progress.js";
import { grouped } from "../shared/table.js";
import { checkExists, type DriverName, storeOptions } from "./store.js";
import { isoText } from "./times.js";

/** Options of `moonpack series migrate`, as the command line gives them. */
export interface MigrateOptions {
  readonly driver?: DriverName;
}

/** Migrates a store, and prints what it copied. */
export async function migrateStore(old: string, to: string, { driver }: MigrateOptions): Promise<void> {
  const [path, target] = [userPath(old), userPath(to)];
  checkExists(path);
  const from = await storeOptions({ path, driver });
  const { migrate } = await import("@moonpack/series");
  const progress = new Progress("migrating", undefined);
  try {
    const { metrics, points } = await migrate(from, target, {
      onProgress: ({ phase, points: done, week }) =>
        progress.update(done, phase === "compare" ? comparing(done) : copying(done, week!)),
    });
    progress.stop();
    summarize(
      `${grouped(points)} points of ${grouped(metrics)} metrics are in ${printable(to)}, and equal to ${printable(old)}\n`,
    );
  } catch (error) {
    if (!(error instanceof MoonpackError)) throw error;
    throw new DataError(path, describeError(error), error);
  } finally {
    progress.stop();
  }
}

function copying(points: number, week: number): string {
  return `${grouped(points)} points, week of ${isoText(week).slice(0, 10)}`;
}

function comparing(points: number): string {
  return `${grouped(points)} points compared`;
}
