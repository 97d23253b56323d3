/** Clocks that go back, or leap ahead, and times beyond what is accepted. Nothing is lost by a clock. */

import { openSeries, type Series, type SeriesOptions } from "@moonpack/series";
import { memoryDatabase } from "@moonpack/series-kv";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { KeptMemory } from "./harness/kept-memory.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The start of an hour. */
const START = 2800 * 168 * HOUR + 7 * HOUR;
const metric = { name: "m" };

let now: number;
let series: Series;
beforeEach(() => {
  now = START;
});
afterEach(() => series.close());

async function open(options: Partial<SeriesOptions> = {}): Promise<void> {
  series = await openSeries({ driver: memoryDatabase(), now: () => now, ...options });
}

const write = (timestamp: number, value = 1) => series.write([{ metric, timestamp, value }]);
const read = async () => (await series.query({ metric }).toArray()).map(({ timestamp }) => timestamp);
const sealedUntil = async () => (await series.stats()).sealedUntil;

/** A write starts a round that is due by the clock; it ends soon. */
async function round(): Promise<void> {
  await write(now);
  for (let i = 0; i < 20; i++) await new Promise(setImmediate);
}

test("a minute is sealed when the clock has passed its end by grace", async () => {
  await open({ grace: "10s" });
  await write(START + 5000);
  now = START + MINUTE + 9999;
  await round();
  expect(await sealedUntil()).toBeUndefined();
  // Rounds are ten seconds apart.
  now = START + MINUTE + 20_000;
  await round();
  expect(await sealedUntil()).toBe(START);
  expect((await write(START + 6000)).late).toBe(1);
  expect((await write(START + MINUTE)).late).toBe(0);
  expect(await read()).toEqual([START + 5000, START + 6000, START + MINUTE, START + MINUTE + 9999, now]);
});

test("a clock that goes back delays sealing", async () => {
  await open({ grace: 0 });
  await write(START + 1);
  now = START - 2 * HOUR;
  await round();
  await write(START + 2);
  now = START - HOUR;
  await round();
  expect(await sealedUntil()).toBeUndefined();
  expect((await write(START + 3)).late).toBe(0);
  now = START + MINUTE + 10_000;
  await round();
  expect(await sealedUntil()).toBe(START);
  expect(await read()).toEqual([START - 2 * HOUR, START - HOUR, START + 1, START + 2, START + 3, now]);
});

test("a clock that leaps ahead and comes back makes points late; all are there, the last value wins", async () => {
  await open({ grace: 0 });
  await write(START + 1);
  now = START + 3 * DAY;
  await round();
  now = START + 10_000;
  const { sealedUntil: until } = await series.stats();
  expect(until).toBe(START);
  // A round in the future seals what is there.
  await write(START + DAY);
  now = START + 5 * DAY;
  await round();
  now = START + 20_000;
  expect(await write(START + 2, 5)).toMatchObject({ accepted: 1, late: 1 });
  expect(await write(START + 1, 7)).toMatchObject({ accepted: 1, late: 1 });
  now += 10_000;
  await round();
  await series.flush();
  const points = await series.query({ metric, to: START + HOUR }).toArray();
  expect(points.slice(0, 2)).toEqual([
    { timestamp: START + 1, value: 7 },
    { timestamp: START + 2, value: 5 },
  ]);
  expect(await read()).toEqual(
    expect.arrayContaining([START + 1, START + 2, START + DAY, START + 3 * DAY, START + 5 * DAY]),
  );
});

describe("points that are refused", () => {
  test("those further ahead than maxAhead", async () => {
    await open({ maxAhead: "1h" });
    const points = [0, HOUR, HOUR + 1, -5, 2 * HOUR].map((offset) => ({ metric, timestamp: START + offset, value: 1 }));
    expect(await series.write(points)).toEqual({ accepted: 3, late: 0, refused: 2, firstRefused: 2 });
    expect(await read()).toEqual([START - 5, START, START + HOUR]);
    const set = await series.metricSet([metric, { name: "n" }]);
    const values = Float64Array.of(1, 2);
    expect(await series.writeScrape(START + 2 * HOUR, set, values)).toEqual({
      accepted: 0,
      late: 0,
      refused: 2,
      firstRefused: 0,
    });
    expect(await series.writeColumn(metric, Float64Array.of(START + 2 * HOUR, START + 7), values)).toEqual({
      accepted: 1,
      late: 0,
      refused: 1,
      firstRefused: 0,
    });
    // The clock decides, when the call is made.
    now = START + HOUR;
    expect((await write(START + 2 * HOUR)).accepted).toBe(1);
    expect(await series.stats()).toMatchObject({ points: 5, refused: 5 });
  });

  test("those older than retention", async () => {
    await open({ retention: "1h" });
    expect(await write(START - HOUR)).toMatchObject({ accepted: 1 });
    expect(await write(START - HOUR - 1)).toEqual({ accepted: 0, late: 0, refused: 1, firstRefused: 0 });
    expect(await read()).toEqual([START - HOUR]);
    // Hidden from now on, though it is not deleted.
    now++;
    expect(await read()).toEqual([]);
    expect(await series.last(metric)).toBeUndefined();
    now--;
    expect(await read()).toEqual([START - HOUR]);
  });
});

describe("retention deletes by no single reading of the clock", () => {
  const DAYS = Array.from({ length: 25 }, (_, i) => START - (25 - i) * DAY);

  /** Pages of 25 days, and two points that are not sealed. */
  async function filled(): Promise<void> {
    await open({ retention: "30d", rollupAfter: false });
    for (const day of DAYS) await write(day);
    await series.flush();
    await write(START);
    await write(START + 1);
  }

  test("while the clock is 60 days ahead for a moment; what was not sealed stays too", async () => {
    await filled();
    now += 60 * DAY;
    await round();
    await series.compact();
    now = START + 10_000;
    expect(await read()).toEqual([...DAYS, START, START + 1, START + 60 * DAY]);
    await series.flush();
    expect(await read()).toEqual([...DAYS, START, START + 1, START + 60 * DAY]);
  });

  test("when it is ahead as the store is opened", async () => {
    const databases = new KeptMemory();
    const options = { retention: "30d", rollupAfter: false, driver: databases.driver() } as const;
    await open(options);
    for (const day of DAYS) await write(day);
    await series.close();
    now += 60 * DAY;
    await open({ ...options, driver: databases.driver() });
    await series.compact();
    now = START;
    expect(await read()).toEqual(DAYS);
  });

  test("when it has read so for an hour of a monotonic clock", async () => {
    await filled();
    const elapsed = vi.spyOn(performance, "now");
    try {
      const pages = async () => (await read()).length;
      const monotonic = performance.now();
      for (const [minutes, left] of [
        [0, 28],
        [59, 29],
        [61, 3],
      ] as const) {
        elapsed.mockReturnValue(monotonic + minutes * MINUTE);
        now = START + 60 * DAY + minutes * MINUTE;
        await round();
        const ahead = now;
        now = START;
        expect([minutes, await pages()]).toEqual([minutes, left]);
        now = ahead;
      }
    } finally {
      elapsed.mockRestore();
    }
  });

  test("dropOld() trusts the clock as it is", async () => {
    await filled();
    now += 60 * DAY;
    await series.flush();
    await series.dropOld();
    now = START;
    expect(await read()).toEqual([]);
  });

  test("compact() deletes what was beyond retention when the last minute was sealed", async () => {
    await filled();
    now += 60 * DAY;
    await write(now);
    await series.flush();
    await series.compact();
    now = START;
    expect(await read()).toEqual([START + 60 * DAY]);
  });
});
