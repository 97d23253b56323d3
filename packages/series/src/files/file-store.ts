/**
 * The files of a store, and their data in memory. Blocks and names never change: a change writes new files, then a manifest that lists them,
 * and replaces the view in one iteration of the event loop.
 */
import { basename, join } from "node:path";
import { Block, BlockDecoders, type BlockEntry } from "../blocks/block.js";
import { BlockWriter } from "../blocks/block-writer.js";
import { ByteCache } from "../blocks/byte-cache.js";
import { FileHandles, PagedFile, type SparePages } from "../blocks/file-pages.js";
import type { BlockFacts } from "../blocks/footer.js";
import { blockName } from "../blocks/format.js";
import { type Tombstone, Tombstones } from "../blocks/tombstones.js";
import type { Pace } from "../compact/pace.js";
import { storeError } from "../drivers/store-error.js";
import type { StoreFileSystem } from "../file-system/store-file-system.js";
import type { LogFile } from "../log/file-system.js";
import type { Manifest } from "../manifest/manifest.js";
import { allBlocks, filesOf, removeOldManifests, writeManifest } from "../manifest/manifest-files.js";
import { ForgottenIds, Names } from "../names/names.js";
import { type NamesEntry, NamesFile } from "../names/names-file.js";
import { namesName } from "../names/names-format.js";
import { SummaryWindows } from "../summarize/summary-windows.js";

/** A file is deleted this long after the manifest dropped it, since other processes may still read it. */
const DELETE_AFTER_MS = 600_000;
/** Bytes of the cache of a job that reads whole blocks. */
const OWN_CACHE_BYTES = 16 * 2 ** 20;

/** The state of a store at one moment. */
export interface FilesView {
  readonly manifest: Manifest;
  /** By ascending first time. */
  readonly blocks: readonly Block[];
  /** The same blocks, by descending last time. */
  readonly newestFirst: readonly Block[];
  /** The names files, the oldest first. */
  readonly files: readonly NamesFile[];
  readonly names: Names;
  readonly tombstones: Tombstones;
  readonly summaries: readonly SummaryWindows[];
}

/** The parts of a view that a delete changes. */
type Hidden = Pick<FilesView, "names" | "tombstones" | "summaries">;

/** Opens the blocks of a job, each once. */
export type OpenBlocks = (entries: readonly BlockEntry[]) => Block[];

/** A file that the manifest has dropped. */
interface OldFile {
  readonly name: string;
  readonly since: number;
}

/** The files of a store. */
export class FileStore {
  readonly path: string;
  readonly fileSystem: StoreFileSystem;
  readonly cache: ByteCache;
  readonly #handles: FileHandles;
  readonly #decoders = new BlockDecoders();
  readonly #blocks = new Map<number, Block>();
  readonly #names = new Map<number, NamesFile>();
  #view: FilesView;
  #old: OldFile[] = [];
  #nextFile: number;
  /** The last started round of sealing. The number of a failed round is not used again: deletes since then have it. */
  #generation: number;
  /** Deletes and forgotten metrics that are not yet in a manifest. */
  #tombstones: readonly Tombstone[] = [];
  #forgotten: readonly number[] = [];
  /** The number of the next manifest. A failed write may have left a file, so its number is not used again. */
  #nextManifest: number;

  /** Throws if this process has lost the right to write. */
  readonly #guard: () => Promise<void>;
  /** Syncs the log to disk: a manifest must not contain a delete that the log on disk does not have. */
  syncLog: () => Promise<void> = () => Promise.resolve();
  /** Memory of the last job that read whole blocks, if the next one comes before it is collected. */
  #spare = new WeakRef<SparePages>([]);
  /** Number of running backups, which need the files of their moment. */
  #pins = 0;

  constructor(
    path: string,
    fileSystem: StoreFileSystem,
    manifest: Manifest,
    maxCacheBytes: number,
    guard: () => Promise<void> = () => Promise.resolve(),
  ) {
    this.path = path;
    this.#guard = guard;
    this.fileSystem = fileSystem;
    this.cache = new ByteCache(maxCacheBytes);
    this.#handles = new FileHandles(fileSystem);
    this.#nextFile = manifest.nextFile;
    this.#nextManifest = manifest.number + 1;
    this.#generation = manifest.generation;
    this.#view = this.#viewOf(manifest);
  }

  /** The current state of the store. */
  get view(): FilesView {
    return this.#view;
  }

  get manifest(): Manifest {
    return this.#view.manifest;
  }

