/** Minutes of the head: few and many groups, rounds between writes, memory that is used again. */
import { randomSource } from "@moonpack/harness/random.ts";
import { expect, test } from "vitest";
import { Head } from "../build/head/head.js";
import { groupsOf } from "../build/head/head-minute.js";
import { PagePoints } from "../build/page/page.js";
import { Values64 } from "../build/page/values.js";

const MINUTE = 60_000;

test("points of any metrics and minutes are found until a round drops them", () => {
  const random = randomSource(33);
  const head = new Head();
  const points = new PagePoints();
  const values = new Values64(1);
  let expected = new Map<string, Map<number, number>>();
  for (let round = 0; round < 8; round++) {
    const groups = 1 + random(12);
    for (let i = 0; i < 2000; i++) {
      const id = random(16 * groups);
      const minute = random(201);
      const time = 1000 * random(60);
      values.floats[0] = i;
      head.addPoints(id, Float64Array.of(minute * MINUTE + time), 1, values, false, round);
      const key = `${minute} ${id}`;
      expected.set(key, (expected.get(key) ?? new Map()).set(time, i));
    }
    const last = 50 + random(201);
    const minutes = head.freeze(last);
    const found = new Map<string, Map<number, number>>();
    for (const minute of minutes)
      for (const group of groupsOf([minute]))
        for (let slot = 0; slot < 16; slot++) {
          const isThere = head.collect(minute, 16 * group + slot, points);
          if (isThere !== ((minute.slots(group) & (1 << slot)) !== 0)) throw new Error(`slot ${slot} of ${group}`);
          if (!isThere) continue;
          const list = Array.from(
            { length: points.length },
            (_, i) => [points.times[i]!, points.values.floats[i]!] as const,
          );
          found.set(`${minute.minute} ${16 * group + slot}`, new Map(list));
        }
    const isDue = (key: string) => Number(key.split(" ")[0]) <= last;
    const sorted = (map: Map<string, Map<number, number>>) =>
      [...map].map(([key, list]) => [key, [...list].sort((a, b) => a[0] - b[0])]).sort();
    expect(sorted(found)).toEqual(sorted(new Map([...expected].filter(([key]) => isDue(key)))));
    head.drop(minutes);
    expected = new Map([...expected].filter(([key]) => !isDue(key)));
    expect(head.hasMinutes(last)).toBe(false);
  }
  head.drop(head.freeze(Number.POSITIVE_INFINITY));
  expect(head.points).toBe(0);
  expect(head.bytes).toBe(0);
});
