/** Selecting by the tag index against going through all metrics, and the values of tags. */

import type { Match, Matcher } from "@moonpack/series";
import { matching } from "@moonpack/series/test/harness/matching.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { matchingIds } from "../../series/build/select/select-ids.js";
import { tagValues } from "../../series/build/select/tag-values.js";
import type { IndexedMetric } from "../src/store/index-operations.ts";
import { change, indexOf, matchOf, openStore, selected } from "./harness/select-store.ts";

const VALUES = ["a", "ab", "abc", "b", "ba", "\u{1d11e}", "\uffee", "\ufffd", "constructor", "\u{1d11f}x"];
const KEYS = ["host", "hos", "host2", "__proto__", "é"];

const texts = fc.constantFrom("", ...VALUES);
const matcher: fc.Arbitrary<Matcher> = fc.letrec<{ any: Matcher }>((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    texts,
    fc.array(texts, { maxLength: 4 }),
    fc.record({ prefix: fc.constantFrom("", "a", "ab", "b", "\u{1d11e}", "\ud834", "a\0", "\udd1e", "c") }),
    fc.constantFrom(/a.*/, /ab?/, /.*b.*/, /a*/g, /A./i, /(?:ab|b)?/, /./u, /constructor/y, /[^a]+/, /x/),
    fc.record({ not: tie("any") }),
  ),
})).any;

/** An object whose keys are all its own. */
function record<V>(entries: readonly (readonly [string, V])[]): Record<string, V> {
  const object: Record<string, V> = {};
  for (const [key, value] of entries)
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  return object;
}

const tagsOf = <V>(value: fc.Arbitrary<V>, maxLength: number) =>
  fc.uniqueArray(fc.tuple(fc.constantFrom(...KEYS), value), { selector: ([key]) => key, maxLength }).map(record);

/** Metrics with ids that leave gaps: within a chunk, and over many. */
const metrics: fc.Arbitrary<IndexedMetric[]> = fc
  .array(
    fc.record({
      name: fc.constantFrom("cpu", "cpu.load", "mem", "\u{1d11e}"),
      tags: tagsOf(texts, 4),
      gap: fc.oneof(
        { weight: 5, arbitrary: fc.integer({ min: 1, max: 3 }) },
        fc.constantFrom(700, 4095, 4096, 100_000),
      ),
    }),
    { maxLength: 60 },
  )
  .map((list) => {
    let id = -1;
    return list.map(({ gap, ...metric }) => ({ ...metric, id: (id += gap) }));
  });

const match: fc.Arbitrary<Match> = fc.record({ name: matcher, tags: tagsOf(matcher, 3) }, { requiredKeys: [] });

test("what is selected is what matches", async () => {
  await fc.assert(
    fc.asyncProperty(
      metrics,
      fc.array(match, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 6 }),
      fc.nat({ max: 60 }),
      async (all, matches, piece, forgotten) => {
        const store = await openStore(piece);
        await change(store, all);
        const kept = all.filter((_, i) => i % 61 !== forgotten);
        await change(
          store,
          [],
          all.filter((_, i) => i % 61 === forgotten),
        );
        const last = all.at(-1)?.id ?? -1;
        for (const one of matches) {
          const expected = matching(kept, one).map(({ id }) => id);
          const compiled = await matchOf(one);
          expect(kept.filter(({ name, tags }) => compiled.matches(name, tags)).map(({ id }) => id)).toEqual(expected);
          expect(await selected(store, one, last)).toEqual(expected);
          // Later ids are not seen, and room for many more of them changes how the index is read.
          const middle = kept[kept.length >> 1]?.id ?? 0;
          expect(await selected(store, one, middle - 1)).toEqual(expected.filter((id) => id < middle));
          expect(await selected(store, one, last + 3_000_000)).toEqual(expected);
        }
      },
    ),
    { numRuns: 400 },
  );
});

