/**
 * Recovery: reads the log when a store is opened (docs/series-format.md, section 6, "Recovery"). An unfinished record at the end is
 * removed. Other damage is an error, or is skipped and reported.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { DecodeError } from "moonpack/bytes";
import type { Recovery, SeriesWarning } from "../api.js";
import { storeError } from "../drivers/store-error.js";
import { SeriesError } from "../errors.js";
import type { LogFileSystem } from "./file-system.js";
import { distance, isSyncedAfter, recordAfter } from "./find-records.js";
import { HEAD_BYTES, hasHead, isHeadless, logNumbers, logPath } from "./log-files.js";
import { HEADER, type LogVisitor, POINTS } from "./record-format.js";
import { type RecordHead, RecordReader, recordAt, syncedNumber } from "./record-reader.js";

/** Yields to the event loop after this time, or this number of points, between two records. */
const MILLISECONDS_UNTIL_YIELD = 4;
const POINTS_UNTIL_YIELD = 131_072;
/** The clock is read after this number of points; a record counts as several points. */
const CLOCK_POINTS = 4096;
const RECORD_POINTS = 64;

/** Receives the records of the log in order. */
export interface RecoveryVisitor extends LogVisitor {
  /** Called before the records of a file. */
  file(number: number): void;
}

/** Options of recovery. */
export interface RecoveryOptions {
  /** Does not truncate or delete files. Default: false. */
  readonly readOnly?: boolean;
  /** `"skip"` continues after damage, and calls `onWarning`. Default: `"throw"`. */
  readonly undecodable?: "throw" | "skip";
  readonly onWarning?: (warning: SeriesWarning) => void;
}

/** The result of recovery: where the log continues, and its content. */
export interface RecoveredLog {
  readonly nextFile: number;
  readonly nextRecord: number;
  readonly recovery: Recovery;
  /** The last record that the log states as synced; undefined without one. */
  readonly lastSynced: number | undefined;
}

/**
 * Reads the files from `first` on, and calls the visitor with their records. Deletes earlier files, which a crash may have left. Damage,
 * except an unfinished record at the end, throws `ERR_SERIES_LOG` with the file and the offset. A DecodeError of the visitor counts as
 * damage of the record; its other errors are thrown unchanged.
 */
export function recoverLog(
  fileSystem: LogFileSystem,
  folder: string,
  first: number,
  visitor: RecoveryVisitor,
  options: RecoveryOptions = {},
): Promise<RecoveredLog> {
  return new LogRecovery(fileSystem, folder, visitor, options).run(first);
}

/** A file that is being read. */
interface OpenedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly isLast: boolean;
}

class LogRecovery {
  readonly #fileSystem: LogFileSystem;
  readonly #folder: string;
  readonly #visitor: RecoveryVisitor;
  readonly #options: RecoveryOptions;
  readonly #reader = new RecordReader();
  #files = 0;
  #records = 0;
  #points = 0;
  #tornBytes = 0;
  #skippedBytes = 0;
  #lastSynced: number | undefined;
  /** The number of the next record. Unknown before the first record, and after damage of unknown size. */
  #next = 0;
  #isNextKnown = false;
  /** The end of the last complete record in the last file; 0 without a complete header. */
  #end = 0;
  #yieldAt = performance.now() + MILLISECONDS_UNTIL_YIELD;
  #pointsSinceYield = 0;
  /** Points since the clock was read. */
  #unclocked = 0;

  constructor(fileSystem: LogFileSystem, folder: string, visitor: RecoveryVisitor, options: RecoveryOptions) {
    this.#fileSystem = fileSystem;
    this.#folder = folder;
    this.#visitor = visitor;
    this.#options = options;
  }

