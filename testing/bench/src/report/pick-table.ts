/** The table of the MessagePack page about reading some fields. */
import type { NumbersResult } from "./numbers.js";
import { formatRatio, table } from "./table.js";

const COLUMNS = ["pick", "find", "msgpackr", "json", "simdjson"];

/** How many times as fast as `decode` some fields are read. Rows and columns as on the page of the benchmark. */
export function pickTable(result: NumbersResult): string {
  const read = result.tables.find(({ id }) => id === "read")!;
  const columns = read.columns.filter(({ id }) => COLUMNS.includes(id));
  return [
    table(
      ["speed, `decode` = 1", ...columns.map(({ title }) => title)],
      read.rows.map(({ title, values }) => [title, ...columns.map(({ id }) => cellOf(values[id]))]),
    ),
    "",
    "Bigger is faster: [all rows, with their spread](benchmarks/pick.md).",
  ].join("\n");
}

/** Not every library can read every path. */
function cellOf(value: number | undefined): string {
  return value === undefined ? "" : formatRatio(value);
}
