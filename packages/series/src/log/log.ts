/**
 * The write-ahead log (docs/series-format.md, section 6). Calls append to memory; everything that was appended meanwhile is written as
 * one group, and its calls are settled together.
 *
 * When writing fails, the log is in failure: it takes no more records, keeps what it has in order, and tries again every second.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { MoonpackError } from "moonpack/bytes";
import { storeError } from "../drivers/store-error.js";
import type { MetricType } from "../metric/metric.js";
import type { Values64 } from "../page/values.js";
import type { LogFileSystem } from "./file-system.js";
import { Deferred, Group } from "./group.js";
import { DelayedTask } from "./delayed-task.js";
import { LogBuffer } from "./log-buffer.js";
import { LogWriter } from "./log-writer.js";
import type { WriteAheadLog } from "./write-ahead-log.js";

const RETRY_MILLISECONDS = 1000;
/** What is written and not yet on the medium is also in memory. From half of this on it is synced early, from this on writing waits. */
const MAX_UNSYNCED_BYTES = 16 * 2 ** 20;

/** How a log is written. */
export interface LogOptions {
  /** `"sync"`: a group is settled when it is on the medium. `"batch"`: when the system has it. */
  readonly durability: "sync" | "batch";
  /** `"batch"`: written bytes are brought to the medium within this many milliseconds. */
  readonly syncEvery: number;
  /** The file to create, and the number of its first record: what recovery returned. */
  readonly nextFile: number;
  readonly nextRecord: number;
  /** Is told when a failure begins, and when it ends. */
  readonly onFailure?: (error: MoonpackError) => void;
  readonly onRecovered?: () => void;
}

/** The log of an open store. Methods that append throw in failure, and when the log is closed. */
export class Log implements WriteAheadLog {
  readonly #options: LogOptions;
  readonly #buffer: LogBuffer;
  readonly #writer: LogWriter;
  readonly #nothing = Promise.resolve();
  #gathering = new Group();
  #taken: Group | undefined;
  /** Something was appended, or asked for, since the last group was taken. */
  #isDirty = false;
  /** Calls that wait for memory, by their limits. */
  readonly #waiting = new Map<number, Deferred>();
  /** The writing of groups, or a retry: one at a time. */
  #running: Promise<void> | undefined;
  #isSyncing = false;
  #failure: MoonpackError | undefined;
  /** Written bytes need not keep the process alive: the system has them. */
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

  /** Starts a log with a new file, whatever files of lower numbers are there. */
  static async start(fileSystem: LogFileSystem, folder: string, options: LogOptions): Promise<Log> {
    const buffer = new LogBuffer(options.nextFile, options.nextRecord);
    try {
      return new Log(options, buffer, await LogWriter.start(fileSystem, folder, buffer));
    } catch (error) {
      throw storeError(error, "the log");
    }
  }

  /**
   * The number of the file to which the next record goes. It is never too high, if it is read before the record is appended: a full
   * file is left when the call begins.
   */
  get file(): number {
    return this.#buffer.file;
  }

  /** Bytes of all files of the log. */
  get size(): number {
    return this.#writer.size;
  }

  /** Bytes that are appended, but not yet in a file. */
  get unwrittenBytes(): number {
    return this.#buffer.unwritten;
  }

  /** Why the log takes no records; undefined while it does. */
  get failure(): MoonpackError | undefined {
    return this.#failure;
  }

  /** Throws if a record could not be appended now. A caller asks before it changes its own state. */
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
   * Appends points: `ids` is a list, or the first of consecutive ids; `times` is a list, or the time of all. The first value is at
   * `from` in `values`, the first id and time at `listFrom` in their lists. All arrays may be used again when it returns.
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

  /** Resolves when everything that is appended by now is as `durability` says. Costs nothing: a group has one promise. */
  committed(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const group = this.#isDirty ? this.#gathering : this.#taken;
    return group === undefined ? this.#nothing : group.committed();
  }

  /** Resolves when everything that is appended by now is on the medium. */
  sync(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (!this.#isDirty && this.#taken === undefined && this.#writer.unsynced === 0) return this.#nothing;
    this.#schedule();
    return this.#gathering.synced();
  }

  /**
   * A promise that resolves when fewer than `maxBytes` are unwritten; undefined if that is so. Others may append before the caller.
   * In failure nothing waits: {@link Log.assertWritable} throws.
   */
  belowLimit(maxBytes: number): Promise<void> | undefined {
    if (this.#failure !== undefined || this.#buffer.unwritten < maxBytes) return undefined;
    let waiting = this.#waiting.get(maxBytes);
    if (waiting === undefined) this.#waiting.set(maxBytes, (waiting = new Deferred()));
    return waiting.promise;
  }

  /** Later records go to a new file. Nothing happens if the last one has no records. */
  rotate(): void {
    if (!this.#isClosing && this.#buffer.cut()) this.#schedule();
  }

  /** Deletes the files before `file`, when they are written. The one for new records stays. */
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

  /** Brings everything to the medium, and closes the file. In failure it tries once more; what it cannot write is lost. */
  close(): Promise<void> {
    this.#isClosing = true;
    return (this.#closing ??= this.#close());
  }

  #schedule(): void {
    this.#isDirty = true;
    if (this.#running === undefined && this.#failure === undefined) this.#running = this.#run();
  }

  /** Writes groups until there is nothing more to write, or it fails. Never rejects. */
  async #run(): Promise<void> {
    try {
      do {
        // What else this turn of the event loop appends belongs to the group, and so do calls that the last group's end resumed.
        await nextTurn();
        if (!this.#isDirty) break;
        await this.#commit(false);
      } while (this.#failure === undefined);
    } catch (error) {
      this.#fail(error);
    }
    this.#running = undefined;
  }

  /** Writes everything that is appended by now, and settles its calls. */
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

  /** Resumes calls that wait for memory, if there is some, or there may never be. */
  #wake(): void {
    for (const [limit, waiting] of this.#waiting) {
      if (this.#failure === undefined && this.#buffer.unwritten >= limit) continue;
      this.#waiting.delete(limit);
      waiting.resolve();
    }
  }

  /** Syncs while groups go on being written: those are for the next sync. */
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
    // A write may still be under way if a sync has failed.
    if (this.#running !== undefined) this.#delayedRetry.schedule(RETRY_MILLISECONDS);
    else this.#running = this.#finish();
  }

  /** Writes everything, and brings it to the medium: if that succeeds, a failure is over. Never rejects. */
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
