/** Times in calls: numbers in the store's unit, Dates, and ISO texts. */
import { runInNewContext } from "node:vm";
import { memory, openSeries } from "@moonpack/series";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Series, Time } from "../src/api.ts";
import { timeArgument } from "../src/time-argument.ts";

const START = Date.UTC(2026, 0, 31, 12);
const metric = { name: "m" };

describe.each([
  ["ms", 1],
  ["s", 1000],
] as const)("unit %s", (unit, unitMs) => {
  let series: Series;
  beforeAll(async () => {
    series = await openSeries({ driver: memory(), unit, now: () => START });
    for (let i = 0; i < 5; i++) await series.write([{ metric, timestamp: (START + 60_000 * i) / unitMs, value: i }]);
  });
  afterAll(() => series.close());

  const bounds: readonly (readonly [from: Time, to: Time])[] = [
    [(START + 60_000) / unitMs, (START + 180_000) / unitMs],
    [new Date(START + 60_000), new Date(START + 180_000)],
    ["2026-01-31T12:01:00Z", "2026-01-31T12:03:00.000Z"],
    ["2026-01-31T12:01", "2026-01-31 13:03+01:00"],
    ["2026-01-31T06:31-0530", new Date(START + 180_000)],
    [runInNewContext(`new Date(${START + 60_000})`) as Date, "2026-01-31T12:03:00,0009Z"],
  ];

  test.each(bounds)("%s to %s", async (from, to) => {
    const values = async (rows: AsyncIterable<{ value: number | bigint }>) => {
      const list: unknown[] = [];
      for await (const { value } of rows) list.push(value);
      return list;
    };
    expect(await values(series.query({ metric, from, to }))).toEqual([1, 2]);
    for await (const { points } of series.select({ from, to })) expect(await values(points)).toEqual([1, 2]);
    const window = { window: "2m", aggregate: ["count"], origin: from } as const;
    const windows = [{ start: (START + 60_000) / unitMs, count: 2 }];
    expect(await series.query({ metric, from, to, ...window }).toArray()).toEqual(windows);
    for await (const { points } of series.select({ from, to, ...window }))
      expect(await points.toArray()).toEqual(windows);
    const other = { name: "other" };
    await series.write(
      Array.from({ length: 5 }, (_, i) => ({ metric: other, timestamp: (START + 60_000 * i) / unitMs, value: i })),
    );
    await series.delete({ metric: other, from, to });
    expect(await values(series.query({ metric: other }))).toEqual([0, 3, 4]);
    await series.delete({ metric: other });
  });

  const wrongTimes: readonly unknown[] = [
    Number.NaN,
    new Date(Number.NaN),
    "",
    "1",
    "now",
    "-1h",
    "2026-02-30",
    "2026-13-01",
    "2026-01-31T24:00Z",
    "2026-01-31T12Z",
    "2026-01-31T12:00:60Z",
    "2026-01-31T12:00+24:00",
    "2026-01-31T12:00Z ",
    "31 January 2026",
    1n,
    true,
    null,
    {},
    [],
    { getTime: () => START },
    Object.create(Date.prototype),
  ];
  test.each(wrongTimes.map((time) => ({ time })))("wrong time %# is refused", async ({ time }) => {
    const wrong = time as Time;
    const message = (name: string) => ({
      code: "ERR_INVALID_ARGUMENT",
      message: `${name} must be a time: a number, a Date, or an ISO text such as "2026-01-31T12:00:00Z"`,
    });
    for (const name of ["from", "to"] as const) {
      expect(() => series.query({ metric, [name]: wrong })).toThrow(expect.objectContaining(message(name)));
      expect(() => series.select({ [name]: wrong })).toThrow(expect.objectContaining(message(name)));
      await expect(series.delete({ metric, [name]: wrong })).rejects.toMatchObject(message(name));
    }
    if (time === null) return;
    const window = { window: "1m", aggregate: ["avg"], origin: wrong } as const;
    expect(() => series.query({ metric, ...window })).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }),
    );
  });

  test("a time before 1970, or after the last possible one, is an open end", async () => {
    expect(await series.query({ metric, from: new Date(-1), to: "9999-12-31" }).toArray()).toHaveLength(5);
    expect(await series.query({ metric, from: "1969-12-31T23:59:59.999Z", to: Infinity }).toArray()).toHaveLength(5);
  });
});

test("Date.parse returns the same time for every valid ISO text", () => {
  for (let i = 0; i < 5000; i++) {
    const time = Math.floor(i * 253_402_300_799_999 * 0.0002 - 62_135_596_800_000 * (i % 2));
    const text = new Date(time).toISOString();
    if (/^\d/.test(text)) expect(timeArgument(text, 1000)).toBe(time);
  }
  expect(timeArgument("0001-01-01T00:00:00Z", 1)).toBe(Date.parse("0001-01-01T00:00:00Z"));
});
