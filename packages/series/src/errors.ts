/** Errors of stores. They are MoonpackErrors; docs/errors.md lists all codes. */
import { type ErrorCode, MoonpackError, type PackageErrorCode } from "moonpack/bytes";

/**
 * The error codes of stores, each with its meaning in one line.
 *
 * @example
 * console.log(SERIES_ERROR_CODES.ERR_SERIES_LOCKED);
 */
export const SERIES_ERROR_CODES: Readonly<
  Record<Extract<PackageErrorCode, "ERR_INVALID_METRIC" | `ERR_SERIES_${string}`>, string>
> = {
  ERR_INVALID_METRIC: "a name, a tag or a number of tags that no metric may have",
  ERR_SERIES_LOCKED: "another process has the store open",
  ERR_SERIES_VERSION: "the store was written by a newer version, or must be migrated",
  ERR_SERIES_CORRUPT: "a damaged page, metric or index entry",
  ERR_SERIES_LOG: "the write-ahead log is damaged before its end, or a part of it is missing",
  ERR_SERIES_FULL: "no space is left for the store",
  ERR_SERIES_READ_ONLY: "the store is open for reading, or its folder cannot be written",
  ERR_SERIES_LIMIT: "a query would fill more windows than the limit",
  ERR_SERIES_TYPE: "the metric has another type",
  ERR_SERIES_STORE: "the driver failed; see cause",
};

/** The place of damage: a column and a key of the database, or a file of the log and an offset in it. */
export interface Place {
  /** The column of the database. */
  readonly column?: string;
  /** The key in the column. */
  readonly key?: Uint8Array;
  /** The file. */
  readonly file?: string;
  /** The position in the file, in bytes. */
  readonly offset?: number;
  /** The first and the last metric, by id, whose points are damaged. */
  readonly metrics?: readonly [first: number, last: number];
  /** The first time of the damaged points, in milliseconds. */
  readonly from?: number;
  /** The last time of the damaged points, in milliseconds. */
  readonly to?: number;
}

/**
 * The error of a store that cannot be opened, read or written.
 *
 * @example
 * try { await openSeries({ path }) } catch (e) { if (e instanceof SeriesError && e.code === "ERR_SERIES_LOCKED") retry(); }
 */
export class SeriesError extends MoonpackError {
  /** Used by `instanceof`, which recognises instances of other copies of the package. */
  static override get brand(): symbol {
    return Symbol.for("@moonpack/series.SeriesError");
  }
  /** The place of damage; an empty object for other errors. */
  readonly place: Place;
  constructor(code: ErrorCode, message: string, place: Place = {}, cause?: unknown) {
    super(code, message, cause);
    this.place = place;
  }
  override get name(): string {
    return "SeriesError";
  }
}

/** True for the error of a full disk. */
export function isFull(error: unknown): boolean {
  return error instanceof SeriesError && error.code === "ERR_SERIES_FULL";
}