test("the values of tags are sorted, of all or of matching metrics", async () => {
  await fc.assert(
    fc.asyncProperty(
      metrics,
      match,
      fc.constantFrom("", ...KEYS),
      fc.integer({ min: 1, max: 6 }),
      async (all, one, key, piece) => {
        const store = await openStore(piece);
        await change(store, all);
        const valuesOf = (some: readonly IndexedMetric[]) =>
          [...new Set(some.map(({ name, tags }) => (key === "" ? name : Object.hasOwn(tags, key) ? tags[key]! : "")))]
            .filter((value) => value !== "")
            .sort();
        expect(await tagValues(indexOf(store), key)).toEqual(valuesOf(all));
        const within = await matchingIds(indexOf(store), await matchOf(one), all.at(-1)?.id ?? -1);
        expect(await tagValues(indexOf(store), key, within)).toEqual(valuesOf(matching(all, one)));
      },
    ),
    { numRuns: 400 },
  );
});

test("tags that no metric has are refused", async () => {
  const store = await openStore();
  await expect(tagValues(indexOf(store), "a\0")).rejects.toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
});

/** 20,000 metrics: 200 hosts, 100 metrics each, three regions. */
function manyMetrics(): IndexedMetric[] {
  return Array.from({ length: 20_000 }, (_, id) => ({
    id,
    name: `metric.${id % 100}`,
    tags: { host: `h${Math.floor(id / 100)}`, region: `r${id % 3}`, unique: `u${id}` },
  }));
}

test("many metrics, in bitmaps and lists of five chunks", async () => {
  const store = await openStore();
  const all = manyMetrics();
  for (let i = 0; i < all.length; i += 3000) await change(store, all.slice(i, i + 3000));
  const matches: Match[] = [
    {},
    { name: "metric.7" },
    { name: "metric.7", tags: { host: "h199", region: "r0" } },
    { tags: { region: ["r0", "r2"] } },
    { tags: { host: { prefix: "h1" }, region: { not: "r1" } } },
    { tags: { host: /h[12].?/, unique: { not: /u.*7/ } } },
    { tags: { unique: Array.from({ length: 2000 }, (_, i) => `u${i * 9}`) } },
    { tags: { unique: Array.from({ length: 30 }, (_, i) => `u${i * 600}`) } },
    { tags: { host: ["h1", "h2", "none"], unique: { not: ["u100", "u200"] } } },
    { tags: { none: "" }, name: { not: { prefix: "metric.1" } } },
    { tags: { none: { not: "" } } },
  ];
  for (const one of matches) expect(await selected(store, one, 19_999)).toEqual(matching(all, one).map(({ id }) => id));
});

test("of sets of one value each, the smallest decides what is read of the others", async () => {
  const store = await openStore(20);
  const all = Array.from({ length: 400 }, (_, i) => ({
    id: i * 4096,
    name: "cpu",
    tags: { host: `h${i >> 2}`, even: "yes" },
  }));
  await change(store, all);
  const expected = [360, 361, 362, 363].map((i) => i * 4096);
  const callsOf = async (tags: Record<string, string>) => {
    Object.assign(store.calls, { getMany: 0, keys: 0, range: 0, entries: 0 });
    expect(await selected(store, { name: "cpu", tags }, 400 * 4096)).toEqual(expected);
    return { ...store.calls };
  };
  expect(await callsOf({ host: "h90", even: "yes" })).toEqual({ getMany: 2, keys: 8, range: 1, entries: 4 });
  // Two short pieces are read of the larger set before it is the turn of the smaller one.
  expect(await callsOf({ even: "yes", host: "h90" })).toEqual({ getMany: 2, keys: 8, range: 2, entries: 44 });
});

test("a walk passes over values with many entries that it does not want", async () => {
  const store = await openStore(200);
  const all = Array.from({ length: 4000 }, (_, i) => ({ id: i * 4096, name: i < 3900 ? "big" : "small", tags: {} }));
  await change(store, all);
  Object.assign(store.calls, { getMany: 0, keys: 0, range: 0, entries: 0 });
  expect(await selected(store, { name: /sm.../i }, 4000 * 4096)).toHaveLength(100);
  expect(store.calls).toMatchObject({ range: 2, entries: 300 });
  Object.assign(store.calls, { range: 0, entries: 0 });
  expect(await tagValues(indexOf(store), "")).toEqual(["big", "small"]);
  expect(store.calls).toMatchObject({ range: 2, entries: 300 });
});
