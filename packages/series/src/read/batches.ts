/** Converts the hours of a scan to batches for users. */
import type { PointBatch } from "../api.js";
import type { PagePoints } from "../page/page.js";
import { Values64, withRoom } from "../page/values.js";
import { ScanMemory } from "./scan.js";

const HOUR = 3_600_000;

/** The memory of one read. */
export class BatchMemory {
  readonly scan = new ScanMemory();
  times = new Float64Array(64);
  reversed = new Values64(0);
}

/** Returns the Unix times of an hour's points, in milliseconds, in `memory` if it is large enough. */
export function absoluteTimes(
  hour: number,
  { times, length }: PagePoints,
  memory: Float64Array<ArrayBuffer>,
): Float64Array<ArrayBuffer> {
  const target = length <= memory.length ? memory : new Float64Array(Math.max(length, 2 * memory.length));
  const start = hour * HOUR;
  for (let i = 0; i < length; i++) target[i] = start + times[i]!;
  return target;
}

/**
 * Returns the points of an hour as a batch of at most `limit`; undefined without points. The next batch reuses its memory. `unit` is the
 * unit of its times, in milliseconds.
 */
export function batchOf(
  hour: number,
  points: PagePoints,
  reverse: boolean,
  limit: number,
  unit: number,
  memory: BatchMemory,
): PointBatch | undefined {
  const n = points.length;
  if (n === 0) return undefined;
  memory.times = absoluteTimes(hour, points, memory.times);
  const { times } = memory;
  let { values } = points;
  if (reverse) {
    times.subarray(0, n).reverse();
    memory.reversed = withRoom(memory.reversed, n);
    reverseValues(values, n, memory.reversed);
    values = memory.reversed;
  }
  const length = Math.min(n, limit);
  if (unit !== 1) for (let i = 0; i < length; i++) times[i]! /= unit;
  return {
    length,
    timestamps: times.subarray(0, length),
    values: points.isInt64 ? new BigInt64Array(values.words.buffer, 0, length) : values.floats.subarray(0, length),
  };
}

function reverseValues({ words }: Values64, n: number, target: Values64): void {
  for (let i = 0, to = n - 1; i < n; i++, to--) {
    target.words[2 * to] = words[2 * i]!;
    target.words[2 * to + 1] = words[2 * i + 1]!;
  }
}
