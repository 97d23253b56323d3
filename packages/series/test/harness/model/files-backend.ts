/** A store of files, in a file system in memory that knows what is on the medium. */
import { files as filesDriver } from "../../../build/index.js";
import { openWith } from "../../../build/open.js";
import { readOptions } from "../../../build/options.js";
import type { Series, SeriesOptions } from "../../../src/api.ts";
import { ForgetfulFileSystem } from "../forgetful-file-system.ts";
import { slowFileSystem } from "../slow-file-system.ts";
import type { Backend, Delay } from "./backends.ts";

/** See above. `path` is a folder that exists: backups mark theirs in it. */
export class FilesBackend implements Backend {
  readonly keeps = true;
  readonly losesPower = true;
  readonly summarizes = true;
  readonly #path: string;
  readonly #files: ForgetfulFileSystem;

  constructor(path: string, files = new ForgetfulFileSystem()) {
    this.#path = path;
    this.#files = files;
  }

  async open(options: SeriesOptions, delay: Delay): Promise<Series> {
    const settings = readOptions({ ...options, path: this.#path, driver: filesDriver() });
    return await openWith(settings, slowFileSystem(this.#files, delay));
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
