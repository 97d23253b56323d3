/**
 * Chooses the next blocks to merge. Blocks of sealed minutes ("regular") do not overlap, and each is within one UTC week. Blocks of late points
 * ("wide") may have any times. Their points win over points of regular blocks, and of two wide blocks the later one wins. So regular blocks
 * may be merged in any way, a wide block only with wide blocks of neighbouring rounds, or, oldest first, into regular blocks.
 */
import type { BlockEntry } from "../blocks/block.js";
import { WEEK, weekOf } from "../blocks/format.js";
import type { Tombstone } from "../blocks/tombstones.js";
import type { TimeRange } from "../read/time-range.js";
import type { WeekSpan } from "./spans.js";

/** Number of blocks of one level that are merged into one of the next level. */
const FANOUT = 4;
/** The maximum size of a merged block. */
const MAX_BYTES = 4 * 2 ** 30;
/** Wide blocks are merged into regular blocks if they have this many bytes, or this share of the bytes of regular blocks. */
const LEAST_WIDE_BYTES = 2 ** 20;
const WIDE_SHARE = 0.1;

/** A merge: its sources, and the new blocks. */
export interface CompactionPlan {
  readonly sources: readonly BlockEntry[];
  readonly outputs: readonly PlannedOutput[];
}

/** A new block, from some of the sources. */
export interface PlannedOutput {
  readonly sources: readonly BlockEntry[];
  readonly range: TimeRange;
  readonly level: number;
  readonly isWide: boolean;
}

const ALL: TimeRange = { from: 0, to: Number.MAX_SAFE_INTEGER };

/**
 * Returns the next merge; undefined if none is due. `isForced`: all possible merges are due, and all deletes are applied. `weeksOf` returns
 * the weeks in which blocks have points.
 */
export async function planCompaction(
  blocks: readonly BlockEntry[],
  tombstones: readonly Tombstone[],
  isForced: boolean,
  weeksOf: (blocks: readonly BlockEntry[]) => Promise<ReadonlyMap<number, WeekSpan>>,
): Promise<CompactionPlan | undefined> {
  const regular = blocks.filter(({ isWide }) => !isWide).sort((a, b) => a.from - b.from);
  const wide = blocks.filter(({ isWide }) => isWide).sort((a, b) => a.generations[0] - b.generations[0]);
  return (
    mergeLevel(regular, false) ??
    closeWeek(regular, isForced) ??
    (isFoldDue(regular, wide, isForced) ? fold(regular, wide, await weeksOf(wide)) : mergeLevel(wide, true)) ??
    (isForced ? applyTombstones(blocks, tombstones) : undefined)
  );
}

/** Merges neighbours of one level. */
function mergeLevel(blocks: readonly BlockEntry[], isWide: boolean): CompactionPlan | undefined {
  for (let i = 0; i + FANOUT <= blocks.length; i++) {
    const some = blocks.slice(i, i + FANOUT);
    const { level, from } = some[0]!;
    const isOneWeek = isWide || some.every((block) => weekOf(block.from) === weekOf(from));
    if (isOneWeek && some.every((block) => block.level === level) && bytesOf(some) <= MAX_BYTES)
      return oneOf(some, level + 1, isWide);
  }
  return undefined;
}

/** Merges all blocks of a past week. */
function closeWeek(regular: readonly BlockEntry[], isForced: boolean): CompactionPlan | undefined {
  const lastWeek = weekOf(regular.at(-1)?.from ?? 0);
  for (let i = 0; i < regular.length; ) {
    const week = weekOf(regular[i]!.from);
    let end = i + 1;
    while (end < regular.length && weekOf(regular[end]!.from) === week) end++;
    const some = regular.slice(i, end);
    if (some.length > 1 && (week < lastWeek || isForced) && bytesOf(some) <= MAX_BYTES)
      return oneOf(some, Math.max(...some.map(({ level }) => level)) + 1, false);
    i = end;
  }
  return undefined;
}

/** Returns the merge of blocks into one. */
export function oneOf(sources: readonly BlockEntry[], level: number, isWide: boolean): CompactionPlan {
  return { sources, outputs: [{ sources, range: ALL, level, isWide }] };
}

function isFoldDue(regular: readonly BlockEntry[], wide: readonly BlockEntry[], isForced: boolean): boolean {
  if (wide.length === 0) return false;
  return isForced || bytesOf(wide) >= Math.max(LEAST_WIDE_BYTES, WIDE_SHARE * bytesOf(regular));
}

/** Merges all wide blocks into regular blocks. Each of these gets the late points up to the next block, or the end of its week. */
function fold(
  regular: readonly BlockEntry[],
  wide: readonly BlockEntry[],
  weeks: ReadonlyMap<number, WeekSpan>,
): CompactionPlan {
  const outputs: PlannedOutput[] = [];
  const sources = [...wide];
  for (const [week, late] of weeks) {
    const inWeek = regular.filter((block) => weekOf(block.from) === week);
    if (inWeek.length === 0) {
      const range = { from: week * WEEK, to: (week + 1) * WEEK };
      outputs.push({ sources: wide, range, level: 0, isWide: false });
    }
    inWeek.forEach((block, i) => {
      const range = {
        from: i === 0 ? week * WEEK : block.from,
        to: i + 1 < inWeek.length ? inWeek[i + 1]!.from : (week + 1) * WEEK,
      };
      if (late.from >= range.to || late.to < range.from) return;
      outputs.push({ sources: [block, ...wide], range, level: block.level, isWide: false });
      sources.push(block);
    });
  }
  return { sources, outputs };
}

/** Rewrites a block without its deleted points. */
function applyTombstones(blocks: readonly BlockEntry[], tombstones: readonly Tombstone[]): CompactionPlan | undefined {
  const block = blocks.find((one) => tombstones.some((tombstone) => mayHide(tombstone, one)));
  return block === undefined ? undefined : oneOf([block], block.level, block.isWide);
}

/** True if a tombstone may hide points of a block. */
export function mayHide(tombstone: Tombstone, { from, to, generations }: BlockEntry): boolean {
  return generations[1] <= tombstone.generation && tombstone.from <= to && tombstone.to > from;
}

function bytesOf(blocks: readonly BlockEntry[]): number {
  return blocks.reduce((sum, { bytes }) => sum + bytes, 0);
}
