/** Windows of local time: real changes of clocks by hand, and random ones against Temporal. */
import { Temporal } from "@js-temporal/polyfill";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Fill, WindowLength } from "../src/api.ts";
import { Zone, Zones } from "../src/time-zone.ts";
import { windowPlan } from "../src/window/plan.ts";
import { naive, run, type TestPoint } from "./harness/naive-windows.ts";
import { calendarBorders, clockBorders } from "./harness/temporal-borders.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The starts of all windows that overlap a range, and the end of the last one, as ISO texts. */
function borders(timeZone: string, window: WindowLength, from: string, to: string, origin?: string): string[] {
  const options = { window, aggregate: ["count"], ...(origin !== undefined && { origin }) };
  const { grid } = windowPlan(options, {}, 1, new Zone(timeZone));
  const found = [grid.startOf(Date.parse(from))];
  while (found.at(-1)! < Date.parse(to)) {
    const start = found.at(-1)!;
    const end = grid.endOf(start);
    for (const time of [start, start + 1, Math.floor((start + end) / 2), end - 1])
      expect(grid.startOf(time)).toBe(start);
    expect(end).toBeGreaterThan(start);
    found.push(end);
  }
  return found.map((time) => new Date(time).toISOString().replace(/:00\.000Z$/, "Z"));
}

/** Lengths of windows in hours. */
function hours(...args: Parameters<typeof borders>): number[] {
  const times = borders(...args).map((text) => Date.parse(text.replace("Z", ":00Z")));
  return times.slice(1).map((time, i) => (time - times[i]!) / HOUR);
}

describe("days", () => {
  test("Berlin, 2024-03-31: 23 hours", () => {
    expect(borders("Europe/Berlin", "1d", "2024-03-30T12:00Z", "2024-04-01T12:00Z")).toEqual([
      "2024-03-29T23:00Z",
      "2024-03-30T23:00Z",
      "2024-03-31T22:00Z",
      "2024-04-01T22:00Z",
    ]);
    expect(hours("Europe/Berlin", "1d", "2024-03-30T12:00Z", "2024-04-01T12:00Z")).toEqual([24, 23, 24]);
  });

  test("Berlin, 2024-10-27: 25 hours", () => {
    expect(borders("Europe/Berlin", "1d", "2024-10-26T12:00Z", "2024-10-28T12:00Z")).toEqual([
      "2024-10-25T22:00Z",
      "2024-10-26T22:00Z",
      "2024-10-27T23:00Z",
      "2024-10-28T23:00Z",
    ]);
  });

  test("Lord Howe, whose clocks change by half an hour", () => {
    expect(hours("Australia/Lord_Howe", "1d", "2024-04-06T00:00Z", "2024-04-07T20:00Z")).toEqual([24, 24.5, 24]);
    expect(hours("Australia/Lord_Howe", "1d", "2024-10-05T00:00Z", "2024-10-06T20:00Z")).toEqual([24, 23.5, 24]);
  });

  test("Apia, which skipped 2011-12-30", () => {
    expect(borders("Pacific/Apia", "1d", "2011-12-29T12:00Z", "2011-12-31T09:00Z")).toEqual([
      "2011-12-29T10:00Z", // the 29th
      "2011-12-30T10:00Z", // the 31st
      "2011-12-31T10:00Z",
    ]);
  });

  test("Kathmandu, +5:45", () => {
    expect(borders("Asia/Kathmandu", "1d", "2024-01-01T00:00Z", "2024-01-02T00:00Z")).toEqual([
      "2023-12-31T18:15Z",
      "2024-01-01T18:15Z",
      "2024-01-02T18:15Z",
    ]);
  });

  test("Havana, where midnight comes twice: the first one begins the day", () => {
    expect(hours("America/Havana", "1d", "2024-11-02T12:00Z", "2024-11-04T12:00Z")).toEqual([24, 25, 24]);
  });

  test("Cairo, where midnight is skipped: the day begins at 1:00", () => {
    expect(borders("Africa/Cairo", "1d", "2024-04-25T12:00Z", "2024-04-26T12:00Z")).toEqual([
      "2024-04-24T22:00Z",
      "2024-04-25T22:00Z",
      "2024-04-26T21:00Z",
    ]);
  });

  test("St John's, where clocks went back to the day before at 0:01", () => {
    expect(hours("America/St_Johns", "1d", "2010-11-06T12:00Z", "2010-11-08T12:00Z")).toEqual([24, 25, 24]);
  });

  test("Monrovia, whose offset had seconds, before and after 1970", () => {
    expect(borders("Africa/Monrovia", "1d", "1969-12-31T12:00Z", "1970-01-01T12:00Z")).toEqual([
      "1969-12-31T00:44:30.000Z",
      "1970-01-01T00:44:30.000Z",
      "1970-01-02T00:44:30.000Z",
    ]);
  });

  test("from 6:00 on", () => {
    const [from, to] = ["2024-03-30T12:00Z", "2024-03-31T12:00Z"];
    expect(borders("Europe/Berlin", "1d", from, to, "2000-01-01T06:00")).toEqual([
      "2024-03-30T05:00Z",
      "2024-03-31T04:00Z",
      "2024-04-01T04:00Z",
    ]);
  });
});

