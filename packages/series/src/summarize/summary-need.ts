/** What a query needs of kept summaries, and which of them can answer it. */
import { FixedGrid, type WindowGrid } from "../window/grid.js";
import { ClockGrid } from "../window/local-grid.js";
import type { WindowPlan } from "../window/plan.js";
import { rolesOf } from "./roles.js";
import type { SummaryWindows } from "./summary-windows.js";

const DAY = 86_400_000;

/** The windows of a query. */
export class SummaryNeed {
  readonly grid: WindowGrid;
  readonly roles: number;
  /** The range of the query, in milliseconds. Reads of parts of it have other ranges. */
  readonly from: number;
  readonly to: number;
  readonly #fits = new Map<number, boolean>();

  /** @internal */
  constructor(grid: WindowGrid, roles: number, from: number, to: number) {
    this.grid = grid;
    this.roles = roles;
    this.from = from;
    this.to = to;
  }

  /** Returns undefined if summaries cannot have the aggregates. */
  static of({ grid, aggregates }: WindowPlan, from: number, to: number): SummaryNeed | undefined {
    const roles = rolesOf(aggregates.map(({ kind }) => kind));
    return roles === undefined ? undefined : new SummaryNeed(grid, roles, from, to);
  }

  /** Returns the summaries that can answer the query, the longest windows first, of equally long ones the newest first. */
  layersOf(all: readonly SummaryWindows[]): SummaryWindows[] {
    const fit = all.filter(({ record }) => (this.roles & ~record.roles) === 0 && this.#isMultiple(record));
    return fit.sort((a, b) => b.window - a.window || b.record.until - a.record.until);
  }

  /** True if no kept window is in two windows of the query. */
  #isMultiple({ window, since, until }: SummaryWindows["record"]): boolean {
    const { grid } = this;
    if (grid instanceof FixedGrid) return grid.length % window === 0 && grid.origin % window === 0;
    let fits = this.#fits.get(window);
    if (fits === undefined) {
      fits = isLocalMultiple(grid, window, Math.max(this.from, since), Math.min(this.to, until));
      this.#fits.set(window, fits);
    }
    return fits;
  }
}

/** Looks at a border of each day: the offset of a zone does not change more often. */
function isLocalMultiple(grid: WindowGrid, window: number, from: number, to: number): boolean {
  if (grid instanceof ClockGrid && grid.length % window !== 0) return false;
  for (let time = from; time < to; time += DAY) if (grid.startOf(time) % window !== 0) return false;
  return true;
}
