/**
 * Merges blocks into one. Metrics are ordered by type and id. Full chunks are copied if they do not overlap and no point is hidden; other chunks
 * are decoded and written again. Memory: an index page and 1 MiB of data of each block.
 */
import { MoonpackError } from "moonpack/bytes";
import type { Block, FoundMetric, Soon } from "../blocks/block.js";
import type { BlockWriter } from "../blocks/block-writer.js";
import type { OnDamage } from "../blocks/chunk-cursor.js";
import type { FileSpan } from "../blocks/file-pages.js";
import { CHUNK_POINTS } from "../blocks/format.js";
import type { IndexPage } from "../blocks/index-page.js";
import { MetricScan } from "../blocks/metric-scan.js";
import type { Masks } from "../blocks/tombstones.js";
import { Values64 } from "../page/values.js";
import type { TimeRange } from "../read/time-range.js";
import type { TimeSlices } from "../store/time-slices.js";

/** Bytes of chunks that are read ahead of each block. */
const MAX_AHEAD = 2 ** 20;
/** This number of waiting points becomes a separate chunk, so that full chunks after it can be copied. */
const LEAST_CHUNK = CHUNK_POINTS / 2;

/** The sources of a merge. */
export interface MergeOf {
  readonly blocks: readonly Block[];
  /** Points outside of this range are omitted. */
  readonly range: TimeRange;
  readonly tombstones: Masks;
  /** Must be awaited before metrics are masked. */
  prepare?(ids: Uint32Array): Promise<void>;
  readonly onDamage: OnDamage;
  /** Returns true if the merge must end early, with an error. */
  isStopped(): boolean;
}

/** The error of a merge that was stopped. */
export class Stopped extends MoonpackError {
  constructor() {
    super("ERR_ABORTED", "the compaction was stopped");
  }
}

/** Merges into a writer. */
export async function mergeBlocks(of: MergeOf, writer: BlockWriter, slices: TimeSlices): Promise<void> {
  const values = new Values64(CHUNK_POINTS);
  for (const isInt64 of [false, true]) {
    const inputs: MergeInput[] = [];
    for (const block of of.blocks) {
      const input = await MergeInput.open(block, isInt64, of);
      if (input !== undefined) inputs.push(input);
    }
    while (inputs.some((input) => input.id !== undefined)) {
      const id = inputs.reduce((least, input) => Math.min(least, input.id ?? Infinity), Infinity);
      const parts = inputs.filter((input) => input.id === id);
      writer.startMetric(id, isInt64);
      if (!(await copyMetric(of, parts, id, writer, values))) await scanMetric(of, parts, id, isInt64, writer, values);
      writer.endMetric();
      if (writer.isFull) await writer.flush();
      for (const input of parts) await input.advance();
      const pause = slices.pause();
      if (pause !== undefined) await pause;
      if (of.isStopped()) throw new Stopped();
    }
  }
}

/** The metrics of one block, of one type. */
class MergeInput {
  readonly block: Block;
  readonly #numbers: readonly number[];
  readonly #of: MergeOf;
  #next = 0;
  /** The chunks of the page that were read ahead. */
  #read = { first: 0, end: 0 };
  page: IndexPage | undefined;
  place = 0;

  /** @internal */
  constructor(block: Block, numbers: readonly number[], of: MergeOf) {
    this.block = block;
    this.#numbers = numbers;
    this.#of = of;
  }

  static async open(block: Block, isInt64: boolean, of: MergeOf): Promise<MergeInput | undefined> {
    try {
      const { pages } = await block.footer();
      const numbers = Array.from(pages.isInt64.keys()).filter((i) => pages.isInt64[i] === (isInt64 ? 1 : 0));
      const input = new MergeInput(block, numbers, of);
      await input.#openPage();
      return input;
    } catch (error) {
      of.onDamage(error);
      return undefined;
    }
  }

  /** The current metric; undefined after the last one. */
  get id(): number | undefined {
    return this.page?.ids[this.place];
  }

  get found(): FoundMetric {
    return { page: this.page!, place: this.place };
  }

  async advance(): Promise<void> {
    if (++this.place >= this.page!.ids.length) await this.#openPage();
    else await this.span(this.page!, this.page!.starts[this.place]!);
  }

