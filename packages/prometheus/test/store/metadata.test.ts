/** The metadata of metrics in memory: merged, and bounded. */
import { expect, test } from "vitest";
import { MetadataMap } from "../../src/store/metadata.ts";

test("lines of one name are merged, and the last content is kept", () => {
  const map = new MetadataMap();
  for (const line of [
    { name: "a", type: "counter" as const },
    { name: "a", help: "A." },
    { name: "a", unit: "seconds" },
    { name: "a", type: "gauge" as const, help: "B." },
    { name: "__proto__" },
  ])
    expect(map.add(line)).toBe(true);
  expect([...map.entries]).toEqual([
    ["a", { type: "gauge", help: "B.", unit: "seconds" }],
    ["__proto__", { type: "unknown", help: "", unit: "" }],
  ]);
});

test("names and texts are bounded", () => {
  const map = new MetadataMap();
  for (let i = 0; i < 10_000; i++) expect(map.add({ name: `n${i}` })).toBe(true);
  expect(map.add({ name: "more" })).toBe(false);
  expect(map.add({ name: "n1", help: `${"x".repeat(1023)}\u{1f600}` })).toBe(true);
  expect(map.entries.get("n1")!.help).toBe("x".repeat(1023));
  expect(map.entries.size).toBe(10_000);
  expect(new MetadataMap().add({ name: "x".repeat(1025) })).toBe(false);
  expect(new MetadataMap().add({ name: "x", unit: "x".repeat(1025) })).toBe(false);
});
