/** Grouped bars as a picture: a self-contained SVG of fixed size on white, so that it is readable on any page. */

/** One bar. Without a value it is marked as not measured. */
export interface Bar {
  readonly title: string;
  readonly value: number | undefined;
  /** The colour; the same in all groups for the same candidate. */
  readonly color: string;
}

/** Bars to compare with each other. */
export interface BarGroup {
  readonly title: string;
  readonly bars: readonly Bar[];
}

/** Groups over one axis, which begins at 0. */
export interface BarPanel {
  readonly title: string;
  readonly groups: readonly BarGroup[];
  /** Formats a value behind its bar. */
  readonly format: (value: number) => string;
}

const WIDTH = 720;
/** Width for the titles of bars. */
const LEFT = 190;
/** Width for the longest value behind the longest bar. */
const RIGHT = 90;
const BAR = 16;
const GAP = 10;
const TITLE = 30;
const MARGIN = 12;

/** A picture of panels, one below the other. `label` describes it for screen readers; `left` is the width for titles. */
export function barChart(label: string, panels: readonly BarPanel[], left = LEFT): string {
  const parts: string[] = [];
  let y = MARGIN;
  for (const panel of panels) {
    parts.push(text(MARGIN, y + 18, panel.title, 'font-weight="bold"'));
    y += TITLE;
    const most = Math.max(...panel.groups.flatMap(({ bars }) => bars.map(({ value }) => value ?? 0)), Number.MIN_VALUE);
    for (const { title, bars } of panel.groups) {
      parts.push(text(MARGIN, y + BAR - 4, title, ""));
      for (const bar of bars) {
        parts.push(...barAt(left, y, bar, (WIDTH - left - RIGHT) / most, panel.format));
        y += BAR + 2;
      }
      y += GAP;
    }
    y += GAP;
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img"` +
      ` font-family="sans-serif" font-size="12">`,
    `<title>${escaped(label)}</title>`,
    `<rect width="${WIDTH}" height="${y}" fill="#fff"/>`,
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}

function barAt(
  left: number,
  y: number,
  { title, value, color }: Bar,
  perUnit: number,
  format: (value: number) => string,
): string[] {
  const name = text(left - 8, y + BAR - 4, title, 'text-anchor="end"');
  if (value === undefined) return [name, text(left, y + BAR - 4, "not measured", 'fill="#777"')];
  const width = Math.max(1, Math.round(value * perUnit));
  return [
    name,
    `<rect x="${left}" y="${y}" width="${width}" height="${BAR}" fill="${color}"/>`,
    text(left + width + 6, y + BAR - 4, format(value), ""),
  ];
}

function text(x: number, y: number, content: string, attributes: string): string {
  return `<text x="${x}" y="${y}"${attributes === "" ? "" : ` ${attributes}`}>${escaped(content)}</text>`;
}

function escaped(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
