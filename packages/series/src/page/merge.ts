/** Merges points of one metric from several sources. Of equal times the later source wins. */
import type { PagePoints } from "./page.js";
import { copyWords } from "./values.js";

/** Adds the points of `added`, `offset` milliseconds later, to `target`. Of equal times the added point wins. */
export function mergePoints(target: PagePoints, added: PagePoints, offset: number, scratch: PagePoints): void {
  const n = added.length;
  if (n === 0) return;
  target.isInt64 = added.isInt64;
  const length = target.length;
  if (length === 0 || target.times[length - 1]! < added.times[0]! + offset) append(target, added, offset);
  else {
    unite(target, added, offset, scratch);
    const { times, values } = target;
    target.times = scratch.times;
    target.values = scratch.values;
    target.length = scratch.length;
    scratch.times = times;
    scratch.values = values;
  }
}

function append(target: PagePoints, { times, values, length: n }: PagePoints, offset: number): void {
  const to = target.length;
  target.reserve(to + n);
  for (let i = 0; i < n; i++) target.times[to + i] = times[i]! + offset;
  copyWords(values.words, 2 * n, target.values.words, 2 * to);
  target.length = to + n;
}

function unite(a: PagePoints, b: PagePoints, offset: number, out: PagePoints): void {
  out.length = 0;
  out.reserve(a.length + b.length);
  const from = { a: 0, b: 0 };
  let n = 0;
  const { times } = out;
  const { words } = out.values;
  while (from.a < a.length || from.b < b.length) {
    const ta = from.a < a.length ? a.times[from.a]! : Number.POSITIVE_INFINITY;
    const tb = from.b < b.length ? b.times[from.b]! + offset : Number.POSITIVE_INFINITY;
    const source = tb <= ta ? b.values.words : a.values.words;
    const i = tb <= ta ? from.b : from.a;
    times[n] = Math.min(ta, tb);
    words[2 * n] = source[2 * i]!;
    words[2 * n + 1] = source[2 * i + 1]!;
    n++;
    if (tb <= ta) from.b++;
    if (ta <= tb) from.a++;
  }
  out.length = n;
}

/** Removes the points from `from` (inclusive) to `to` (exclusive), in milliseconds of the page. Returns their number. */
export function removePoints(points: PagePoints, from: number, to: number): number {
  const { times, length } = points;
  const { words } = points.values;
  let count = 0;
  for (let i = 0; i < length; i++) {
    if (times[i]! >= from && times[i]! < to) continue;
    times[count] = times[i]!;
    words[2 * count] = words[2 * i]!;
    words[2 * count + 1] = words[2 * i + 1]!;
    count++;
  }
  points.length = count;
  return length - count;
}
