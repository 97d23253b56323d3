/**
 * The file that the log is writing. It knows how far the file is right, and how far it is on the medium. After a failure it must be
 * repaired before anything else is written to it.
 */
import type { LogFile, LogFileSystem } from "./file-system.js";
import type { Segment } from "./log-buffer.js";
import { HEAD_BYTES, logHead, logPath } from "./log-files.js";

/** A file that grows at its end. */
export class LogTail {
  readonly number: number;
  readonly #file: LogFile;
  #written = HEAD_BYTES;
  #synced = HEAD_BYTES;
  /** A write failed: a part of it may be in the file. */
  #isRagged = false;
  /** A sync failed. The system may have dropped what it could not write, and still tell that the next sync succeeds. */
  #isDoubtful = false;

  /** @internal */
  constructor(number: number, file: LogFile) {
    this.number = number;
    this.#file = file;
  }

  /** Creates the file. It is on the medium, with its head and its name, when it resolves. A file of that name is emptied. */
  static async create(fileSystem: LogFileSystem, folder: string, number: number): Promise<LogTail> {
    const file = await fileSystem.open(logPath(folder, number));
    try {
      await file.truncate(0);
      await file.write(logHead(number), 0);
      await file.datasync();
      await fileSystem.syncFolder(folder);
    } catch (error) {
      await closeQuietly(file);
      throw error;
    }
    return new LogTail(number, file);
  }

  /** The file's length, without what a failed write may have left. */
  get written(): number {
    return this.#written;
  }

  /** How much of it is on the medium. */
  get synced(): number {
    return this.#synced;
  }

  /** Writes at the end. */
  async write(bytes: Uint8Array): Promise<void> {
    try {
      await this.#file.write(bytes, this.#written);
    } catch (error) {
      this.#isRagged = true;
      throw error;
    }
    this.#written += bytes.length;
  }

  /** Brings what is written by now to the medium. Writes may go on meanwhile, other syncs may not. */
  async sync(): Promise<void> {
    const to = this.#written;
    try {
      await this.#file.datasync();
    } catch (error) {
      this.#isDoubtful = true;
      throw error;
    }
    this.#synced = to;
  }

  /** Cuts off what a failed write left. After a failed sync, writes again all that is not on the medium: the segments have it. */
  async repair(segments: readonly Segment[]): Promise<void> {
    if (this.#isRagged) {
      await this.#file.truncate(this.#written);
      this.#isRagged = false;
    }
    if (!this.#isDoubtful) return;
    for (const { file, out, start, written } of segments) {
      const from = Math.max(0, this.#synced - start);
      if (file !== this.number || from >= written) continue;
      await this.#file.write(out.bytes.subarray(from, written), start + from);
    }
    this.#isDoubtful = false;
  }

  /** Closes the file. Its bytes are on the medium, or known to be lost: nothing depends on how closing goes. */
  close(): Promise<void> {
    return closeQuietly(this.#file);
  }
}

async function closeQuietly(file: LogFile): Promise<void> {
  try {
    await file.close();
  } catch {
    // The caller has a better error, or none that matters.
  }
}
