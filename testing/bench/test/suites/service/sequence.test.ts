/** Messages of a process of the suite service: frequencies by Zipf's law, and kinds that appear only in the second half. */
import { describe, expect, test } from "vitest";
import { drawEvenly, drawSequence, GROUP, type KindRange, planOf } from "../../../src/suites/service/sequence.ts";
import { zipf } from "../../../src/suites/service/zipf.ts";
import { Random } from "../../../src/workloads/random.ts";

const DRAWS = 100_000;

describe("Zipf's law", () => {
  test("the rank r is drawn 1 / (r + 1) times as often as the first", () => {
    const random = new Random(1);
    const next = zipf(50);
    const counts = new Array<number>(50).fill(0);
    for (let i = 0; i < DRAWS; i++) counts[next(random)]!++;
    const sum = counts.reduce((total, _, rank) => total + 1 / (rank + 1), 0);
    for (const [rank, count] of counts.entries()) {
      const expected = DRAWS / (rank + 1) / sum;
      expect(Math.abs(count - expected), `rank ${rank}`).toBeLessThan(5 * Math.sqrt(expected));
    }
  });

  test("a single rank is always drawn", () => {
    const next = zipf(1);
    expect(next(new Random(3))).toBe(0);
  });
});

const KINDS: readonly KindRange[] = Array.from({ length: 60 }, (_, kind) => ({
  first: kind * 10,
  count: 1 + (kind % 10),
}));

/** The kind of a document's number. */
function kindOf(document: number): number {
  return Math.floor(document / 10);
}

describe.each([true, false])("a sequence, quick: %s", (quick) => {
  const plan = planOf(quick);
  const sequence = drawSequence(KINDS, plan, 7);

  test("has the messages of the plan, all of them documents that there are", () => {
    expect(sequence).toHaveLength(plan.messages);
    for (const document of sequence) expect(document % 10).toBeLessThan(KINDS[kindOf(document)]!.count);
  });

  test("a third of the kinds only appears in the second half, some of them frequently", () => {
    const early = new Set(sequence.slice(0, plan.before).map(kindOf));
    const late = sequence.slice(plan.before).map(kindOf);
    expect(early.size).toBe(40);
    expect(new Set(late).size).toBe(60);
    const share = late.filter((kind) => !early.has(kind)).length / late.length;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.35);
  });

  test("is the same for the same seed only", () => {
    expect(drawSequence(KINDS, plan, 7)).toEqual(sequence);
    expect(drawSequence(KINDS, plan, 8)).not.toEqual(sequence);
  });

  test("its sections are within it and consist of whole groups", () => {
    const [earliest, first, steady, change, again] = plan.sections;
    for (const { from, to } of plan.sections) {
      expect(from % GROUP).toBe(0);
      expect(to % GROUP).toBe(0);
      expect(to).toBeGreaterThan(from);
    }
    expect([earliest!.from, earliest!.to, first!.from, first!.to]).toEqual([0, 2400, 0, 4000]);
    expect(steady!.from).toBeGreaterThan(first!.to);
    expect([steady!.to, change!.from]).toEqual([plan.before, plan.before]);
    expect(again!.from).toBeGreaterThanOrEqual(change!.to);
    expect(again!.to).toBe(plan.messages);
  });
});

test("messages of a class by itself are of its kinds, all of which are equally frequent", () => {
  const drawn = drawEvenly(KINDS.slice(3, 5), 4000, new Random(2));
  const thirds = drawn.filter((document) => kindOf(document) === 3).length;
  expect(new Set(drawn.map(kindOf))).toEqual(new Set([3, 4]));
  expect(thirds / drawn.length).toBeCloseTo(0.5, 1);
});
