/** Suites that consist of parts, each with its own tables. `--filter` names parts by their ids. */
import { progress } from "./progress.js";
import type { NumberTable } from "./report/numbers.js";

/** Returns the parts that a filter names. Throws a RangeError if it names no part. */
export function chosenParts<Part extends { readonly id: string }>(
  parts: readonly Part[],
  filter: RegExp | undefined,
): readonly Part[] {
  const chosen = parts.filter(({ id }) => filter?.test(id) ?? true);
  if (chosen.length === 0) throw new RangeError(`no part matches: there are ${parts.map(({ id }) => id).join(", ")}`);
  return chosen;
}

/** Runs parts one after the other and returns their tables. */
export async function tablesOf<Part>(
  parts: readonly Part[],
  run: (part: Part) => Promise<readonly NumberTable[]>,
): Promise<NumberTable[]> {
  const tables: NumberTable[] = [];
  for (const part of parts) tables.push(...(await run(part)));
  progress("");
  return tables;
}
