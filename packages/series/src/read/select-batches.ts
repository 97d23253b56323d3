/** Reads the points, or the windows, of many metrics into shared batches: a metric costs no promise and no object if its data is in memory. */
import type { SelectedBlock, SelectedPoints, SelectedWindows } from "../api.js";
import type { IsOneWindow } from "../blocks/summary-cursor.js";
import type { RegisteredMetric } from "../registry/registered-metric.js";
import type { Registry } from "../registry/registry.js";
import type { SummaryNeed } from "../summarize/summary-need.js";
import type { WindowPlan } from "../window/plan.js";
import { type MetricRows, PointTable, WindowTable } from "./metric-rows.js";
import { type MetricSource, needsBase } from "./metric-source.js";
import type { ReadScheduler } from "./read-scheduler.js";
import type { ReadRequest } from "./request.js";
import type { SealedStore } from "./sealed-store.js";
import type { TimeRange } from "./time-range.js";
import { reverseWindows } from "./window-batches.js";

/** Metrics that are started between two looks at the clock. */
const STARTED_AT_ONCE = 16;

/** The data that all reads of a selection share. */
export interface SelectParts {
  readonly sealed: SealedStore;
  readonly registry: Registry;
  readonly source: MetricSource;
  readonly scheduler: ReadScheduler;
  readonly groups: AsyncIterable<readonly RegisteredMetric[]>;
  /** Throws if the store is closed. */
  assertOpen(): void;
}

/** The tables of both types. */
interface Tables<Table> {
  readonly float: Table;
  readonly int64: Table;
}

/** Returns the points of metrics in batches. `unit` is the unit of times in batches, in milliseconds. */
export function pointBatches(
  parts: SelectParts,
  request: ReadRequest,
  unit: number,
): AsyncGenerator<SelectedPoints, void, undefined> {
  const tableOf = (type: "float" | "int64") => new PointTable(type, unit, request);
  const range = parts.source.range(request);
  const tables = { float: tableOf("float"), int64: tableOf("int64") };
  return batches(parts, tables, { ...range, reverse: request.reverse });
}

/** Returns the points of metrics of both types in batches, as numbers. */
export function blockBatches(
  parts: SelectParts,
  request: ReadRequest,
  unit: number,
): AsyncGenerator<SelectedBlock, void, undefined> {
  const table = new PointTable("number", unit, request) as MetricRows<unknown> as MetricRows<SelectedBlock>;
  return batches(parts, { float: table, int64: table }, { ...parts.source.range(request), reverse: false });
}

/** Returns the windows of metrics in batches. */
export function windowBatches(
  parts: SelectParts,
  request: ReadRequest,
  plan: WindowPlan,
): AsyncGenerator<SelectedWindows, void, undefined> {
  const tables = { float: new WindowTable(plan, false), int64: new WindowTable(plan, true) };
  const { source, scheduler, assertOpen } = parts;
  const range = source.windows(request, plan);
  const scan = { ...range, reverse: false };
  if (plan.reverse)
    return batches(parts, tables, scan, {
      read: (metric) => {
        const reading = { plan, request, source, scheduler, assertOpen };
        return reverseWindows(metric, reading, tables[metric.type].aggregator.output);
      },
    });
  if (!needsBase(plan, range)) return batches(parts, tables, scan);
  return batches(parts, tables, scan, {
    begin: (metric) => source.startAfter(tables[metric.type].aggregator, metric, range.from, scheduler),
  });
}

/** The scans of all metrics. */
interface Scans extends TimeRange {
  readonly reverse: boolean;
  readonly isOneWindow?: IsOneWindow | undefined;
  readonly need?: SummaryNeed | undefined;
}

/** How a metric is read. */
interface Reading {
  /** Called before the scan of a metric. */
  begin?(metric: RegisteredMetric): Promise<void>;
  /** Adds the rows of a metric to its table instead of a scan. Yields whenever the table is full. */
  read?(metric: RegisteredMetric): AsyncIterable<void>;
}

async function* batches<Batch>(
  { sealed, registry, source, scheduler, groups, assertOpen }: SelectParts,
  tables: Tables<MetricRows<Batch>>,
  scans: Scans,
  { begin, read }: Reading = {},
): AsyncGenerator<Batch, void, undefined> {
  const memory = source.takeMemory();
  let started = 0;
  for await (const group of groups) {
    // In reverse order only a part of a metric's windows may be needed.
    const reading = read === undefined ? sealed.prefetch?.(group, scans, scans.isOneWindow) : undefined;
    if (reading !== undefined) await reading;
    for (const metric of group) {
      if (++started % STARTED_AT_ONCE === 0) {
        assertOpen();
        const pause = scheduler.pause();
        if (pause !== undefined) await pause;
      }
      // It may have been forgotten during a pause.
      if (!registry.isCurrent(metric)) continue;
      const table = tables[metric.type];
      if (!table.next(metric)) {
        yield table.batch()!;
        table.clear();
        table.next(metric);
      }
      if (begin !== undefined) await begin(metric);
      if (read !== undefined) {
        for await (const _ of read(metric)) {
          yield table.batch()!;
          table.clear();
        }
        for (; !table.end(); table.clear()) yield table.batch()!;
        continue;
      }
      const scan = source.scan({ metric, ...scans, scheduler }, memory);
      while (!table.isDone) {
        const next = scan.next();
        const run = next instanceof Promise ? await next : next;
        if (run === undefined) break;
        for (let i = run.from; (i = table.add(run, i)) < run.to; table.clear()) {
          yield table.batch()!;
          const pause = scheduler.pause();
          if (pause !== undefined) await pause;
          assertOpen();
        }
        if (run.summed !== undefined) continue;
        const pause = scheduler.pause();
        if (pause !== undefined) await pause;
        assertOpen();
      }
      for (; !table.end(); table.clear()) yield table.batch()!;
    }
  }
  for (const table of new Set([tables.float, tables.int64])) {
    const batch = table.batch();
    if (batch !== undefined) yield batch;
  }
  source.release(memory);
}
