/** A file system that counts what is written, and that ends after a number of changes, as a process that is killed. */
import { basename, dirname, join } from "node:path";
import type { StoreFileSystem } from "../../src/file-system/store-file-system.ts";
import type { LogFile } from "../../src/log/file-system.ts";
import type { ForgetfulFileSystem } from "./forgetful-file-system.ts";

/** See above. */
export class WatchedFileSystem {
  /** Changes until the end. */
  left = Number.POSITIVE_INFINITY;
  /** Bytes that were written, without links. */
  written = 0;
  /** The last two parts of the path of each new link. */
  readonly linked: string[] = [];
  readonly system: StoreFileSystem;

  constructor(inner: ForgetfulFileSystem) {
    const change = async <T>(act: () => Promise<T>): Promise<T> => {
      if (this.left-- <= 0) throw new Error("the process was killed");
      return await act();
    };
    const watched = (file: LogFile): LogFile => ({
      write: (bytes, position) => {
        this.written += bytes.length;
        return change(() => file.write(bytes, position));
      },
      truncate: (length) => change(() => file.truncate(length)),
      datasync: () => change(() => file.datasync()),
      close: () => file.close(),
    });
    this.system = {
      open: async (path) => watched(await change(() => inner.open(path))),
      create: async (path) => watched(await change(() => inner.create(path))),
      openForReading: (path) => inner.openForReading(path),
      read: (path) => inner.read(path),
      list: (folder) => inner.list(folder),
      size: (path) => inner.size(path),
      rename: (from, to) => change(() => inner.rename(from, to)),
      link: (from, to) => {
        this.linked.push(join(basename(dirname(to)), basename(to)));
        return change(() => inner.link(from, to));
      },
      unlink: (path) => change(() => inner.unlink(path)),
      makeFolder: (folder) => change(() => inner.makeFolder(folder)),
      syncFolder: (folder) => change(() => inner.syncFolder(folder)),
      freeBytes: () => inner.freeBytes(),
      lock: () => inner.lock(),
    };
  }
}