  async run(first: number): Promise<RecoveredLog> {
    const all = logNumbers(await this.#attempt((fileSystem) => fileSystem.list(this.#folder)));
    const numbers = all.filter((number) => number >= first);
    let nextFile = first;
    for (const number of numbers) {
      if (number !== nextFile) {
        this.#damage(logPath(this.#folder, nextFile), 0, `files ${nextFile} to ${number - 1} are missing`, 0);
        this.#isNextKnown = false;
      }
      nextFile = (await this.#readFile(number, number === numbers.at(-1))) ? number + 1 : number;
    }
    if (!this.#options.readOnly) await this.#attempt((fileSystem) => this.#tidy(fileSystem, all, first));
    const recovery: Recovery = {
      files: this.#files,
      records: this.#records,
      points: this.#points,
      tornBytes: this.#tornBytes,
      skippedBytes: this.#skippedBytes,
    };
    return { nextFile, nextRecord: this.#next, recovery, lastSynced: this.#lastSynced };
  }

  /** Returns false for a last file whose header was never synced. */
  async #readFile(number: number, isLast: boolean): Promise<boolean> {
    const path = logPath(this.#folder, number);
    const bytes = await this.#attempt((fileSystem) => fileSystem.read(path));
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#files++;
    if (!hasHead(bytes, number)) {
      if (isLast && isHeadless(bytes)) {
        this.#tornBytes += bytes.length;
        this.#end = 0;
        return false;
      }
      this.#damage(path, 0, `not the head of file ${number}`, Math.min(HEAD_BYTES, bytes.length));
    }
    this.#visitor.file(number);
    this.#end = bytes.length;
    await this.#readRecords({ path, bytes, view, isLast });
    return true;
  }

  async #readRecords(file: OpenedFile): Promise<void> {
    const { path, bytes, view, isLast } = file;
    for (let at = HEAD_BYTES; at < bytes.length; ) {
      const record = recordAt(bytes, view, at);
      if (record !== undefined) {
        if (this.#isInOrder(path, record)) this.#read(file, record);
        at = record.end;
        if (this.#unclocked >= CLOCK_POINTS && this.#mustYield()) await this.#yield();
        continue;
      }
      const number = this.#isNextKnown ? this.#next : undefined;
      if (isLast && !isSyncedAfter(bytes, view, at + 8, number)) {
        this.#tornBytes += bytes.length - at;
        this.#end = at;
        return;
      }
      const next = recordAfter(bytes, view, at + 8, number);
      const end = next?.start ?? bytes.length;
      this.#damage(path, at, number === undefined ? "not a record" : `record ${number} is damaged`, end - at);
      this.#isNextKnown = next !== undefined;
      if (next !== undefined) this.#next = next.number;
      at = end;
    }
  }

  /** Returns false for a record that must be skipped. */
  #isInOrder(path: string, { number, start, end }: RecordHead): boolean {
    const next = this.#next;
    if (this.#isNextKnown && number !== next) {
      const isBefore = distance(number, next) < 0;
      this.#damage(path, start, `record ${number} where ${next} is expected`, isBefore ? end - start : 0);
      if (isBefore) return false;
    }
    this.#next = (number + 1) >>> 0;
    this.#isNextKnown = true;
    return true;
  }

  #read({ path, bytes, view }: OpenedFile, record: RecordHead): void {
    try {
      this.#reader.read(bytes, view, record, this.#visitor);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      const { number, start, end } = record;
      return this.#damage(path, start, `record ${number} has no valid content`, end - start, error);
    }
    this.#records++;
    this.#lastSynced = syncedNumber(view, record) ?? this.#lastSynced;
    this.#unclocked += RECORD_POINTS;
    if (record.type !== POINTS) return;
    const n = view.getUint32(record.start + HEADER, true);
    this.#points += n;
    this.#unclocked += n;
  }

  #mustYield(): boolean {
    this.#pointsSinceYield += this.#unclocked;
    this.#unclocked = 0;
    return this.#pointsSinceYield >= POINTS_UNTIL_YIELD || performance.now() >= this.#yieldAt;
  }

  async #yield(): Promise<void> {
    await nextTurn();
    this.#yieldAt = performance.now() + MILLISECONDS_UNTIL_YIELD;
    this.#pointsSinceYield = 0;
  }

  /** Throws, or reports skipped bytes. */
  #damage(file: string, offset: number, what: string, skipped: number, cause?: unknown): void {
    const message = `the log is damaged: ${what} (${file}, byte ${offset})`;
    const error = new SeriesError("ERR_SERIES_LOG", message, { file, offset }, cause);
    if (this.#options.undecodable !== "skip") throw error;
    this.#skippedBytes += skipped;
    this.#options.onWarning?.({ kind: "corrupt", message, cause: error });
  }

  /** Truncates the last file to complete records, and syncs it. */
  async #tidy(fileSystem: LogFileSystem, numbers: readonly number[], first: number): Promise<void> {
    for (const number of numbers) if (number < first) await fileSystem.unlink(logPath(this.#folder, number));
    const last = numbers.at(-1);
    if (last === undefined || last < first) return;
    const path = logPath(this.#folder, last);
    if (this.#end === 0) await fileSystem.unlink(path);
    else await finishFile(fileSystem, path, this.#end);
    await fileSystem.syncFolder(this.#folder);
  }

  /** Calls the file system, and converts its errors. */
  async #attempt<T>(act: (fileSystem: LogFileSystem) => Promise<T>): Promise<T> {
    try {
      return await act(this.#fileSystem);
    } catch (error) {
      throw storeError(error, "the log");
    }
  }
}

/** Truncates a file and syncs it: its process may have been killed before, and the next file is about to start. */
async function finishFile(fileSystem: LogFileSystem, path: string, length: number): Promise<void> {
  const file = await fileSystem.open(path);
  try {
    await file.truncate(length);
    await file.datasync();
  } finally {
    await file.close();
  }
}
