/**
 * Builds a new manifest for a store whose manifests are lost or damaged, from the footers of its blocks and names. Blocks that a merge
 * had replaced are skipped. Deletes that no merge had applied are lost with the manifest.
 */
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { DecodeError } from "moonpack/bytes";
import type { BlockEntry } from "../blocks/block.js";
import { readFooter, summaryOf } from "../blocks/footer.js";
import { type FooterPlace, isBlockHead, ROLE_BITS, readBlockTail, TAIL_BYTES } from "../blocks/format.js";
import { storeError } from "../drivers/store-error.js";
import { type FolderLock, nodeStoreFileSystem, type StoreFileSystem } from "../file-system/store-file-system.js";
import { logNumbers } from "../log/log-files.js";
import { FIRST_MANIFEST, LOG_NAMES, type LogName, type Manifest, newId } from "../manifest/manifest.js";
import { manifestNumbers, writeManifest } from "../manifest/manifest-files.js";
import type { NamesEntry } from "../names/names-file.js";
import { namesHead, readDirectory } from "../names/names-format.js";
import { checkedPath } from "../options.js";
import type { SummaryRecord } from "../summarize/record.js";

const MINUTE = 60_000;

/** The result of a repair. */
export interface Repaired {
  /** Number of files of points in the repaired store. */
  readonly blocks: number;
  /** Number of points in these files. */
  readonly points: number;
  /** Number of metrics. */
  readonly metrics: number;
  /** Files whose end is damaged. They were moved to `quarantine/`. */
  readonly damaged: readonly string[];
}

/** Repairs the store in a folder. Throws `ERR_SERIES_LOCKED` if a process has it open for writing. */
export async function repair(path: string): Promise<Repaired> {
  return await repairWith(checkedPath(path), nodeStoreFileSystem());
}

/** As {@link repair}, in a given file system. */
export async function repairWith(path: string, fileSystem: StoreFileSystem): Promise<Repaired> {
  let lock: FolderLock | undefined;
  try {
    lock = await fileSystem.lock(path);
    return await new Repair(path, fileSystem).run();
  } catch (error) {
    throw storeError(error, "the store");
  } finally {
    await lock?.release();
  }
}

class Repair {
  readonly #path: string;
  readonly #fileSystem: StoreFileSystem;
  readonly #damaged: string[] = [];
  #nextId = 0;

  constructor(path: string, fileSystem: StoreFileSystem) {
    this.#path = path;
    this.#fileSystem = fileSystem;
  }

