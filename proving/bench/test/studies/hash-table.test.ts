/** The ordered table behaves like Map: order, deletion, growth, and iteration while it changes. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OrderedTable } from "../../studies/hash-table.mjs";

/** The tested methods that both have in common. */
interface Table {
  readonly size: number;
  get(key: unknown): unknown;
  has(key: unknown): boolean;
  set(key: unknown, value: unknown): unknown;
  delete(key: unknown): boolean;
  clear(): void;
  [Symbol.iterator](): Iterator<[unknown, unknown]>;
}

type Step =
  | { readonly do: "set"; readonly key: unknown; readonly value: number }
  | { readonly do: "delete"; readonly key: unknown }
  | { readonly do: "clear" };

const objects = Array.from({ length: 5 }, (_, id) => ({ id }));
const someKey = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.constantFrom("", "a", "10", "Ω", "long keys are keys, too"),
  fc.constantFrom<unknown>(...objects, null, undefined, true, Number.NaN, -0, 0.5, 2 ** 40, 1n, Symbol.iterator),
);
const someStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant("set" as const), key: someKey, value: fc.nat() }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("delete" as const), key: someKey }) },
  { weight: 1, arbitrary: fc.constant({ do: "clear" } as const) },
);

const newTable = (): Table & { readonly capacity: number } => new OrderedTable();

function take(table: Table, step: Step): unknown {
  if (step.do === "set") return void table.set(step.key, step.value);
  return step.do === "delete" ? table.delete(step.key) : table.clear();
}

/** The entries of an iteration, with a step after each. */
function during(table: Table, steps: readonly Step[]): unknown[] {
  const met: unknown[] = [];
  const iterator = table[Symbol.iterator]();
  for (const step of steps) {
    const next = iterator.next();
    if (next.done === true) break;
    met.push(next.value);
    take(table, step);
  }
  return met;
}

describe("an ordered table compared with Map", () => {
  test("has the same entries in the same order after any steps", () => {
    fc.assert(
      fc.property(fc.array(someStep, { maxLength: 120 }), (steps) => {
        const [table, map] = [newTable(), new Map<unknown, unknown>()];
        for (const step of steps) {
          expect(take(table, step)).toEqual(take(map, step));
          expect(table.size).toBe(map.size);
        }
        expect([...{ [Symbol.iterator]: () => table[Symbol.iterator]() }]).toEqual([...map]);
        for (const [key, value] of map) expect([table.has(key), table.get(key)]).toEqual([true, value]);
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  test("is iterated like Map while it changes", () => {
    fc.assert(
      fc.property(fc.array(someStep, { maxLength: 30 }), fc.array(someStep, { maxLength: 60 }), (before, steps) => {
        const [table, map] = [newTable(), new Map<unknown, unknown>()];
        for (const step of before) {
          take(table, step);
          take(map, step);
        }
        expect(during(table, steps)).toEqual(during(map, steps));
      }),
      { seed: 2, numRuns: 200 },
    );
  });

  test("doubles when it is full, and shrinks when it is nearly empty", () => {
    const table = newTable();
    const capacities: number[] = [];
    for (let i = 0; i < 9; i++) {
      table.set(i, i);
      capacities.push(table.capacity);
    }
    expect(capacities).toEqual([4, 4, 4, 4, 8, 8, 8, 8, 16]);
    for (let i = 0; i < 5; i++) table.delete(i);
    expect(table.capacity).toBe(16);
    table.delete(5);
    expect([table.capacity, table.size]).toEqual([8, 3]);
  });

  test("reuses the slots of deleted entries instead of growing", () => {
    const table = newTable();
    for (let i = 0; i < 1000; i++) {
      table.set(i, i);
      if (i >= 2) table.delete(i - 2);
    }
    expect([table.capacity, table.size]).toEqual([4, 2]);
  });
});
