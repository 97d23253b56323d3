/** Points of one metric in memory, on their way from a chunk or the head to a reader. */
import { Values64 } from "../page/values.js";
import type { SummedPoints } from "./summary-cursor.js";

/** Points by ascending time: those from `from` up to, and without, `to`. Times are milliseconds. */
export interface Run {
  readonly times: Float64Array<ArrayBuffer>;
  readonly values: Values64;
  from: number;
  to: number;
  /** Set where the points are summed up: then times and values are not the points' own. */
  readonly summed?: SummedPoints;
}

/** Where the points of one source are, run by run in one direction. */
export interface RunCursor {
  /** The points in turn; undefined after the last ones, and before the first {@link advance}. */
  readonly run: Run | undefined;
  /** Continues with the next run. The one before is not valid any more. Not called after the last. */
  advance(): Promise<void> | undefined;
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

/** Runs of several sources as one run: of equal times the later source counts. */
export class RunMerger {
  /** Memory for results: most scans never merge. */
  #a: Run | undefined;
  #b: Run | undefined;

  /** Unites runs, the oldest source first. The result is valid until the next call. */
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

/** Puts the points of both into `out`. Points of `newer` count where times are equal. */
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