  async run(): Promise<Repaired> {
    const all = await this.#each("blocks", ".blk", (file, bytes) => this.#block(file, bytes));
    const blocks = withoutReplaced(all.filter((block) => summaryOf(block) === undefined));
    const summaries = summariesOf(all);
    const names = await this.#each("names", ".nam", (file, bytes) => this.#names(file, bytes));
    const numbers = await manifestNumbers(this.#fileSystem, this.#path);
    const [log, logs] = await this.#log();
    const manifest: Manifest = {
      ...FIRST_MANIFEST,
      id: newId(),
      log,
      number: (numbers.at(-1) ?? 0) + 1,
      nextFile: 1 + Math.max(0, ...all.map(({ file }) => file), ...names.map(({ file }) => file)),
      nextId: this.#nextId,
      firstLog: logs[0] ?? 1,
      sealed: Math.max(-1, ...blocks.filter(({ isWide }) => !isWide).map(({ to }) => Math.floor(to / MINUTE))),
      generation: Math.max(0, ...all.map(({ generations }) => generations[1])),
      blocks,
      names,
      summaries,
    };
    await writeManifest(this.#fileSystem, this.#path, manifest);
    return {
      blocks: blocks.length,
      points: blocks.reduce((sum, { points }) => sum + points, 0),
      metrics: names.reduce((sum, { metrics }) => sum + metrics, 0),
      damaged: this.#damaged,
    };
  }

  /** Returns the folder of the log, and its files. If a backup was interrupted there are two logs: the one that reaches further counts. */
  async #log(): Promise<[LogName, number[]]> {
    const logs: [LogName, number[]][] = [];
    for (const name of LOG_NAMES) logs.push([name, logNumbers(await this.#fileSystem.list(join(this.#path, name)))]);
    return logs.reduce((best, one) => ((one[1].at(-1) ?? 0) > (best[1].at(-1) ?? 0) ? one : best));
  }

  /** Reads all files of a folder by ascending number. Damaged ones go into quarantine. */
  async #each<T>(folder: string, ending: string, read: (file: number, bytes: Uint8Array) => T): Promise<T[]> {
    const list: T[] = [];
    const names = await this.#fileSystem.list(join(this.#path, folder));
    for (const name of names.filter((one) => one.endsWith(ending)).sort()) {
      try {
        list.push(read(Number.parseInt(name, 10), await this.#end(join(this.#path, folder, name))));
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        this.#damaged.push(`${folder}/${name}`);
        await this.#fileSystem.makeFolder(join(this.#path, "quarantine"));
        await this.#fileSystem.rename(join(this.#path, folder, name), join(this.#path, "quarantine", name));
      }
    }
    return list;
  }

  /** A file without its data: the head, the footer and the tail. */
  async #end(path: string): Promise<Uint8Array<ArrayBuffer>> {
    const file = await this.#fileSystem.openForReading(path);
    try {
      if (file.size < 2 * TAIL_BYTES) throw new DecodeError("ERR_TRUNCATED", "the file is too short", file.size);
      const [head, tail] = [new Uint8Array(TAIL_BYTES), new Uint8Array(TAIL_BYTES)];
      await file.read([head], 0);
      await file.read([tail], file.size - TAIL_BYTES);
      const { offset, length } = readBlockTail(tail, file.size);
      const bytes = new Uint8Array(TAIL_BYTES + length + TAIL_BYTES + 8);
      bytes.set(head);
      await file.read([bytes.subarray(TAIL_BYTES, 2 * TAIL_BYTES + length)], offset);
      new DataView(bytes.buffer).setFloat64(2 * TAIL_BYTES + length, file.size, true);
      return bytes;
    } finally {
      await file.close();
    }
  }

  #block(file: number, bytes: Uint8Array): BlockEntry {
    if (!isBlockHead(bytes, file)) throw new DecodeError("ERR_INVALID_BYTE", "not the head of a block", 0);
    const { content, size, footer } = partsOf(bytes);
    const { facts, pages } = readFooter(content, footer.length);
    const bits = summaryOf(facts) === undefined ? 0 : ROLE_BITS;
    for (const id of pages.lastId) this.#nextId = Math.max(this.#nextId, (id >>> bits) + 1);
    return { file, ...facts, bytes: size, footer };
  }

  #names(file: number, bytes: Uint8Array): NamesEntry {
    if (!namesHead(file).every((byte, i) => byte === bytes[i]))
      throw new DecodeError("ERR_INVALID_BYTE", "not the head of a names file", 0);
    const { content, size, footer } = partsOf(bytes);
    const { metrics, ids } = readDirectory(content, footer.length);
    for (const id of ids.lastId) this.#nextId = Math.max(this.#nextId, id + 1);
    return { file, metrics, bytes: size, footer };
  }
}

/** The end of a file that {@link Repair} has read. */
interface FileEnd {
  readonly content: Uint8Array;
  readonly size: number;
  readonly footer: FooterPlace;
}

function partsOf(bytes: Uint8Array): FileEnd {
  const content = bytes.subarray(TAIL_BYTES, bytes.length - 8);
  const size = new DataView(bytes.buffer, bytes.byteOffset).getFloat64(bytes.length - 8, true);
  const footer = readBlockTail(content.subarray(-TAIL_BYTES), size);
  if (crc32(content.subarray(0, footer.length)) !== footer.crc)
    throw new DecodeError("ERR_INVALID_BYTE", "the checksum of the footer does not match", footer.offset);
  return { content, size, footer };
}

/**
 * Returns the summaries of blocks. Which points they have is not known, so the windows whose points are there are written again, and all are
 * kept for ever until the store is opened with the option.
 */
function summariesOf(all: readonly BlockEntry[]): SummaryRecord[] {
  const groups = new Map<string, BlockEntry[]>();
  for (const block of all) {
    const summary = summaryOf(block);
    if (summary === undefined) continue;
    const key = JSON.stringify(summary);
    groups.set(key, [...(groups.get(key) ?? []), block]);
  }
  return [...groups.values()].map((group): SummaryRecord => {
    const blocks = withoutReplaced(group);
    const { window, roles } = summaryOf(blocks[0]!)!;
    const since = Math.min(...blocks.map(({ from }) => from));
    const until = Math.max(...blocks.map(({ to }) => to)) + window;
    return { window, roles, keep: null, isOpen: true, opened: 0, since, until, generation: 0, deletes: 0, blocks };
  });
}

/** Returns the blocks that no later block contains: a merge replaces its sources, whose files stay for some minutes. */
function withoutReplaced(blocks: readonly BlockEntry[]): BlockEntry[] {
  const isReplaced = (old: BlockEntry) =>
    blocks.some(
      (one) =>
        one.file > old.file &&
        (one.isWide === old.isWide || !one.isWide) &&
        one.generations[0] <= old.generations[0] &&
        one.generations[1] > old.generations[1] &&
        one.from <= old.from &&
        one.to >= old.to,
    );
  return blocks.filter((block) => !isReplaced(block));
}
