// Ratios on one axis, as fast in the middle: gains to the right, losses to the left in a colour that is theirs.
import { scaleLog } from "d3-scale";
import { escaped, figure, round, WIDTH } from "./figure.ts";

/** Ratios under a heading. */
export interface RatioGroup {
  readonly heading: string;
  readonly ratios: readonly { readonly name: string; readonly value: number }[];
}

const HEADING = 22;
const ROW = 20;
const BAR = 11;
const NAMES = 118;
const TICKS = [0.5, 1, 2] as const;
/** Space for a figure after a bar. */
const FIGURE = 38;

/** The chart as a block of HTML. The axis is logarithmic, so that half and twice are equally long. */
export function ratios(id: string, title: string, groups: readonly RatioGroup[]): string {
  const all = groups.flatMap((group) => group.ratios);
  const greatest = Math.max(2, ...all.map(({ value }) => Math.max(value, 1 / value)));
  const x = scaleLog([1 / greatest, greatest], [NAMES + FIGURE, WIDTH - FIGURE]);
  const middle = round(x(1));
  const parts: string[] = [];
  let y = 16;
  for (const { heading, ratios: rows } of groups) {
    parts.push(`<text class="name ours" x="0" y="${y + 12}">${escaped(heading)}</text>`);
    y += HEADING;
    for (const { name, value } of rows) {
      const at = round(x(value));
      const isLoss = value < 1;
      const from = Math.min(at, middle);
      const label = isLoss ? `x="${round(from - 4)}" text-anchor="end"` : `x="${round(Math.max(at, middle) + 4)}"`;
      parts.push(`<text class="name" x="0" y="${y + 10}">${escaped(name)}</text>
        <rect class="bar ${isLoss ? "loss" : "ours"}" x="${from}" y="${y}" width="${round(Math.max(1, Math.abs(at - middle)))}" height="${BAR}" rx="2"/>
        <text class="value" ${label} y="${y + BAR - 1.5}">${escaped(text(value))}</text>`);
      y += ROW;
    }
    y += 4;
  }
  const axis = TICKS.map((tick) => {
    const at = round(x(tick));
    return `<path class="${tick === 1 ? "axis" : "mark"}" d="M${at} 14V${y - 4}"/><text class="value" x="${at}" y="10" text-anchor="middle">${tick}×</text>`;
  });
  const words = groups.map(
    (group) => `${group.heading}: ${group.ratios.map(({ name, value }) => `${text(value)} ${name}`).join(", ")}`,
  );
  return figure({
    id,
    title,
    description: words.join("; "),
    height: y,
    content: [...axis, ...parts].join("\n"),
    legend: [
      ["ours", "we are faster"],
      ["loss", "we are slower"],
    ],
  });
}

const text = (value: number): string => `${value.toFixed(2)}×`;
