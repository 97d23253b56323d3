/** Ids have the order of a stable sort, which is found in slices. */
import { expect, test } from "vitest";
import { sortedOrder } from "../src/names/sorted-order.ts";
import { TimeSlices } from "../src/store/time-slices.ts";
import { randomFrom } from "./reference/vectors/random.ts";

test.each([0, 1, 2, 100, 8191, 8192, 8193, 70_000])("%i numbers", async (n) => {
  const random = randomFrom(n);
  for (const below of [1, 3, 2 ** 11, 2 ** 31, 2 ** 32]) {
    const numbers = Uint32Array.from({ length: n }, () => random(below));
    const expected = [...numbers.keys()].sort((a, b) => numbers[a]! - numbers[b]! || a - b);
    expect([...(await sortedOrder(numbers, n, new TimeSlices()))]).toEqual(expected);
  }
});

test("numbers beyond the first n are left out", async () => {
  expect([...(await sortedOrder(Uint32Array.of(5, 3, 4, 0), 3, new TimeSlices()))]).toEqual([1, 2, 0]);
});

test("other work runs while a million numbers are sorted", async () => {
  let turns = 0;
  const look = setInterval(() => turns++, 0);
  const numbers = Uint32Array.from({ length: 1_000_000 }, (_, i) => 1_000_000 - i);
  // Each step counts, so that the number of turns does not depend on the machine.
  const order = await sortedOrder(numbers, numbers.length, new TimeSlices(10));
  clearInterval(look);
  expect(order[0]).toBe(999_999);
  expect(turns).toBeGreaterThan(20);
});
