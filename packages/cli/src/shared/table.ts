import Table from "cli-table3";
import pc from "picocolors";

/** A column: its title and whether its cells are numbers, which stand right. */
export interface Column {
  readonly title: string;
  readonly numeric?: boolean;
}

/** A table without a cage: one rule under the titles, two blanks between columns. */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
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
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

/** A count with thousands apart: 1,042,282. */
export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

/** A part of a whole: 43.9 %. */
export function percent(part: number, whole: number): string {
  return `${whole === 0 ? "0.0" : ((part / whole) * 100).toFixed(1)} %`;
}

/** A speed in MB/s, with as many digits as mean something. */
export function speed(bytes: number, milliseconds: number): string {
  const rate = bytes / 1000 / milliseconds;
  return rate >= 100 ? grouped(Math.round(rate)) : rate.toFixed(1);
}

/** A name in at most so many characters, its beginning cut. */
export function shortName(name: string, width: number): string {
  return name.length <= width ? name : `..${name.slice(name.length - width + 2)}`;
}
