// The figures of a race as rows: one for each library, with a bar for each of its formats.
import { CODECS, type CodecId } from "./codecs.ts";

/** A figure and its bar. */
export interface Line {
  readonly id: CodecId;
  readonly format: string;
  readonly figure: number;
  /** The length of the bar in percent: in proportion to the figure. */
  readonly length: number;
}

/** A library. */
export interface LibraryRow {
  readonly library: string;
  readonly isOurs: boolean;
  readonly lines: readonly Line[];
}

/** The rows of figures, in their order. The bar of the greatest figure is whole. */
export function rowsOf(figures: readonly { readonly id: CodecId; readonly figure: number }[]): LibraryRow[] {
  const most = Math.max(...figures.map(({ figure }) => figure));
  const rows = new Map<string, { library: string; isOurs: boolean; lines: Line[] }>();
  for (const { id, figure } of figures) {
    const { library, format, isOurs } = CODECS[id];
    const row = rows.get(library) ?? { library, isOurs, lines: [] };
    rows.set(library, row);
    row.lines.push({ id, format, figure, length: (100 * figure) / most });
  }
  return [...rows.values()];
}
