/** The summaries of a manifest (docs/series-format.md, "Summaries"): a record for each kept window, with its blocks. */
import type { BlockEntry } from "../blocks/block.js";
import type { Tombstone } from "../blocks/tombstones.js";
import type { SummaryDefinition } from "./definitions.js";

/** A range of time in milliseconds, `to` exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A kept window. Times are milliseconds. */
export interface SummaryRecord extends SummaryDefinition {
  /** False if no new windows are added: the option no longer has it. Late points and deletes still correct its windows. */
  readonly isOpen: boolean;
  /** When it was opened, by the clock. Points that were beyond retention then are not in it. */
  readonly opened: number;
  /** The start of the first possible window. */
  readonly since: number;
  /** The end of the last window. */
  readonly until: number;
  /** The points of blocks up to this round are in the summaries. 0: not known, after a repair. */
  readonly generation: number;
  /** The deletes before this round are. */
  readonly deletes: number;
  readonly blocks: readonly BlockEntry[];
}

/** Returns the start of the window that contains a time. */
export function floorTo(window: number, time: number): number {
  return Math.floor(time / window) * window;
}

/** Returns the first start of a window from a time on. */
export function ceilTo(window: number, time: number): number {
  return Math.ceil(time / window) * window;
}

/** Returns the start of the first window that is still kept. */
export function firstKept({ window, keep, since }: SummaryRecord, now: number): number {
  return keep === null ? since : Math.max(since, ceilTo(window, now - keep));
}

/** True if the points of a block are in the summaries. */
export function hasBlock(record: SummaryRecord, { generations }: BlockEntry): boolean {
  return generations[1] <= record.generation;
}

/** True if a delete is applied to the summaries. */
export function hasDelete(record: SummaryRecord, { generation }: Tombstone): boolean {
  return generation < record.deletes;
}

/**
 * Returns the records after the option has changed. A window that is no longer listed is closed, and so is one whose aggregates changed,
 * beside a new one. `retention`: the longest one. Undefined definitions change nothing.
 */
export function withDefinitions(
  records: readonly SummaryRecord[],
  definitions: readonly SummaryDefinition[] | undefined,
  now: number,
  retention: number,
): readonly SummaryRecord[] {
  if (definitions === undefined) return records;
  const next = records.map((record): SummaryRecord => {
    const listed = definitions.find(({ window }) => window === record.window);
    const keep = listed === undefined ? record.keep : listed.keep;
    return { ...record, keep, isOpen: record.isOpen && listed?.roles === record.roles };
  });
  for (const { window, roles, keep } of definitions) {
    const same = (one: SummaryRecord) => one.window === window && one.roles === roles;
    if (next.some((one) => same(one) && one.isOpen)) continue;
    const since = Math.max(0, ceilTo(window, now - retention));
    // A closed one continues if all points since its end are there.
    const closed = next.findIndex((one) => same(one) && one.until >= since);
    if (closed >= 0) next[closed] = { ...next[closed]!, isOpen: true, opened: now };
    else
      next.push({
        window,
        roles,
        keep,
        isOpen: true,
        opened: now,
        since,
        until: since,
        generation: 0,
        deletes: 0,
        blocks: [],
      });
  }
  // A closed one without summaries has no use.
  return next.filter(({ isOpen, blocks }) => isOpen || blocks.length > 0);
}

/** Returns the deletes of the manifest as deletes of windows: a window is hidden if any of its points may be. */
export function windowTombstones(window: number, all: readonly Tombstone[]): Tombstone[] {
  return all.map((one) => ({ ...one, from: floorTo(window, one.from) }));
}
