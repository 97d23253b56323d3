/** Reads pages of a store, with errors or warnings for damaged ones. */

import { SeriesError, type SeriesWarning } from "@moonpack/series";
import { type PagePoints, SLOTS } from "@moonpack/series/driver";
import { DecodeError } from "moonpack/bytes";
import type { Operation } from "../drivers/driver.js";
import { PageReader } from "../page/page.js";
import { COLUMNS, META } from "./columns.js";

/** All slots of a page. */
export const ALL_SLOTS = (1 << SLOTS) - 1;

/** Reads pages, and counts damaged ones. */
export class StoredPages {
  readonly #reader = new PageReader();
  readonly #skips: boolean;
  readonly #onWarning: ((warning: SeriesWarning) => void) | undefined;
  /** Number of damaged pages found. */
  corrupt = 0;

  constructor(undecodable: "throw" | "skip", onWarning: ((warning: SeriesWarning) => void) | undefined) {
    this.#skips = undecodable === "skip";
    this.#onWarning = onWarning;
  }

  /**
   * Calls `take` with the points of each wanted slot: see `PageReader.read`. For a damaged page, perhaps after some slots, it returns false
   * if damage is skipped, otherwise it throws `ERR_SERIES_CORRUPT`.
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

/** Returns the error for a damaged page. */
export function corruptPage(column: number, key: Uint8Array, cause: DecodeError): SeriesError {
  return new SeriesError(
    "ERR_SERIES_CORRUPT",
    `page ${Buffer.from(key).toString("hex")} of ${COLUMNS[column]} is damaged: ${cause.message}`,
    { column: COLUMNS[column]!, key },
    cause,
  );
}

/** Returns the operation that copies a damaged page to a key of `meta`, since new points must be written in its place. */
export function keepDamagedPage(column: number, key: Uint8Array, page: Uint8Array): Operation {
  return { column: META, key: Buffer.concat([Buffer.from(`bad ${COLUMNS[column]} `, "latin1"), key]), value: page };
}
