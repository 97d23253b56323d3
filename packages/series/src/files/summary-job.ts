/**
 * Brings the summaries up to date: adds windows that are complete, and writes windows with late or deleted points again. Each step is one
 * manifest, and has at most a week of new windows.
 */
import type { Block, BlockEntry } from "../blocks/block.js";
import type { BlockWriter } from "../blocks/block-writer.js";
import type { OnDamage } from "../blocks/chunk-cursor.js";
import { blockName, WEEK } from "../blocks/format.js";
import { MetricScan } from "../blocks/metric-scan.js";
import type { Tombstone } from "../blocks/tombstones.js";
import { Tombstones } from "../blocks/tombstones.js";
import type { Expiry } from "../compact/expiry.js";
import type { Pace } from "../compact/pace.js";
import { weeksOf } from "../compact/spans.js";
import type { TimeRange } from "../read/time-range.js";
import { TimeSlices } from "../store/time-slices.js";
import {
  ceilTo,
  firstKept,
  floorTo,
  hasBlock,
  hasDelete,
  type SummaryRecord,
  windowTombstones,
} from "../summarize/record.js";
import { COUNT, END_OF_SUMMARISED, isExactRole, roleId, rolesIn } from "../summarize/roles.js";
import { chunkSpans, roleMasks, windowSpans } from "../summarize/summary-windows.js";
import type { FileStore, FilesView, OpenBlocks } from "./file-store.js";
import { type ScannedWindows, SummaryScanner } from "./summary-scanner.js";

const MINUTE = 60_000;
/** Maximum number of new windows of a step: its memory is that of one metric. */
const MAX_WINDOWS = 8192;
/** The last time that a delete may have. */
const FOREVER = Number.MAX_SAFE_INTEGER;

/** What a job uses. */
export interface SummaryJob {
  readonly store: FileStore;
  /** The wall clock. */
  readonly now: number;
  /** Returns the points beyond retention at a time; undefined without rules. */
  expiryAt(time: number): Expiry | undefined;
  readonly pace: Pace | undefined;
  readonly onDamage: OnDamage;
  /** Throws if the job must end early. */
  assertRunning(): void;
}

/** Does all that is due. */
export async function updateSummaries(job: SummaryJob): Promise<void> {
  while (await job.store.readBlocks((open) => step(job, open)));
}

/** Returns the end of the windows that are complete. */
function completeUntil({ window, isOpen, until }: SummaryRecord, { manifest }: FilesView, now: number): number {
  const sealed = (manifest.sealed + 1) * MINUTE;
  return isOpen ? Math.max(until, floorTo(window, Math.min(sealed, now))) : until;
}

function isDue(record: SummaryRecord, view: FilesView, now: number): boolean {
  const { blocks } = view.manifest;
  const end = completeUntil(record, view, now);
  const isNew = ({ from, to }: BlockEntry) => end > record.until && to >= record.until && from < end;
  return (
    blocks.some((one) => !hasBlock(record, one) || isNew(one)) ||
    view.tombstones.all.some((one) => !hasDelete(record, one))
  );
}

/** Does a part of the work. Returns false if none is left. */
async function step(job: SummaryJob, open: OpenBlocks): Promise<boolean> {
  const { store, now } = job;
  const { view } = store;
  if (!view.manifest.summaries.some((record) => isDue(record, view, now))) return false;
  // In one iteration of the event loop with the view: a later delete has this round, or a later one.
  const generation = store.beginRound();
  const records: SummaryRecord[] = [];
  const written: BlockEntry[] = [];
  try {
    for (const record of view.manifest.summaries)
      records.push(await new SummaryRound(job, record, view, open, generation, written).run());
  } catch (error) {
    // A later error would hide the first one.
    for (const { file } of written) await store.removeFile(blockName(file)).catch(() => undefined);
    throw error;
  }
  await store.commit(() => ({ summaries: records }));
  return true;
}

/** One step for one record. */
class SummaryRound {
  readonly #job: SummaryJob;
  readonly #record: SummaryRecord;
  readonly #view: FilesView;
  readonly #open: OpenBlocks;
  readonly #generation: number;
  readonly #written: BlockEntry[];
  readonly #slices = new TimeSlices();
  readonly #scanner: SummaryScanner;

