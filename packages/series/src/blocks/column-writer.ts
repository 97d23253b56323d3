/** Writes the time columns of a block. A column that equals one of the last columns is not written again. */
import type { ByteWriter } from "moonpack/bytes";
import { TimeColumns } from "../page/time-column.js";
import { writeCrc } from "./format.js";

/** Number of columns that are compared with new ones: 2 MiB of times. */
const MAX_REMEMBERED = 1024;

/** A column that is in the file. Times are milliseconds in the week. */
export interface WrittenColumn {
  readonly week: number;
  readonly offset: number;
  /** Without the checksum. */
  readonly length: number;
  readonly times: Int32Array;
}

/** Writes columns. */
export class ColumnWriter {
  readonly #columns = new TimeColumns();
  /** By a hash of their times, the oldest first. */
  readonly #known = new Map<number, WrittenColumn>();
  #last: WrittenColumn | undefined;

  /** Returns the column of `times[0..n)` in a week: an existing one, or a new one that is appended at `offset`. */
  of(week: number, times: Int32Array, n: number, w: ByteWriter, offset: number): WrittenColumn {
    if (this.#last !== undefined && isSame(this.#last, week, times, n)) return this.#last;
    const hash = hashOf(week, times, n);
    const known = this.#known.get(hash);
    if (known !== undefined && isSame(known, week, times, n)) return (this.#last = known);
    const start = w.pos;
    this.#columns.write(w, times, n);
    const length = w.pos - start;
    writeCrc(w, start);
    const column = { week, offset, length, times: times.slice(0, n) };
    // Of two columns with equal hashes the newer one is kept.
    this.#known.delete(hash);
    this.#known.set(hash, column);
    if (this.#known.size > MAX_REMEMBERED)
      for (const oldest of this.#known.keys()) {
        this.#known.delete(oldest);
        break;
      }
    return (this.#last = column);
  }
}

function isSame(column: WrittenColumn, week: number, times: Int32Array, n: number): boolean {
  const other = column.times;
  if (column.week !== week || other.length !== n || other[n - 1] !== times[n - 1]) return false;
  for (let i = 0; i < n; i++) if (other[i] !== times[i]) return false;
  return true;
}

function hashOf(week: number, times: Int32Array, n: number): number {
  let hash = Math.imul(week ^ n, 0x9e3779b1);
  for (let i = 0; i < n; i++) hash = Math.imul(hash ^ times[i]!, 0x01000193) ^ (hash >>> 15);
  return hash;
}
