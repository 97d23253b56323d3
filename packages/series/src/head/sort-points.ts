/** Sorts points by time; of equal times it keeps the last written point. */
import type { PagePoints } from "../page/page.js";

/** Fewer points are sorted by insertion sort. */
const MANY = 64;
const TWO_32 = 2 ** 32;

/** Sorts points by time; of equal times the last one stays. Sorted points cost only one pass. */
export function sortPoints(points: PagePoints): void {
  const { times, length } = points;
  let i = 1;
  while (i < length && times[i]! > times[i - 1]!) i++;
  if (i >= length) return;
  if (length < MANY) insertionSort(points, i);
  else sortMany(points);
  dropEqual(points);
}

function insertionSort({ times, values: { words }, length }: PagePoints, from: number): void {
  for (let i = from; i < length; i++) {
    const time = times[i]!;
    const low = words[2 * i]!;
    const high = words[2 * i + 1]!;
    let at = i;
    for (; at > 0 && times[at - 1]! > time; at--) {
      times[at] = times[at - 1]!;
      words[2 * at] = words[2 * at - 2]!;
      words[2 * at + 1] = words[2 * at - 1]!;
    }
    times[at] = time;
    words[2 * at] = low;
    words[2 * at + 1] = high;
  }
}

/** Sorts by keys of time and index, which are numbers below 2^53. */
function sortMany({ times, values, length }: PagePoints): void {
  const keys = new Float64Array(length);
  for (let i = 0; i < length; i++) keys[i] = times[i]! * TWO_32 + i;
  keys.sort();
  const words = values.words.slice(0, 2 * length);
  for (let i = 0; i < length; i++) {
    const key = keys[i]!;
    const time = Math.floor(key / TWO_32);
    const from = key - time * TWO_32;
    times[i] = time;
    values.words[2 * i] = words[2 * from]!;
    values.words[2 * i + 1] = words[2 * from + 1]!;
  }
}

function dropEqual(points: PagePoints): void {
  const { times, length } = points;
  const { words } = points.values;
  let count = 0;
  for (let i = 0; i < length; i++) {
    if (count > 0 && times[count - 1] === times[i]) count--;
    if (count !== i) {
      times[count] = times[i]!;
      words[2 * count] = words[2 * i]!;
      words[2 * count + 1] = words[2 * i + 1]!;
    }
    count++;
  }
  points.length = count;
}
