/** Copies metrics and points of an open store into a store of files. Each week becomes one block: it is written once, without the log. */
import type { Series } from "../api.js";
import type { BlockWriter } from "../blocks/block-writer.js";
import { WEEK, weekOf } from "../blocks/format.js";
import type { FileStore } from "../files/file-store.js";
import { PART_BYTES, writeNames } from "../files/names-round.js";
import { CanonicalForms } from "../metric/canonical.js";
import type { NamesEntry } from "../names/names-file.js";
import { Values64, withRoom } from "../page/values.js";
import { type PendingMetric, pendingBytes } from "../registry/metric-memory.js";
import type { RegisteredMetric } from "../registry/registered-metric.js";
import { TimeSlices } from "../store/time-slices.js";

const MINUTE = 60_000;
/** Merging starts with small blocks: one of a whole week counts as merged several times. */
const LEVEL = 4;

/** A copy from an open store, whose unit is milliseconds, into a store of files. */
export interface Copy {
  readonly source: Series;
  readonly store: FileStore;
  readonly signal: AbortSignal | undefined;
  /** Called with the number of copied points, and the start of their week. */
  copied(points: number, week: number): void;
}

/** Copies all metrics, with their ids. Returns after one commit. `next` is the next id. */
export async function copyMetrics({ source, store }: Pick<Copy, "source" | "store">, next: number): Promise<void> {
  const slices = new TimeSlices();
  const forms = new CanonicalForms();
  const names: NamesEntry[] = [];
  let part: PendingMetric[] = [];
  let bytes = 0;
  const endPart = async () => {
    if (part.length > 0) names.push(await writeNames(store, part, slices));
    part = [];
    bytes = 0;
  };
  for await (const handle of source.metrics()) {
    const metric = handle as RegisteredMetric;
    const form = forms.of(metric);
    part.push({ metric, form });
    bytes += pendingBytes(form);
    if (bytes >= PART_BYTES) await endPart();
  }
  await endPart();
  await store.commit(() => ({ names, nextId: next }));
}

/** Copies the points, week by week. Continues after the last week that the store has. */
export async function copyWeeks(copy: Copy): Promise<void> {
  const { blocks } = copy.store.manifest;
  let copied = blocks.reduce((sum, { points }) => sum + points, 0);
  let week: number | undefined = 1 + blocks.reduce((most, { to }) => Math.max(most, weekOf(to)), -1);
  for (;;) {
    week = await firstWeek(copy, week);
    if (week === undefined) return;
    // Usually all following weeks have points.
    for (let isThere = true; isThere; week++) {
      const points = await copyWeek(copy, week, copied);
      copied += points;
      isThere = points > 0;
    }
  }
}

/** Returns the first week from `week` on that has points. */
async function firstWeek({ source, signal }: Copy, week: number): Promise<number | undefined> {
  let first = Number.POSITIVE_INFINITY;
  const range = { from: week * WEEK, ...(signal && { signal }) };
  for await (const { points } of source.select({ ...range, limit: 1 }))
    for await (const { timestamp } of points) first = Math.min(first, timestamp);
  return Number.isFinite(first) ? weekOf(first) : undefined;
}

/** Copies the points of a week. Returns their number. */
async function copyWeek(copy: Copy, week: number, before: number): Promise<number> {
  const { store } = copy;
  const generation = store.beginRound();
  const block = await store.newBlock({ level: LEVEL, isWide: false, generations: [generation, generation] }, (writer) =>
    writeWeek(copy, week, writer, before),
  );
  if (block === undefined) return 0;
  await store.commit((manifest) => ({
    blocks: [...manifest.blocks, block],
    sealed: Math.max(manifest.sealed, Math.floor(block.to / MINUTE)),
  }));
  return block.points;
}

async function writeWeek(
  { source, signal, copied }: Copy,
  week: number,
  writer: BlockWriter,
  before: number,
): Promise<void> {
  let memory = new Values64(4096);
  let points = before;
  const range = { from: week * WEEK, to: (week + 1) * WEEK, ...(signal && { signal }) };
  for await (const { metric, points: rows } of source.select(range)) {
    const isInt64 = metric.type === "int64";
    let isStarted = false;
    for await (const { length, timestamps, values } of rows.batches()) {
      if (length === 0) continue;
      if (!isStarted) writer.startMetric(metric.id, isInt64);
      isStarted = true;
      memory = withRoom(memory, length);
      if (values instanceof Float64Array) memory.floats.set(values.subarray(0, length));
      else new BigInt64Array(memory.floats.buffer).set(values.subarray(0, length));
      writer.add(timestamps, memory, 0, length);
      if (writer.isFull) await writer.flush();
      points += length;
    }
    if (!isStarted) continue;
    writer.endMetric();
    copied(points, week * WEEK);
  }
}
