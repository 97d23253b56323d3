/** Keys, sequences and values depend on the seed only. */
import { expect, test } from "vitest";
import { settingsOf } from "../src/options/options.js";
import { valuesOf } from "../src/options/payload.js";
import { Random } from "../src/random.js";
import { OperationSequences } from "../src/workload/operation-sequence.js";

test("sfc32 returns the numbers of the reference", () => {
  // From PractRand's sfc32 with the same three words and 16 rounds of warm-up, computed with BigInt.
  const mask = 0xffffffffn;
  let [a, b, c, counter] = [7n, 3n, 0x9e3779b9n, 1n];
  const next = () => {
    const sum = (a + b + counter++) & mask;
    a = b ^ (b >> 9n);
    b = (c + (c << 3n)) & mask;
    c = ((((c << 21n) | (c >> 11n)) & mask) + sum) & mask;
    return Number(sum);
  };
  for (let i = 0; i < 16; i++) next();
  const random = new Random(7, 3);
  for (let i = 0; i < 1000; i++) expect(random.next()).toBe(next());
});

test("sequences and values are the same for the same seed, and differ for another seed or round", () => {
  const order = (seed: number, round: number) =>
    new OperationSequences(settingsOf({ seed, keys: 1000 })).of(round, { gets: 50 });
  expect(order(1, 1)).toEqual(order(1, 1));
  expect(order(1, 1)).not.toEqual(order(1, 2));
  expect(order(1, 1)).not.toEqual(order(2, 1));
  expect(valuesOf(100, 1)).toEqual(valuesOf(100, 1));
  expect(valuesOf(100, 1)).not.toEqual(valuesOf(100, 2));
});

test.each([1, 7, 10_000, 100_000])("uniform: %d keys have about the same frequency", (keys) => {
  const order = new OperationSequences(settingsOf({ keys })).of(1, "get");
  expect(Math.log2(order.length) % 1).toBe(0);
  const counts = new Uint32Array(keys);
  for (const key of order) counts[key]!++;
  const mean = order.length / keys;
  // Chi-squared: its mean is keys - 1 and its variance twice that.
  const chi = counts.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0);
  expect(Math.abs(chi - (keys - 1))).toBeLessThan(6 * Math.sqrt(2 * keys));
});

test("zipf: frequencies follow Zipf's law, and frequent keys are not adjacent", () => {
  const keys = 1000;
  const order = new OperationSequences(settingsOf({ keys, distribution: "zipf" })).of(1, "get");
  const counts = new Uint32Array(keys);
  for (const key of order) counts[key]!++;
  const sorted = [...counts].sort((x, y) => y - x);
  const weights = Array.from({ length: keys }, (_, rank) => 1 / (rank + 1) ** 0.99);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  for (const rank of [0, 1, 2, 9]) {
    const expected = (weights[rank]! / sum) * order.length;
    expect(Math.abs(sorted[rank]! - expected)).toBeLessThan(6 * Math.sqrt(expected));
  }
  const ranked = [...counts.keys()].sort((x, y) => counts[y]! - counts[x]!);
  const neighbours = ranked.slice(1, 20).filter((key, i) => Math.abs(key - ranked[i]!) === 1).length;
  expect(neighbours).toBeLessThan(5);
});

test.each([0, 20, 80, 100])("a mix of %d per cent reads", (gets) => {
  const order = new OperationSequences(settingsOf({})).of(1, { gets });
  const reads = order.filter((code) => code >= 0).length;
  expect(Math.abs(reads / order.length - gets / 100)).toBeLessThan(0.02);
  for (const code of order) {
    const key = code >= 0 ? code : ~code;
    expect(key >= 0 && key < 10_000).toBe(true);
  }
});

test("values: ASCII texts of the given length, all different if long enough, or records", () => {
  for (const bytes of [0, 3, 1024, 100 * 1024, 2 ** 21]) {
    const { values, description } = valuesOf(bytes, 1);
    expect(description).toEqual({ bytes });
    for (const value of values) {
      expect((value as string).length).toBe(bytes);
      expect(new TextEncoder().encode(value as string).length).toBe(bytes);
    }
    if (bytes > 3) expect(new Set(values).size).toBe(values.length);
  }
  expect(valuesOf(1024, 1).values.length).toBe(64);
  const records = [{ a: 1 }, null];
  expect(valuesOf(records, 1)).toEqual({ values: records, description: { records: 2 } });
});
