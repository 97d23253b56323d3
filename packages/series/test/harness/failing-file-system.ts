/** A file system whose calls are written down, and fail or wait when a test says so. The calls go to another one. */
import { basename } from "node:path";
import type { FolderLock, ReadableFile, StoreFileSystem } from "../../src/file-system/store-file-system.ts";
import type { LogFile } from "../../src/log/file-system.ts";

/** A call of a file system or of an open file. */
export type Call = keyof StoreFileSystem | keyof LogFile;

/** See above. */
export class FailingFileSystem<Inner extends StoreFileSystem> implements StoreFileSystem {
  readonly inner: Inner;
  /** Calls that fail, by the code of their error, until they are removed from here. */
  readonly failing = new Map<Call, string>();
  /** Every call: `write 0000000001.log 32..56`. */
  readonly journal: string[] = [];
  /** Bytes that files may still grow by. A write that needs more writes what fits, and fails with ENOSPC. */
  space = Number.POSITIVE_INFINITY;
  /** Is asked before each call; the call waits for what it returns. */
  hold: (call: Call, file: string) => Promise<void> | undefined = () => undefined;
  /** Called after a failed `datasync`. */
  onFailedSync: (path: string) => void = () => {};

  constructor(inner: Inner) {
    this.inner = inner;
  }

  async open(path: string): Promise<LogFile> {
    await this.#before("open", path);
    return this.#watched(path, await this.inner.open(path));
  }

  async create(path: string): Promise<LogFile> {
    await this.#before("create", path);
    return this.#watched(path, await this.inner.create(path));
  }

  async openForReading(path: string): Promise<ReadableFile> {
    await this.#before("openForReading", path);
    return await this.inner.openForReading(path);
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#before("rename", from);
    await this.inner.rename(from, to);
  }

  async link(from: string, to: string): Promise<void> {
    await this.#before("link", from);
    await this.inner.link(from, to);
  }

  async freeBytes(): Promise<number> {
    return this.space;
  }

  lock(folder: string): Promise<FolderLock> {
    return this.inner.lock(folder);
  }

  #watched(path: string, file: LogFile): LogFile {
    return {
      write: (bytes, position) => this.#write(file, path, bytes, position),
      truncate: async (length) => {
        await this.#before("truncate", path, String(length));
        this.space += Math.max(0, (await this.inner.size(path)) - length);
        await file.truncate(length);
      },
      datasync: async () => {
        try {
          await this.#before("datasync", path);
        } catch (error) {
          this.onFailedSync(path);
          throw error;
        }
        await file.datasync();
      },
      close: async () => {
        await this.#before("close", path);
        await file.close();
      },
    };
  }

  async read(path: string): Promise<Uint8Array<ArrayBuffer>> {
    await this.#before("read", path);
    return this.inner.read(path);
  }

  async list(folder: string): Promise<string[]> {
    await this.#before("list", folder);
    return this.inner.list(folder);
  }

  async size(path: string): Promise<number> {
    await this.#before("size", path);
    return this.inner.size(path);
  }

  async unlink(path: string): Promise<void> {
    await this.#before("unlink", path);
    this.space += await this.inner.size(path).catch(() => 0);
    await this.inner.unlink(path);
  }

  async makeFolder(folder: string): Promise<void> {
    await this.#before("makeFolder", folder);
    await this.inner.makeFolder(folder);
  }

  async syncFolder(folder: string): Promise<void> {
    await this.#before("syncFolder", folder);
    await this.inner.syncFolder(folder);
  }

  async #write(file: LogFile, path: string, bytes: Uint8Array, position: number): Promise<void> {
    await this.#before("write", path, `${position}..${position + bytes.length}`);
    const size = await this.inner.size(path);
    const fits = Math.min(bytes.length, Math.max(0, size - position) + this.space);
    this.space -= Math.max(0, position + fits - size);
    await file.write(bytes.subarray(0, fits), position);
    if (fits < bytes.length) throw failure("ENOSPC", "write");
  }

  async #before(call: Call, path: string, details = ""): Promise<void> {
    const name = basename(path);
    this.journal.push(`${call} ${name} ${details}`.trimEnd());
    await this.hold(call, name);
    const code = this.failing.get(call);
    if (code !== undefined) throw failure(code, call);
  }
}

function failure(code: string, call: Call): Error {
  return Object.assign(new Error(`${code}: ${call}`), { code });
}
