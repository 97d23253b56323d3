/**
 * The head's points of one metric, as a source of a scan. They are copied, because sealing may free the head's memory during the scan, into
 * memory that the next copy reuses.
 */
import type { MemorySource } from "../blocks/metric-scan.js";
import { firstAtLeast, OneRun, type Run } from "../blocks/run.js";
import type { Head } from "../head/head.js";
import type { HeadMinute } from "../head/head-minute.js";
import { HeadPoints } from "../head/head-points.js";
import { mergePoints } from "../page/merge.js";
import { PagePoints } from "../page/page.js";
import { copyWords } from "../page/values.js";
import type { TimeRange } from "../read/time-range.js";

const MINUTE = 60_000;

/** The points of a metric in the head. */
export interface HeadSource extends MemorySource {
  /** Their times, ascending. */
  readonly times: Float64Array;
}

/** Memory of a read; undefined before its first points. */
export interface HeadMemory {
  head: HeadPoints | undefined;
}

/** Copies points of a head. */
export class HeadCopies {
  readonly #head: Head;
  readonly #minute = new PagePoints();
  readonly #more = new PagePoints();
  readonly #scratch = new PagePoints();

  constructor(head: Head) {
    this.#head = head;
  }

  /** Copies the points of a metric in a range. Returns undefined if there are none. The source is valid until the memory's next copy. */
  source(id: number, { from, to }: TimeRange, memory: HeadMemory): HeadSource | undefined {
    const minutes = this.#head.minutesOf(id, Math.floor(from / MINUTE), Math.ceil(to / MINUTE) - 1);
    if (minutes.length === 0) return undefined;
    memory.head ??= new HeadPoints();
    memory.head.length = 0;
    for (let i = 0; i < minutes.length; ) i = this.addMinute(minutes, i, id, memory.head);
    const { times, values, length } = memory.head;
    const start = firstAtLeast(times, 0, length, from);
    const end = firstAtLeast(times, start, length, to);
    if (start === end) return undefined;
    const run: Run = { times, values, from: start, to: end };
    return {
      from: times[start]!,
      to: times[end - 1]!,
      cursor: (range) => new OneRun(within(run, range)),
      times: times.subarray(start, end),
    };
  }

  /**
   * Adds the points of a metric in a minute, which may be none. While a round writes a minute, the list has a second one for newer points.
   * Returns the next index.
   */
  addMinute(minutes: readonly HeadMinute[], i: number, id: number, memory: HeadPoints): number {
    const head = this.#head;
    const { minute } = minutes[i]!;
    let next = i + 1;
    while (minutes[next]?.minute === minute) next++;
    if (next === i + 1 && head.append(minutes[i]!, id, memory)) return next;
    const points = this.#minute;
    head.collect(minutes[i]!, id, points);
    for (let k = i + 1; k < next; k++)
      if (head.collect(minutes[k]!, id, this.#more)) mergePoints(points, this.#more, 0, this.#scratch);
    const { length } = memory;
    memory.reserve(length, length + points.length);
    for (let k = 0; k < points.length; k++) memory.times[length + k] = minute * MINUTE + points.times[k]!;
    copyWords(points.values.words, 2 * points.length, memory.values.words, 2 * length);
    memory.length = length + points.length;
    memory.isInt64 = points.isInt64;
    return next;
  }
}

/** Returns the points of a run in a range; undefined without one. */
function within(run: Run, { from, to }: TimeRange): Run | undefined {
  const start = firstAtLeast(run.times, run.from, run.to, from);
  const end = firstAtLeast(run.times, start, run.to, to);
  return start < end ? { ...run, from: start, to: end } : undefined;
}
