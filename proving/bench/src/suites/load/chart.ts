import { barChart } from "../../report/bar-chart.js";
import type { NumberRow, NumbersResult } from "../../report/numbers.js";
import { formatCount } from "../../report/table.js";
import { pictured } from "./index.js";

const OURS = "#2a78d6";
const JSONS = "#c8b28a";
const OTHERS = "#8a9bad";

/** A picture of each table of times: file name to SVG. */
export function loadCharts(result: NumbersResult): Map<string, string> {
  return new Map(
    pictured(result).map((id) => {
      const { title, rows } = result.tables.find((table) => table.id === id)!;
      const bars = rows.map((row) => ({
        title: row.title.replaceAll("`", ""),
        value: row.values.p50,
        color: colorOf(row),
      }));
      const panel = {
        title: `${title}: milliseconds of a load, median`,
        groups: [{ title: "", bars }],
        format: (value: number) => `${formatCount(value)} ms`,
      };
      return [`load-${id}.svg`, barChart(panel.title, [panel], 270)] as const;
    }),
  );
}

function colorOf({ title }: NumberRow): string {
  if (title.includes("moonpack")) return OURS;
  return title.includes("JSON.parse") ? JSONS : OTHERS;
}