test("weeks begin on Monday", () => {
  const weeks = borders("Europe/Berlin", "1w", "2024-03-28T00:00Z", "2024-04-08T12:00Z");
  expect(weeks).toEqual(["2024-03-24T23:00Z", "2024-03-31T22:00Z", "2024-04-07T22:00Z", "2024-04-14T22:00Z"]);
  expect(borders("UTC", "1w", "1969-12-30T00:00Z", "1970-01-05T00:00Z")).toEqual([
    "1969-12-29T00:00Z",
    "1970-01-05T00:00Z",
  ]);
  expect(borders("UTC", "2w", "1970-01-05T00:00Z", "1970-01-20T00:00Z", "1970-01-08")).toEqual([
    "1969-12-25T00:00Z",
    "1970-01-08T00:00Z",
    "1970-01-22T00:00Z",
  ]);
});

test("months, quarters and years", () => {
  expect(borders("America/New_York", "1mo", "2024-02-10T00:00Z", "2024-04-01T00:00Z")).toEqual([
    "2024-02-01T05:00Z",
    "2024-03-01T05:00Z",
    "2024-04-01T04:00Z",
  ]);
  expect(borders("UTC", "3mo", "2024-05-10T00:00Z", "2024-07-02T00:00Z")).toEqual([
    "2024-04-01T00:00Z",
    "2024-07-01T00:00Z",
    "2024-10-01T00:00Z",
  ]);
  expect(borders("Asia/Tokyo", "1y", "2024-05-10T00:00Z", "2025-01-01T00:00Z")).toEqual([
    "2023-12-31T15:00Z",
    "2024-12-31T15:00Z",
    "2025-12-31T15:00Z",
  ]);
  // A fiscal year.
  expect(borders("Asia/Tokyo", "1y", "2024-03-10T00:00Z", "2024-03-31T00:00Z", "2000-04-01")).toEqual([
    "2023-03-31T15:00Z",
    "2024-03-31T15:00Z",
  ]);
});

describe("clocks", () => {
  test("an hour that is skipped has no window, one that comes twice has two", () => {
    const spring = hours("Europe/Berlin", "1h", "2024-03-30T23:00Z", "2024-03-31T22:00Z");
    expect(spring).toEqual(Array(23).fill(1));
    const autumn = hours("Europe/Berlin", "1h", "2024-10-26T22:00Z", "2024-10-27T23:00Z");
    expect(autumn).toEqual(Array(25).fill(1));
  });

  test("six hours are five or seven", () => {
    expect(hours("Europe/Berlin", "6h", "2024-03-30T23:00Z", "2024-03-31T22:00Z")).toEqual([5, 6, 6, 6]);
    expect(hours("Europe/Berlin", "6h", "2024-10-26T22:00Z", "2024-10-27T23:00Z")).toEqual([7, 6, 6, 6]);
  });

  test("hours of Lord Howe are 90 and 30 minutes", () => {
    expect(hours("Australia/Lord_Howe", "1h", "2024-04-06T13:00Z", "2024-04-06T16:00Z")).toEqual([1, 1.5, 1]);
    expect(hours("Australia/Lord_Howe", "1h", "2024-10-05T13:45Z", "2024-10-05T16:30Z")).toEqual([1, 1, 0.5, 1]);
  });

  test("hours of Kolkata begin at half past", () => {
    expect(borders("Asia/Kolkata", "1h", "2024-01-01T00:00Z", "2024-01-01T00:40Z")).toEqual([
      "2023-12-31T23:30Z",
      "2024-01-01T00:30Z",
      "2024-01-01T01:30Z",
    ]);
  });
});

