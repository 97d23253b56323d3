/** A store of files, in a file system in memory that knows what is on the medium. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { files as filesDriver } from "../../../build/index.js";
import { openWith } from "../../../build/open.js";
import { readOptions } from "../../../build/options.js";
import type { Series, SeriesOptions } from "../../../src/api.ts";
import type { StoreFileSystem } from "../../../src/file-system/store-file-system.ts";
import { ForgetfulFileSystem } from "../forgetful-file-system.ts";
import type { Backend, Delay } from "./backends.ts";

/** See above. `path` is a folder that exists: backups mark theirs in it. */
export class FilesBackend implements Backend {
  readonly keeps = true;
  readonly losesPower = true;
  readonly #path: string;
  readonly #files: ForgetfulFileSystem;

  constructor(path: string, files = new ForgetfulFileSystem()) {
    this.#path = path;
    this.#files = files;
  }

  async open(options: SeriesOptions, delay: Delay): Promise<Series> {
    const settings = readOptions({ ...options, path: this.#path, driver: filesDriver() });
    return await openWith(settings, slow(this.#files, delay));
  }

  async kill(): Promise<Backend> {
    return new FilesBackend(this.#path, this.#files.afterKill());
  }

  powerLoss(chance: () => number): Backend {
    return new FilesBackend(this.#path, this.#files.afterPowerLoss(chance));
  }

  async openBackup(path: string, options: SeriesOptions): Promise<Series> {
    return await openWith(readOptions({ ...options, path, driver: filesDriver() }), this.#files);
  }
}

/** A file system whose calls take some turns of the event loop. */
function slow(files: ForgetfulFileSystem, delay: Delay): StoreFileSystem {
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
    freeBytes: () => files.freeBytes(),
    lock: () => files.lock(),
  };
}
