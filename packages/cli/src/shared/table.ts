import Table from "cli-table3";
import pc from "picocolors";
import { printable } from "./printable.js";

/** A column: its title, and whether its cells are numbers, which are aligned right. */
export interface Column {
  readonly title: string;
  readonly numeric?: boolean;
}

/** A cell: its text and its colour. The colour is a function, since escape sequences in the text would be escaped. */
export type Cell = string | { readonly text: string; readonly colour: (text: string) => string };

/** Returns the printable text of a cell. */
function printed(cell: Cell): string {
  return typeof cell === "string" ? printable(cell) : cell.colour(printable(cell.text));
}

/** Renders a table without borders: one rule under the titles, two blanks between columns. */
export function renderTable(columns: readonly Column[], rows: readonly (readonly Cell[])[]): string {
  const none = {
    top: "",
    "top-mid": "",
    "top-left": "",
    "top-right": "",
    bottom: "",
    "bottom-mid": "",
    "bottom-left": "",
  };
  const rest = {
    "bottom-right": "",
    left: "",
    "left-mid": "",
    mid: "",
    "mid-mid": "",
    right: "",
    "right-mid": "",
    middle: "  ",
  };
  const table = new Table({
    head: columns.map(({ title }) => pc.bold(title)),
    colAligns: columns.map(({ numeric }) => (numeric ? "right" : "left")),
    chars: { ...none, ...rest },
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  for (const row of rows) table.push(row.map(printed));
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

/** Returns a count with separated thousands: 1,042,282. */
export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

/** Returns a count with its noun: 1,042,282 points. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns a share in percent: 43.9 %. */
export function percent(part: number, whole: number): string {
  return `${whole === 0 ? "0.0" : ((part / whole) * 100).toFixed(1)} %`;
}

/** Returns a speed in MB/s, with the digits that are significant. */
export function speed(bytes: number, milliseconds: number): string {
  const rate = bytes / 1000 / milliseconds;
  return rate >= 100 ? grouped(Math.round(rate)) : rate.toFixed(1);
}

/** Returns a name of at most `width` characters; a longer one loses its beginning. */
export function shortName(name: string, width: number): string {
  return name.length <= width ? name : `..${name.slice(name.length - width + 2)}`;
}
