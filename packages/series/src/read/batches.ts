/** Converts the points of a scan to batches for users. */
import type { PointBatch } from "../api.js";
import type { Run } from "../blocks/run.js";
import type { HeadPoints } from "../head/head-points.js";
import { Values64, withRoom } from "../page/values.js";

/** Points whose memory later reads reuse. */
const MAX_REUSED_POINTS = 4096;

/** The memory of one read. */
export class BatchMemory {
  /** The memory of a driver: undefined before its first scan. */
  ofStore: object | undefined;
  /** The times of a batch: a copy, not the memory of its run. */
  ownTimes = new Float64Array(64);
  /** The values of a batch, if they are reversed: a copy. */
  reversed = new Values64(0);
  /**
   * Points of the head; undefined before the first read of some in a store of files.
   *
   * @internal
   */
  head: HeadPoints | undefined;
  /** The values of a chunk; undefined before the first read of a block. */
  chunk: Values64 | undefined;

  /**
   * True if it is too large to be kept.
   *
   * @internal
   */
  get isLarge(): boolean {
    return this.ownTimes.length > MAX_REUSED_POINTS || (this.head?.times.length ?? 0) > MAX_REUSED_POINTS;
  }
}

/**
 * Returns the points of a run as a batch of at most `limit`. The batch uses memory of the run, or memory that the next batch reuses. `unit`
 * is the unit of its times, in milliseconds.
 */
export function batchOf(
  { times, values, from, to }: Run,
  isInt64: boolean,
  reverse: boolean,
  limit: number,
  unit: number,
  memory: BatchMemory,
): PointBatch {
  const n = to - from;
  const length = Math.min(n, limit);
  // A user may write into a batch, so times that other reads share are copied.
  if (n > memory.ownTimes.length) memory.ownTimes = new Float64Array(Math.max(n, 2 * memory.ownTimes.length));
  const own = memory.ownTimes;
  if (reverse) for (let i = 0; i < length; i++) own[i] = times[to - 1 - i]!;
  else for (let i = 0; i < length; i++) own[i] = times[from + i]!;
  if (unit !== 1) for (let i = 0; i < length; i++) own[i]! /= unit;
  let start = from;
  let source = values;
  if (reverse) {
    memory.reversed = withRoom(memory.reversed, n);
    reverseValues(values, to, length, memory.reversed, 0);
    source = memory.reversed;
    start = 0;
  }
  return {
    length,
    timestamps: own.subarray(0, length),
    values: isInt64
      ? new BigInt64Array(source.words.buffer, 8 * start, length)
      : source.floats.subarray(start, start + length),
  };
}

/** Copies the `n` values before `to` in reverse order to position `at`. */
export function reverseValues({ words }: Values64, to: number, n: number, target: Values64, at: number): void {
  for (let i = at, from = to - 1; i < at + n; i++, from--) {
    target.words[2 * i] = words[2 * from]!;
    target.words[2 * i + 1] = words[2 * from + 1]!;
  }
}
