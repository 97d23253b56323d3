/** Pauses of the event loop while a writer keeps a pace: by sealing, roll-up and sync. */
import { type Durability, openSeries } from "@moonpack/series";
import { rocksdb } from "@moonpack/series-kv";
import { peakMemory } from "../folder.js";
import { HOUR, MINUTE, NODES, NodeSets, SimulatedClock, timeOf } from "../load.js";
import { findKind } from "../values.js";

/** The points to write, and the pace. */
export interface StallJob {
  readonly kind: "stall";
  readonly folder: string;
  readonly durability: Durability;
  readonly metrics: number;
  readonly ticks: number;
  readonly pointsPerSecond: number;
}

/** Milliseconds, unless said otherwise. */
export interface StallResult {
  /** The longest iteration of the event loop, without the writer's own calls. */
  readonly longest: number;
  /** Turns of more than 20 ms, without the writer's own calls. */
  readonly over: number;
  /** The longest call of `writeScrape` for one node: the time until it returns its promise. */
  readonly call: number;
  /** The same for the metrics of all nodes in one set. */
  readonly wholeCall: number;
  /** The pace that was reached. */
  readonly pointsPerSecond: number;
  /** Peak resident memory in bytes; null where the system does not report it. */
  readonly peak: number | null;
}

/** Reports that are under way when no further one is made. */
const MAX_UNDER_WAY = 4 * NODES;
const LONG = 20;
/** Minutes from the first point to the end of an hour. It is soon rolled up: one run seals minutes and rolls up the hour. */
const MINUTES_BEFORE = 2;
const SHIFT = HOUR - MINUTES_BEFORE * MINUTE;
const ROLLUP_AFTER = "30s";
const WHOLE_CALLS = 3;

/** Runs the writer in the immediates of the event loop, one call a turn. At the end, flushes, and rolls up due hours. */
export async function stall(job: StallJob): Promise<StallResult> {
  const { folder, durability, metrics, ticks, pointsPerSecond } = job;
  const clock = new SimulatedClock();
  await using series = await openSeries({
    path: folder,
    driver: rocksdb(),
    durability,
    now: clock.now,
    rollupAfter: ROLLUP_AFTER,
  });
  const nodes = await NodeSets.register(series, metrics);
  const all = await series.metricSet(nodes.sets.flatMap((set) => set.metrics));
  const fill = findKind("uniform").start(metrics);
  const values = new Float64Array(metrics);
  const interval = (metrics / NODES / pointsPerSecond) * 1000;
  const reports = ticks * NODES;
  let call = 0;
  let underWay = 0;
  let next = 0;
  let written = 0;
  let isOver = false;
  const start = performance.now();
  const turns = await watchTurns(
    () => isOver,
    (now, fail) => {
      if (next === reports) {
        if (underWay > 0 || written > 0) return;
        written = performance.now() - start;
        series
          .flush()
          .then(() => series.compact())
          .then(() => (isOver = true), fail);
      } else if (underWay < MAX_UNDER_WAY && now - start >= next * interval) {
        const tick = Math.floor(next / NODES);
        clock.time = timeOf(tick) + SHIFT;
        if (next % NODES === 0) fill(tick, values);
        underWay++;
        const called = performance.now();
        const report = nodes.writeNode(next % NODES, clock.time, values);
        call = Math.max(call, performance.now() - called);
        report.then(() => underWay--, fail);
        next++;
      }
    },
  );
  const peak = peakMemory() ?? null;
  let wholeCall = 0;
  for (let i = 0; i < WHOLE_CALLS; i++) {
    clock.time = timeOf(ticks + i) + SHIFT;
    const called = performance.now();
    const report = series.writeScrape(clock.time, all, values);
    wholeCall = Math.max(wholeCall, performance.now() - called);
    await report;
  }
  const { hoursWritten } = await series.stats();
  if (hoursWritten === 0) throw new Error("no hour was rolled up");
  return { ...turns, call, wholeCall, peak, pointsPerSecond: ((metrics * ticks) / written) * 1000 };
}

/** Calls `act` in every iteration of the event loop. Other code takes the rest of the turn's time. */
function watchTurns(
  isOver: () => boolean,
  act: (now: number, fail: (error: unknown) => void) => void,
): Promise<Pick<StallResult, "longest" | "over">> {
  let longest = 0;
  let over = 0;
  let before = performance.now();
  let own = 0;
  return new Promise((resolve, reject) => {
    const turn = () => {
      const now = performance.now();
      const stood = now - before - own;
      longest = Math.max(longest, stood);
      if (stood > LONG) over++;
      if (isOver()) {
        resolve({ longest, over });
        return;
      }
      act(now, reject);
      before = now;
      own = performance.now() - now;
      setImmediate(turn);
    };
    setImmediate(turn);
  });
}
