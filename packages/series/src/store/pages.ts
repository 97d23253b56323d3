/** Pages of a store: the error, or the warning, for those that are damaged. */
import { DecodeError } from "moonpack/bytes";
import type { SeriesWarning } from "../api.js";
import type { Operation } from "../drivers/driver.js";
import { SeriesError } from "../errors.js";
import { type PagePoints, PageReader, SLOTS } from "../page/page.js";
import { COLUMNS, META } from "./columns.js";

/** All slots of a page. */
export const ALL_SLOTS = (1 << SLOTS) - 1;

/** Reads pages for one purpose, and counts those that are damaged. */
export class StoredPages {
  readonly #reader = new PageReader();
  readonly #skips: boolean;
  readonly #onWarning: ((warning: SeriesWarning) => void) | undefined;
  /** Damaged pages that were met. */
  corrupt = 0;

  constructor(undecodable: "throw" | "skip", onWarning: ((warning: SeriesWarning) => void) | undefined) {
    this.#skips = undecodable === "skip";
    this.#onWarning = onWarning;
  }

  /**
   * Calls `take` with the points of each wanted slot: see `PageReader.read`. Returns false for a damaged page if damage is skipped,
   * perhaps after some slots; otherwise throws `ERR_SERIES_CORRUPT`.
   */
  read(
    column: number,
    key: Uint8Array,
    page: Uint8Array,
    wanted: number,
    points: PagePoints,
    take: (slot: number, points: PagePoints) => void,
  ): boolean {
    try {
      this.#reader.read(key, page, wanted, points, take);
      return true;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      this.corrupt++;
      const damage = corruptPage(column, key, error);
      if (!this.#skips) throw damage;
      this.#onWarning?.({ kind: "corrupt", message: damage.message, cause: damage });
      return false;
    }
  }
}

/** The error for a damaged page. */
export function corruptPage(column: number, key: Uint8Array, cause: DecodeError): SeriesError {
  return new SeriesError(
    "ERR_SERIES_CORRUPT",
    `page ${Buffer.from(key).toString("hex")} of ${COLUMNS[column]} is damaged: ${cause.message}`,
    { column: COLUMNS[column]!, key },
    cause,
  );
}

/** The operation that keeps a damaged page under a key of `meta`: new points must be written in its place. */
export function keepDamagedPage(column: number, key: Uint8Array, page: Uint8Array): Operation {
  return { column: META, key: Buffer.concat([Buffer.from(`bad ${COLUMNS[column]} `, "latin1"), key]), value: page };
}
