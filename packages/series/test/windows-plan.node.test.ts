/** Options of window queries that are refused, and those that are allowed at the edge. */
import { expect, test } from "vitest";
import type { Window } from "../src/api.ts";
import { FixedGrid } from "../src/window/grid.ts";
import { windowPlan } from "../src/window/plan.ts";

const valid: Window = { window: "1m", aggregate: ["avg"] };
const plan = (options: object) => windowPlan({ ...valid, ...options }, {}, 1000);

test("defaults, and times in milliseconds", () => {
  expect(windowPlan(valid, { from: 5 }, 1)).toEqual({
    unitMs: 1,
    grid: new FixedGrid(60_000, 0),
    aggregates: [{ name: "avg", kind: "avg", percent: 0 }],
    fill: "none",
    from: 5,
    to: undefined,
    limit: Number.POSITIVE_INFINITY,
    reverse: false,
  });
  const { grid, aggregates } = plan({ origin: -1, aggregate: ["p99.9", "p100", "p0", "p050"] });
  expect(grid.startOf(0)).toBe(-1000);
  expect(aggregates.map(({ kind, percent }) => [kind, percent])).toEqual([
    ["percentile", 99.9],
    ["percentile", 100],
    ["percentile", 0],
    ["percentile", 50],
  ]);
  expect(Object.is(plan({ origin: -60 }).grid.startOf(5), 0)).toBe(true);
});

test("own properties only are read", () => {
  const options = Object.assign(Object.create({ fill: "null", origin: 5 }) as object, valid) as Window;
  expect(windowPlan(options, {}, 1)).toMatchObject({ grid: new FixedGrid(60_000, 0), fill: "none" });
});

const NAMES = "min, max, sum, avg, count, first, last, increase, rate";

test.each<[object, string]>([
  [{ window: 0 }, "window must be a whole number of milliseconds, at least 1"],
  [{ window: 1.5 }, "window must be a whole number of milliseconds, at least 1"],
  [{ window: "0.4ms" }, "window must be a whole number of milliseconds, at least 1"],
  [{ window: 2 ** 53 }, "window must be a whole number of milliseconds, at least 1"],
  [{ window: -1 }, "window must be a finite number of milliseconds from 0 up, not -1"],
  [{ window: undefined }, 'window must be milliseconds, or a text with a unit: ms, s, m, h, d or w, as in "90s"'],
  [{ origin: 0.5 }, "origin must be a time: an integer in the unit of the store"],
  [{ origin: 2 ** 52 }, "origin must be a time: an integer in the unit of the store"],
  [{ origin: "0" }, "origin must be a time: an integer in the unit of the store"],
  [{ origin: Number.NaN }, "origin must be a time: an integer in the unit of the store"],
  [{ aggregate: [] }, `aggregate must be a list of at least one of ${NAMES} or p0 to p100`],
  [{ aggregate: "avg" }, `aggregate must be a list of at least one of ${NAMES} or p0 to p100`],
  [{ aggregate: undefined }, `aggregate must be a list of at least one of ${NAMES} or p0 to p100`],
  [{ aggregate: ["avg", 5] }, "aggregate must be a list of texts"],
  [{ aggregate: ["mean"] }, `"mean" is not a known aggregate: there are ${NAMES} and p0 to p100`],
  [{ aggregate: ["maxx"] }, '"maxx" is not a known aggregate: did you mean max?'],
  [{ aggregate: ["toString"] }, `"toString" is not a known aggregate: there are ${NAMES} and p0 to p100`],
  [{ aggregate: ["p-1"] }, `"p-1" is not a known aggregate: there are ${NAMES} and p0 to p100`],
  [{ aggregate: ["p1e1"] }, `"p1e1" is not a known aggregate: there are ${NAMES} and p0 to p100`],
  [{ aggregate: ["p100.1"] }, "p100.1 is not a percentile: they go from p0 to p100"],
  [{ aggregate: ["avg", "p50", "avg"] }, "aggregate has avg twice"],
  [{ fill: "zero" }, 'fill must be "none" or "null" or "previous" or "linear"'],
])("%j is refused", (options, message) => {
  expect(() => plan(options)).toThrow(expect.objectContaining({ code: "ERR_INVALID_ARGUMENT", message }));
});
