/** The lines of an import's report on what was skipped without an error. */
import { counted } from "../shared/table.js";
import type { Skipped } from "./record-parser.js";

/** Returns a line for each kind. */
export function skippedLines(all: readonly Skipped[]): readonly string[] {
  // Own members: a missing one must not come from Object.prototype.
  const own = <K extends keyof Skipped>(skipped: Skipped, key: K) =>
    Object.hasOwn(skipped, key) ? skipped[key] : undefined;
  const total = (key: Exclude<keyof Skipped, "columns">) =>
    all.reduce((sum, skipped) => sum + (own(skipped, key) ?? 0), 0);
  const [strings, exemplars, histograms, emptyCells] = [
    total("strings"),
    total("exemplars"),
    total("histograms"),
    total("emptyCells"),
  ];
  const columns = new Set(all.flatMap((skipped) => [...(own(skipped, "columns") ?? [])]));
  const lines: string[] = [];
  if (strings > 0) lines.push(`${counted(strings, "string")} skipped: only numbers and booleans are points`);
  if (exemplars > 0) lines.push(`${counted(exemplars, "exemplar")} skipped: a store has points only`);
  if (histograms > 0) lines.push(`${counted(histograms, "native histogram")} skipped: a store has numbers only`);
  if (emptyCells > 0) lines.push(`${counted(emptyCells, "empty cell")} skipped`);
  if (columns.size > 0) lines.push(`columns not imported: ${[...columns].map((title) => title || '""').join(", ")}`);
  return lines;
}