describe("as Temporal says", () => {
  const zones = [
    ...[
      "Europe/Berlin",
      "America/New_York",
      "America/St_Johns",
      "Australia/Lord_Howe",
      "Pacific/Apia",
      "Asia/Kathmandu",
    ],
    ...["Africa/Casablanca", "America/Havana", "Asia/Tehran", "Pacific/Kwajalein", "Antarctica/Troll", "Africa/Cairo"],
    ...[
      "America/Sao_Paulo",
      "Asia/Gaza",
      "Pacific/Chatham",
      "Europe/Dublin",
      "America/Caracas",
      "Asia/Pyongyang",
      "UTC",
    ],
  ];
  const time = fc.integer({ min: -Date.UTC(1972, 0), max: Date.UTC(2060, 0) });
  /** Times at, and around, changes of the clock. */
  const change = fc.tuple(fc.constantFrom(...zones), time, fc.integer({ min: -2 * DAY, max: 2 * DAY }));
  const near = change.map(([timeZone, at, off]) => {
    const next = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).getTimeZoneTransition("next");
    return { timeZone, time: (next?.epochMilliseconds ?? at) + (off % 3 === 0 ? 0 : off) };
  });

  test("days, weeks, months and years", () => {
    const units = fc.constantFrom("d", "w", "mo", "y");
    const property = fc.property(near, fc.integer({ min: 1, max: 5 }), units, ({ timeZone, time: at }, count, unit) => {
      const { grid } = windowPlan({ window: `${count}${unit}`, aggregate: ["avg"] }, {}, 1, new Zone(timeZone));
      const oracle = calendarBorders(timeZone, count, unit as "d");
      const start = oracle.startOf(at);
      expect([grid.startOf(at), grid.endOf(start), grid.startOf(start - 1)]).toEqual([
        start,
        oracle.endOf(start),
        oracle.startOf(start - 1),
      ]);
    });
    fc.assert(property, { numRuns: 500, seed: 35 });
  });

  test("minutes and hours", () => {
    const lengths = fc.constantFrom(1, 5, 7, 15, 20, 30, 45, 60, 90, 120, 360, 1440);
    // Before 1972 some offsets have seconds.
    const later = near.filter(({ time: at }) => at > Date.UTC(1973, 0));
    const property = fc.property(later, lengths, ({ timeZone, time: at }, minutes) => {
      const { grid } = windowPlan({ window: `${minutes}m`, aggregate: ["avg"] }, {}, 1, new Zone(timeZone));
      const oracle = clockBorders(timeZone, minutes);
      const start = oracle.startOf(at);
      expect([grid.startOf(at), grid.endOf(start)]).toEqual([start, oracle.endOf(start)]);
    });
    fc.assert(property, { numRuns: 150, seed: 36 });
  });

  test("rows, with each way of filling", async () => {
    const property = fc.asyncProperty(
      near,
      fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 100 })), { maxLength: 30 }),
      fc.constantFrom("none", "null", "previous", "linear"),
      fc.integer({ min: 1, max: 3 }),
      async ({ timeZone, time: at }, steps, fill, count) => {
        let next = Math.max(0, at - 5 * DAY);
        const points: TestPoint[] = steps.map(([step, value]) => ({ time: (next += step * HOUR), value }));
        const query = { aggregate: ["avg", "count", "rate"] as const, fill: fill as Fill, points, from: 0 };
        const from = Math.max(0, at - 6 * DAY);
        const borders = calendarBorders(timeZone, count, "d");
        const actual = await run({ ...query, from, to: next + DAY, window: `${count}d` as never, timeZone });
        expect(actual).toEqual(naive({ ...query, from, to: next + DAY, window: 1, borders }));
      },
    );
    await fc.assert(property, { numRuns: 100, seed: 37 });
  });
});

