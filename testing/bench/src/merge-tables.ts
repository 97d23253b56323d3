/** Saves some parts of a suite: the tables of a new run replace those with the same ids in the saved result. */
import type { NumbersResult, NumberTable } from "./report/numbers.js";
import type { ResultHead } from "./results.js";

/**
 * Returns the saved result with the tables of a run of some parts, each with its date. Throws a TypeError if the run was short, if the
 * suite has no tables, or if the saved result is missing or comes from another environment: its figures would not agree.
 */
export function mergeTables(saved: ResultHead | undefined, run: ResultHead): NumbersResult {
  if (run.quick || !hasTables(run) || saved === undefined || !hasTables(saved))
    throw new TypeError("--save with --filter needs a suite of tables, its saved result, and a whole measurement");
  if (JSON.stringify(saved.environment) !== JSON.stringify(run.environment))
    throw new TypeError("--save with --filter: the saved result was measured in another environment");
  const fresh = new Map(run.tables.map((table) => [table.id, { ...table, measured: run.date.slice(0, 10) }]));
  const tables: NumberTable[] = saved.tables.map((table) => fresh.get(table.id) ?? table);
  for (const table of fresh.values()) if (!tables.includes(table)) tables.push(table);
  return { ...saved, versions: { ...saved.versions, ...run.versions }, tables };
}

function hasTables(result: ResultHead): result is NumbersResult {
  return Array.isArray((result as Partial<NumbersResult>).tables);
}