  constructor(
    job: SummaryJob,
    record: SummaryRecord,
    view: FilesView,
    open: OpenBlocks,
    generation: number,
    written: BlockEntry[],
  ) {
    this.#job = job;
    this.#record = record;
    this.#view = view;
    this.#open = open;
    this.#generation = generation;
    this.#written = written;
    this.#scanner = new SummaryScanner(record.window, job.onDamage);
  }

  /** Returns the record with its new blocks. */
  async run(): Promise<SummaryRecord> {
    const record = this.#record;
    const slice = await this.#nextSlice(completeUntil(record, this.#view, this.#job.now));
    const before = this.#written.length;
    if (slice.from < slice.to) await this.#write(false, (writer) => this.#addWindows(writer, slice));
    await this.#correctWindows();
    const blocks = [...record.blocks, ...this.#written.slice(before)];
    return { ...record, blocks, until: slice.to, generation: this.#generation, deletes: this.#generation };
  }

  /** Returns the next windows to add: of one week. Weeks without points are skipped. */
  async #nextSlice(end: number): Promise<TimeRange> {
    const { until, window } = this.#record;
    let first = end;
    for (const entry of this.#view.manifest.blocks) {
      if (entry.to < until || entry.from >= end) continue;
      const spans = entry.isWide ? (await weeksOf(this.#open([entry]), this.#job.onDamage)).values() : [entry];
      for (const { from, to } of spans) if (to >= until) first = Math.min(first, Math.max(from, until));
    }
    const from = floorTo(window, first);
    const week = ceilTo(window, (Math.floor(from / WEEK) + 1) * WEEK);
    return { from, to: Math.min(end, week, from + MAX_WINDOWS * window) };
  }

  /** Writes a block. Without points there is none. */
  async #write(isWide: boolean, fill: (writer: BlockWriter) => Promise<void>): Promise<void> {
    const { store, pace } = this.#job;
    const { window, roles } = this.#record;
    const generations = [this.#generation, this.#generation] as const;
    const facts = { level: 0, isWide, generations, summary: { window, roles } };
    const block = await store.newBlock(facts, fill, pace);
    if (block !== undefined) this.#written.push(block);
  }

  /** Calls a function with each metric of blocks, and of deletes. */
  async #each(
    entries: readonly BlockEntry[],
    deletes: readonly Tombstone[],
    see: (id: number, isInt64: boolean) => Promise<void>,
  ): Promise<void> {
    const kinds = new Uint8Array(Math.min(this.#view.manifest.nextId, END_OF_SUMMARISED));
    for (const block of this.#open(entries)) await this.#mark(block, kinds);
    for (const { id } of deletes) if (kinds[id] === NONE) kinds[id] = await this.#kindOf(id);
    for (let id = 0; id < kinds.length; id++) {
      if (kinds[id] !== NONE) await see(id, kinds[id] === INT64);
      if ((id & 1023) === 0 || kinds[id] !== NONE) {
        const pause = this.#slices.pause();
        if (pause !== undefined) await pause;
        this.#job.assertRunning();
      }
    }
  }

  async #mark(block: Block, kinds: Uint8Array): Promise<void> {
    try {
      const { pages } = await block.footer();
      for (let number = 0; number < pages.offset.length; number++) {
        const page = await block.index(number);
        for (const id of page.ids) kinds[id] = page.isInt64 ? INT64 : FLOAT;
        await this.#slices.pause();
      }
    } catch (error) {
      this.#job.onDamage(error);
    }
  }

  async #kindOf(id: number): Promise<number> {
    for (const block of this.#open(this.#view.manifest.blocks)) {
      try {
        if ((await block.find(id, false)) !== undefined) return FLOAT;
        if ((await block.find(id, true)) !== undefined) return INT64;
      } catch (error) {
        this.#job.onDamage(error);
      }
    }
    return NONE;
  }

  async #addWindows(writer: BlockWriter, { from, to }: TimeRange): Promise<void> {
    const { window, opened } = this.#record;
    const { tombstones, manifest } = this.#view;
    const entries = manifest.blocks.filter((one) => one.from < to && one.to >= from);
    const blocks = this.#open(entries);
    const expiry = from < opened ? this.#job.expiryAt(opened) : undefined;
    await this.#each(entries, [], async (id, isInt64) => {
      await expiry?.prepare([id]);
      // Points that were beyond retention when the summaries began may be gone.
      const first = expiry === undefined ? from : Math.max(from, ceilTo(window, expiry.cut(id)));
      this.#scanner.rows.clear(isInt64);
      await this.#scanner.scan({ id, isInt64, from: first, to }, blocks, tombstones);
      await this.#put(writer, id, isInt64);
    });
  }

