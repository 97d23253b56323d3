/** Vectors of pages: slots, shared and own time columns, both spans, and the limits of keys. */
import { hexOf } from "../bytes.ts";
import { pageExample } from "../examples.ts";
import { encodePage, type Page, type Slot } from "../page.ts";
import { slotOf, type Vector } from "./notation.ts";
import { listOf, type Random, randomFrom } from "./random.ts";

const HOUR = 3_600_000;
const MINUTES_OF_WEEK = 10_080;

function vector(name: string, page: Page): Vector {
  const { key, bytes } = encodePage(page);
  const { minute, group, span, slots } = page;
  return { name, minute, group, span, slots: slots.map(slotOf), key: hexOf(key), bytes: hexOf(bytes) };
}

/** A metric that is scraped every three seconds. */
function scrape(random: Random, slot: number, first: number): Slot {
  return { slot, times: listOf(20, (i) => first + 3000 * i), floats: listOf(20, () => random(1001)) };
}

/** Any times below `end`. */
function anyTimes(random: Random, end: number): number[] {
  const step = 1 + random(400);
  const times: number[] = [];
  for (let at = random(2000); at < end && times.length < 25; at += step * (1 + random(3) * random(2))) times.push(at);
  return times.length > 0 ? times : [0];
}

function anySlot(random: Random, slot: number, times: readonly number[]): Slot {
  if (random(4) === 0) return { slot, times, int64s: times.map(() => BigInt(random(2 ** 30)) ** 2n - 2n ** 40n) };
  const power = 10 ** random(4);
  return { slot, times, floats: times.map(() => (random(2000) - 1000) / power + 0) };
}

function anyPage(random: Random): Page {
  const span = random(2) === 0 ? 1 : 60;
  const columns = listOf(1 + random(3), () => anyTimes(random, span * 60_000));
  const slots = listOf(16, (slot) => slot).filter(() => random(3) === 0);
  return {
    minute: 60 * random(1e6),
    group: random(2 ** 27),
    span,
    slots: (slots.length > 0 ? slots : [15]).map((slot) => anySlot(random, slot, columns[random(columns.length)]!)),
  };
}

export function pageVectors(): Vector[] {
  const random = randomFrom(5);
  const one: Slot = { slot: 0, times: [0], floats: [1] };
  const edge = { span: 1, slots: [one] } as const;
  return [
    vector(pageExample.name, pageExample.page),
    vector("the first minute and the first group", { ...edge, minute: 0, group: 0 }),
    vector("the last minute of a week", { ...edge, minute: MINUTES_OF_WEEK - 1, group: 1 }),
    vector("the first minute of the next week", { ...edge, minute: MINUTES_OF_WEEK, group: 1 }),
    vector("the last minute that a key can name, and the last group", {
      ...edge,
      minute: 65_536 * MINUTES_OF_WEEK - 1,
      group: 2 ** 27 - 1,
    }),
    vector("16 metrics of one scrape: one column", {
      minute: 28_333_333,
      group: 0,
      span: 1,
      slots: listOf(16, (slot) => scrape(random, slot, 1250)),
    }),
    vector("16 metrics with times of their own: 16 columns", {
      minute: 28_333_333,
      group: 1,
      span: 1,
      slots: listOf(16, (slot): Slot => ({ slot, times: [slot, 100 + slot * slot], floats: [slot, slot / 2] })),
    }),
    vector("columns in the order of their first use", {
      minute: 28_333_333,
      group: 2,
      span: 1,
      slots: [
        { slot: 2, times: [5], floats: [1] },
        { slot: 7, times: [4], floats: [2] },
        { slot: 9, times: [5], floats: [3] },
        { slot: 11, times: [4], int64s: [2n ** 62n] },
      ],
    }),
    vector("a single point in the last slot", {
      minute: 28_333_334,
      group: 3,
      span: 1,
      slots: [{ slot: 15, times: [59_999], floats: [Number.NaN] }],
    }),
    vector("an hour, with its last millisecond", {
      minute: 28_333_320,
      group: 3,
      span: 60,
      slots: [
        { slot: 0, times: listOf(60, (i) => 60_000 * i), floats: listOf(60, (i) => 20 + (i % 9) / 10) },
        { slot: 1, times: [HOUR - 1], int64s: [-1n] },
      ],
    }),
    ...listOf(12, (i) => vector(`random ${i}`, anyPage(random))),
  ];
}
