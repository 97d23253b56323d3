/** The option `summarize`: what it accepts, and the texts for everything else. */
import { expect, test } from "vitest";
import type { SeriesOptions } from "../src/api.ts";
import { memory } from "../src/drivers/files.ts";
import { readOptions } from "../src/options.ts";

const refused = (message: string) => expect.objectContaining({ code: "ERR_INVALID_ARGUMENT", message });
const kept = { window: "5m", aggregate: ["avg"], keep: "1y" } as const;

test("windows, aggregates as bits of roles, and durations", () => {
  const summarize: SeriesOptions["summarize"] = [
    kept,
    { window: 3_600_000, aggregate: ["min", "max", "count", "first", "last"], keep: "forever" },
    { window: "1d", aggregate: ["sum"], keep: "520w" },
  ];
  expect(readOptions({ driver: memory(), summarize: Object.freeze(summarize) }).summarize).toEqual([
    { window: 300_000, roles: 0b1111, keep: 365 * 86_400_000 },
    { window: 3_600_000, roles: 0b11110001, keep: null },
    { window: 86_400_000, roles: 0b1111, keep: 520 * 604_800_000 },
  ]);
  expect(readOptions({ driver: memory(), summarize: [] }).summarize).toEqual([]);
  expect(readOptions({ driver: memory() }).summarize).toBeUndefined();
});

const MONTHS =
  'window of summarize[0] must have a fixed length, such as "5m" or "1d": months and years follow a calendar';
const LENGTH = "window of summarize[0] must be whole milliseconds, from 1 second to 366 days";
test.each<[string, unknown, string]>([
  ["no list", kept, "summarize must be a list of at most 8 kept windows"],
  ["nine", Array(9).fill(kept), "summarize must be a list of at most 8 kept windows"],
  ["null", [null], "summarize[0] must be an object"],
  ["unknown", [{ ...kept, windows: "5m" }], '"windows" is not a known option of summarize[0]: did you mean window?'],
  [
    "a zone",
    [{ ...kept, timeZone: "Europe/Berlin" }],
    "summarize[0] has a timeZone, but kept windows have fixed lengths: queries with a timeZone are answered by them, too",
  ],
  ["months", [{ ...kept, window: "1mo" }], MONTHS],
  ["a year", [{ ...kept, window: "1y" }], MONTHS],
  ["too short", [{ ...kept, window: "500ms" }], LENGTH],
  ["too long", [{ ...kept, window: "53w" }], LENGTH],
  ["parts of a millisecond", [{ ...kept, window: 1000.5 }], LENGTH],
  [
    "no window",
    [{ aggregate: ["avg"], keep: "1y" }],
    'window of summarize[0] must be milliseconds, or a text with a unit: ms, s, m, h, d or w, as in "90s"',
  ],
  ["twice", [kept, { ...kept, window: 300_000 }], "summarize has the window of 300000 ms twice"],
  [
    "percentiles",
    [{ ...kept, aggregate: ["p99"] }],
    "p99 of summarize[0] needs the points: summaries have min, max, sum, avg, count, first, last",
  ],
  [
    "rate",
    [{ ...kept, aggregate: ["avg", "rate"] }],
    "rate of summarize[0] needs the points: summaries have min, max, sum, avg, count, first, last",
  ],
  ["misspelled", [{ ...kept, aggregate: ["agv"] }], '"agv" is not a known aggregate: did you mean avg?'],
  [
    "no keep",
    [{ window: "5m", aggregate: ["avg"] }],
    'summarize[0] needs keep: a duration such as "90d" or "1y", or "forever"',
  ],
  ["a short keep", [{ ...kept, keep: "1m" }], "keep of summarize[0] must be at least 300000 ms"],
])("%s is refused", (_, summarize, message) => {
  expect(() => readOptions({ driver: memory(), summarize })).toThrow(refused(message));
});

test("a database keeps no summaries", () => {
  const driver = { name: "rocksdb", openStore: () => Promise.reject(new Error()) };
  expect(() => readOptions({ path: "x", driver, summarize: [kept] })).toThrow(
    refused("summarize needs files() or memory(): rocksdb cannot keep summaries"),
  );
});