  /**
   * Writes windows again that have late or deleted points. If some points of a window are gone, because they were beyond retention, it stays
   * as it is, or is deleted: deletes of a part of such a window are refused.
   */
  async #correctWindows(): Promise<void> {
    const record = this.#record;
    const { manifest, tombstones } = this.#view;
    const newer = manifest.blocks.filter((one) => one.from < record.until && !hasBlock(record, one));
    const deletes = tombstones.all.filter((one) => !hasDelete(record, one) && (one.from > 0 || one.to < FOREVER));
    const range = { from: firstKept(record, this.#job.now), to: record.until };
    if (range.from >= range.to || newer.length + deletes.length === 0) return;
    const late = this.#open(newer);
    await this.#write(true, async (writer) => {
      await this.#each(newer, deletes, async (id, isInt64) => {
        const spans = await chunkSpans(late, id, isInt64, this.#job.onDamage);
        for (const one of deletes) if (one.id === id) spans.push(one);
        this.#scanner.rows.clear(isInt64);
        for (const span of windowSpans(record.window, spans, range)) await this.#correct({ id, isInt64, ...span });
        await this.#put(writer, id, isInt64);
      });
    });
  }

  async #correct(of: ScannedWindows): Promise<void> {
    const record = this.#record;
    const { manifest, tombstones } = this.#view;
    const known = tombstones.all.filter((one) => hasDelete(record, one));
    const before = await this.#scanner.counts(
      of,
      this.#open(manifest.blocks.filter((one) => hasBlock(record, one))),
      new Tombstones(known),
    );
    const kept = await this.#keptCounts(of, known);
    const { rows } = this.#scanner;
    const first = rows.length;
    await this.#scanner.scan(of, this.#open(manifest.blocks), tombstones);
    rows.retain(first, (row) => {
      const count = kept.get(rows.starts[row]!) ?? 0;
      // After a repair it is not known which points the summary has.
      return record.generation === 0 ? rows.count(row) >= count : count === (before.get(rows.starts[row]!) ?? 0);
    });
  }

  /** Returns the number of points of each window in the summaries. */
  async #keptCounts({ id, from, to }: ScannedWindows, known: readonly Tombstone[]): Promise<Map<number, number>> {
    const { window, blocks } = this.#record;
    const of = { id: roleId(id, COUNT), isInt64: false, from, to, reverse: false };
    const tombstones = roleMasks(windowTombstones(window, known));
    const sources = { blocks: this.#open(blocks), memory: undefined, tombstones, onDamage: this.#job.onDamage };
    const scan = new MetricScan(of, sources);
    const counts = new Map<number, number>();
    for (let run = await scan.next(); run !== undefined; run = await scan.next())
      for (let i = run.from; i < run.to; i++) counts.set(run.times[i]!, run.values.floats[i]!);
    return counts;
  }

  async #put(writer: BlockWriter, id: number, isInt64: boolean): Promise<void> {
    const { rows } = this.#scanner;
    if (rows.length === 0) return;
    for (const role of rolesIn(this.#record.roles)) {
      writer.startMetric(roleId(id, role), isInt64 && isExactRole(role));
      writer.add(rows.starts, rows.values(role), 0, rows.length);
      writer.endMetric();
    }
    if (writer.isFull) await writer.flush();
  }
}

const NONE = 0;
const FLOAT = 1;
const INT64 = 2;
