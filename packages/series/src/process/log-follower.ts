/**
 * Reads the log of another process while it is written: each call reads the records that were appended since the last one. An incomplete
 * record is read by a later call.
 */
import { DecodeError } from "moonpack/bytes";
import { SeriesError } from "../errors.js";
import type { StoreFileSystem } from "../file-system/store-file-system.js";
import { HEAD_BYTES, hasHead, logNumbers, logPath } from "../log/log-files.js";
import { RecordReader, recordAt } from "../log/record-reader.js";
import type { RecoveryVisitor } from "../log/recovery.js";
import { TimeSlices } from "../store/time-slices.js";

/** Bytes of one read; a record may need more. */
const READ_BYTES = 2 ** 20;

/** Follows one log from a file on. */
export class LogFollower {
  readonly #fileSystem: StoreFileSystem;
  readonly #folder: string;
  readonly #visitor: RecoveryVisitor;
  readonly #reader = new RecordReader();
  #number: number;
  #offset = 0;

  constructor(fileSystem: StoreFileSystem, folder: string, first: number, visitor: RecoveryVisitor) {
    this.#fileSystem = fileSystem;
    this.#folder = folder;
    this.#visitor = visitor;
    this.#number = first;
  }

  /** Reads new records. Returns false if a file was deleted: then a newer manifest has the start of the log. */
  async look(): Promise<boolean> {
    const slices = new TimeSlices();
    for (;;) {
      // Checked before the file is read: if the next file exists, this one is complete.
      const numbers = logNumbers(await this.#fileSystem.list(this.#folder));
      const next = numbers.find((number) => number > this.#number);
      if (!numbers.includes(this.#number)) return next === undefined && this.#offset === 0;
      const rest = await this.#readFile(slices).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined;
        throw error;
      });
      if (rest === undefined) return false;
      if (next === undefined) return true;
      if (rest > 0 || next !== this.#number + 1) throw this.#damaged(next);
      this.#number = next;
      this.#offset = 0;
    }
  }

  #damaged(next: number): SeriesError {
    const file = logPath(this.#folder, this.#number);
    const message = `the log is damaged: ${file}, byte ${this.#offset}, before file ${next}`;
    return new SeriesError("ERR_SERIES_LOG", message, { file, offset: this.#offset });
  }

  /** Reads the complete records of the file. Returns the number of bytes that are left. */
  async #readFile(slices: TimeSlices): Promise<number> {
    const file = await this.#fileSystem.openForReading(logPath(this.#folder, this.#number));
    try {
      let wanted = READ_BYTES;
      for (;;) {
        const bytes = new Uint8Array(Math.min(wanted, file.size - this.#offset));
        const n = await file.read([bytes], this.#offset);
        const used = await this.#readRecords(bytes.subarray(0, n), slices);
        this.#offset += used;
        const left = file.size - this.#offset;
        // A record that is longer than the read bytes is read again completely.
        if (left === 0 || (used === 0 && n < wanted)) return left;
        wanted = used === 0 ? 2 * wanted : READ_BYTES;
      }
    } finally {
      await file.close();
    }
  }

  /** Returns the number of bytes of complete records. */
  async #readRecords(bytes: Uint8Array<ArrayBuffer>, slices: TimeSlices): Promise<number> {
    let at = 0;
    if (this.#offset === 0) {
      if (!hasHead(bytes, this.#number)) return 0;
      this.#visitor.file(this.#number);
      at = HEAD_BYTES;
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let record = recordAt(bytes, view, at); record !== undefined; record = recordAt(bytes, view, at)) {
      try {
        this.#reader.read(bytes, view, record, this.#visitor);
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        throw this.#damaged(this.#number + 1);
      }
      at = record.end;
      const pause = slices.pause();
      if (pause !== undefined) await pause;
    }
    return at;
  }
}
