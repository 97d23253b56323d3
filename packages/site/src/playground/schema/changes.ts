// Changes between two schemas, in the words of `moonpack compare`.
import { type AnySchema, compare, type Readable } from "@moonpack/pck";
import { shownText } from "../shared/shown.ts";

/** A row of the table: the columns of the command line. */
export interface ChangeRow {
  readonly change: string;
  readonly where: string;
  readonly what: string;
  readonly newReadsOld: Readable;
  readonly oldReadsNew: Readable;
}

/** The changes from an older schema to the present one. */
export interface Changes {
  readonly rows: readonly ChangeRow[];
  /** A line for each "no" and "depends". */
  readonly reasons: readonly string[];
}

/** Compares two schemas. */
export function changesOf(older: AnySchema, now: AnySchema): Changes {
  const changes = compare(older, now);
  return {
    rows: changes.map(({ kind, path, text, newReadsOld, oldReadsNew }) => ({
      ...{ change: kind, where: shownText(path), what: shownText(text), newReadsOld, oldReadsNew },
    })),
    reasons: changes.filter(({ why }) => why !== "").map(({ path, why }) => shownText(`${path}: ${why}`)),
  };
}
