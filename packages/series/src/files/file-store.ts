/**
 * The files of a store, and what of them is in memory. Blocks and names never change: a change writes new files, then a manifest that
 * names them, and takes them into use in one turn of the event loop.
 */
import { basename, join } from "node:path";
import { Block, BlockDecoders, type BlockEntry } from "../blocks/block.js";
import { ByteCache } from "../blocks/byte-cache.js";
import { FileHandles, PagedFile } from "../blocks/file-pages.js";
import { blockName } from "../blocks/format.js";
import { type Tombstone, Tombstones } from "../blocks/tombstones.js";
import { storeError } from "../drivers/store-error.js";
import type { StoreFileSystem } from "../file-system/store-file-system.js";
import type { LogFile } from "../log/file-system.js";
import type { Manifest } from "../manifest/manifest.js";
import { filesOf, removeOldManifests, writeManifest } from "../manifest/manifest-files.js";
import { ForgottenIds, Names } from "../names/names.js";
import { type NamesEntry, NamesFile } from "../names/names-file.js";
import { namesName } from "../names/names-format.js";

/** Files that no manifest names stay for this long: other processes may still read them. */
const KEPT_MILLISECONDS = 600_000;
/** Memory of a job that reads whole blocks. */
const OWN_CACHE_BYTES = 48 * 2 ** 20;

/** A store as it is at one moment. */
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
}

/** A file that no manifest names any more. */
interface OldFile {
  readonly name: string;
  readonly since: number;
}

