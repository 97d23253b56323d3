/** Retention by metric: what is hidden and refused, and what is deleted when blocks are merged. The model tests use rules, too. */
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { MetricRef, Retention, Series, SeriesOptions } from "../src/api.ts";
import { files, memory } from "../src/drivers/files.ts";
import { openWith } from "../src/open.ts";
import { readOptions } from "../src/options.ts";
import { ForgetfulFileSystem } from "./harness/forgetful-file-system.ts";
import { randomFrom } from "./reference/vectors/random.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** The start of a UTC week of the store. */
const START = 2800 * WEEK;

const RETENTION: Retention = {
  default: "30d",
  rules: [
    { matchers: [{ name: "__name__", op: "=~", value: "debug\\..*" }], keep: "1d" },
    { name: "bill", tags: { kind: ["a", "b"] }, keep: "forever" },
    { name: { prefix: "bi" }, keep: "90d" },
  ],
};
const KEPT: [MetricRef, number][] = [
  [{ name: "debug.x" }, DAY],
  [{ name: "debug.int", type: "int64" }, DAY],
  [{ name: "bill", tags: { kind: "a" } }, Number.POSITIVE_INFINITY],
  [{ name: "bill", tags: { kind: "c" } }, 90 * DAY],
  [{ name: "cpu" }, 30 * DAY],
];

class Place {
  disk = new ForgetfulFileSystem();
  now = START;

  async open(options: Partial<SeriesOptions> = {}): Promise<Series> {
    const settings = {
      path: "/store",
      driver: files(),
      now: () => this.now,
      maxHeadBytes: 65_536,
      retention: RETENTION,
    };
    return await openWith(readOptions({ ...settings, ...options }), this.disk);
  }
}

const timesOf = async (series: Series, metric: MetricRef) =>
  (await series.query({ metric }).toArray()).map(({ timestamp }) => timestamp);
const valueAt = ({ type }: MetricRef, time: number) => (type === "int64" ? BigInt(time) : time / 8);

test("random writes, rounds, merges and openings: all reads hide what is beyond a metric's retention", async () => {
  const random = randomFrom(7);
  const place = new Place();
  const written = KEPT.map(() => new Map<number, number | bigint>());
  let series = await place.open();
  for (let step = 0; step < 250; step++) {
    const kind = random(12);
    if (kind < 6) {
      const k = random(KEPT.length);
      const [metric, keep] = KEPT[k]!;
      const age = [HOUR, 2 * DAY, 40 * DAY, 100 * DAY][random(4)]!;
      const times = Array.from({ length: 1 + random(60) }, () => place.now - random(age));
      const accepted = times.filter((time) => time >= place.now - keep);
      const result = await series.write(
        times.map((timestamp) => ({ metric, timestamp, value: valueAt(metric, timestamp) })),
      );
      expect([result.accepted, result.refused]).toEqual([accepted.length, times.length - accepted.length]);
      for (const time of accepted) written[k]!.set(time, valueAt(metric, time));
    } else if (kind < 8) place.now += [HOUR, DAY, 10 * DAY][random(3)]!;
    else if (kind === 8) await series.flush();
    else if (kind === 9) await series.compact();
    else if (kind === 10) await series.dropOld();
    else {
      await series.close();
      series = await place.open({ maxCachedMetrics: [1, 1000][random(2)]! });
    }
    if (step % 5 > 0) continue;
    for (const [k, [metric, keep]] of KEPT.entries()) {
      const points = [...written[k]!]
        .filter(([time]) => time >= place.now - keep)
        .sort(([a], [b]) => a - b)
        .map(([timestamp, value]) => ({ timestamp, value }));
      expect(await series.query({ metric }).toArray()).toEqual(points);
      expect(await series.query({ metric, reverse: true, limit: 3 }).toArray()).toEqual(
        points.toReversed().slice(0, 3),
      );
      expect(await series.last(metric)).toEqual(points.at(-1));
      const [row] = await series.query({ metric, window: "9000w", aggregate: ["count", "max", "increase"] }).toArray();
      expect(row?.count ?? 0).toBe(points.length);
      expect(row?.max).toEqual(points.at(-1)?.value);
      const seen: unknown[] = [];
      for await (const { offsets, timestamps } of series.blocks({ metrics: [metric] }))
        seen.push(...timestamps.slice(offsets[0], offsets[1]));
      expect(seen).toEqual(points.map(({ timestamp }) => timestamp));
      // The base of an increase is hidden, too.
      const from = place.now - 12 * HOUR;
      const asked = { metric, from, to: place.now + 1, window: "9000w", aggregate: ["increase"] } as const;
      const [increase] = await series.query({ ...asked, origin: from }).toArray();
      const base =
        points.findLast(({ timestamp }) => timestamp < from) ?? points.find(({ timestamp }) => timestamp >= from);
      const newest = points.at(-1);
      if (
        newest !== undefined &&
        newest.timestamp >= from &&
        points.filter(({ timestamp }) => timestamp >= from).length > 1
      )
        expect(increase!.increase).toBeCloseTo(Number(newest.value) - Number(base!.value));
    }
  }
  await series.close();
}, 60_000);