test("offsets of each zone, at each change since 1960", () => {
  for (const timeZone of Intl.supportedValuesOf("timeZone").filter((_, i) => i % 7 === 0)) {
    const zone = new Zone(timeZone);
    let at: Temporal.ZonedDateTime | null = Temporal.Instant.from("1960-01-01T00:00Z").toZonedDateTimeISO(timeZone);
    for (; at !== null && at.year < 2030; at = at.getTimeZoneTransition("next")) {
      for (const time of [at.epochMilliseconds - 1, at.epochMilliseconds]) {
        const { offsetNanoseconds } = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone);
        expect([timeZone, time, zone.at(time).offset]).toEqual([timeZone, time, offsetNanoseconds / 1e6]);
      }
    }
  }
});

describe("options", () => {
  const plan = (options: object, timeZone?: unknown) =>
    windowPlan({ aggregate: ["avg"], window: "1d", ...options }, {}, 1, new Zones().of(timeZone));

  test("zones are known by any case of their names, and kept", () => {
    const zones = new Zones();
    expect(zones.of("europe/berlin")!.at(0).offset).toBe(HOUR);
    expect(zones.of("Europe/Berlin")).toBe(zones.of("Europe/Berlin"));
    for (let i = -12; i <= 14; i++)
      for (const name of ["GMT", "gmt", "GmT"]) zones.of(`Etc/${name}${i < 0 ? i : `+${Math.min(i, 12)}`}`);
    expect(zones.of("Europe/Berlin")!.at(0).offset).toBe(HOUR);
  });

  test.each<[object, unknown, string]>([
    [{}, "Europe/Berln", '"Europe/Berln" is not a known time zone: did you mean Europe/Berlin?'],
    [{}, "nowhere", '"nowhere" is not a known time zone, such as "Europe/Berlin"'],
    [{}, "+01:00", '"+01:00" is not a known time zone, such as "Europe/Berlin"'],
    [{}, "", '"" is not a known time zone, such as "Europe/Berlin"'],
    [{}, 5, 'timeZone must be a name such as "Europe/Berlin"'],
    [{}, null, 'timeZone must be a name such as "Europe/Berlin"'],
    [{ window: "1mo" }, undefined, 'a window of "1mo" needs a timeZone, such as "UTC" or "Europe/Berlin"'],
    [{ window: "1y" }, undefined, 'a window of "1y" needs a timeZone, such as "UTC" or "Europe/Berlin"'],
    [{ window: "1.5d" }, "UTC", "with a timeZone, window must be a whole number of d, from 1 to 36525"],
    [{ window: "0mo" }, "UTC", "with a timeZone, window must be a whole number of mo, from 1 to 1200"],
    [{ window: "101y" }, "UTC", "with a timeZone, window must be a whole number of y, from 1 to 100"],
    [{ window: "9999999w" }, "UTC", "with a timeZone, window must be a whole number of w, from 1 to 5217"],
    [
      { window: "25h" },
      "UTC",
      'with a timeZone, window must be at most 24 hours, or whole days, weeks, months or years: "2d"',
    ],
    [{ window: "1M" }, "UTC", 'window must be milliseconds, or a text with a unit: ms, s, m, h, d or w, as in "90s"'],
    [
      { window: "1mo", origin: "2024-01-31" },
      "Europe/Berlin",
      "origin of months and years must be on the 1st to the 28th of a month, by local time",
    ],
  ])("%j in %j", (options, timeZone, message) => {
    expect(() => plan(options, timeZone)).toThrow(expect.objectContaining({ code: "ERR_INVALID_ARGUMENT", message }));
  });
});
