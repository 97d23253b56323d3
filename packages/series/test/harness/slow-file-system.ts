/** A file system whose calls take some iterations of the event loop. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { StoreFileSystem } from "../../src/file-system/store-file-system.ts";

/** See above. `delay` returns the number of turns of a call. */
export function slowFileSystem(files: StoreFileSystem, delay: () => number): StoreFileSystem {
  const waits = async <T>(act: () => Promise<T>): Promise<T> => {
    for (let n = delay(); n > 0; n--) await nextTurn();
    return await act();
  };
  return {
    open: (path) => waits(() => files.open(path)),
    create: (path) => waits(() => files.create(path)),
    openForReading: (path) => waits(() => files.openForReading(path)),
    read: (path) => waits(() => files.read(path)),
    list: (folder) => waits(() => files.list(folder)),
    size: (path) => waits(() => files.size(path)),
    rename: (from, to) => waits(() => files.rename(from, to)),
    link: (from, to) => waits(() => files.link(from, to)),
    unlink: (path) => waits(() => files.unlink(path)),
    makeFolder: (folder) => waits(() => files.makeFolder(folder)),
    syncFolder: (folder) => waits(() => files.syncFolder(folder)),
    freeBytes: (folder) => files.freeBytes(folder),
    lock: (folder) => files.lock(folder),
  };
}
