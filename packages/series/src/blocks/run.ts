/** Points of one metric in memory, on their way from a chunk or the head to a reader. */
import { Values64 } from "../page/values.js";
import type { SummedPoints } from "./summary-cursor.js";

/** Points by ascending time: those from `from` (inclusive) to `to` (exclusive). Times are milliseconds. */
export interface Run {
  /** The times. */
  readonly times: Float64Array<ArrayBuffer>;
  /** The values. */
  readonly values: Values64;
  /** The index of the first point. */
  from: number;
  /** The index after the last point. */
  to: number;
  /** The summary, if the run is one: then `times` and `values` do not contain its points. */
  readonly summed?: SummedPoints;
}

/** Iterates over the runs of one source in one direction. */
export interface RunCursor {
  /** The current run; undefined after the last run, and before the first {@link advance}. */
  readonly run: Run | undefined;
  /** Moves to the next run. The previous one becomes invalid. Must not be called after the last run. */
  advance(): Promise<void> | undefined;
}

/** A cursor of one run, or of none. */
export class OneRun implements RunCursor {
  run: Run | undefined;
  #next: Run | undefined;

  constructor(run: Run | undefined) {
    this.#next = run;
  }

  advance(): undefined {
    this.run = this.#next;
    this.#next = undefined;
    return undefined;
  }
}

/** The first position from `from` up to `to` whose time is at least `time`; `to` if there is none. */
export function firstAtLeast(times: Float64Array, from: number, to: number, time: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Merges runs of several sources. Of points with equal times the one of the later source wins. */
export class RunMerger {
  /** Memory for results: most scans never merge. */
  #a: Run | undefined;
  #b: Run | undefined;

  /** Merges runs, the oldest source first. The result is valid until the next call. */
  merge(runs: readonly Run[]): Run {
    let result = runs[0]!;
    for (let i = 1; i < runs.length; i++) {
      const n = result.to - result.from + runs[i]!.to - runs[i]!.from;
      const target = result === this.#a ? (this.#b = withRoom(this.#b, n)) : (this.#a = withRoom(this.#a, n));
      unite(result, runs[i]!, target);
      result = target;
    }
    return result;
  }
}

function withRoom(run: Run | undefined, n: number): Run {
  if (run !== undefined && n <= run.times.length) return run;
  return { times: new Float64Array(2 * n), values: new Values64(2 * n), from: 0, to: 0 };
}

/** Merges both into `out`. Of points with equal times the one of `newer` wins. */
function unite(older: Run, newer: Run, out: Run): void {
  const { times } = out;
  const { words } = out.values;
  let a = older.from;
  let b = newer.from;
  let n = 0;
  while (a < older.to || b < newer.to) {
    const ta = a < older.to ? older.times[a]! : Number.POSITIVE_INFINITY;
    const tb = b < newer.to ? newer.times[b]! : Number.POSITIVE_INFINITY;
    const source = tb <= ta ? newer.values.words : older.values.words;
    const i = tb <= ta ? b : a;
    times[n] = tb <= ta ? tb : ta;
    words[2 * n] = source[2 * i]!;
    words[2 * n + 1] = source[2 * i + 1]!;
    n++;
    if (tb <= ta) b++;
    if (ta <= tb) a++;
  }
  out.from = 0;
  out.to = n;
}
