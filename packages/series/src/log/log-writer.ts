/**
 * Moves the log's buffer to files: in order, each file on the medium before the next one starts. After a failure it does nothing but
 * fail in the same way, until it is repaired.
 */
import { SeriesError } from "../errors.js";
import type { LogFileSystem } from "./file-system.js";
import type { LogBuffer } from "./log-buffer.js";
import { logNumbers, logPath } from "./log-files.js";
import { LogTail } from "./log-tail.js";

/** Writes one log. `write` and `repair` are not called while another call of them is under way. */
export class LogWriter {
  readonly #fileSystem: LogFileSystem;
  readonly #folder: string;
  readonly #buffer: LogBuffer;
  /** The bytes of each file before the tail. */
  readonly #sizes: Map<number, number>;
  #tail: LogTail;
  /** The last record of what is written. */
  #record: number;
  /** The last record that a sync brought to the medium, if the log does not say so yet. */
  #news: number | undefined;
  #syncing: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  /** @internal */
  constructor(fileSystem: LogFileSystem, folder: string, buffer: LogBuffer, sizes: Map<number, number>, tail: LogTail) {
    this.#fileSystem = fileSystem;
    this.#folder = folder;
    this.#buffer = buffer;
    this.#sizes = sizes;
    this.#tail = tail;
    this.#record = buffer.lastRecord;
  }

  /** Creates the buffer's file. Files with lower numbers may be there, but none with this or a higher one. */
  static async start(fileSystem: LogFileSystem, folder: string, buffer: LogBuffer): Promise<LogWriter> {
    await fileSystem.makeFolder(folder);
    const sizes = new Map<number, number>();
    for (const number of logNumbers(await fileSystem.list(folder))) {
      const file = logPath(folder, number);
      if (number >= buffer.file) throw new SeriesError("ERR_SERIES_LOG", `${file} exists already`, { file });
      sizes.set(number, await fileSystem.size(file));
    }
    const tail = await LogTail.create(fileSystem, folder, buffer.file);
    return new LogWriter(fileSystem, folder, buffer, sizes, tail);
  }

  /** The number of the file that is being written. */
  get file(): number {
    return this.#tail.number;
  }

  /** Bytes of all files. */
  get size(): number {
    let sum = this.#tail.written;
    for (const size of this.#sizes.values()) sum += size;
    return sum;
  }

  /** Bytes that are written, but not yet on the medium. */
  get unsynced(): number {
    return this.#tail.written - this.#tail.synced;
  }

  /** Writes what the buffer has by now. */
  async write(): Promise<void> {
    this.#check();
    this.#tellNews();
    const record = this.#buffer.lastRecord;
    for (const { segment, to } of this.#buffer.unwrittenParts(this.#tail.number)) {
      if (segment.file > this.#tail.number) await this.#attempt(() => this.#startFile(segment.file));
      if (to === segment.written) continue;
      await this.#attempt(() => this.#tail.write(segment.out.bytes.subarray(segment.written, to)));
      this.#buffer.wrote(segment, to);
    }
    this.#record = record;
  }

  /** Brings to the medium what is written by now. */
  async sync(): Promise<void> {
    // One that is under way may have begun too early.
    while (this.#syncing !== undefined) await this.#syncing;
    this.#check();
    const tail = this.#tail;
    if (tail.synced === tail.written) return;
    const record = this.#record;
    const sync = this.#attempt(() => tail.sync());
    this.#syncing = sync.then(
      () => (this.#syncing = undefined),
      () => (this.#syncing = undefined),
    );
    await sync;
    this.#news = record;
    this.#buffer.release(tail.number, tail.synced);
  }

  /** Makes the open file right again after a failure. What the failed call was to do is still to be done. */
  async repair(): Promise<void> {
    await this.#syncing;
    await this.#tail.repair(this.#buffer.segments);
    this.#failure = undefined;
  }

  /** Deletes the files before `number`, but not the one that is being written. */
  async unlinkBefore(number: number): Promise<void> {
    for (const each of [...this.#sizes.keys()]) {
      if (each >= number) continue;
      await this.#fileSystem.unlink(logPath(this.#folder, each));
      this.#sizes.delete(each);
    }
  }

  async close(): Promise<void> {
    await this.#syncing;
    await this.#tail.close();
  }

  async #startFile(number: number): Promise<void> {
    await this.sync();
    const old = this.#tail;
    this.#tail = await LogTail.create(this.#fileSystem, this.#folder, number);
    this.#sizes.set(old.number, old.written);
    this.#buffer.release(number, 0);
    // Whoever reads the next file knows that this one is whole.
    this.#news = undefined;
    await old.close();
  }

  /** Has the log say what is on the medium, with other records: alone it would be written, synced and said without end. */
  #tellNews(): void {
    if (this.#news === undefined || this.#buffer.unwritten === 0 || this.#buffer.file !== this.#tail.number) return;
    this.#buffer.synced(this.#news);
    this.#news = undefined;
  }

  async #attempt(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
