/** Metrics: canonical forms and index entries against the reference implementation, and invalid metrics. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { CanonicalForms, parseCanonical } from "../src/metric/canonical.ts";
import { ChunkIds, chunkOf } from "../src/metric/tag-index.ts";
import { encodeMetric } from "./reference/metric.ts";
import { encodeChunk } from "./reference/tag-index.ts";

const forms = new CanonicalForms();

test("tags are sorted by the bytes of their keys, and empty values are ignored", () => {
  const tags = { "𝄞": "1", "\u{ffee}": "2", b: "3", a: "", __proto__x: "4", ab: "5" };
  const form = forms.of({ name: "load", tags });
  expect([...form]).toEqual(encodeMetric({ name: "load", tags: Object.entries(tags) }));
  expect(Object.keys(parseCanonical(form).tags)).toEqual(["__proto__x", "ab", "b", "\u{ffee}", "𝄞"]);
  const hostile = forms.of({ name: "x", tags: JSON.parse('{"__proto__":"y"}') as Record<string, string> });
  expect(Object.entries(parseCanonical(hostile).tags)).toEqual([["__proto__", "y"]]);
});

test.each([
  ["an empty name", { name: "" }],
  ["a long name", { name: "é".repeat(128) }],
  ["a control character", { name: "a\nb" }],
  ["U+007F", { name: "a", tags: { k: "\u007f" } }],
  ["a lone surrogate", { name: "a\ud800" }],
  ["an empty tag", { name: "a", tags: { "": "x" } }],
  ["a long tag", { name: "a", tags: { ["k".repeat(128)]: "x" } }],
  ["a long value", { name: "a", tags: { k: "x".repeat(1024) } }],
  ["too many tags", { name: "a", tags: Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`k${i}`, "x"])) }],
  [
    "too many bytes",
    { name: "a", tags: Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`k${i}`, "x".repeat(1000)])) },
  ],
  ["a name that is not a string", { name: 5 as unknown as string }],
  ["a value that is not a string", { name: "a", tags: { k: 5 as unknown as string } }],
])("%s is ERR_INVALID_METRIC", (_, metric) => {
  expect(() => forms.of(metric)).toThrow(expect.objectContaining({ code: "ERR_INVALID_METRIC" }));
});

test("entries of the tag index", () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 2 ** 19 - 1 }),
      fc.uniqueArray(fc.nat({ max: 4095 }), { minLength: 1, maxLength: 400 }),
      (chunk, list) => {
        const ids = list.sort((a, b) => a - b).map((k) => chunk * 4096 + k);
        const set = new ChunkIds();
        for (const id of ids) set.add(id);
        const value = set.value()!;
        expect([...value]).toEqual(encodeChunk(ids));
        expect(
          ChunkIds.parse(value)!
            .list()
            .map((k) => chunk * 4096 + k),
        ).toEqual(ids);
        expect(chunkOf(ids[0]!)).toBe(chunk);
        for (const id of ids) set.delete(id);
        expect(set.value()).toBeUndefined();
      },
    ),
    { numRuns: 100 },
  );
  for (const wrong of [[], [1], [0, 16], new Array<number>(511).fill(0), new Array<number>(514).fill(0)])
    expect(ChunkIds.parse(Uint8Array.from(wrong))).toBeUndefined();
});