describe("writeScrape", () => {
  test.each([
    [false, [1, 2, 3, 4], { accepted: 2, refused: 2, firstRefused: 0 }],
    [true, [Number.NaN, 2, Number.NaN, 4], { accepted: 1, refused: 1, firstRefused: 3 }],
    [true, [1, 2, 3, Number.NaN], { accepted: 2, refused: 1, firstRefused: 0 }],
  ])("skipNaN %s: refuses the metrics that are kept for a shorter time", async (skipNaN, values, expected) => {
    const series = await openWith(
      readOptions({ driver: memory(), now: () => START, retention: RETENTION }),
      new ForgetfulFileSystem(),
    );
    const set = await series.metricSet([{ name: "debug.x" }, { name: "cpu" }, { name: "bill" }, { name: "debug.y" }]);
    expect(await series.writeScrape(START - 2 * DAY, set, Float64Array.from(values), { skipNaN })).toMatchObject(
      expected,
    );
    expect(await series.writeScrape(START - 100 * DAY, set, Float64Array.of(1, 2, 3, 4))).toMatchObject({
      accepted: 0,
      refused: 4,
    });
    expect(await series.writeScrape(START + 9 * DAY, set, Float64Array.of(1, 2, 3, 4))).toMatchObject({
      accepted: 0,
      refused: 4,
    });
    expect(await timesOf(series, { name: "debug.x" })).toEqual([]);
    await series.close();
  });
});

/** A store with two weeks of a metric that is kept for a day, beside one of the default. */
async function filled(place: Place, options: Partial<SeriesOptions> = {}): Promise<Series> {
  const series = await place.open(options);
  for (const name of ["debug.x", "cpu"])
    for (let day = 0; day < 14; day++) {
      place.now = START + day * DAY + HOUR;
      const times = Float64Array.from({ length: 2000 }, (_, i) => START + day * DAY + i * 1000);
      const random = randomFrom(day);
      await series.writeColumn(
        { name },
        times,
        times.map(() => random(2 ** 30)),
      );
      await series.flush();
    }
  return series;
}

