/** A file system in memory, for stores that are lost when they are closed. */
import { dirname } from "node:path";
import { invalidArgument } from "moonpack/bytes";
import type { LogFile } from "../log/file-system.js";
import type { FolderLock, ReadableFile, StoreFileSystem } from "./store-file-system.js";

/** The folder of a store in memory. It cannot be the path of a file. */
export const MEMORY_FOLDER = "\0memory";

/** The bytes of a file. */
class Content {
  #bytes = new Uint8Array(0);
  length = 0;

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.length);
  }

  write(bytes: Uint8Array, position: number): void {
    const end = position + bytes.length;
    if (end > this.#bytes.length) this.#resize(2 * end);
    this.#bytes.set(bytes, position);
    this.length = Math.max(this.length, end);
  }

  truncate(length: number): void {
    this.#bytes.fill(0, length, this.length);
    if (length > this.#bytes.length) this.#resize(length);
    this.length = length;
  }

  /** Frees memory that was reserved for later writes. */
  shrink(): void {
    this.#resize(this.length);
  }

  #resize(capacity: number): void {
    if (capacity === this.#bytes.length) return;
    const resized = new Uint8Array(capacity);
    resized.set(this.bytes);
    this.#bytes = resized;
  }
}

/** See above. Calls with paths outside of {@link MEMORY_FOLDER} that write are `ERR_INVALID_ARGUMENT`: backups. */
export class MemoryFileSystem implements StoreFileSystem {
  readonly #files = new Map<string, Content>();

  async open(path: string): Promise<LogFile> {
    const content = this.#files.get(path) ?? new Content();
    this.#files.set(path, content);
    return {
      write: async (bytes, position) => content.write(bytes, position),
      truncate: async (length) => content.truncate(length),
      datasync: async () => {},
      close: async () => content.shrink(),
    };
  }

  async create(path: string): Promise<LogFile> {
    if (this.#files.has(path)) throw systemError("EEXIST", path);
    return await this.open(path);
  }

  async openForReading(path: string): Promise<ReadableFile> {
    const content = this.#content(path);
    return {
      size: content.length,
      async read(buffers, position) {
        let done = 0;
        for (const buffer of buffers) {
          const part = content.bytes.subarray(position + done, position + done + buffer.length);
          buffer.set(part);
          done += part.length;
        }
        return done;
      },
      close: async () => {},
    };
  }

  async read(path: string): Promise<Uint8Array<ArrayBuffer>> {
    return this.#content(path).bytes.slice();
  }

  async size(path: string): Promise<number> {
    return this.#content(path).length;
  }

  async list(folder: string): Promise<string[]> {
    return [...this.#files.keys()]
      .filter((path) => dirname(path) === folder)
      .map((path) => path.slice(folder.length + 1));
  }

  async rename(from: string, to: string): Promise<void> {
    this.#files.set(to, this.#content(from));
    this.#files.delete(from);
  }

  async link(from: string, to: string): Promise<void> {
    this.#files.set(to, this.#content(from));
  }

  async unlink(path: string): Promise<void> {
    this.#files.delete(path);
  }

  async makeFolder(folder: string): Promise<void> {
    if (!folder.startsWith(MEMORY_FOLDER)) throw invalidArgument("a store in memory has no files to back up");
  }

  async syncFolder(): Promise<void> {}

  async freeBytes(): Promise<number> {
    return Number.POSITIVE_INFINITY;
  }

  /** Nothing else can open the files. */
  async lock(): Promise<FolderLock> {
    return { check: async () => {}, release: async () => {} };
  }

  #content(path: string): Content {
    const content = this.#files.get(path);
    if (content === undefined) throw systemError("ENOENT", path);
    return content;
  }
}

function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: '${path}' in memory`), { code });
}
