/** Ids: form, uniqueness, order, and what they keep in memory. */
import { createHash } from "node:crypto";
import { share } from "@moonpack/tools/share";
import { afterEach, expect, test, vi } from "vitest";
import { newSpanId, newTraceId, uuidv4, uuidv7 } from "../src/index.ts";

const MAKERS = { uuidv4, uuidv7, newTraceId, newSpanId };
const FORMS = {
  uuidv4: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  uuidv7: /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  newTraceId: /^(?!0{32})[0-9a-f]{32}$/,
  newSpanId: /^(?!0{16})[0-9a-f]{16}$/,
};
const NAMES = Object.keys(MAKERS) as (keyof typeof MAKERS)[];

afterEach(() => {
  vi.restoreAllMocks();
});

const timeOf = (uuid: string) => Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
const counterOf = (uuid: string) => Number.parseInt(uuid.slice(15, 18), 16);

test.each(NAMES)("%s: many of its form, no two the same", (name) => {
  const many = share(200_000, 20_000);
  const make = MAKERS[name];
  const seen = new Set<string>();
  for (let i = 0; i < many; i++) {
    const id = make();
    if (!FORMS[name].test(id)) expect(id).toMatch(FORMS[name]);
    seen.add(id);
  }
  expect(seen.size).toBe(many);
});

test("all functions together use each byte of the pool once", () => {
  const parts = new Set<string>();
  let count = 0;
  for (let i = 0; i < 20_000; i++) {
    const [four, seven, trace, span] = [uuidv4(), uuidv7(), newTraceId(), newSpanId()];
    for (const part of [four.slice(24), seven.slice(24), trace.slice(0, 12), trace.slice(20), span.slice(0, 12)]) {
      parts.add(part);
      count++;
    }
  }
  expect(parts.size).toBeGreaterThan(count - 5); // of 48 random bits, equal ones are not impossible
});

test.each(NAMES)("%s: each digit that is random has all 16 values, about as often", (name) => {
  const counts = Array.from({ length: 36 }, () => new Map<string, number>());
  for (let i = 0; i < 32_000; i++)
    [...MAKERS[name]()].forEach((digit, at) => {
      counts[at]!.set(digit, (counts[at]!.get(digit) ?? 0) + 1);
    });
  const length = MAKERS[name]().length;
  // Of version 7 the time and the counter; of both UUIDs dashes, version and variant.
  for (let at = name === "uuidv7" ? 20 : 0; at < length; at++) {
    if (name.startsWith("uuid") && [8, 13, 14, 18, 19, 23].includes(at)) continue;
    expect(counts[at]!.size, `digit ${at}`).toBe(16);
    for (const count of counts[at]!.values()) expect(Math.abs(count - 2000)).toBeLessThan(400);
  }
});

test("uuidv7: each sorts after the one before, and has the time", () => {
  const start = Date.now();
  let last = "";
  for (let i = 0; i < 200_000; i++) {
    const id = uuidv7();
    if (!(id > last)) expect.unreachable(`${id} after ${last}`);
    last = id;
  }
  expect(timeOf(last)).toBeGreaterThanOrEqual(start);
  expect(timeOf(last)).toBeLessThanOrEqual(Date.now() + 100);
});

test("uuidv7: the clock goes back, stands still, is broken", () => {
  const clock = vi.spyOn(Date, "now");
  const now = timeOf(uuidv7()) + 1000;
  clock.mockReturnValue(now);
  let last = uuidv7();
  expect(timeOf(last)).toBe(now);
  for (const time of [now - 1, now - 3_600_000, 0, -5, Number.NaN, now]) {
    clock.mockReturnValue(time);
    for (let i = 0; i < 3; i++) {
      const id = uuidv7();
      expect(id > last).toBe(true);
      expect(timeOf(id)).toBe(now);
      last = id;
    }
  }
  clock.mockReturnValue(now + 1);
  const next = uuidv7();
  expect([timeOf(next), next > last]).toEqual([now + 1, true]);
});

test("uuidv7: a counter begins below half, and its overflow goes to the time", () => {
  const clock = vi.spyOn(Date, "now");
  let now = timeOf(uuidv7()) + 1000;
  for (let i = 0; i < 1000; i++) {
    clock.mockReturnValue(++now);
    expect(counterOf(uuidv7())).toBeLessThan(0x800);
  }
  const ids = Array.from({ length: 10_000 }, uuidv7);
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids.slice(0, 2048).map(timeOf))).toEqual(new Set([now]));
  expect(timeOf(ids.at(-1)!) - now).toBeGreaterThanOrEqual(2);
  expect(timeOf(ids.at(-1)!) - now).toBeLessThanOrEqual(5);
});

test("uuidv7: 48 bits of time", () => {
  const clock = vi.spyOn(Date, "now");
  clock.mockReturnValue(0x0fed_cba9_8765);
  expect(uuidv7().slice(0, 13)).toBe("0fedcba9-8765");
});

test.each(NAMES)("%s: at most 64 bytes stay for each", (name) => {
  const make = MAKERS[name];
  const count = 100_000;
  const kept = new Array<string>(count).fill("");
  for (let i = 0; i < count; i++) kept[i] = make().slice(0, 0); // compiled before it is measured
  global.gc!();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < count; i++) kept[i] = make();
  global.gc!();
  const each = (process.memoryUsage().heapUsed - before) / count;
  expect(createHash("sha1").update(kept.join()).digest("hex")).toHaveLength(40); // all of them are in use
  expect(each).toBeGreaterThan(16);
  expect(each).toBeLessThanOrEqual(64);
});
