/** Writes names files: of new metrics, and of several files as one. */
import type { Entry } from "../drivers/driver.js";
import { nameValue } from "../metric/stored-name.js";
import { ChunkIds, chunkOf } from "../metric/tag-index.js";
import type { Names } from "../names/names.js";
import type { NamesEntry } from "../names/names-file.js";
import { namesName } from "../names/names-format.js";
import { NamesWriter } from "../names/names-writer.js";
import { type PendingMetric, pendingBytes } from "../registry/metric-memory.js";
import { IndexKeys } from "../select/index-keys.js";
import type { TimeSlices } from "../store/time-slices.js";
import type { FileStore } from "./file-store.js";

/** With more files than this, some are merged. */
const MAX_FILES = 8;
/**
 * A file is merged with newer ones if it is at most this many times as large as all of them. In a simulation of
 * 900 files of new metrics each byte is written 5.6 times with 2, and 7.9 times with 4.
 */
const GROWTH = 2;

/** Maximum memory of the metrics of one file. Sorting them needs about as much again. */
export const PART_BYTES = 16 * 2 ** 20;

/** Divides new metrics into one list for each file. */
export function partsOf(metrics: readonly PendingMetric[]): PendingMetric[][] {
  const parts: PendingMetric[][] = [];
  let bytes = PART_BYTES;
  for (const one of metrics) {
    if (bytes >= PART_BYTES) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)!.push(one);
    bytes += pendingBytes(one.form);
  }
  return parts;
}

/** Writes new metrics into a file. */
export async function writeNames(
  store: FileStore,
  metrics: readonly PendingMetric[],
  slices: TimeSlices,
): Promise<NamesEntry> {
  const forms = metrics.map((one): Entry => [one.form, nameValue(one.metric)]);
  await sortInSlices(forms, slices);
  const tags = await tagEntries(metrics, slices);
  return await write(store, slices, async (writer) => {
    for (const [form, value] of forms) {
      await writer.form(form, value);
      await slices.pause();
    }
    for (const [key, value] of tags) {
      await writer.tag(key, value);
      await slices.pause();
    }
  });
}

/** Merges several files into one, without forgotten metrics. */
export async function mergeNames(store: FileStore, names: Names, slices: TimeSlices): Promise<NamesEntry> {
  return await write(store, slices, async (writer) => {
    for await (const [form, value] of names.forms()) {
      await writer.form(form, value);
      await slices.pause();
    }
    for await (const piece of names.tags(new Uint8Array(0), undefined)) {
      for (const [key, value] of piece) await writer.tag(key, value);
      await slices.pause();
    }
  });
}

async function write(
  store: FileStore,
  slices: TimeSlices,
  fill: (writer: NamesWriter) => Promise<void>,
): Promise<NamesEntry> {
  const file = store.takeNumber();
  const written = await store.newFile(namesName(file), async (target) => {
    const writer = new NamesWriter(target, file);
    await fill(writer);
    return await writer.finish(slices);
  });
  return { file, ...written };
}

/** Returns the number of newest files to merge; 0 if no merge is due. */
export function filesToMerge(entries: readonly NamesEntry[]): number {
  if (entries.length < MAX_FILES) return 0;
  let bytes = 0;
  let count = 0;
  for (let i = entries.length - 1; i >= 0; i--) {
    if (count >= MAX_FILES / 2 && entries[i]!.bytes > GROWTH * bytes) break;
    bytes += entries[i]!.bytes;
    count++;
  }
  return count;
}

/** The entries of the tag index for metrics, sorted. */
async function tagEntries(metrics: readonly PendingMetric[], slices: TimeSlices): Promise<Entry[]> {
  const keys = new IndexKeys();
  const sets = new Map<string, { readonly key: Uint8Array; readonly ids: number[] }>();
  for (const { metric } of metrics) {
    const chunk = chunkOf(metric.id);
    for (const [tag, value] of [["", metric.name] as const, ...Object.entries(metric.tags)]) {
      const name = `${tag}\0${value}\0${chunk}`;
      const set = sets.get(name);
      if (set === undefined) sets.set(name, { key: keys.entry(tag, value, chunk), ids: [metric.id] });
      else set.ids.push(metric.id);
    }
    await slices.pause();
  }
  const entries: Entry[] = [];
  for (const { key, ids } of sets.values()) {
    const set = new ChunkIds();
    for (const id of ids) set.add(id);
    entries.push([key, set.value()!]);
    await slices.pause();
  }
  await sortInSlices(entries, slices);
  return entries;
}

/** Entries of a part that is sorted at once: about 10 ms. */
const SORTED_AT_ONCE = 16_384;

/** Sorts entries by key. Parts are sorted separately, then merged, so that the event loop is not blocked for long. */
async function sortInSlices(entries: Entry[], slices: TimeSlices): Promise<void> {
  for (let i = 0; i < entries.length; i += SORTED_AT_ONCE) {
    const part = entries.slice(i, i + SORTED_AT_ONCE).sort(([a], [b]) => Buffer.compare(a, b));
    for (let k = 0; k < part.length; k++) entries[i + k] = part[k]!;
    await slices.pause();
  }
  let from = entries;
  let to: Entry[] = new Array<Entry>(entries.length);
  for (let width = SORTED_AT_ONCE; width < entries.length; width *= 2) {
    for (let i = 0; i < from.length; i += 2 * width) await mergeParts(from, to, i, width, slices);
    [from, to] = [to, from];
  }
  if (from !== entries) for (let i = 0; i < entries.length; i++) entries[i] = from[i]!;
}

async function mergeParts(from: Entry[], to: Entry[], start: number, width: number, slices: TimeSlices): Promise<void> {
  const middle = Math.min(start + width, from.length);
  const end = Math.min(start + 2 * width, from.length);
  for (let at = start, a = start, b = middle; at < end; at++) {
    const isFirst = b === end || (a < middle && Buffer.compare(from[a]![0], from[b]![0]) <= 0);
    to[at] = isFirst ? from[a++]! : from[b++]!;
    if ((at & 1023) === 0) await slices.pause();
  }
}
