/**
 * The write-ahead log (docs/series-format.md, section 6). Calls append records to memory. All records that are appended during a write
 * form the next group. One write stores the whole group, and then settles the promises of its calls.
 *
 * After a failed write the log rejects new records, keeps its records in order, and tries again every second.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { MoonpackError } from "moonpack/bytes";
import { storeError } from "../drivers/store-error.js";
import type { MetricType } from "../metric/metric.js";
import type { Values64 } from "../page/values.js";
import { DelayedTask } from "./delayed-task.js";
import type { LogFileSystem } from "./file-system.js";
import { Deferred, Group } from "./group.js";
import { LogBuffer } from "./log-buffer.js";
import { LogWriter } from "./log-writer.js";
import type { WriteAheadLog } from "./write-ahead-log.js";

const RETRY_MILLISECONDS = 1000;
/**
 * Maximum number of unsynced bytes, which are also in memory. At half of it a sync starts early, while writes continue. Above the maximum
 * the next write waits for a sync.
 */
const MAX_UNSYNCED_BYTES = 16 * 2 ** 20;

/** Options of a log. */
export interface LogOptions {
  /** `"sync"`: a group settles when it is synced. `"batch"`: when it is written. */
  readonly durability: "sync" | "batch";
  /** With `"batch"`: the maximum delay of a sync, in milliseconds. */
  readonly syncEvery: number;
  /** Number of the file to create, from recovery. */
  readonly nextFile: number;
  /** Number of the first record in that file, from recovery. */
  readonly nextRecord: number;
  /** Called when the log starts to fail. */
  readonly onFailure?: (error: MoonpackError) => void;
  /** Called when the log works again. */
  readonly onRecovered?: () => void;
}

/** The log of an open store. Appending throws while the log fails, and when it is closed. */
export class Log implements WriteAheadLog {
  readonly #options: LogOptions;
  readonly #buffer: LogBuffer;
  readonly #writer: LogWriter;
  readonly #nothing = Promise.resolve();
  /** The group of the records that are appended now. */
  #gathering = new Group();
  /** The group that is being written. */
  #writing: Group | undefined;
  /** True if records were appended, or a sync was requested, since the last group. */
  #isDirty = false;
  /** Promises of calls that wait for memory, by the limit of the call. */
  readonly #waiting = new Map<number, Deferred>();
  /** The write that is running: of groups, of a retry or of `close`. There is one at a time. */
  #running: Promise<void> | undefined;
  #isSyncing = false;
  #failure: MoonpackError | undefined;
  /** Does not keep the process alive: the operating system has the written bytes. */
  readonly #delayedSync = new DelayedTask(() => this.#syncNow());
  readonly #delayedRetry = new DelayedTask(() => this.#retry());
  #isClosing = false;
  #closing: Promise<void> | undefined;

  /** @internal */
  constructor(options: LogOptions, buffer: LogBuffer, writer: LogWriter) {
    this.#options = options;
    this.#buffer = buffer;
    this.#writer = writer;
  }

  /** Starts a log with a new file. Files with lower numbers may exist. */
  static async start(fileSystem: LogFileSystem, folder: string, options: LogOptions): Promise<Log> {
    const buffer = new LogBuffer(options.nextFile, options.nextRecord);
    try {
      return new Log(options, buffer, await LogWriter.start(fileSystem, folder, buffer));
    } catch (error) {
      throw storeError(error, "the log");
    }
  }

  /**
   * Number of the file for the next record. A record that is appended after this was read goes to this file or to a later one, never to an
   * earlier one.
   */
  get file(): number {
    return this.#buffer.file;
  }

  /** Total size of all log files. */
  get size(): number {
    return this.#writer.size;
  }

  /** Number of appended, unwritten bytes. */
  get unwrittenBytes(): number {
    return this.#buffer.unwritten;
  }

  /** The failure; undefined while the log works. */
  get failure(): MoonpackError | undefined {
    return this.#failure;
  }

  /** Throws if the log cannot accept records now. Callers call it before they change their own state. */
  assertWritable(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#isClosing) throw new MoonpackError("ERR_CLOSED", "the log is closed");
  }

  /** Appends a definition: `id` stands for the metric with this canonical form (its name, type and tags as bytes). */
  define(id: number, type: MetricType, canonical: Uint8Array): void {
    this.assertWritable();
    this.#buffer.define(id, type, canonical);
    this.#schedule();
  }

  /**
   * Appends points. `ids` is a list, or the first of consecutive ids. `times` is a list, or the time of all points. The first value is at
   * `from` in `values`, the first id and the first time are at `listFrom` in their lists. The caller may reuse all arrays afterwards.
   */
  points(
    n: number,
    ids: Uint32Array | number,
    times: Float64Array | number,
    values: Values64,
    from: number,
    areInt64: boolean,
    listFrom = 0,
  ): void {
    this.assertWritable();
    this.#buffer.points(n, ids, times, values, from, areInt64, listFrom);
    this.#schedule();
  }

  delete(id: number, from: number, to: number): void {
    this.assertWritable();
    this.#buffer.delete(id, from, to);
    this.#schedule();
  }

  forget(id: number): void {
    this.assertWritable();
    this.#buffer.forget(id);
    this.#schedule();
  }

