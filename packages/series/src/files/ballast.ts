/**
 * A file that only takes space. On a full disk it is deleted, so that the list of files can be written that drops old points: without it a
 * store on a full disk could never free space.
 */
import { randomFillSync } from "node:crypto";
import { join } from "node:path";
import type { StoreFileSystem } from "../file-system/store-file-system.js";

const BYTES = 2 ** 20;

/** The ballast of a store. */
export class Ballast {
  readonly #fileSystem: StoreFileSystem;
  readonly #path: string;

  constructor(fileSystem: StoreFileSystem, folder: string) {
    this.#fileSystem = fileSystem;
    this.#path = join(folder, "ballast");
  }

  /** Creates the file if it does not exist. Never rejects: a store must open on a full disk. */
  async take(): Promise<void> {
    try {
      const size = await this.#fileSystem.size(this.#path).catch(() => 0);
      if (size === BYTES) return;
      const file = await this.#fileSystem.open(this.#path);
      try {
        // Zeros would take no space in some file systems.
        await file.write(randomFillSync(new Uint8Array(BYTES)), 0);
      } finally {
        await file.close();
      }
    } catch {
      await this.free();
    }
  }

  /** Deletes the file. */
  async free(): Promise<void> {
    await this.#fileSystem.unlink(this.#path).catch(() => undefined);
  }
}
