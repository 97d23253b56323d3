/** The cache of values against a Map, and its bounds. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ValueCache } from "../src/drivers/value-cache.ts";

const MIB = 2 ** 20;

/** Keys of several lengths, many of them the beginning of others. */
const key = fc.array(fc.constantFrom(0, 1, 255), { maxLength: 5 }).map((list) => Uint8Array.from(list));
const column = fc.integer({ min: 0, max: 2 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("set" as const), column, key, size: fc.nat(3000) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete" as const), column, key }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("fill" as const), size: fc.integer({ min: 1, max: 40_000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("clear" as const) }) },
);

/** Bytes that identify their value. */
function valueFor(n: number, size: number): Uint8Array {
  return new Uint8Array(size).map((_, i) => (i * 7 + n) >>> 1);
}

test("a value is the last one of its key, or not there", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const cache = new ValueCache(MIB + MIB / 16);
      const model = new Map<string, { column: number; key: Uint8Array; value: Uint8Array }>();
      steps.forEach((one, n) => {
        if (one.kind === "set") {
          const value = valueFor(n, one.size);
          cache.set(one.column, one.key, value);
          model.set(`${one.column} ${one.key}`, { column: one.column, key: one.key, value });
          expect(cache.get(one.column, one.key)).toEqual(value);
        } else if (one.kind === "delete") {
          cache.delete(one.column, one.key);
          model.delete(`${one.column} ${one.key}`);
          expect(cache.get(one.column, one.key)).toBeUndefined();
        } else if (one.kind === "fill") {
          for (let i = 0; i < 8; i++) cache.set(9, Uint8Array.of(7, i, n), valueFor(n, one.size));
        } else {
          cache.clear();
          model.clear();
        }
        for (const { column, key, value } of model.values()) {
          const cached = cache.get(column, key);
          if (cached !== undefined) expect(cached).toEqual(value);
        }
      });
    }),
    { numRuns: 60 },
  );
});

/** The key of a number. */
function numbered(n: number): Uint8Array {
  const key = new Uint8Array(8);
  new DataView(key.buffer).setUint32(2, n);
  return key;
}

test("the newest values stay, about as many as it has bytes for", () => {
  const cache = new ValueCache(4 * MIB);
  const count = 20_000;
  for (let n = 0; n < count; n++) cache.set(3, numbered(n), valueFor(n, 500));
  const kept = Array.from({ length: count }, (_, n) => n).filter((n) => cache.get(3, numbered(n)) !== undefined);
  expect(kept.length * 510).toBeLessThan(4 * MIB);
  expect(kept.length * 510).toBeGreaterThan(2.9 * MIB);
  expect(kept[0]).toBeGreaterThan(count - (4 * MIB) / 500);
  for (const n of kept) expect(cache.get(3, numbered(n))).toEqual(valueFor(n, 500));
});

test("a view of a value stays as it was when its slab has left", () => {
  const cache = new ValueCache(2 * MIB);
  cache.set(0, numbered(1), valueFor(1, 100));
  const view = cache.get(0, numbered(1))!;
  for (let n = 2; n < 10_000; n++) cache.set(0, numbered(n), valueFor(n, 600));
  expect(cache.get(0, numbered(1))).toBeUndefined();
  expect(view).toEqual(valueFor(1, 100));
});

test("what does not fit is not kept: large values, long keys, and all with few bytes", () => {
  const cache = new ValueCache(4 * MIB);
  cache.set(0, numbered(1), new Uint8Array(70_000));
  expect(cache.get(0, numbered(1))).toBeUndefined();
  cache.set(0, new Uint8Array(256), Uint8Array.of(1));
  expect(cache.get(0, new Uint8Array(256))).toBeUndefined();
  for (const bytes of [0, MIB]) {
    const small = new ValueCache(bytes);
    small.set(0, numbered(1), Uint8Array.of(1));
    expect(small.get(0, numbered(1))).toBeUndefined();
    small.delete(0, numbered(1));
    small.clear();
  }
});
