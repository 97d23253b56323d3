/** The order of the contestants of a race. */
import { expect, test } from "vitest";
import { interleave } from "../../src/measure/interleave.ts";
import { interleaveTasks } from "../../src/measure/tasks.ts";

const NAMES = ["a", "b", "c", "d", "e"];

/** Whom each contestant followed, in all rounds. */
function predecessors(order: readonly string[]): Map<string, Set<string>> {
  const found = new Map(NAMES.map((name) => [name, new Set<string>()]));
  for (let i = 1; i < order.length; i++) if (order[i] !== order[i - 1]) found.get(order[i]!)!.add(order[i - 1]!);
  return found;
}

test("each contestant has a sample in each round, and follows several others", () => {
  const order: string[] = [];
  const contestants = NAMES.map((id) => ({ id, bytes: 1e9, prepare: () => [0], call: () => order.push(id) }));
  const rounds = interleave(contestants, { warmUpRounds: 1, rounds: 20, sampleMs: 0 }, 7);
  for (const name of NAMES) {
    expect(rounds.get(name)).toHaveLength(20);
    expect(order.filter((id) => id === name)).toHaveLength(21);
    expect(predecessors(order).get(name)!.size).toBe(4);
  }
});

test("so does each task", async () => {
  const order: string[] = [];
  const tasks = NAMES.map((id) => ({ id, run: () => order.push(id) }));
  const rounds = await interleaveTasks(tasks, { warmUpMs: 0, rounds: 20, sampleMs: 0 }, 7);
  for (const name of NAMES) {
    expect(rounds.get(name)).toHaveLength(20);
    expect(predecessors(order).get(name)!.size).toBe(4);
  }
});
