/** Ramps: each round is a step. */
import { expect, test } from "vitest";
import {
  fromJson,
  type LoadOptions,
  load,
  type Progress,
  type Target,
  toJson,
  toMarkdown,
  toReport,
} from "../src/index.js";

const short: LoadOptions = { operations: 20, warmup: 0 };

/** A target that records the highest number of operations in flight at once, in each round. */
function counting(): { readonly target: Target; readonly most: number[]; readonly concurrency: number[] } {
  const most: number[] = [];
  const concurrency: number[] = [];
  let inFlight = 0;
  let started = 0;
  const target: Target = {
    name: "counting",
    setup: async (context) => void concurrency.push(context.concurrency),
    async get() {
      const round = Math.floor(started++ / 20);
      most[round] = Math.max(most[round] ?? 0, ++inFlight);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inFlight--;
    },
  };
  return { target, most, concurrency };
}

test("concurrency: from the first value to the last in equal steps; setup knows the highest", async () => {
  const { target, most, concurrency } = counting();
  const result = await load(target, { ...short, rounds: 4, concurrency: { from: 1, to: 7 } });
  expect(most).toEqual([1, 3, 5, 7]);
  expect(concurrency).toEqual([7]);
  expect(result.options.concurrency).toEqual({ from: 1, to: 7 });
  const { description, tables, lines, notes } = toReport(result);
  expect(description).toContain("; 1 to 7 in flight; 4 rounds of 20 operations");
  expect(tables).toHaveLength(1);
  expect(tables[0]!.columns.slice(0, 5)).toEqual(["round", "in flight", "ops/s", "p50", "p99"]);
  expect(tables[0]!.rows.map((row) => row[1])).toEqual(["1", "3", "5", "7"]);
  expect(lines[0]).toMatch(/^[\d.,]+ to [\d.,]+ operations\/s; 80 in total\.$/);
  expect(notes.join()).not.toContain("varies");
  expect(fromJson(JSON.parse(JSON.stringify(toJson(result))))).toEqual(result);
});

test("a ramp may fall", async () => {
  const { target, most } = counting();
  await load(target, { ...short, rounds: 3, concurrency: { from: 5, to: 1 } });
  expect(most).toEqual([5, 3, 1]);
});

test("rate: each round has its own schedule; the round that cannot keep it is named", async () => {
  let inFlight = 0;
  const target: Target = {
    name: "slow",
    async get() {
      inFlight++;
      await new Promise((resolve) => setTimeout(resolve, 4));
      inFlight--;
    },
  };
  const result = await load(target, {
    rate: { from: 50, to: 4000 },
    concurrency: 1,
    duration: 300,
    warmup: 0,
    rounds: 2,
  });
  expect(inFlight).toBe(0);
  const { description, tables, notes } = toReport(result);
  expect(description).toContain("; 50 to 4,000/s, at most 1 in flight; 2 rounds of 300 ms");
  expect(tables[0]!.columns.slice(0, 3)).toEqual(["round", "rate", "ops/s"]);
  expect(tables[0]!.rows.map((row) => row[1])).toEqual(["50", "4,000"]);
  expect(result.rounds[0]!.operations).toBe(15);
  // One worker of 4 ms does at most 250 operations a second.
  expect(tables[0]!.rows[1]![0]).toBe("2 (saturated)");
  expect(notes[0]).toMatch(/^saturated: \d of 2 rounds ended behind their schedule, the first is round \d$/);
  expect(toMarkdown(result)).toContain("| 2 (saturated) | 4,000 |");
});

test("the warm-up has the first step", async () => {
  let started = 0;
  const { rounds } = await load(async () => void started++, {
    rate: { from: 100, to: 1000 },
    operations: 10,
    warmup: 100,
    rounds: 2,
  });
  expect(started).toBe(10 + 10 + 10);
  expect(rounds).toHaveLength(2);
});

test.each([
  [{ rate: { from: 1, to: 2 }, rounds: 1 }, "a ramp needs at least 2 rounds"],
  [{ concurrency: { from: 1, to: 2 }, rounds: 1 }, "a ramp needs at least 2 rounds"],
  [{ rate: { from: 0, to: 2 } }, "rate must be"],
  [{ rate: { from: 1 } }, "rate must be"],
  [{ concurrency: { to: 2 } }, "concurrency must be"],
  [{ concurrency: { from: 1.5, to: 2 } }, "concurrency must be"],
  [{ concurrency: [1, 2] }, "concurrency must be"],
] as const)("%j is refused", async (options, text) => {
  await expect(load(async () => {}, options as unknown as LoadOptions)).rejects.toMatchObject({
    code: "ERR_INVALID_ARGUMENT",
    message: expect.stringContaining(text),
  });
});

test.each<[LoadOptions, number | null]>([
  [{ duration: 20, warmup: 10, rounds: 2 }, 50],
  [{ operations: 20, warmup: 10, rounds: 2 }, null],
  [{ operations: 20, rate: 1000, warmup: 10, rounds: 2 }, 50],
  [{ operations: 20, rate: { from: 1000, to: 2000 }, warmup: 10, rounds: 2 }, 40],
])("progress has the length of the run: %j", async (options, plannedMs) => {
  const seen: Progress[] = [];
  await load(async () => new Promise((resolve) => setImmediate(resolve)), {
    ...options,
    onProgress: (progress) => void seen.push(progress),
  });
  expect(new Set(seen.map((progress) => progress.plannedMs))).toEqual(new Set([plannedMs]));
});
