/**
 * The current file of the log. It tracks the valid length and the synced length. After a failure it must be repaired before the next
 * write.
 */
import type { LogFile, LogFileSystem } from "./file-system.js";
import type { Segment } from "./log-buffer.js";
import { HEAD_BYTES, logHead, logPath } from "./log-files.js";

/** An append-only file. */
export class LogTail {
  readonly number: number;
  readonly #file: LogFile;
  #written = HEAD_BYTES;
  #synced = HEAD_BYTES;
  /** A write failed: a part of it may have been written. */
  #isRagged = false;
  /** A sync failed. The system may have dropped unwritten data, and may still report success of the next sync. */
  #isDoubtful = false;

  /** @internal */
  constructor(number: number, file: LogFile) {
    this.number = number;
    this.#file = file;
  }

  /** Creates the file, and syncs its header and its name. An existing file is truncated. */
  static async create(fileSystem: LogFileSystem, folder: string, number: number): Promise<LogTail> {
    const file = await fileSystem.open(logPath(folder, number));
    try {
      await file.truncate(0);
      await file.write(logHead(number), 0);
      await file.datasync();
      await fileSystem.syncFolder(folder);
    } catch (error) {
      // An error of close would hide the first one.
      await file.close().catch(() => undefined);
      throw error;
    }
    return new LogTail(number, file);
  }

  /** The valid length, without remains of a failed write. */
  get written(): number {
    return this.#written;
  }

  /** The synced length. */
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

  /** Syncs earlier writes. Writes may run at the same time, other syncs must not. */
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

  /** Removes the remains of a failed write. After a failed sync, writes all unsynced segments again. */
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

  /** Closes the file. Its bytes are synced or known to be lost, so errors are ignored. */
  async close(): Promise<void> {
    await this.#file.close().catch(() => undefined);
  }
}
