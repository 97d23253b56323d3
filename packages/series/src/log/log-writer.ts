/**
 * Writes the log's buffer to files, in order. Each file is synced before the next one starts. After a failure all calls fail in the same
 * way until `repair` succeeds.
 */
import { SeriesError } from "../errors.js";
import type { LogFileSystem } from "./file-system.js";
import type { LogBuffer } from "./log-buffer.js";
import { logNumbers, logPath } from "./log-files.js";
import { LogTail } from "./log-tail.js";

/** Writes one log. Calls of `write` and `repair` must not overlap. */
export class LogWriter {
  readonly #fileSystem: LogFileSystem;
  readonly #folder: string;
  readonly #buffer: LogBuffer;
  /** The size of each file before the current one. */
  readonly #sizes: Map<number, number>;
  #tail: LogTail;
  /** The number of the last written record. */
  #record: number;
  /** The number of the last synced record, if the log does not state it yet. */
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

  /** Creates the buffer's file. Files with lower numbers may exist, but not this or a higher one. */
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

  /** The number of the current file. */
  get file(): number {
    return this.#tail.number;
  }

  /** Total size of all files. */
  get size(): number {
    let sum = this.#tail.written;
    for (const size of this.#sizes.values()) sum += size;
    return sum;
  }

  /** Number of written, unsynced bytes. */
  get unsynced(): number {
    return this.#tail.written - this.#tail.synced;
  }

  /** Writes all records that are in the buffer now. */
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

  /** Syncs all earlier writes. */
  async sync(): Promise<void> {
    // A running sync may have started too early.
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

  /** Repairs the current file after a failure. The failed call must be repeated. */
  async repair(): Promise<void> {
    await this.#syncing;
    await this.#tail.repair(this.#buffer.segments);
    this.#failure = undefined;
  }

  /** Deletes the files before `number`, but not the current one. */
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
    // The existence of the next file implies that this file is complete.
    this.#news = undefined;
    await old.close();
  }

  /** Appends a `synced` record, only together with other records: alone it would cause endless syncs. */
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
