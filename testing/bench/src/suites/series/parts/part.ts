/** Shared by the parts of the suite. */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { median } from "simple-statistics";
import { runScript } from "../../../measure/child.js";
import { type Summary, significant } from "../../../measure/statistics.js";
import type { NumberTable } from "../../../report/numbers.js";
import type { SeriesJob } from "../child.js";
import type { Scale } from "../scale.js";
import type { Stores } from "./stores.js";

/** A run of the suite. */
export interface PartRun {
  readonly quick: boolean;
  readonly processes: number;
  readonly scale: Scale;
  /** Where stores are made. */
  readonly folder: string;
  /** Stores that several parts read. */
  readonly stores: Stores;
  /** Versions of programs that are not packages are added to it. */
  readonly versions: Map<string, string>;
}

/** A part of the suite with its own tables. `--filter` matches its id. */
export interface Part {
  readonly id: string;
  run(run: PartRun): Promise<NumberTable[]>;
}

/** The script of a job's process. */
export const CHILD = new URL("../child.js", import.meta.url);

/** Runs a job in a new process. */
export function runJob<Result>(job: SeriesJob): Promise<Result> {
  return runScript<Result>(CHILD, [JSON.stringify(job)]);
}

/** Calls `work` with a new folder, which is removed afterwards. */
export async function inFolder<Result>(parent: string, work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(parent, "store-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A median, the least and the greatest. */
export type Spread = Pick<Summary, "median" | "low" | "high">;

/** The median of several processes, with the least and the greatest. One value has no spread; no values give undefined. */
export function spreadOf(values: readonly number[]): Spread | number | undefined {
  const [only] = values;
  if (values.length < 2) return only;
  return { median: median([...values]), low: significant(Math.min(...values)), high: significant(Math.max(...values)) };
}

/** Values that are there. */
export function present<T>(values: readonly (T | null)[]): T[] {
  return values.filter((value) => value !== null);
}

export const MB = 1_000_000;
