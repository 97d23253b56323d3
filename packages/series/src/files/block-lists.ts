/** The lists of blocks that merges work on: the points, and each kept window. */
import type { BlockEntry } from "../blocks/block.js";
import { type Masks, type Tombstone, Tombstones } from "../blocks/tombstones.js";
import { mayHide } from "../compact/plan.js";
import type { Manifest } from "../manifest/manifest.js";
import { hasDelete, windowTombstones } from "../summarize/record.js";
import { roleMasks } from "../summarize/summary-windows.js";
import type { FilesView } from "./file-store.js";

/** One list. */
export interface BlockList {
  /** True for the blocks of points. */
  readonly hasPoints: boolean;
  of(manifest: Manifest): readonly BlockEntry[];
  /** Returns the deletes that a merge applies. */
  deletes(view: FilesView): readonly Tombstone[];
  /** Returns the same deletes, for the ids of the blocks. */
  masks(view: FilesView): Masks;
  /** Returns the changes of a manifest when other blocks replace those of the list. `generation`: the round of the merge. */
  replaced(
    manifest: Manifest,
    change: (blocks: readonly BlockEntry[]) => readonly BlockEntry[],
    generation: number,
  ): Partial<Manifest>;
}

/** Returns the lists of a manifest. */
export function blockLists({ summaries }: Manifest): BlockList[] {
  return [POINTS, ...summaries.map((_, i) => summaryList(i))];
}

const POINTS: BlockList = {
  hasPoints: true,
  of: ({ blocks }) => blocks,
  deletes: knownDeletes,
  masks: (view) => new Tombstones(knownDeletes(view)),
  replaced: ({ blocks, summaries }, change, generation) => ({
    blocks: change(blocks),
    // All merged points are in the summaries.
    summaries: summaries.map((record) => ({ ...record, generation })),
  }),
};

function summaryList(i: number): BlockList {
  const deletes = (view: FilesView) => windowTombstones(view.manifest.summaries[i]!.window, knownDeletes(view));
  return {
    hasPoints: false,
    of: ({ summaries }) => summaries[i]!.blocks,
    deletes,
    masks: (view) => roleMasks(deletes(view)),
    replaced: ({ summaries }, change) => ({
      summaries: summaries.map((record, k) => (k === i ? { ...record, blocks: change(record.blocks) } : record)),
    }),
  };
}

/**
 * Returns the deletes that all summaries have. Merges apply no others: from the points without the deleted ones it could not be seen
 * whether a window is complete.
 */
function knownDeletes({ manifest, tombstones }: FilesView): readonly Tombstone[] {
  return tombstones.all.filter((one) => isKnown(manifest, one));
}

function isKnown({ summaries }: Manifest, one: Tombstone): boolean {
  return summaries.every((record) => hasDelete(record, one));
}

/**
 * Returns the deletes that are still needed after a merge, which has the round `generation`. Those that it did not apply hide the points of
 * its blocks, too.
 */
export function remainingDeletes(manifest: Manifest, generation: number): readonly Tombstone[] {
  const { tombstones, blocks, summaries } = manifest;
  const remaining: Tombstone[] = [];
  for (const one of tombstones) {
    if (!isKnown(manifest, one)) remaining.push({ ...one, generation: Math.max(one.generation, generation) });
    else if (blocks.some((block) => mayHide(one, block))) remaining.push(one);
    else if (summaries.some((record) => hidesWindows(one, record.window, record.blocks))) remaining.push(one);
  }
  return remaining;
}

function hidesWindows(one: Tombstone, window: number, blocks: readonly BlockEntry[]): boolean {
  const [windows] = windowTombstones(window, [one]);
  return blocks.some((block) => mayHide(windows!, block));
}