  /** Bytes of all files. */
  get bytes(): number {
    return filesOf(this.manifest).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #viewOf(manifest: Manifest): FilesView {
    const blocks = manifest.blocks.map((entry) => this.#block(entry, this.#blocks, this.cache));
    blocks.sort((a, b) => a.entry.from - b.entry.from);
    const files = manifest.names.map((entry) => this.#namesFile(entry));
    const newestFirst = blocks.toSorted((a, b) => b.entry.to - a.entry.to);
    return { manifest, blocks, newestFirst, files, ...this.#hidden(manifest, files, blocks) };
  }

  /** Returns the view without deleted points and forgotten metrics. */
  #hidden(manifest: Manifest, files: readonly NamesFile[], blocks: readonly Block[]): Hidden {
    const all = [...manifest.tombstones, ...this.#tombstones];
    return {
      names: new Names(files, new ForgottenIds([...manifest.forgotten, ...this.#forgotten])),
      tombstones: new Tombstones(all),
      summaries: manifest.summaries.map((record) => {
        const own = record.blocks.map((entry) => this.#block(entry, this.#blocks, this.cache));
        return new SummaryWindows(record, own, blocks, all, manifest.dropped);
      }),
    };
  }

  /** The current manifest, with the deletes that are not yet in a manifest. */
  committed(): Manifest {
    const { manifest } = this;
    return {
      ...manifest,
      generation: this.#generation,
      tombstones: [...manifest.tombstones, ...this.#tombstones],
      forgotten: [...manifest.forgotten, ...this.#forgotten],
    };
  }

  /** Keeps all current files until the returned function is called. */
  pin(): () => void {
    this.#pins++;
    return () => {
      this.#pins--;
    };
  }

  /**
   * Runs a job that reads whole blocks. `open` opens them, each once, with a separate cache: the job would evict all other entries from the
   * shared one. One job may run at a time.
   */
  async readBlocks<T>(job: (open: OpenBlocks) => Promise<T>): Promise<T> {
    const cache = new ByteCache(OWN_CACHE_BYTES);
    const blocks = new Map<number, Block>();
    const spare = this.#spare.deref() ?? [];
    try {
      return await job((entries) => entries.map((entry) => this.#block(entry, blocks, cache, spare)));
    } finally {
      for (const block of blocks.values()) block.giveBack();
      this.#spare = new WeakRef(spare);
    }
  }

  /** Links a damaged file into quarantine, because the next manifest may drop it. */
  async quarantine(name: string): Promise<void> {
    const folder = join(this.path, "quarantine");
    await this.fileSystem.makeFolder(folder);
    try {
      await this.fileSystem.link(join(this.path, name), join(folder, basename(name)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw storeError(error, "the store");
    }
    await this.fileSystem.syncFolder(folder);
  }

  /** Starts a round of sealing. Returns its number. */
  beginRound(): number {
    return ++this.#generation;
  }

  /** Hides the points of a metric in a range, in all rounds that have started. */
  hide(id: number, from: number, to: number): void {
    this.#tombstones = [...this.#tombstones, { id, from, to, generation: this.#generation }];
    this.#view = { ...this.#view, ...this.#hidden(this.manifest, this.#view.files, this.#view.blocks) };
  }

  /** Hides a metric, with all its points. */
  forget(id: number): void {
    this.#forgotten = [...this.#forgotten, id];
    this.hide(id, 0, Number.MAX_SAFE_INTEGER);
  }

  /** True if there are deletes that are not yet in a manifest. */
  get hasDeletes(): boolean {
    return this.#tombstones.length > 0 || this.#forgotten.length > 0;
  }

  #block(entry: BlockEntry, blocks: Map<number, Block>, cache: ByteCache, spare?: SparePages): Block {
    let block = blocks.get(entry.file);
    if (block === undefined) {
      const file = new PagedFile(join(this.path, blockName(entry.file)), entry.bytes, this.#handles, cache, spare);
      block = new Block(entry, file, cache, this.#decoders);
      blocks.set(entry.file, block);
    }
    return block;
  }

  #namesFile(entry: NamesEntry): NamesFile {
    let names = this.#names.get(entry.file);
    if (names === undefined) {
      const file = new PagedFile(join(this.path, namesName(entry.file)), entry.bytes, this.#handles, this.cache);
      names = new NamesFile(entry, file, this.cache);
      this.#names.set(entry.file, names);
    }
    return names;
  }

  /** Deletes a new file that is not in the manifest. */
  async removeFile(name: string): Promise<void> {
    await this.fileSystem.unlink(join(this.path, name));
  }

  /** Returns the number of a new file. It is never used again, even if the file fails. */
  takeNumber(): number {
    return this.#nextFile++;
  }

  /**
   * Creates a file, fills it with `write`, and syncs its name to disk. A file that cannot be finished is deleted. Errors of the file
   * system get a code of this package.
   */
  async newFile<T>(name: string, write: (file: LogFile) => Promise<T>): Promise<T> {
    const path = join(this.path, name);
    try {
      const file = await this.fileSystem.create(path);
      let result: T;
      try {
        result = await write(file);
      } finally {
        await file.close();
      }
      await this.fileSystem.syncFolder(join(path, ".."));
      return result;
    } catch (error) {
      // A later error would hide the first one.
      await this.fileSystem.unlink(path).catch(() => undefined);
      throw storeError(error, "the store");
    }
  }

  /** Writes a block, which is not in the manifest yet. Returns undefined without points: then there is no file. */
  async newBlock(
    facts: Pick<BlockFacts, "level" | "generations" | "isWide" | "summary">,
    fill: (writer: BlockWriter) => Promise<void>,
    pace?: Pace,
  ): Promise<BlockEntry | undefined> {
    const file = this.takeNumber();
    const written = await this.newFile(blockName(file), async (target) => {
      const writer = new BlockWriter(pace?.file(target) ?? target, file);
      await fill(writer);
      return await writer.finish(facts);
    });
    if (written.points > 0) return { file, ...facts, ...written };
    await this.removeFile(blockName(file));
    return undefined;
  }

  /**
   * Commits a changed manifest, and replaces the view. `swap` runs in the same iteration of the event loop. `isApart`: deletes that are in no
   * manifest yet are left out, so that the log need not be written first. A full disk may prevent that.
   */
  async commit(
    change: (manifest: Manifest) => Partial<Manifest>,
    swap: () => void = () => undefined,
    isApart = false,
  ): Promise<void> {
    const tombstones = isApart ? [] : this.#tombstones;
    const forgotten = isApart ? [] : this.#forgotten;
    const before = isApart ? this.manifest : this.committed();
    const number = this.#nextManifest++;
    const next: Manifest = { ...before, ...change(before), number, nextFile: this.#nextFile };
    if (!isApart) await this.syncLog();
    await this.#guard();
    await writeManifest(this.fileSystem, this.path, next);
    // Deletes that came during the commit wait for the next manifest.
    this.#tombstones = this.#tombstones.filter((one) => !tombstones.includes(one));
    this.#forgotten = this.#forgotten.filter((id) => !forgotten.includes(id));
    this.#use(next);
    swap();
    await removeOldManifests(this.fileSystem, this.path, next.number).catch(() => undefined);
  }

  #use(next: Manifest): void {
    const before = this.#view;
    this.#view = this.#viewOf(next);
    const named = new Set(filesOf(next).map(({ name }) => name));
    const since = performance.now();
    for (const { name } of filesOf(before.manifest)) if (!named.has(name)) this.#old.push({ name, since });
    const blocks = new Set(allBlocks(next).map(({ file }) => file));
    for (const [file, block] of this.#blocks) if (!blocks.has(file)) this.#forget(this.#blocks, file, block);
    const names = new Set(next.names.map(({ file }) => file));
    for (const [file, one] of this.#names) if (!names.has(file)) this.#forget(this.#names, file, one);
  }

  /** Running reads of this process keep the file open; its cached pages are dropped. */
  #forget<T extends { close(): Promise<void> }>(files: Map<number, T>, number: number, file: T): void {
    files.delete(number);
    void file.close();
  }

  /** Replaces the view by the manifest of another process. */
  follow(manifest: Manifest): void {
    this.#tombstones = [];
    this.#forgotten = [];
    this.#generation = manifest.generation;
    this.#use(manifest);
    this.#old = [];
  }

  /** Deletes files that have not been in the manifest for ten minutes; with `isForced` all that are not in it. */
  async removeOldFiles(isForced = false): Promise<void> {
    if (this.#pins > 0) return;
    const until = performance.now() - DELETE_AFTER_MS;
    const due = this.#old.filter(({ since }) => isForced || since <= until);
    this.#old = this.#old.filter((one) => !due.includes(one));
    for (const { name } of due) await this.fileSystem.unlink(join(this.path, name));
  }

  async close(): Promise<void> {
    await this.#handles.closeAll();
    this.cache.clear();
  }
}
