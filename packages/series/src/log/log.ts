/**
 * The write-ahead log (docs/series-format.md, section 6). Calls append to memory. All records appended during a write form the next group,
 * which is written at once and settles its calls together.
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
/** Maximum unsynced bytes, which are also in memory. At half of it the log is synced early, at the maximum writes wait. */
const MAX_UNSYNCED_BYTES = 16 * 2 ** 20;

/** Options of a log. */
export interface LogOptions {
  /** `"sync"`: a group settles when it is synced. `"batch"`: when it is written. */
  readonly durability: "sync" | "batch";
  /** With `"batch"`: the maximum delay of a sync, in milliseconds. */
  readonly syncEvery: number;
  /** The file to create, and the number of its first record, from recovery. */
  readonly nextFile: number;
  readonly nextRecord: number;
  /** Called when a failure starts. */
  readonly onFailure?: (error: MoonpackError) => void;
  readonly onRecovered?: () => void;
}

/** The log of an open store. Appending throws after a failure, and when the log is closed. */
export class Log implements WriteAheadLog {
  readonly #options: LogOptions;
  readonly #buffer: LogBuffer;
  readonly #writer: LogWriter;
  readonly #nothing = Promise.resolve();
  #gathering = new Group();
  #taken: Group | undefined;
  /** True if records were appended, or a sync requested, since the last group. */
  #isDirty = false;
  /** Calls that wait for memory, with their limits. */
  readonly #waiting = new Map<number, Deferred>();
  /** The running write of groups, or retry: one at a time. */
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
   * The file of the next record. If it is read before the record is appended, it is never too high: a call starts a new file at its
   * beginning only.
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

  /** Throws if the log cannot accept records now. Callers check it before they change their own state. */
  assertWritable(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#isClosing) throw new MoonpackError("ERR_CLOSED", "the log is closed");
  }

  define(id: number, type: MetricType, canonical: Uint8Array): void {
    this.assertWritable();
    this.#buffer.define(id, type, canonical);
    this.#schedule();
  }

  /**
   * Appends points: `ids` is a list, or the first of consecutive ids; `times` is a list, or the time of all points. The first value is at
   * `from` in `values`, the first id and time at `listFrom` in their lists. All arrays may be reused when it returns.
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
    const group = this.#isDirty ? this.#gathering : this.#taken;
    return group === undefined ? this.#nothing : group.committed();
  }

  /** Resolves when all appended records are synced. */
  sync(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (!this.#isDirty && this.#taken === undefined && this.#writer.unsynced === 0) return this.#nothing;
    this.#schedule();
    return this.#gathering.synced();
  }

  /**
   * Returns a promise that resolves when fewer than `maxBytes` are unwritten; undefined if that is already so. Others may append before
   * the caller. After a failure it does not wait: {@link Log.assertWritable} throws.
   */
  belowLimit(maxBytes: number): Promise<void> | undefined {
    if (this.#failure !== undefined || this.#buffer.unwritten < maxBytes) return undefined;
    let waiting = this.#waiting.get(maxBytes);
    if (waiting === undefined) this.#waiting.set(maxBytes, (waiting = new Deferred()));
    return waiting.promise;
  }

  /** Starts a new file for later records, unless the last file has no records. */
  rotate(): void {
    if (!this.#isClosing && this.#buffer.cut()) this.#schedule();
  }

  /** Deletes the files before `file`, after they are written. The file for new records stays. */
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

  /** Syncs and closes the file. After a failure it tries once more; unwritten records are then lost. */
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
        // Waits for other appends of this turn of the event loop, also by calls that the last group has resumed.
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
    this.#taken = group;
    this.#gathering = new Group();
    this.#isDirty = false;
    await this.#writer.write();
    const { unsynced } = this.#writer;
    if (mustSync || this.#options.durability === "sync" || group.wantsSync || unsynced > MAX_UNSYNCED_BYTES)
      await this.#writer.sync();
    else if (unsynced > MAX_UNSYNCED_BYTES / 2) this.#syncNow();
    else if (unsynced > 0) this.#delayedSync.schedule(this.#options.syncEvery);
    this.#taken = undefined;
    group.resolve();
    this.#wake();
  }

  /** Resumes calls that wait for memory, if there is room, or after a failure. */
  #wake(): void {
    for (const [limit, waiting] of this.#waiting) {
      if (this.#failure === undefined && this.#buffer.unwritten >= limit) continue;
      this.#waiting.delete(limit);
      waiting.resolve();
    }
  }

  /** Syncs while further groups are written. They belong to the next sync. */
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
    this.#taken?.reject(failure);
    this.#gathering.reject(failure);
    this.#taken = undefined;
    this.#gathering = new Group();
    this.#wake();
    this.#delayedRetry.schedule(RETRY_MILLISECONDS);
    if (isFirst) this.#options.onFailure?.(failure);
  }

  #retry(): void {
    // A write may still be running when a sync has failed.
    if (this.#running !== undefined) this.#delayedRetry.schedule(RETRY_MILLISECONDS);
    else this.#running = this.#finish();
  }

  /** Writes and syncs everything. Success ends the failure. Never rejects. */
  async #finish(): Promise<void> {
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
    this.#running = this.#finish();
    await this.#running;
    await this.#writer.close();
    if (this.#failure !== undefined) throw this.#failure;
  }
}
