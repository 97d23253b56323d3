/** Charts as SVG: one file without references, readable on a light and on a dark background. */
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { type ChartData, roomy, runsOf } from "./chart-data.js";
import { LABEL_WIDTH, timeTicks } from "./time-axis.js";
import { isoText } from "./times.js";
import { valueLabels } from "./value-labels.js";

const WIDTH = 960;
const PLOT_HEIGHT = 320;
const LEFT = 64;
const RIGHT = 24;
const TITLE_HEIGHT = 56;
const AXIS_HEIGHT = 32;
const LEGEND_ROW = 20;
const LEGEND_GAP = 28;
/** Estimated width of a character of the legend, with a margin, since fonts differ. */
const CHARACTER = 7;
/** The colour sample before each label of the legend. */
const SAMPLE = 24;
const VALUE_TICKS = 6;

/** The number of columns: one per unit of the plot's width. */
export const SVG_COLUMNS = WIDTH - LEFT - RIGHT;

/** The colours of lines, each with a contrast of at least 3 to both backgrounds. */
const COLOURS = ["#2f7fd1", "#d9541e", "#2e8f57", "#a45fd0", "#b7791f", "#d6457f", "#1f8f9c", "#7a7f87"];

/** The most lines in one chart. */
export const MAX_SVG_LINES = COLOURS.length;

const STYLE = `
    text { font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #57606a }
    .ground { fill: #ffffff }
    .title { font-size: 15px; font-weight: 600; fill: #1f2328 }
    .label { fill: #1f2328 }
    .grid { stroke: #d8dee4; stroke-width: 1; fill: none }
    .axis { stroke: #8c959f; stroke-width: 1; fill: none }
    .line { fill: none; stroke-width: 1.75; stroke-linejoin: round; stroke-linecap: round }
    @media (prefers-color-scheme: dark) {
      text { fill: #9198a1 }
      .ground { fill: #0d1117 }
      .title, .label { fill: #f0f6fc }
      .grid { stroke: #30363d }
      .axis { stroke: #656c76 }
    }`;

/** A label of the legend, and its place. */
interface LegendEntry {
  readonly label: string;
  readonly x: number;
  readonly row: number;
}

/** Draws a chart. */
export function svgChart(data: ChartData, title: string): string {
  const legend = legendOf(data.lines.map(({ label }) => label));
  const top = TITLE_HEIGHT + (legend.length === 0 ? 0 : (legend.at(-1)!.row + 1) * LEGEND_ROW + 4);
  const bottom = top + PLOT_HEIGHT;
  const height = bottom + AXIS_HEIGHT;
  const [least, greatest] = roomy(data);
  const y = scaleLinear([least, greatest], [bottom, top]).nice(VALUE_TICKS);
  const x = (time: number) => LEFT + ((time - data.from) / (data.to - data.from)) * SVG_COLUMNS;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}">
  <style>${STYLE}
  </style>
  <rect class="ground" width="${WIDTH}" height="${height}"/>
  <text class="title" x="${LEFT}" y="26">${escaped(shortened(title, WIDTH - LEFT - RIGHT, 9))}</text>
  <text x="${LEFT}" y="45">${isoText(data.from)} to ${isoText(data.to)} (UTC)</text>
${legend.map((entry, i) => legendText(entry, COLOURS[i]!)).join("")}${valueAxis(y)}${timeAxis(data, x, bottom)}${data.lines.map((_, i) => pathOf(data, i, x, y)).join("")}</svg>
`;
}

function valueAxis(y: ReturnType<typeof scaleLinear<number, number>>): string {
  const ticks = y.ticks(VALUE_TICKS);
  const [low, high] = y.domain() as [number, number];
  const label = valueLabels(
    ticks.length > 1 ? ticks[1]! - ticks[0]! : high - low,
    Math.max(Math.abs(low), Math.abs(high)),
  );
  return ticks
    .map((tick) => {
      const at = round(y(tick));
      return `  <path class="grid" d="M${LEFT} ${at}H${WIDTH - RIGHT}"/>
  <text x="${LEFT - 8}" y="${round(at + 4)}" text-anchor="end">${escaped(label(tick))}</text>
`;
    })
    .join("");
}

function timeAxis(data: ChartData, x: (time: number) => number, bottom: number): string {
  const ticks = timeTicks(data.from, data.to, SVG_COLUMNS / (LABEL_WIDTH * CHARACTER + LEGEND_GAP))
    .map(({ time, label }) => {
      const at = round(x(time));
      return `  <path class="axis" d="M${at} ${bottom}v5"/>
  <text x="${at}" y="${bottom + 19}" text-anchor="middle">${label}</text>
`;
    })
    .join("");
  return `  <path class="axis" d="M${LEFT} ${bottom}H${WIDTH - RIGHT}"/>
${ticks}`;
}

/** The line of a metric: a path with a part for each run, whose name shows on hovering. */
function pathOf(
  { lines, from, to, step }: ChartData,
  index: number,
  x: (time: number) => number,
  y: (value: number) => number,
): string {
  const { label, values } = lines[index]!;
  const draw = line<[number, number]>()
    // A point is drawn in the middle of its column's time.
    .x(([column]) => round(x(Math.min(to, from + (column + 0.5) * step))))
    .y(([, value]) => round(y(value)));
  const path = runsOf(values)
    .map((run) => draw(run) ?? "")
    .join("");
  return `  <path class="line" stroke="${COLOURS[index]!}" d="${path}"><title>${escaped(label)}</title></path>
`;
}

/** Places labels in rows. A single line has a legend too, since the title does not always name it. */
function legendOf(labels: readonly string[]): LegendEntry[] {
  const entries: LegendEntry[] = [];
  let x = LEFT;
  let row = 0;
  for (const full of labels) {
    const label = shortened(full, SVG_COLUMNS - SAMPLE, CHARACTER);
    const width = SAMPLE + label.length * CHARACTER + LEGEND_GAP;
    if (x > LEFT && x + width - LEGEND_GAP > WIDTH - RIGHT) {
      x = LEFT;
      row++;
    }
    entries.push({ label, x, row });
    x += width;
  }
  return entries;
}

function legendText({ label, x, row }: LegendEntry, colour: string): string {
  const y = TITLE_HEIGHT + row * LEGEND_ROW + 8;
  return `  <path class="line" stroke="${colour}" stroke-width="3" d="M${x} ${y}h16"/>
  <text class="label" x="${x + SAMPLE}" y="${y + 4}">${escaped(label)}</text>
`;
}

/** Returns a text that fits into a width: the end is removed if it is too long. */
function shortened(text: string, width: number, character: number): string {
  const most = Math.floor(width / character);
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 2).join("")}..`;
}

function round(coordinate: number): number {
  return Math.round(coordinate * 100) / 100;
}

const ENTITIES = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
]);

/** Escapes text for XML. Replaces control characters, which XML forbids and a selector may contain. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"]/g, (character) => ENTITIES.get(character)!)
    .replace(/[^\P{Cc}\t]|[\ufffe\uffff]/gu, "\ufffd");
}
