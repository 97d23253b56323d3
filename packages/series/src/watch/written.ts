/** Copies of points that were written while a loop watches, until they are acknowledged and the loops have them. */
import { Values64 } from "../page/values.js";
import type { Watcher } from "./watcher.js";

/** The points of one record of the log. */
export interface Written {
  /** The loops that had started before the write. */
  readonly watchers: readonly Watcher[];
  /** Resolves to true when the write has the store's durability, to false if it failed. */
  readonly acknowledged: Promise<boolean>;
  readonly ids: Uint32Array;
  readonly times: Float64Array;
  readonly values: Values64;
  /** Distinguishes them from {@link Uncopied}. */
  readonly counts: undefined;
}

/** Points that were too many to be copied: their number by metric. */
export interface Uncopied {
  readonly watchers: readonly Watcher[];
  readonly counts: Map<number, number>;
}

/** Copies `n` points. The arguments are the same as for the log. */
export function copyPoints(
  n: number,
  ids: Uint32Array | number,
  times: Float64Array | number,
  values: Values64,
  from: number,
  listFrom: number,
): Pick<Written, "ids" | "times" | "values" | "counts"> {
  const copy = { ids: idsOf(n, ids, listFrom), times: new Float64Array(n), values: new Values64(n), counts: undefined };
  if (typeof times === "number") copy.times.fill(times);
  else copy.times.set(times.subarray(listFrom, listFrom + n));
  copy.values.words.set(values.words.subarray(2 * from, 2 * (from + n)));
  return copy;
}

/** Adds the number of points of each metric to `counts`. */
export function countPoints(n: number, ids: Uint32Array | number, listFrom: number, counts: Map<number, number>): void {
  for (const id of idsOf(n, ids, listFrom)) counts.set(id, (counts.get(id) ?? 0) + 1);
}

function idsOf(n: number, ids: Uint32Array | number, listFrom: number): Uint32Array {
  if (typeof ids !== "number") return ids.slice(listFrom, listFrom + n);
  const list = new Uint32Array(n);
  for (let i = 0; i < n; i++) list[i] = ids + i;
  return list;
}
