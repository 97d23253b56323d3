/** The suite of request ids: what would be measured wrongly is found before. */
import { describe, expect, test } from "vitest";
import { checkLines } from "../../src/suites/trace/check.ts";
import { checkIds, keptBytes } from "../../src/suites/trace/jobs/ids.ts";
import { checkLinesOf, inRequest, lineWriters } from "../../src/suites/trace/jobs/lines.ts";
import { type Behind, checkListeners, middlewares } from "../../src/suites/trace/jobs/middleware.ts";
import { versionRow } from "../../src/suites/trace/parts/article.ts";
import { lossOf, spreadOf } from "../../src/suites/trace/parts/part.ts";
import { medians, rateRatios, type Turns, timeRatios } from "../../src/suites/trace/race.ts";
import { scaleOf } from "../../src/suites/trace/scale.ts";

const turn = (processor: number, rate = 1000) => ({ processor, rate });

describe("figures", () => {
  const turns: Turns = new Map([
    ["none", [[turn(100), turn(200), turn(100)], [turn(100)]]],
    ["ours", [[turn(110, 500), turn(220, 900), turn(300, 800)], [turn(80, 1000)]]],
  ]);

  test("ratios are taken within a round, and medians within a process", () => {
    expect(timeRatios(turns, "ours", "none")).toEqual([1.1, 0.8]);
    expect(rateRatios(turns, "ours", "none")).toEqual([0.8, 1]);
    expect(medians(turns, "ours", "processor")).toEqual([220, 80]);
  });

  test("twice the time is half the throughput", () => {
    expect(lossOf(2)).toBe(50);
    expect(lossOf(1)).toBe(0);
    expect(lossOf(0.8)).toBeCloseTo(-25);
  });

  test("a spread is the median with the least and the greatest", () => {
    expect(spreadOf([3, 1, 2])).toEqual({ median: 2, low: 1, high: 3 });
  });

  test("another version of Node is a row: each tracer's loss, ours over a bare one and beside cls-rtracer", () => {
    const figures = (loss: number, other: Record<string, number>) => {
      const values: Record<string, number> = { loss, processor: 90, ...other };
      return {
        values,
        spreads: Object.fromEntries(Object.entries(values).map(([id, value]) => [id, [value, value + 1] as const])),
      };
    };
    const rows = [
      { id: "none", title: "", values: { processor: 80 } },
      { id: "bare", title: "", ...figures(1, { ours: 0.9 }) },
      { id: "moonpack", title: "", ...figures(2, { overBare: 5 }) },
      { id: "rtracer", title: "", ...figures(3, { ours: 0.8, overBare: 6 }) },
      { id: "hooked", title: "", ...figures(4, { ours: 0.7, overBare: 7 }) },
    ];
    expect(
      versionRow({ id: "callbacks-20", title: "", text: "", unit: "ratio", columns: [], rows }, "Node 20"),
    ).toEqual({
      id: "callbacks-20",
      title: "Node 20",
      values: { bare: 1, moonpack: 2, rtracer: 3, hooked: 4, overBare: 5, ours: 0.8 },
      spreads: { bare: [1, 2], moonpack: [2, 3], rtracer: [3, 4], hooked: [4, 5], overBare: [5, 6], ours: [0.8, 1.8] },
    });
  });

  test("complete runs repeat more often than requested, since processes differ", () => {
    expect(scaleOf(false, 3).repetitions).toBe(5);
    expect(scaleOf(true, 1).repetitions).toBe(1);
  });
});

describe("checks", () => {
  const job = { kind: "express", tracer: "moonpack" } as const;
  const line = (key: string, requestId: string) => JSON.stringify({ key, requestId });

  test("lines with the id of another request, and missing lines, are found", () => {
    checkLines(job, [line("a", "id-of-a"), line("a", "id-of-a")], 1);
    expect(() => checkLines(job, [line("a", "id-of-a"), line("a", "id-of-b")], 1)).toThrow("another request's id");
    expect(() => checkLines(job, [line("a", "id-of-a")], 1)).toThrow("1 lines for 1 requests");
  });

  test.each<Behind>([
    "nothing",
    "id",
    "listeners",
    "prototype",
  ])("middlewares with %s behind them all call it", (behind) => {
    for (const { prepare, call } of middlewares(behind))
      for (const input of prepare(3)) expect(call(input)).toBeTruthy();
  });

  test("a removed listener that is still called is found", () => {
    checkListeners(middlewares("listeners"));
    const broken = middlewares("listeners").map((each) => ({ ...each, call: () => undefined }));
    expect(() => checkListeners(broken)).toThrow("0 events instead of 100");
  });

  test("lines have the id of their request", () => {
    inRequest("some", () => {
      checkLinesOf("some");
      expect(() => checkLinesOf("other")).toThrow("by-hand");
      for (const { call } of lineWriters()) call(undefined);
    });
  });

  test("ids are UUIDs of their version, and are kept as flat texts", async () => {
    checkIds();
    // The least of three: other work in the process may keep memory meanwhile.
    const runs = [await keptBytes(50_000), await keptBytes(50_000), await keptBytes(50_000)];
    for (const name of ["uuidv4", "uuidv7"])
      expect(Math.min(...runs.map((kept) => kept[name]!))).toBeLessThanOrEqual(64);
  });
});
