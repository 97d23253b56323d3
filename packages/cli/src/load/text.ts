/** Formats results for the terminal. */
import { type LoadResult, type Percentiles, type Summary, toReport } from "@moonpack/load";
import pc from "picocolors";
import { printable } from "../shared/printable.js";
import { type Cell, renderTable } from "../shared/table.js";
import { errorsOf } from "./fail-if.js";

/** Returns the text of a result, compared with an earlier result `old` if given. */
export function resultText(result: LoadResult, old: LoadResult | undefined): string {
  const { title, description, tables, lines, failures, notes } = toReport(result);
  const parts = [
    `${pc.bold(printable(title))}\n${printable(description)}`,
    ...tables.map(({ columns, rows }) => table(columns, rows)),
    ...(old === undefined ? [] : [comparison(result, old)]),
    [
      ...lines.map(printable),
      ...notes.map((text) => pc.yellow(`note: ${printable(text)}`)),
      ...failures.map((text) => pc.red(`failed: ${printable(text)}`)),
    ].join("\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}

function table(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return renderTable(
    columns.map((title, i) => ({ title, numeric: i > 0 })),
    rows,
  );
}

const FIGURES: readonly [string, (summary: Summary) => number][] = [
  ["operations/s", ({ perSecond }) => perSecond.median],
  ...(["p50", "p90", "p99", "p999", "max", "mean"] as const).map((name): [string, (summary: Summary) => number] => [
    `${name === "p999" ? "p99.9" : name} ms`,
    ({ response }: { readonly response: Percentiles }) => response[name],
  ]),
  ["errors", errorsOf],
  ["CPU µs/op", ({ cpuMicros }) => cpuMicros],
];

/** Returns a table of the figures of both results. */
function comparison({ summary, options }: LoadResult, old: LoadResult): string {
  const differ = (["scenario", "payload", "concurrency", "rate", "keys", "distribution"] as const).filter(
    (name) => JSON.stringify(options[name]) !== JSON.stringify(old.options[name]),
  );
  const rows = FIGURES.map(([title, figure]) => {
    const [now, before] = [summary, old.summary].map((one) => (one === null ? undefined : figure(one)));
    const ratio = now === undefined || before === undefined || before === 0 ? "" : `${(now / before).toFixed(2)}x`;
    return [title, text(before), text(now), ratio];
  });
  const origin = `old: ${printable(old.target)}, ${old.date.slice(0, 16).replace("T", " ")} UTC`;
  const warning = differ.length === 0 ? [] : [pc.yellow(`note: the old result has another ${differ.join(", ")}`)];
  return [table(["", "old", "new", "ratio"], rows), origin, ...warning].join("\n");
}

function text(value: number | undefined): string {
  if (value === undefined) return "";
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3)));
}