  /** Returns the bytes of a chunk, and reads the next chunks too: one call for many. */
  span(page: IndexPage, chunk: number): Soon<FileSpan> {
    if (chunk >= this.#read.first && chunk < this.#read.end) return this.block.span(page, chunk, chunk);
    let end = chunk + 1;
    while (end < page.offsets.length && page.offsets[end]! - page.offsets[chunk]! <= MAX_AHEAD) end++;
    this.#read = { first: chunk, end };
    return this.block.span(page, chunk, end - 1);
  }

  async #openPage(): Promise<void> {
    this.page = undefined;
    this.place = 0;
    while (this.page === undefined && this.#next < this.#numbers.length) {
      try {
        const page = await this.block.index(this.#numbers[this.#next++]!);
        this.#read = { first: 0, end: 0 };
        await this.span(page, 0);
        await this.#of.prepare?.(page.ids);
        this.page = page;
      } catch (error) {
        this.#of.onDamage(error);
      }
    }
  }
}

/** Copies the chunks of a metric. Returns false if its points must be merged, or some of them omitted. */
async function copyMetric(
  { range, tombstones, onDamage }: MergeOf,
  inputs: readonly MergeInput[],
  id: number,
  writer: BlockWriter,
  values: Values64,
): Promise<boolean> {
  const sorted = inputs.map((input) => ({ ...spanOf(input), input })).sort((a, b) => a.from - b.from);
  for (let i = 0; i < sorted.length; i++) {
    const { from, to, input } = sorted[i]!;
    if (from < range.from || to >= range.to || (i > 0 && from <= sorted[i - 1]!.to)) return false;
    const { entry } = input.block;
    if (tombstones.masks(id, entry.generations[1], from, to).length > 0) return false;
  }
  // The summary of a damaged metric contains lost points, so the metric is scanned instead.
  for (const { input } of sorted) if (!(await isWhole(input, onDamage))) return false;
  for (const { input } of sorted) await copyChunks(input, writer, values);
  return true;
}

function spanOf({ found: { page, place } }: MergeInput): { from: number; to: number } {
  return { from: page.firstOf(page.starts[place]!), to: page.lastOf(page.starts[place + 1]! - 1) };
}

/** True if all chunks of a metric are undamaged. */
async function isWhole(input: MergeInput, onDamage: OnDamage): Promise<boolean> {
  const { block, found } = input;
  const { page, place } = found;
  try {
    for (let chunk = page.starts[place]!; chunk < page.starts[place + 1]!; chunk++) {
      await block.column(page, page.columnOf[chunk]!);
      block.raw(found, chunk, await input.span(page, chunk));
    }
    return true;
  } catch (error) {
    onDamage(error);
    return false;
  }
}

async function copyChunks(input: MergeInput, writer: BlockWriter, values: Values64): Promise<void> {
  const { block, found } = input;
  const { page, place } = found;
  writer.fold(page.summaries, place);
  for (let chunk = page.starts[place]!; chunk < page.starts[place + 1]!; chunk++) {
    const soonColumn = block.column(page, page.columnOf[chunk]!);
    const { times } = soonColumn instanceof Promise ? await soonColumn : soonColumn;
    const soonSpan = input.span(page, chunk);
    const span = soonSpan instanceof Promise ? await soonSpan : soonSpan;
    const isFree = writer.pending === 0 || writer.pending >= LEAST_CHUNK;
    if (times.length === CHUNK_POINTS && isFree) writer.copy(block.raw(found, chunk, span), times, times.length);
    else {
      block.decode(found, chunk, span, values);
      writer.add(times, values, 0, times.length, false);
    }
    if (writer.isFull) await writer.flush();
  }
}

async function scanMetric(
  { range, tombstones, onDamage }: MergeOf,
  inputs: readonly MergeInput[],
  id: number,
  isInt64: boolean,
  writer: BlockWriter,
  values: Values64,
): Promise<void> {
  const blocks = inputs.map(({ block }) => block);
  const of = { id, isInt64, from: range.from, to: range.to, reverse: false };
  const scan = new MetricScan(of, { blocks, memory: undefined, tombstones, onDamage, values });
  for (let run = await scan.next(); run !== undefined; run = await scan.next()) {
    writer.add(run.times, run.values, run.from, run.to);
    if (writer.isFull) await writer.flush();
  }
}
