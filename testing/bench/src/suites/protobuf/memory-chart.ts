import { type BarPanel, barChart } from "../../report/bar-chart.js";
import type { NumberRow, NumbersResult } from "../../report/numbers.js";
import { formatCount } from "../../report/table.js";

/** The candidates of the bars, by the prefix of row ids, as `runMemory` names rows. */
const WHO = [
  { id: "moonpack-8", title: "moonpack", color: "#2a78d6" },
  { id: "protobufjs-8", title: "protobuf.js 8", color: "#8a9bad" },
  { id: "protobufjs-7", title: "protobuf.js 7", color: "#c8b28a" },
];

/** A picture of the table of memory; undefined if that was not measured. */
export function memoryChart({ tables }: NumbersResult): string | undefined {
  const rows = tables.find(({ id }) => id === "memory")?.rows;
  if (rows === undefined) return undefined;
  const panel = (title: string, of: (row: NumberRow) => number | undefined): BarPanel => ({
    title,
    groups: sizesOf(rows).map((size) => ({
      title: `${size} MB`,
      bars: WHO.map(({ id, title: who, color }) => {
        const row = rows.find((each) => each.id === `${id}-${size}`);
        return { title: who, color, value: row === undefined ? undefined : of(row) };
      }),
    })),
    format: (value) => `${formatCount(value)} MB`,
  });
  return barChart("Memory for encoding a message: moonpack, protobuf.js 8 and protobuf.js 7", [
    panel("Growth of resident memory at its peak while a message is encoded", ({ values: { peak, output } }) =>
      peak === undefined || output === undefined ? undefined : peak * output,
    ),
    panel("Growth of the JavaScript heap", ({ values }) => values.heap),
  ]);
}

/** The measured sizes, in the order of the rows. */
function sizesOf(rows: readonly NumberRow[]): string[] {
  return [...new Set(rows.map(({ id }) => id.slice(id.lastIndexOf("-") + 1)))];
}
