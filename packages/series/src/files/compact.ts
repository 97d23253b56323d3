/** Merges blocks: writes the new blocks, then commits a manifest that replaces the old ones. */
import type { BlockEntry } from "../blocks/block.js";
import type { BlockWriter } from "../blocks/block-writer.js";
import type { OnDamage } from "../blocks/chunk-cursor.js";
import { summaryOf } from "../blocks/footer.js";
import { blockName } from "../blocks/format.js";
import type { ExpiredBlocks, Expiry } from "../compact/expiry.js";
import { mergeBlocks, Stopped } from "../compact/merge-blocks.js";
import type { Pace } from "../compact/pace.js";
import { type CompactionPlan, oneOf, type PlannedOutput, planCompaction } from "../compact/plan.js";
import { weeksOf } from "../compact/spans.js";
import { SeriesError } from "../errors.js";
import { TimeSlices } from "../store/time-slices.js";
import { hasBlock } from "../summarize/record.js";
import { type BlockList, blockLists, remainingDeletes } from "./block-lists.js";
import type { FileStore, OpenBlocks } from "./file-store.js";

/** Options of a compaction. */
export interface CompactOptions {
  /** Merges all blocks that can be merged, and removes deleted points. Default: only due merges. */
  readonly isForced?: boolean;
  /** Returns false if the disk lacks space for a merge of blocks with this many bytes. */
  hasRoom(bytes: number): Promise<boolean>;
  /** Limits how fast blocks are written. Default: as fast as possible. */
  readonly pace: Pace | undefined;
  /** Points to leave out. Undefined without rules of retention. */
  readonly expiry: Expiry | undefined;
  readonly expired: ExpiredBlocks;
  /** Returns true if the work must end early. */
  isStopped(): boolean;
  /** Called with each damage. The block is kept in `quarantine/`. */
  onDamage(error: SeriesError): void;
}

/** Does the next merge. Returns false if none is due, or if it ended early. */
export function compact(store: FileStore, options: CompactOptions): Promise<boolean> {
  return store.readBlocks((open) => mergeNext(store, open, options));
}

async function mergeNext(store: FileStore, open: OpenBlocks, options: CompactOptions): Promise<boolean> {
  const { manifest } = store;
  // After a merge it would not be known which windows have late points.
  if (!manifest.summaries.every((record) => manifest.blocks.every((block) => hasBlock(record, block)))) return false;
  const plans = await planNext(store, open, options);
  if (plans === undefined) return false;
  const { plan, list } = plans;
  if (!(await options.hasRoom(plan.sources.reduce((sum, { bytes }) => sum + bytes, 0)))) return false;
  // Earlier deletes are applied; later ones hide points of the new blocks.
  const generation = store.beginRound();
  const damaged = new Set<number>();
  const entries: BlockEntry[] = [];
  try {
    for (const output of plan.outputs) {
      const entry = await writeOutput(store, open, output, generation, damaged, { ...options, list });
      if (entry !== undefined) entries.push(entry);
    }
  } catch (error) {
    // A later error would hide the first one.
    for (const { file } of entries) await store.removeFile(blockName(file)).catch(() => undefined);
    if (error instanceof Stopped) return false;
    throw error;
  }
  for (const file of damaged) await store.quarantine(blockName(file));
  const old = new Set(plan.sources.map(({ file }) => file));
  await store.commit((now) => {
    const next = list.replaced(
      now,
      (blocks) => [...blocks.filter(({ file }) => !old.has(file)), ...entries],
      generation,
    );
    return { ...next, tombstones: remainingDeletes({ ...now, ...next }, generation) };
  });
  return true;
}

/** A merge, and the list whose blocks it merges. */
interface NextMerge {
  readonly plan: CompactionPlan;
  readonly list: BlockList;
}

/** Returns the next merge of points, or of summaries. */
async function planNext(store: FileStore, open: OpenBlocks, options: CompactOptions): Promise<NextMerge | undefined> {
  for (const list of blockLists(store.manifest)) {
    const blocks = list.of(store.manifest);
    const weeks = (some: readonly BlockEntry[]) => weeksOf(open(some), () => undefined);
    const plan = await planCompaction(blocks, list.deletes(store.view), options.isForced === true, weeks);
    if (plan !== undefined) return { plan, list };
    const expired = list.hasPoints ? await planExpiry(store, open, options) : undefined;
    if (expired !== undefined) return { plan: expired, list };
  }
  return undefined;
}

/** Writes a block again without its expired points. */
async function planExpiry(
  store: FileStore,
  open: OpenBlocks,
  options: CompactOptions,
): Promise<CompactionPlan | undefined> {
  const { expiry, expired, isForced = false } = options;
  if (expiry === undefined) return undefined;
  const openOne = (entry: BlockEntry) => open([entry])[0]!;
  const block = await expired.find(store.manifest.blocks, expiry, isForced, openOne);
  return block && oneOf([block], block.level, block.isWide);
}

async function writeOutput(
  store: FileStore,
  open: OpenBlocks,
  { sources, range, level, isWide }: PlannedOutput,
  generation: number,
  damaged: Set<number>,
  { isStopped, onDamage, pace, expiry, list }: CompactOptions & { readonly list: BlockList },
): Promise<BlockEntry | undefined> {
  const deletes = list.masks(store.view);
  const ofPoints = list.hasPoints ? expiry : undefined;
  const tombstones = ofPoints?.masks(deletes) ?? deletes;
  const prepare = async (ids: Uint32Array) => await ofPoints?.prepare(ids);
  const blocks = open(sources);
  const generations = [Math.min(...sources.map((one) => one.generations[0])), generation] as const;
  const summary = summaryOf(sources[0]!);
  const passOver: OnDamage = (error) => {
    if (!(error instanceof SeriesError) || error.code !== "ERR_SERIES_CORRUPT") throw error;
    const source = sources.find((one) => error.place.file === blockName(one.file));
    if (source !== undefined) damaged.add(source.file);
    onDamage(error);
  };
  const fill = (writer: BlockWriter) =>
    mergeBlocks({ blocks, range, tombstones, prepare, onDamage: passOver, isStopped }, writer, new TimeSlices());
  return await store.newBlock({ level, isWide, generations, ...(summary && { summary }) }, fill, pace);
}
