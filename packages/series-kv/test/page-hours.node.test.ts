/** Pages of whole hours, 16 metrics of 1,200 points of all kinds of data, against the slow implementation. */

import { PagePoints } from "@moonpack/series/driver";
import { hexOf, placed, slotOf } from "@moonpack/series/test/harness/points.ts";
import { floatOf } from "@moonpack/series/test/reference/bytes.ts";
import { encodePage, type Page, type Slot } from "@moonpack/series/test/reference/page.ts";
import type { Values } from "@moonpack/series/test/reference/values.ts";
import { listOf, type Random, randomFrom } from "@moonpack/series/test/reference/vectors/random.ts";
import { SHARE } from "@moonpack/tools/share";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PageReader, PageWriter } from "../src/page/page.ts";

const POINTS = 1200;
const GAP = 3000;
const SPECIALS: readonly number[] = [Number.NaN, -0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

/** Times that metrics of one scrape share, or that they have alone. */
const TIMES = new Map<string, (random: Random) => number[]>([
  ["a grid", (random) => grid(random(GAP))],
  ["some missing", (random) => grid(random(GAP)).filter(() => random(20) !== 0)],
  ["noise of 3 ms", (random) => grid(random(2900)).map((time) => time + random(4))],
  ["noise of 2 s", (random) => grid(random(900)).map((time) => time + random(2000))],
  ["one long pause", (random) => grid(random(GAP)).filter((_, i) => i < 300 || i > 900)],
  ["bursts", (random) => listOf(POINTS, (i) => Math.floor(i / 12) * 36_000 + (i % 12) * 20 + random(2) * 3)],
]);

function grid(first: number): number[] {
  return listOf(POINTS, (i) => first + i * GAP);
}

/** Values of one metric, `n` of them. */
const VALUES = new Map<string, (random: Random, n: number) => Values>([
  ["uniform", (random, n) => ({ floats: listOf(n, () => random(1001)) })],
  ["walk", (random, n) => ({ floats: sums(n, 500, () => random(11) - 5) })],
  ["constant", (_, n) => ({ floats: listOf(n, () => 42) })],
  ["rarely changing", (random, n) => ({ floats: sums(n, 0, () => (random(100) === 0 ? random(9) : 0)) })],
  ["counter", (random, n) => ({ floats: sums(n, 1e9, () => 1000 + random(50)) })],
  ["two decimals", (random, n) => ({ floats: sums(n, 2000, () => random(41) - 20).map((m) => m / 100) })],
  ["32 bits", (random, n) => ({ floats: listOf(n, () => Math.fround(random(5000) / 1000)) })],
  ["sums of decimals", (random, n) => ({ floats: listOf(n, () => (1 + random(90)) * 0.1) })],
  ["unrelated", (random, n) => ({ floats: listOf(n, () => bitsOf(random)) })],
  ["sine", (_, n) => ({ floats: listOf(n, (i) => Math.sin(i / 50)) })],
  ["specials", (random, n) => ({ floats: listOf(n, () => (random(30) === 0 ? SPECIALS[random(4)]! : random(500))) })],
  ["int64", (random, n) => ({ int64s: listOf(n, () => BigInt(random(2 ** 32)) - 2n ** 31n) })],
  ["int64 ids", (random, n) => ({ int64s: listOf(n, (i) => 2n ** 62n + BigInt(i) * 4194304n + BigInt(random(99))) })],
  ["int64 hashes", (random, n) => ({ int64s: listOf(n, () => BigInt.asIntN(64, BigInt(random(2 ** 32)) ** 2n)) })],
]);

function sums(n: number, first: number, step: () => number): number[] {
  let value = first;
  return listOf(n, () => (value += step()));
}

/** A finite float of any bits. */
function bitsOf(random: Random): number {
  return floatOf((BigInt(random(0x7ff0_0000)) << 32n) | BigInt(random(2 ** 32)));
}

const kinds = [...VALUES.keys()];
const shapes = [...TIMES.keys()];
/** Every third in a share: the slow implementation takes half a second for a page. */
const some = (names: readonly string[]) => (SHARE < 1 ? names.filter((_, i) => i % 3 === 0) : names);
const page = fc.record({
  seed: fc.nat({ max: 2 ** 31 }),
  shapes: fc.array(fc.constantFrom(...shapes), { minLength: 1, maxLength: 3 }),
  kinds: fc.array(fc.constantFrom(...kinds), { minLength: 16, maxLength: 16 }),
});

const writer = new PageWriter();
const reader = new PageReader();

function check(page: Page): void {
  const { key, bytes } = encodePage(page);
  const keyBytes = Uint8Array.from(key);
  const written = writer.write(keyBytes, page.span, placed(page.slots));
  // Not the texts themselves: a difference of 100 KB takes minutes to print.
  expect(hexOf(written) === hexOf(bytes)).toBe(true);
  const read: Slot[] = [];
  reader.read(keyBytes, written, 0xffff, new PagePoints(), (slot, points) => read.push(slotOf(slot, points)));
  expect(read).toEqual(page.slots);
  reader.read(keyBytes, written, 1 << 15, new PagePoints(), (slot, points) =>
    expect(slotOf(slot, points)).toEqual(page.slots.at(-1)),
  );
}

test("any hour", () =>
  fc.assert(
    fc.property(page, (chosen) => {
      const random = randomFrom(chosen.seed);
      const columns = chosen.shapes.map((shape) => TIMES.get(shape)!(random));
      const slots = chosen.kinds.map((kind, slot): Slot => {
        const times = columns[random(columns.length)]!;
        return { slot, times, ...VALUES.get(kind)!(random, times.length) };
      });
      check({ minute: 60 * random(1e6), group: random(2 ** 27), span: 60, slots });
    }),
    { numRuns: 10, endOnFailure: true },
  ));

test.each(some(kinds))("16 metrics of one kind, %s", (kind) => {
  const random = randomFrom(kinds.indexOf(kind));
  const times = grid(1250);
  const slots = listOf(16, (slot): Slot => ({ slot, times, ...VALUES.get(kind)!(random, POINTS) }));
  check({ minute: 28_333_320, group: 7, span: 60, slots });
});

test.each(some(shapes))("metrics with different times, %s", (shape) => {
  const random = randomFrom(shapes.indexOf(shape));
  const slots = [0, 7, 15].map((slot): Slot => {
    const times = TIMES.get(shape)!(random);
    return { slot, times, floats: times.map((_, i) => i % 7) };
  });
  check({ minute: 28_333_320, group: 7, span: 60, slots });
});
