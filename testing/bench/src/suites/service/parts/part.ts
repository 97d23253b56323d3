import { median } from "simple-statistics";
import { runScript } from "../../../measure/child.js";
import { type Summary, significant } from "../../../measure/statistics.js";
import type { NumberTable } from "../../../report/numbers.js";
import type { Operation } from "../../../types.js";
import type { ServiceJob } from "../child.js";

/** Shared by all parts of a run. */
export interface PartRun {
  readonly quick: boolean;
  readonly operations: readonly Operation[];
  readonly processes: number;
  /** The folder of the documents. */
  readonly folder: string;
  /** `--filter` was given. */
  readonly isFiltered: boolean;
  /** True for names that `--filter` chooses, such as `mix` or `company-tiny`. */
  chooses(name: string): boolean;
}

/** A median, the least and the greatest. */
export type Spread = Pick<Summary, "median" | "low" | "high">;

/** A part of the suite with its own tables. */
export interface Part {
  readonly id: string;
  /** Throws before anything is measured if something is missing. */
  prepare?(run: PartRun): Promise<void>;
  run(run: PartRun): Promise<NumberTable[]>;
}

const CHILD = new URL("../child.js", import.meta.url);

/** Runs a job in a new process. */
export function runJob<Result>(job: ServiceJob, executable = process.execPath): Promise<Result> {
  return runScript<Result>(CHILD, [JSON.stringify(job)], ["--expose-gc"], executable);
}

/** The median of several processes, with the least and the greatest. A single process has no spread. */
export function spreadOf(values: readonly number[]): Spread | number {
  const [only] = values;
  if (values.length === 1) return only!;
  return { median: median([...values]), low: significant(Math.min(...values)), high: significant(Math.max(...values)) };
}

/** For titles. */
export const VERBS: Readonly<Record<Operation, string>> = { decode: "Decoding", encode: "Encoding" };
