/** The size of charts in the terminal. */
import { isatty, WriteStream } from "node:tty";
import { MARGIN } from "./terminal-chart.js";

const COLUMNS = 80;
const ROWS = 24;
/** Rows of the terminal that the chart leaves: for its heading, axis, legend and the prompt. */
const OTHER_ROWS = 7;
const MIN_HEIGHT = 6;
const GREATEST_HEIGHT = 20;
/** The narrowest chart, in columns. */
const MIN_COLUMNS = 20;
/** The widest chart: the environment variable COLUMNS may hold any number. */
const GREATEST_COLUMNS = 1000;

/** Returns the columns and the rows of a chart with a number of lines. */
export function chartSize(lines = 1): { readonly columns: number; readonly height: number } {
  const { columns, rows } = terminalSize();
  return {
    columns: Math.max(MIN_COLUMNS, Math.min(GREATEST_COLUMNS, Math.floor(columns)) - MARGIN),
    height: Math.min(GREATEST_HEIGHT, Math.max(MIN_HEIGHT, rows - OTHER_ROWS - lines)),
  };
}

/** The size of the terminal; a common one for pipes and files. */
function terminalSize(): { readonly columns: number; readonly rows: number } {
  if (!isatty(1)) return { columns: Number(process.env.COLUMNS) || COLUMNS, rows: ROWS };
  // A worker's process.stdout does not know its size.
  const { columns, rows } = new WriteStream(1).unref();
  return { columns: columns || COLUMNS, rows: rows || ROWS };
}
