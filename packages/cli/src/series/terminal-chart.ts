/** Charts for terminals. */
import { stripVTControlCharacters } from "node:util";
import { scaleLinear } from "d3-scale";
import pc from "picocolors";
import { type Color, plot } from "simple-ascii-chart";
import { printable } from "../shared/printable.js";
import { type ChartData, type ChartLine, connected, roomy, runsOf } from "./chart-data.js";
import { LABEL_WIDTH, timeTicks } from "./time-axis.js";
import { isoText } from "./times.js";
import { VALUE_WIDTH, valueLabels } from "./value-labels.js";

/** Columns beside the lines: labels of values, the axis and a blank. */
export const MARGIN = VALUE_WIDTH + 2;
/** Columns between two labels of time, from start to start. */
const TICK_WIDTH = LABEL_WIDTH + 3;
/** Rows between two labels of values. */
const TICK_ROWS = 4;

/** Colours that are readable on a dark and on a light background: the library's name, and the function for the legend. */
const COLOURS = [
  ["ansiBlue", "blue"],
  ["ansiRed", "red"],
  ["ansiGreen", "green"],
  ["ansiMagenta", "magenta"],
  ["ansiCyan", "cyan"],
  ["ansiYellow", "yellow"],
] as const satisfies readonly (readonly [Color, keyof typeof pc])[];

/** The most lines in one chart: one per distinguishable colour. */
export const MAX_LINES = COLOURS.length;

/** Marks the corners, which are not shown. No line has this colour. */
const CORNER: Color = "ansiBlack";
const CORNER_SYMBOL = "\x1b[30m─\x1b[0m";

const SYMBOLS = {
  axis: { n: "│", e: "─" },
  chart: { we: "─", wns: "╮", ns: "│", nse: "╰", wsn: "╯", sne: "╭" },
};

/** The size of a chart, and whether the terminal has colours. */
export interface ChartLook {
  /** Rows of the lines. */
  readonly height: number;
  readonly hasColours: boolean;
}

/** Draws all lines in one chart, in colours. Without colours, draws a separate chart for each line. */
export function terminalChart(data: ChartData, title: string, look: ChartLook): string {
  const { from, to, lines } = data;
  // Follows `look`, not the capabilities of the process's own output.
  const { bold, dim } = pc.createColors(look.hasColours);
  const heading = `${bold(printable(title))}  ${dim(`${isoText(from)} to ${isoText(to)} (UTC)`)}\n`;
  if (lines.length === 1)
    return heading + (lines[0]!.label === title ? "" : `${printable(lines[0]!.label)}\n`) + picture(data, lines, look);
  if (look.hasColours) return heading + picture(data, lines, look) + lines.map(legend).join("");
  return heading + lines.map((line) => `\n${printable(line.label)}\n${picture(data, [line], look)}`).join("");
}

function legend({ label }: ChartLine, index: number): string {
  return `${pc.createColors(true)[COLOURS[index]![1]]("──")} ${printable(label)}\n`;
}

function picture(data: ChartData, lines: readonly ChartLine[], { height, hasColours }: ChartLook): string {
  const { from, to, step } = data;
  const columns = lines[0]!.values.length;
  const count = Math.max(2, Math.round(height / TICK_ROWS));
  const scale = scaleLinear(roomy(data), [0, 1]).nice(count);
  const [low, high] = scale.domain() as [number, number];
  const values = scale.ticks(count);
  const label = valueLabels(values[1]! - values[0]!, Math.max(Math.abs(low), Math.abs(high)));
  // The library gets fractions of the height: its own arithmetic fails for very large values.
  const labels = new Map(values.map((value) => [scale(value), label(value)]));
  const width = Math.max(...[...labels.values()].map(({ length }) => length));
  const ticks = timeTicks(from, to, columns / TICK_WIDTH).map(({ time, label }) => ({
    column: Math.floor((time - from) / step),
    label,
  }));
  const runs = lines.flatMap((line, i) =>
    runsOf(connected(line.values)).map((run) => ({
      run: run.map(([column, value]): [number, number] => [column, scale(value)]),
      colour: COLOURS[i]![0],
    })),
  );
  // The library shows the time from the first to the last value. Corners extend it where no line reaches the border.
  const ends = [0, columns - 1].filter((end) => lines.every(({ values }) => Number.isNaN(values[end]!)));
  const corners = ends.map((end): [number, number][] => [[end, 0]]);
  const drawn = plot([...corners, ...runs.map(({ run }) => run)], {
    width: columns,
    height,
    yRange: [0, 1],
    customXAxisTicks: ticks.map(({ column }) => column),
    customYAxisTicks: [...labels.keys()],
    color: [...corners.map(() => CORNER), ...runs.map(({ colour }) => colour)],
    symbols: SYMBOLS,
    // The labels of time are drawn below, centred at their ticks. The library reserves space for the longest label of the lines'
    // values, which need not be at a tick.
    formatter: (value, { axis }) => (axis === "x" ? "" : (labels.get(value) ?? "").padStart(width)),
  });
  const shown = drawn.replaceAll(CORNER_SYMBOL, " ");
  const rows = (hasColours && lines.length > 1 ? shown : stripVTControlCharacters(shown)).split("\n");
  const bottom = rows.findIndex((row) => row.includes("└"));
  // The row above the greatest value is empty.
  const top = rows.findIndex((row) => row.includes("┤"));
  const margin = " ".repeat(Math.max(0, VALUE_WIDTH - rows[bottom]!.indexOf("└")));
  const picture = rows.slice(top, bottom + 1).map((row) => `${margin}${row.trimEnd()}\n`);
  return `${picture.join("")}${tickLabels(ticks, columns)}\n`;
}

/** The labels of time, centred at their ticks. If there is not enough room, only every second or third one. */
function tickLabels(ticks: readonly { readonly column: number; readonly label: string }[], columns: number): string {
  const end = VALUE_WIDTH + 1 + columns;
  for (let every = 1; ; every++) {
    let row = "";
    let hasRoom = true;
    for (let i = 0; i < ticks.length; i += every) {
      const { column, label } = ticks[i]!;
      const start = Math.min(VALUE_WIDTH + 1 + column - (label.length >> 1), end - label.length);
      hasRoom &&= row === "" || start > row.length;
      row = row.padEnd(start) + label;
    }
    if (hasRoom) return row;
  }
}
