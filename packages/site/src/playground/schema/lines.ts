// Lines of a text, for places that people read.
import type { Place } from "./evaluate/source-error.ts";

/** The line that holds an offset: its number, from 1, and where it begins. */
export function lineOf(text: string, offset: number): { readonly number: number; readonly from: number } {
  let number = 1;
  let from = 0;
  for (let next = text.indexOf("\n"); next >= 0 && next < offset; next = text.indexOf("\n", from)) {
    number++;
    from = next + 1;
  }
  return { number, from };
}

/** The lines of some places in words: `line 3`, `lines 3, 7 to 9`. At most five are named. */
export function lineRanges(text: string, places: readonly Place[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const { start, end } of places) {
    const first = lineOf(text, start).number;
    const last = lineOf(text, end).number;
    const before = ranges.at(-1);
    if (before !== undefined && first <= before.last + 1) before.last = Math.max(before.last, last);
    else ranges.push({ first, last });
  }
  const words = ranges.slice(0, 5).map(({ first, last }) => (first === last ? `${first}` : `${first} to ${last}`));
  const [range] = ranges;
  const one = ranges.length === 1 && range?.first === range?.last;
  return `${one ? "line" : "lines"} ${words.join(", ")}${ranges.length > 5 ? " and more" : ""}`;
}
