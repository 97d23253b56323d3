// Bars: one for each name, or a strong and a pale one.
import { max } from "d3-array";
import { scaleLinear } from "d3-scale";
import { escaped, figure, round, WIDTH } from "./figure.ts";

/** One name with its values, in the order of the legend. */
export interface Group {
  readonly name: string;
  readonly values: readonly number[];
  /** Ours is marked. */
  readonly isOurs?: boolean;
}

/** A chart of bars. */
export interface Chart {
  readonly id: string;
  readonly title: string;
  readonly groups: readonly Group[];
  readonly format: (value: number) => string;
  /** The names of a group's values, if it has several. */
  readonly legend?: readonly string[];
  /** A value to compare with, drawn as a line. */
  readonly mark?: { readonly value: number; readonly meaning: string };
}

const NAME = 17;
const BAR = 11;
const GAP = 9;
/** Space for the figure after the longest bar. */
const FIGURE = 64;
/** The width of a character of a figure, on the wide side: fonts differ. */
const CHARACTER = 7;

/** The chart as a block of HTML. */
export function bars({ id, title, groups, format, legend = [], mark }: Chart): string {
  const greatest = max(groups.flatMap(({ values }) => values)) ?? 1;
  const x = scaleLinear([0, Math.max(greatest, mark?.value ?? 0)], [0, WIDTH - FIGURE]);
  const markAt = mark === undefined ? -1 : round(x(mark.value));
  /** The x of a figure: after the line if the figure would cover it. */
  const besideMark = (start: number, text: string) =>
    start - 2 < markAt && markAt < start + text.length * CHARACTER ? markAt + 4 : round(start);
  let y = 0;
  const rows = groups.map(({ name, values, isOurs = false }) => {
    const label = `<text class="${isOurs ? "name ours" : "name"}" x="0" y="${y + 12}">${escaped(name)}</text>`;
    y += NAME;
    const rects = values.map((value, i) => {
      const width = round(Math.max(1, x(value)));
      const rect = `<rect class="bar ${colourOf(i)}${isOurs ? " ours" : ""}" x="0" y="${y}" width="${width}" height="${BAR}" rx="2"/>
        <text class="value" x="${besideMark(width + 6, format(value))}" y="${y + BAR - 1.5}">${escaped(format(value))}</text>`;
      y += BAR + 2;
      return rect;
    });
    y += GAP;
    return [label, ...rects].join("\n");
  });
  const line = mark === undefined ? "" : `<path class="mark" d="M${markAt} 0V${y - GAP}"/>`;
  const words = groups.map(
    ({ name, values }) => `${name}: ${values.map((value, i) => said(format(value), legend[i])).join(", ")}`,
  );
  return figure({
    id,
    title,
    description: words.join("; "),
    height: y - GAP + 2,
    content: [line, ...rows].join("\n"),
    legend: [
      ...legend.map(
        (meaning, i) => [`${colourOf(i)}${groups.every(({ isOurs }) => isOurs) ? " ours" : ""}`, meaning] as const,
      ),
      ...(mark === undefined ? [] : [["line", mark.meaning] as const]),
    ],
  });
}

const colourOf = (i: number): string => (i === 0 ? "strong" : "pale");
const said = (value: string, meaning: string | undefined): string =>
  meaning === undefined ? value : `${value} (${meaning})`;