  /** Resolves when all appended records have the log's `durability`. Cheap: a group shares one promise. */
  committed(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const group = this.#isDirty ? this.#gathering : this.#writing;
    return group === undefined ? this.#nothing : group.committed();
  }

  /** Resolves when all appended records are synced. */
  sync(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (!this.#isDirty && this.#writing === undefined && this.#writer.unsynced === 0) return this.#nothing;
    this.#schedule();
    return this.#gathering.synced();
  }

  /**
   * Returns a promise that resolves when fewer than `maxBytes` are unwritten; undefined if that is already so. Other calls may append
   * before the caller resumes, so it must check again. After a failure the promise resolves too: {@link Log.assertWritable} then throws.
   */
  belowLimit(maxBytes: number): Promise<void> | undefined {
    if (this.#failure !== undefined || this.#buffer.unwritten < maxBytes) return undefined;
    let waiting = this.#waiting.get(maxBytes);
    if (waiting === undefined) this.#waiting.set(maxBytes, (waiting = new Deferred()));
    return waiting.promise;
  }

  /** Starts a new file for the records to come, unless the current file has no records. */
  rotate(): void {
    if (!this.#isClosing && this.#buffer.cut()) this.#schedule();
  }

  /**
   * Deletes the files before `file`, but never the file for new records. If records still have to be written to one of these files, the
   * call waits for that, and then deletes it.
   */
  async removeBefore(file: number): Promise<void> {
    const before = Math.min(file, this.#buffer.file);
    try {
      await this.#writer.unlinkBefore(before);
      if (this.#writer.file >= before) return;
      await this.committed();
      await this.#writer.unlinkBefore(before);
    } catch (error) {
      throw storeError(error, "the log");
    }
  }

  /**
   * Writes and syncs all records, and closes the file. While the log fails, that is a last attempt: if it fails too,
   * unwritten records are lost.
   */
  close(): Promise<void> {
    this.#isClosing = true;
    return (this.#closing ??= this.#close());
  }

  #schedule(): void {
    this.#isDirty = true;
    if (this.#running === undefined && this.#failure === undefined) this.#running = this.#run();
  }

  /** Writes groups until no records are left, or a write fails. Never rejects. */
  async #run(): Promise<void> {
    try {
      do {
        // Waits, so that the group includes all appends of this iteration of the event loop, also of callers that
        // continue because the last group was written.
        await nextTurn();
        if (!this.#isDirty) break;
        await this.#commit(false);
      } while (this.#failure === undefined);
    } catch (error) {
      this.#fail(error);
    }
    this.#running = undefined;
  }

  /** Writes all appended records, and settles their calls. */
  async #commit(mustSync: boolean): Promise<void> {
    const group = this.#gathering;
    this.#writing = group;
    this.#gathering = new Group();
    this.#isDirty = false;
    await this.#writer.write();
    const { unsynced } = this.#writer;
    if (mustSync || this.#options.durability === "sync" || group.wantsSync || unsynced > MAX_UNSYNCED_BYTES)
      await this.#writer.sync();
    else if (unsynced > MAX_UNSYNCED_BYTES / 2) this.#syncNow();
    else if (unsynced > 0) this.#delayedSync.schedule(this.#options.syncEvery);
    this.#writing = undefined;
    group.resolve();
    this.#wake();
  }

  /** Resumes the calls whose limit is above the number of unwritten bytes. After a failure, resumes all. */
  #wake(): void {
    for (const [limit, waiting] of this.#waiting) {
      if (this.#failure === undefined && this.#buffer.unwritten >= limit) continue;
      this.#waiting.delete(limit);
      waiting.resolve();
    }
  }

  /** Starts a sync. Groups that are written during it belong to the next sync. */
  #syncNow(): void {
    if (this.#isSyncing) return;
    this.#isSyncing = true;
    this.#writer
      .sync()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#isSyncing = false;
        if (this.#writer.unsynced > 0) this.#delayedSync.schedule(this.#options.syncEvery);
      });
  }

  #fail(error: unknown): void {
    const isFirst = this.#failure === undefined;
    const failure = storeError(error, "the log");
    this.#failure = failure;
    this.#writing?.reject(failure);
    this.#gathering.reject(failure);
    this.#writing = undefined;
    this.#gathering = new Group();
    this.#wake();
    this.#delayedRetry.schedule(RETRY_MILLISECONDS);
    if (isFirst) this.#options.onFailure?.(failure);
  }

  #retry(): void {
    // After a failed sync, a write may still be running.
    if (this.#running !== undefined) this.#delayedRetry.schedule(RETRY_MILLISECONDS);
    else this.#running = this.#writeAndSyncAll();
  }

  /** Writes and syncs all records. If that succeeds, the log works again. Never rejects. */
  async #writeAndSyncAll(): Promise<void> {
    const wasFailing = this.#failure !== undefined;
    try {
      await this.#writer.repair();
      await this.#commit(true);
      this.#failure = undefined;
    } catch (error) {
      this.#fail(error);
    }
    this.#running = undefined;
    if (this.#failure !== undefined) return;
    if (this.#isDirty) this.#schedule();
    if (wasFailing) this.#options.onRecovered?.();
  }

  async #close(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
    this.#delayedSync.cancel();
    this.#delayedRetry.cancel();
    this.#running = this.#writeAndSyncAll();
    await this.#running;
    await this.#writer.close();
    if (this.#failure !== undefined) throw this.#failure;
  }
}
