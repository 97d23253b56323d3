import type { NumbersResult } from "../../report/numbers.js";
import { formatRatio } from "../../report/table.js";
import { raceTables } from "./race.js";

/** What is left of a committed speed when it counts as lost: less than 15 % is noise. */
const KEPT_SHARE = 0.85;

/** A line for each speed that has fallen behind the committed one. Quick runs tell nothing. */
export function speedLosses(result: NumbersResult, committed: NumbersResult): string[] {
  if (result.quick || committed.quick) return [];
  return raceTables.flatMap(({ id }) => {
    const before = committed.tables.find((table) => table.id === id)?.rows ?? [];
    const now = result.tables.find((table) => table.id === id)?.rows ?? [];
    return before.flatMap((row) => {
      const was = row.values.speed;
      const is = now.find((other) => other.id === row.id)?.values.speed;
      if (was === undefined || is === undefined || is >= was * KEPT_SHARE) return [];
      return [`SLOWER: ${id}, ${row.title}: speed ${formatRatio(is)}, committed ${formatRatio(was)}`];
    });
  });
}
