/** Shared by the parts of the suite. */
import { median } from "simple-statistics";
import { findNode, type NodeVersion } from "../../../measure/nodes.js";
import { type Summary, significant } from "../../../measure/statistics.js";
import type { NumberTable } from "../../../report/numbers.js";
import type { Scale } from "../scale.js";

/** A part of the suite with its own tables. `--filter` matches its id. */
export interface Part {
  readonly id: string;
  run(scale: Scale): Promise<NumberTable[]>;
}

/** This Node and other lines of it, as far as they can be installed. */
export async function nodesOf({ majors }: Scale): Promise<NodeVersion[]> {
  const own = { version: process.versions.node, executable: process.execPath };
  const others = await Promise.all(majors.map((major) => findNode(major)));
  return [own, ...others.filter((node) => node !== undefined)];
}

/** The median of processes with the least and the greatest. */
export function spreadOf(values: readonly number[]): Pick<Summary, "median" | "low" | "high"> {
  return {
    median: median([...values]),
    low: significant(Math.min(...values)),
    high: significant(Math.max(...values)),
  };
}

/** The loss of throughput, in %, that a multiple of the processor's time means. */
export function lossOf(timeRatio: number): number {
  return 100 * (1 - 1 / timeRatio);
}
