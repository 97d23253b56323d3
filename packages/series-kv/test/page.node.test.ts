/** Pages against the slow implementation: the same bytes, and what it wrote reads back. */

import { PagePoints } from "@moonpack/series/driver";
import { hexOf, placed, slotOf } from "@moonpack/series/test/harness/points.ts";
import { pageExample, timeExamples, valueExamples } from "@moonpack/series/test/reference/examples.ts";
import { encodePage, type Page, type Slot } from "@moonpack/series/test/reference/page.ts";
import type { Values } from "@moonpack/series/test/reference/values.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PageReader, PageWriter } from "../src/page/page.ts";

const MINUTE = 60_000;

const writer = new PageWriter();
const reader = new PageReader();

function check(page: Page): void {
  const { key, bytes } = encodePage(page);
  const keyBytes = Uint8Array.from(key);
  const written = writer.write(keyBytes, page.span, placed(page.slots));
  expect(hexOf(written)).toBe(hexOf(bytes));
  const read: Slot[] = [];
  reader.read(keyBytes, written, 0xffff, new PagePoints(), (slot, points) => read.push(slotOf(slot, points)));
  expect(read).toEqual(page.slots);
  // Each slot alone: the others are passed over.
  for (const wanted of page.slots) {
    reader.read(keyBytes, written, 1 << wanted.slot, new PagePoints(), (slot, points) =>
      expect(slotOf(slot, points)).toEqual(wanted),
    );
  }
}

const anyDouble = fc.double().map((v) => (Number.isNaN(v) ? Number.NaN : v));
/** Values of one kind for a whole block: decimals, integers, floats of 32 bits, neighbours of decimals, anything. */
const block = (n: number): fc.Arbitrary<Values> => {
  const many = (value: fc.Arbitrary<number>) => fc.array(value, { minLength: n, maxLength: n });
  const small = fc.integer({ min: -1000, max: 1000 });
  const e = fc.integer({ min: 0, max: 15 });
  const special = fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0);
  const numbers: fc.Arbitrary<number[]> = fc.oneof(
    many(small),
    many(fc.integer({ min: -(2 ** 31), max: 2 ** 31 })),
    many(fc.maxSafeInteger()),
    many(fc.constantFrom(0, 7)),
    fc.tuple(e, many(fc.integer())).map(([power, list]) => list.map((m) => m / 10 ** power + 0)),
    fc.tuple(e, many(small)).map(([power, list]) => list.map((m) => Math.fround(m / 10 ** power) + 0)),
    many(small).map((list) => list.map((m) => m * 0.1 + 0)),
    many(anyDouble),
  );
  const withSpecials = fc
    .tuple(numbers, fc.array(fc.tuple(fc.nat({ max: n - 1 }), special), { maxLength: 3 }))
    .map(([list, specials]) => {
      const floats = [...list];
      for (const [at, value] of specials) floats[at] = value;
      return { floats };
    });
  const int64s = fc.oneof(
    fc.bigInt({ min: -1000n, max: 1000n }),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  );
  const near = fc
    .tuple(
      fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }),
      fc.array(fc.bigInt({ min: 0n, max: 2n ** 40n }), { minLength: n, maxLength: n }),
    )
    .map(([first, steps]) => steps.map((step) => first + step));
  return fc.oneof(
    { arbitrary: withSpecials, weight: 4 },
    { arbitrary: fc.array(int64s, { minLength: n, maxLength: n }).map((list) => ({ int64s: list })), weight: 1 },
    { arbitrary: near.map((list) => ({ int64s: list })), weight: 1 },
  );
};

const ascending = (milliseconds: number): fc.Arbitrary<number[]> =>
  fc.oneof(
    fc
      .uniqueArray(fc.nat({ max: milliseconds - 1 }), { minLength: 1, maxLength: 140 })
      .map((t) => t.sort((a, b) => a - b)),
    fc
      .tuple(fc.nat({ max: 999 }), fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 140 }))
      .map(([first, step, n]) => Array.from({ length: n }, (_, i) => first + i * step)),
    fc
      .tuple(
        fc.integer({ min: 1, max: 140 }),
        fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 140, maxLength: 140 }),
      )
      .map(([n, noise]) => Array.from({ length: n }, (_, i) => 10 + i * 400 + noise[i]!)),
  );

const page: fc.Arbitrary<Page> = fc.constantFrom<1 | 60>(1, 60).chain((span) =>
  fc
    .record({
      minute: fc.nat({ max: 60_000_000 }),
      group: fc.nat({ max: 2 ** 27 - 1 }),
      // The slow implementation writes a digit for each millisecond: an hour of them would take seconds.
      times: fc.array(ascending(span === 1 ? MINUTE : 2 * MINUTE), { minLength: 1, maxLength: 3 }),
      present: fc.uniqueArray(fc.nat({ max: 15 }), { minLength: 1, maxLength: 4 }),
      choice: fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
    })
    .chain(({ minute, group, times, present, choice }) => {
      const slots = present
        .sort((a, b) => a - b)
        .map((slot, i) => {
          const own = times[choice[i]! % times.length]!;
          return block(own.length).map((values): Slot => ({ slot, times: own, ...values }));
        });
      return fc.tuple(...slots).map((list): Page => ({ minute, group, span, slots: list }));
    }),
);

test("the example of the format's page", () => check(pageExample.page));

test.each(timeExamples)("$name", ({ times }) =>
  check({ ...pageExample.page, slots: [{ slot: 5, times, floats: times.map(() => 1) }] }));

test.each(valueExamples)("values $name", ({ name: _, hex: __, ...values }) => {
  const n = "floats" in values ? values.floats.length : values.int64s.length;
  check({
    ...pageExample.page,
    slots: [{ slot: 15, times: Array.from({ length: n }, (_, i) => i), ...(values as Values) }],
  });
});

test("any page", () => fc.assert(fc.property(page, check), { numRuns: 300 }));

test("a page with any byte changed is refused", () => {
  const { key, bytes } = encodePage(pageExample.page);
  const keyBytes = Uint8Array.from(key);
  const read = (changed: Uint8Array, of = keyBytes) => reader.read(of, changed, 0xffff, new PagePoints(), () => {});
  for (let i = 0; i < bytes.length; i++) {
    for (let bit = 0; bit < 8; bit++) {
      const changed = Uint8Array.from(bytes);
      changed[i]! ^= 1 << bit;
      expect(() => read(changed)).toThrow();
    }
    expect(() => read(Uint8Array.from(bytes.slice(0, i)))).toThrow();
  }
  const other = Uint8Array.from(key);
  other[7]! ^= 1;
  expect(() => read(Uint8Array.from(bytes), other)).toThrow("checksum");
});