describe("bytes are freed", () => {
  test("by compact(), of whole and of partly expired blocks", async () => {
    const place = new Place();
    let series = await filled(place, { retention: "30d" });
    await series.compact();
    const before = (await series.stats()).diskBytes;
    await series.close();
    series = await place.open();
    expect(await timesOf(series, { name: "cpu" })).toHaveLength(28_000);
    expect(await timesOf(series, { name: "debug.x" })).toHaveLength(2000);
    await series.compact();
    const after = (await series.stats()).diskBytes;
    expect(after).toBeLessThan(0.6 * before);
    await series.close();
    // They are gone, not hidden.
    series = await place.open({ retention: "30d" });
    expect(await timesOf(series, { name: "debug.x" })).toHaveLength(2000);
    expect(await timesOf(series, { name: "cpu" })).toHaveLength(28_000);
    expect(await series.check()).toEqual([]);
    await series.close();
    series = await place.open();
    await series.compact();
    // Nothing is left to do.
    expect((await series.stats()).hoursWritten).toBe(0);
    await series.close();
  });

  test("by rounds: a block is written again once, when a retention has passed for all of it", async () => {
    const place = new Place();
    let series = await filled(place, { retention: "30d" });
    await series.compact();
    await series.close();
    series = await place.open();
    const merges = async () => {
      place.now += 11_000;
      await series.write([{ metric: { name: "cpu" }, timestamp: place.now, value: 1 }]);
      // Merging writes at a limited speed.
      await setTimeout(300);
      return (await series.stats()).hoursWritten;
    };
    const before = (await series.stats()).diskBytes;
    // The first week is older than a day, the second one has newer points.
    expect(await merges()).toBe(1);
    expect((await series.stats()).diskBytes).toBeLessThan(0.8 * before);
    expect(await merges()).toBe(1);
    await series.close();
  });

  test("by dropOld(), with the clock as it is, also without a default", async () => {
    const place = new Place();
    let series = await filled(place, { retention: "30d" });
    await series.close();
    place.now = START + 20 * DAY;
    series = await place.open({ retention: { rules: RETENTION.rules } });
    await series.dropOld();
    await series.close();
    series = await place.open({ retention: "30d" });
    expect(await timesOf(series, { name: "debug.x" })).toEqual([]);
    expect(await timesOf(series, { name: "cpu" })).toHaveLength(28_000);
    await series.close();
  });

  test("of forgotten metrics when their blocks are merged", async () => {
    const place = new Place();
    const series = await filled(place, { retention: "30d" });
    await series.compact();
    const before = (await series.stats()).diskBytes;
    await series.delete({ metric: { name: "debug.x" } });
    await series.compact();
    expect((await series.stats()).diskBytes).toBeLessThan(0.6 * before);
    await series.close();
  });

  test("not by one wrong reading of the clock", async () => {
    const place = new Place();
    let series = await filled(place);
    place.now += 400 * DAY;
    expect(await timesOf(series, { name: "cpu" })).toEqual([]);
    await series.write([{ metric: { name: "bill" }, timestamp: place.now, value: 1 }]);
    for (let i = 0; i < 200; i++) await new Promise(setImmediate);
    place.now -= 400 * DAY;
    await series.close();
    series = await place.open();
    expect(await timesOf(series, { name: "cpu" })).toHaveLength(28_000);
    expect(await timesOf(series, { name: "debug.x" })).toHaveLength(2000);
    await series.close();
  });
});

test("a reader has its own rules", async () => {
  const place = new Place();
  const series = await filled(place, { retention: "30d" });
  const reader = await place.open({ readOnly: true });
  expect(await timesOf(reader, { name: "debug.x" })).toHaveLength(2000);
  expect(await timesOf(reader, { name: "cpu" })).toHaveLength(28_000);
  await reader.close();
  await series.close();
});

test.each([
  [{}, "the rules of retention must be a list of at most 250 rules"],
  [[], "retention must be an object"],
  [{ rules: Array.from({ length: 251 }, () => ({ keep: "1d" })) }, "at most 250 rules"],
  [{ rules: [{ name: "a" }] }, "keep of rule 0 of retention must be"],
  [{ rules: [{ keep: 0 }] }, "keep of rule 0 of retention must be at least 1 ms"],
  [{ rules: [{ keep: "1d" }, { keep: "always" }] }, "keep of rule 1 of retention must be"],
  [{ rules: [null] }, "rule 0 of retention"],
  [{ rules: [{ keep: "1d", nam: "a" }] }, "did you mean name?"],
  [{ rules: [], defaults: "1d" }, "did you mean default?"],
  [{ rules: [], default: "x" }, "the default of retention must be"],
  [{ rules: [], default: null }, "the default of retention must be"],
  [{ rules: [{ keep: "1d", matchers: [{ name: "a", op: "~", value: "" }] }] }, "the op of matcher 0"],
  [{ rules: [{ keep: "1d", matchers: [{ name: "a", op: "=~", value: "(" }] }] }, "missing closing )"],
] as const)("retention %j is ERR_INVALID_ARGUMENT", async (retention, message) => {
  const opened = (async () =>
    await openWith(readOptions({ driver: memory(), retention: retention as never }), new ForgetfulFileSystem()))();
  await expect(opened).rejects.toMatchObject({
    code: "ERR_INVALID_ARGUMENT",
    message: expect.stringContaining(message),
  });
});
