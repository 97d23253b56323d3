/** Merges blocks: writes the new blocks, then commits a manifest that replaces the old ones. */
import { join } from "node:path";
import type { BlockEntry } from "../blocks/block.js";
import { BlockWriter } from "../blocks/block-writer.js";
import type { OnDamage } from "../blocks/chunk-cursor.js";
import { blockName } from "../blocks/format.js";
import type { ExpiredBlocks, Expiry } from "../compact/expiry.js";
import { mergeBlocks, Stopped } from "../compact/merge-blocks.js";
import type { Pace } from "../compact/pace.js";
import { type CompactionPlan, mayHide, oneOf, type PlannedOutput, planCompaction } from "../compact/plan.js";
import { weeksOf } from "../compact/spans.js";
import { SeriesError } from "../errors.js";
import { TimeSlices } from "../store/time-slices.js";
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
  const { manifest, tombstones } = store.view;
  const plan =
    (await planCompaction(manifest.blocks, tombstones.all, options.isForced === true, (blocks) =>
      weeksOf(open(blocks), () => undefined),
    )) ?? (await planExpiry(store, open, options));
  if (plan === undefined) return false;
  if (!(await options.hasRoom(plan.sources.reduce((sum, { bytes }) => sum + bytes, 0)))) return false;
  // Earlier deletes are applied; later ones hide points of the new blocks.
  const generation = store.beginRound();
  const damaged = new Set<number>();
  const entries: BlockEntry[] = [];
  try {
    for (const output of plan.outputs) {
      const entry = await writeOutput(store, open, output, generation, damaged, options);
      if (entry !== undefined) entries.push(entry);
    }
  } catch (error) {
    // A later error would hide the first one.
    for (const { file } of entries) await unlink(store, file).catch(() => undefined);
    if (error instanceof Stopped) return false;
    throw error;
  }
  for (const file of damaged) await store.quarantine(blockName(file));
  const old = new Set(plan.sources.map(({ file }) => file));
  await store.commit((now) => {
    const blocks = [...now.blocks.filter(({ file }) => !old.has(file)), ...entries];
    return { blocks, tombstones: now.tombstones.filter((one) => blocks.some((block) => mayHide(one, block))) };
  });
  return true;
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
  { isStopped, onDamage, pace, expiry }: CompactOptions,
): Promise<BlockEntry | undefined> {
  const { tombstones: deletes } = store.view;
  const tombstones = expiry?.masks(deletes) ?? deletes;
  const prepare = async (ids: Uint32Array) => await expiry?.prepare(ids);
  const blocks = open(sources);
  const generations = [Math.min(...sources.map((one) => one.generations[0])), generation] as const;
  const facts = { level, isWide, generations };
  const file = store.takeNumber();
  const passOver: OnDamage = (error) => {
    if (!(error instanceof SeriesError) || error.code !== "ERR_SERIES_CORRUPT") throw error;
    const source = sources.find((one) => error.place.file === blockName(one.file));
    if (source !== undefined) damaged.add(source.file);
    onDamage(error);
  };
  const written = await store.newFile(blockName(file), async (target) => {
    const writer = new BlockWriter(pace?.file(target) ?? target, file);
    await mergeBlocks({ blocks, range, tombstones, prepare, onDamage: passOver, isStopped }, writer, new TimeSlices());
    return await writer.finish(facts);
  });
  if (written.points > 0) return { file, ...facts, ...written };
  await unlink(store, file);
  return undefined;
}

async function unlink(store: FileStore, file: number): Promise<void> {
  await store.fileSystem.unlink(join(store.path, blockName(file)));
}
