/** Draws results as SVG: one file without references, readable on a light and a dark background. */
import { scaleLinear, scaleLog } from "d3-scale";
import { line } from "d3-shape";
import type { Comparison, LoadResult } from "../result.js";
import { type Curve, curvesOf } from "./curves.js";
import { checkedResult, isComparison } from "./json.js";
import { durationText, rateText } from "./number-text.js";
import { describe } from "./report.js";
import { COLOURS, escapedXml, round, STYLE, shortened } from "./svg-style.js";

const WIDTH = 960;
const LEFT = 72;
const RIGHT = 24;
const TITLE_HEIGHT = 60;
const LEGEND_ROW = 20;
const PLOT_HEIGHT = 300;
const AXIS_HEIGHT = 44;
const BARS_HEAD = 28;
const BAR_ROW = 34;
const BAR = 16;
/** Width of the names before bars, and of the figures after them. */
const NAME = 200;
const FIGURE = 210;
/** Estimated maximum width of a character: fonts differ. */
const CHARACTER = 7;

/** Percentiles with a label, if there are enough operations. */
const TICKS = [0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999];

/**
 * Returns a result as SVG: percentiles of times on logarithmic axes, and throughput as bars with the lowest and the highest round.
 * Readable on a light and a dark background. Throws `ERR_INVALID_ARGUMENT` for other data.
 *
 * @example
 * writeFileSync("result.svg", toSvg(await compare([before, after])));
 */
export function toSvg(result: LoadResult | Comparison): string {
  const checked = checkedResult(result);
  const results = isComparison(checked) ? checked.targets : [checked];
  const curves = curvesOf(results);
  const title = results.map(({ target }) => target).join(", ");
  const plotTop = TITLE_HEIGHT + curves.length * LEGEND_ROW + 10;
  const barsTop = plotTop + PLOT_HEIGHT + AXIS_HEIGHT;
  const height = barsTop + BARS_HEAD + results.length * BAR_ROW + 12;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escapedXml(title)}">
  <style>${STYLE}
  </style>
  <rect class="ground" width="${WIDTH}" height="${height}"/>
  <text class="title" x="24" y="26">${escapedXml(shortened(title, (WIDTH - 48) / 9))}</text>
  <text x="24" y="46">${escapedXml(shortened(describe(results[0]!.options), (WIDTH - 48) / CHARACTER))}</text>
${curves.map(legend).join("")}${percentilePlot(curves, plotTop)}${throughputBars(results, barsTop)}</svg>
`;
}

function legend({ label }: Curve, i: number): string {
  const y = TITLE_HEIGHT + i * LEGEND_ROW + 6;
  return `  <path class="line" stroke="${COLOURS[i % COLOURS.length]}" stroke-width="3" d="M24 ${y}h16"/>
  <text class="label" x="48" y="${y + 4}">${escapedXml(shortened(label, (WIDTH - 72) / CHARACTER))}</text>
`;
}

/** Draws times over percentiles. Each decade to the right has a tenth of the operations before. */
function percentilePlot(curves: readonly Curve[], top: number): string {
  const points = curves.flatMap((curve) => curve.points);
  if (points.length === 0) return `  <text x="${LEFT}" y="${top + 20}">no operations</text>\n`;
  const most = Math.max(50, ...points.map(([percentile]) => percentile));
  const times = points.map(([, time]) => time);
  const x = scaleLog([1, odds(most)], [LEFT, WIDTH - RIGHT]);
  const y = scaleLog(decades(Math.min(...times), Math.max(...times)), [top + PLOT_HEIGHT, top]);
  const bottom = top + PLOT_HEIGHT;
  const rows = y
    .ticks()
    .filter((tick) => Number.isInteger(Math.round(Math.log10(tick) * 1e6) / 1e6))
    .map((tick) => {
      const at = round(y(tick));
      return `  <path class="grid" d="M${LEFT} ${at}H${WIDTH - RIGHT}"/>
  <text x="${LEFT - 8}" y="${round(at + 4)}" text-anchor="end">${durationText(tick)}</text>
`;
    });
  const columns = TICKS.filter((tick) => tick <= most).map((tick) => {
    const at = round(x(odds(tick)));
    return `  <path class="grid" d="M${at} ${top}V${bottom}"/>
  <text x="${at}" y="${bottom + 18}" text-anchor="middle">${tick === 0 ? "fastest" : `p${tick}`}</text>
`;
  });
  const draw = line<readonly [number, number]>()
    .x(([percentile]) => round(x(odds(percentile))))
    .y(([, time]) => round(y(time)));
  const paths = curves.map(
    ({ label, points }, i) =>
      `  <path class="line" stroke="${COLOURS[i % COLOURS.length]}" d="${draw([...points]) ?? ""}"><title>${escapedXml(label)}</title></path>
`,
  );
  return [...rows, ...columns, ...paths].join("");
}

/** Returns the odds of a percentile: 1 for the fastest operation, 2 for the median, 100 for p99, where 1 in 100 operations takes longer. */
function odds(percentile: number): number {
  return 100 / (100 - percentile);
}

/** Returns the powers of ten around a range of times, at least one decade apart. */
function decades(least: number, greatest: number): [number, number] {
  const low = Math.floor(Math.log10(least));
  return [10 ** low, 10 ** Math.max(low + 1, Math.ceil(Math.log10(greatest)))];
}

function throughputBars(results: readonly LoadResult[], top: number): string {
  const highest = Math.max(1e-9, ...results.map(({ summary }) => summary?.perSecond.high ?? 0));
  const left = 24 + NAME;
  const x = scaleLinear([0, highest], [left, WIDTH - RIGHT - FIGURE]);
  const bars = results.map(({ target, summary }, i) => {
    const y = top + BARS_HEAD + i * BAR_ROW;
    const name = `  <text class="label" x="${left - 10}" y="${y + 13}" text-anchor="end">${escapedXml(shortened(target, NAME / CHARACTER))}</text>
`;
    if (summary === null) return name;
    const { median, low, high } = summary.perSecond;
    const [from, to] = [round(x(low)), round(x(high))];
    const spread = low === high ? "" : ` (${rateText(low)} to ${rateText(high)})`;
    return `${name}  <rect class="bar" x="${left}" y="${y}" width="${round(Math.max(1, x(median) - left))}" height="${BAR}"/>
  <path class="whisker" d="M${from} ${y + BAR / 2}H${to}M${from} ${y + 3}v${BAR - 6}M${to} ${y + 3}v${BAR - 6}"/>
  <text x="${round(to + 10)}" y="${y + 13}">${rateText(median)}${spread}</text>
`;
  });
  return `  <text class="label" x="24" y="${top + 14}">operations per second: median, lowest and highest round</text>
${bars.join("")}`;
}
