/**
 * A file system in memory that knows what is on the medium: bytes after `datasync`, names after `syncFolder`. It gives the file
 * system that a next process finds after this one was killed, or after the power failed. It does not cover media that lie about
 * what they have, and sectors that are half written.
 */
import { dirname } from "node:path";
import type { FolderLock, ReadableFile, StoreFileSystem } from "../../src/file-system/store-file-system.ts";
import type { LogFile } from "../../src/log/file-system.ts";

const SECTOR = 512;

/** The bytes of a file. */
class Content {
  #memory = new Uint8Array(0);
  #length = 0;
  #onMedium = new Uint8Array(0);
  /** Sectors that were written since the last sync. */
  readonly #dirty = new Set<number>();
  /** The file was at least once as short as this since the last sync. */
  #shortest = 0;

  get length(): number {
    return this.#length;
  }

  read(): Uint8Array<ArrayBuffer> {
    return this.#memory.slice(0, this.#length);
  }

  write(bytes: Uint8Array, position: number): void {
    const end = Math.max(this.#length, position + bytes.length);
    if (end > this.#memory.length) {
      const larger = new Uint8Array(2 * end);
      larger.set(this.#memory.subarray(0, this.#length));
      this.#memory = larger;
    }
    this.#memory.set(bytes, position);
    // A gap before the position is filled with zeros.
    const first = Math.floor(Math.min(position, this.#length) / SECTOR);
    for (let sector = first; sector * SECTOR < position + bytes.length; sector++) this.#dirty.add(sector);
    this.#length = end;
  }

  truncate(length: number): void {
    if (length > this.#length) return this.write(new Uint8Array(length - this.#length), this.#length);
    this.#memory.fill(0, length, this.#length);
    this.#length = length;
    this.#shortest = Math.min(this.#shortest, length);
  }

  sync(): void {
    this.#onMedium = this.#after(() => true, this.#onMedium.subarray(0, this.#shortest), this.#length);
    this.forget();
  }

  /** As a system after a failed sync: what was not written counts as written. Only writing it again brings it to the medium. */
  forget(): void {
    this.#dirty.clear();
    this.#shortest = this.#length;
  }

  afterKill(): Content {
    const copy = new Content();
    copy.#memory = this.read();
    copy.#length = this.#length;
    copy.#onMedium = this.#onMedium;
    copy.#shortest = this.#shortest;
    for (const sector of this.#dirty) copy.#dirty.add(sector);
    return copy;
  }

  afterPowerLoss(survives: () => boolean): Content {
    const after = new Content();
    after.#memory = this.#after(survives, this.#onMedium, 0);
    after.#length = after.#memory.length;
    after.#onMedium = after.#memory.slice();
    after.#shortest = after.#length;
    return after;
  }

  /** Bytes on the medium, with those dirty sectors that survive; at least `length` of them. */
  #after(survives: () => boolean, onMedium: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
    const sectors = [...this.#dirty].filter((sector) => sector * SECTOR < this.#length && survives());
    const ends = sectors.map((sector) => Math.min((sector + 1) * SECTOR, this.#length));
    const bytes = new Uint8Array(ends.reduce((most, end) => Math.max(most, end), Math.max(length, onMedium.length)));
    bytes.set(onMedium);
    for (const [i, sector] of sectors.entries())
      bytes.set(this.#memory.subarray(sector * SECTOR, ends[i]), sector * SECTOR);
    return bytes;
  }
}

/** See above. Paths are absolute. */
export class ForgetfulFileSystem implements StoreFileSystem {
  readonly #folders: Set<string>;
  /** The content that programs see, and the content on disk. */
  readonly #files: Map<string, Content>;
  readonly #onMedium: Map<string, Content>;

  constructor(folders?: Set<string>, files?: Map<string, Content>, onMedium?: Map<string, Content>) {
    this.#folders = folders ?? new Set();
    this.#files = files ?? new Map();
    this.#onMedium = onMedium ?? new Map();
  }

  async open(path: string): Promise<LogFile> {
    if (!this.#folders.has(dirname(path))) throw notFound(path);
    const content = this.#files.get(path) ?? new Content();
    this.#files.set(path, content);
    return {
      write: async (bytes, position) => content.write(bytes, position),
      truncate: async (length) => content.truncate(length),
      datasync: async () => content.sync(),
      close: async () => {},
    };
  }

  async create(path: string): Promise<LogFile> {
    if (this.#files.has(path)) throw Object.assign(new Error(`EEXIST: file exists, '${path}'`), { code: "EEXIST" });
    return await this.open(path);
  }

  async openForReading(path: string): Promise<ReadableFile> {
    const content = this.#content(path);
    return {
      size: content.length,
      async read(buffers, position) {
        const bytes = content.read();
        let done = 0;
        for (const buffer of buffers) {
          const part = bytes.subarray(position + done, position + done + buffer.length);
          buffer.set(part);
          done += part.length;
        }
        return done;
      },
      close: async () => {},
    };
  }

  async rename(from: string, to: string): Promise<void> {
    this.#files.set(to, this.#content(from));
    this.#files.delete(from);
  }

  async link(from: string, to: string): Promise<void> {
    this.#files.set(to, this.#content(from));
  }

  async freeBytes(): Promise<number> {
    return Number.POSITIVE_INFINITY;
  }

  /** Always succeeds: each process of a test has a separate file system. */
  async lock(): Promise<FolderLock> {
    return { check: async () => {}, release: async () => {} };
  }

  async read(path: string): Promise<Uint8Array<ArrayBuffer>> {
    return this.#content(path).read();
  }

  async list(folder: string): Promise<string[]> {
    return this.#within(this.#files, folder).map((path) => path.slice(folder.length + 1));
  }

  async size(path: string): Promise<number> {
    return this.#content(path).length;
  }

  async unlink(path: string): Promise<void> {
    this.#files.delete(path);
  }

  async makeFolder(folder: string): Promise<void> {
    for (let each = folder; !this.#folders.has(each); each = dirname(each)) this.#folders.add(each);
  }

  async syncFolder(folder: string): Promise<void> {
    for (const path of this.#within(this.#onMedium, folder)) this.#onMedium.delete(path);
    for (const path of this.#within(this.#files, folder)) this.#onMedium.set(path, this.#files.get(path)!);
  }

  /** After a failed sync of a file: see {@link Content.forget}. */
  forget(path: string): void {
    this.#content(path).forget();
  }

  /** The state for the next process after a kill: all written data. */
  afterKill(): ForgetfulFileSystem {
    return after(this.#folders, this.#files, this.#onMedium, (content) => content.afterKill());
  }

  /**
   * The state for the next process after a power failure: all synced data. Of other data, `chance` decides what survives:
   * that for which it returns less than 0.5. Without it nothing survives.
   */
  afterPowerLoss(chance: () => number = () => 1): ForgetfulFileSystem {
    const survives = () => chance() < 0.5;
    const files = new Map<string, Content>();
    for (const path of new Set([...this.#files.keys(), ...this.#onMedium.keys()])) {
      const now = this.#files.get(path);
      const before = this.#onMedium.get(path);
      const found = now === before || survives() ? now : before;
      if (found !== undefined) files.set(path, found);
    }
    return after(this.#folders, files, files, (content) => content.afterPowerLoss(survives));
  }

  #content(path: string): Content {
    const content = this.#files.get(path);
    if (content === undefined) throw notFound(path);
    return content;
  }

  #within(files: ReadonlyMap<string, Content>, folder: string): string[] {
    return [...files.keys()].filter((path) => dirname(path) === folder);
  }
}

/** A file system of the same files, each as `of` says. A file may have two names. */
function after(
  folders: ReadonlySet<string>,
  files: ReadonlyMap<string, Content>,
  onMedium: ReadonlyMap<string, Content>,
  of: (content: Content) => Content,
): ForgetfulFileSystem {
  const copies = new Map<Content, Content>();
  const copied = ([path, content]: [string, Content]): [string, Content] => {
    const copy = copies.get(content) ?? of(content);
    copies.set(content, copy);
    return [path, copy];
  };
  return new ForgetfulFileSystem(new Set(folders), new Map([...files].map(copied)), new Map([...onMedium].map(copied)));
}

function notFound(path: string): Error {
  return Object.assign(new Error(`ENOENT: no such file or directory, '${path}'`), { code: "ENOENT" });
}