/** See above. */
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
  /** The last round of sealing that was begun. One that failed is not begun again: deletes since then have its number. */
  #generation: number;
  /** Deletes that no manifest has, and metrics that were forgotten since the last one. */
  #tombstones: readonly Tombstone[] = [];
  #forgotten: readonly number[] = [];
  /** The number of the next manifest. One that failed may be in the folder, so its number is not used again. */
  #nextManifest: number;

  /** Throws if this process may no longer write. */
  readonly #guard: () => Promise<void>;
  /** Brings the log to the medium: no manifest is ahead of it, also not by a delete. */
  syncLog: () => Promise<void> = () => Promise.resolve();
  /** Backups that run: they need the files of their moment. */
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

  /** The store as it is now. */
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
    const blocks = manifest.blocks.map((entry) => this.#block(entry));
    blocks.sort((a, b) => a.entry.from - b.entry.from);
    const files = manifest.names.map((entry) => this.#namesFile(entry));
    const newestFirst = blocks.toSorted((a, b) => b.entry.to - a.entry.to);
    return { manifest, blocks, newestFirst, files, ...this.#hidden(manifest, files) };
  }

  /** The view of the files that deletes leave. */
  #hidden(manifest: Manifest, files: readonly NamesFile[]): Pick<FilesView, "names" | "tombstones"> {
    return {
      names: new Names(files, new ForgottenIds([...manifest.forgotten, ...this.#forgotten])),
      tombstones: new Tombstones([...manifest.tombstones, ...this.#tombstones]),
    };
  }

  /** The manifest as the next one would be if it came now: with the deletes that no manifest has. */
  committed(): Manifest {
    const { manifest } = this;
    return {
      ...manifest,
      generation: this.#generation,
      tombstones: [...manifest.tombstones, ...this.#tombstones],
      forgotten: [...manifest.forgotten, ...this.#forgotten],
    };
  }

  /** Keeps all files that are there until the result is called. */
  pin(): () => void {
    this.#pins++;
    return () => {
      this.#pins--;
    };
  }

  /** Blocks that are read beside the cache: a long job would push all else out of it. */
  ownBlocks(entries: readonly BlockEntry[]): Block[] {
    const cache = new ByteCache(OWN_CACHE_BYTES);
    return entries.map((entry) => {
      const file = new PagedFile(join(this.path, blockName(entry.file)), entry.bytes, this.#handles, cache);
      return new Block(entry, file, cache, this.#decoders);
    });
  }

  /** Keeps a damaged file under a second name: the manifest may let it go. */
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

  /** Begins a round of sealing. Returns its number. */
  beginRound(): number {
    return ++this.#generation;
  }

  /** Hides what a metric has in a span, in all rounds that have begun. */
  hide(id: number, from: number, to: number): void {
    this.#tombstones = [...this.#tombstones, { id, from, to, generation: this.#generation }];
    this.#view = { ...this.#view, ...this.#hidden(this.manifest, this.#view.files) };
  }

  /** Hides a metric, with all its points. */
  forget(id: number): void {
    this.#forgotten = [...this.#forgotten, id];
    this.hide(id, 0, Number.MAX_SAFE_INTEGER);
  }

  /** True if there are deletes that no manifest has. */
  get hasDeletes(): boolean {
    return this.#tombstones.length > 0 || this.#forgotten.length > 0;
  }

  #block(entry: BlockEntry): Block {
    let block = this.#blocks.get(entry.file);
    if (block === undefined) {
      const file = new PagedFile(join(this.path, blockName(entry.file)), entry.bytes, this.#handles, this.cache);
      block = new Block(entry, file, this.cache, this.#decoders);
      this.#blocks.set(entry.file, block);
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

  /** The number of a new file. It is never given again, whether the file comes to be named or not. */
  takeNumber(): number {
    return this.#nextFile++;
  }

  /**
   * Makes a file, lets `write` fill it, and brings its name to the medium. A file that cannot be finished is deleted. Errors of the file
   * system get a code of ours.
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
      // The first error says more.
      await this.fileSystem.unlink(path).catch(() => undefined);
      throw storeError(error, "the store");
    }
  }

  /**
   * Commits what is changed of the manifest, and takes it into use. `swap` runs in the same turn. `isApart`: deletes that no manifest has are
   * left out, so that the log need not be written first. A full disk may prevent that.
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
    // Deletes that were made meanwhile wait for the next manifest.
    this.#tombstones = this.#tombstones.filter((one) => !tombstones.includes(one));
    this.#forgotten = this.#forgotten.filter((id) => !forgotten.includes(id));
    this.#use(next);
    swap();
    await removeOldManifests(this.fileSystem, this.path, next.number).catch(() => undefined);
  }

  #use(next: Manifest): void {
    const before = this.#view;
    this.#view = this.#viewOf(next);
    const kept = new Set(filesOf(next).map(({ name }) => name));
    const since = performance.now();
    for (const { name } of filesOf(before.manifest)) if (!kept.has(name)) this.#old.push({ name, since });
    const blocks = new Set(next.blocks.map(({ file }) => file));
    for (const [file, block] of this.#blocks) if (!blocks.has(file)) this.#forget(this.#blocks, file, block);
    const names = new Set(next.names.map(({ file }) => file));
    for (const [file, one] of this.#names) if (!names.has(file)) this.#forget(this.#names, file, one);
  }

  /** Readers of this process that have begun keep the file itself; its cached pages go. */
  #forget<T extends { close(): Promise<void> }>(files: Map<number, T>, number: number, file: T): void {
    files.delete(number);
    void file.close();
  }

  /** Takes another process's manifest into use. */
  follow(manifest: Manifest): void {
    this.#tombstones = [];
    this.#forgotten = [];
    this.#generation = manifest.generation;
    this.#use(manifest);
    this.#old = [];
  }

  /** Deletes files that no manifest has named for ten minutes; all of them with `isForced`. */
  async removeOldFiles(isForced = false): Promise<void> {
    if (this.#pins > 0) return;
    const until = performance.now() - KEPT_MILLISECONDS;
    const due = this.#old.filter(({ since }) => isForced || since <= until);
    this.#old = this.#old.filter((one) => !due.includes(one));
    for (const { name } of due) await this.fileSystem.unlink(join(this.path, name));
  }

  async close(): Promise<void> {
    await this.#handles.closeAll();
    this.cache.clear();
  }
}
