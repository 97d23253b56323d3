/** Paths in documents, and how what is there is divided. */
import { describe, expect, test } from "vitest";
import { lists, select, slices, spread } from "../../src/corpus/select.ts";

const document = {
  groups: [
    { name: "a", items: [1, 2] },
    { name: "b", items: [3] },
    { name: "a", other: null },
  ],
};

describe("select", () => {
  test("follows keys, indexes and all children", () => {
    expect(select(document, "groups/1/name")).toEqual(["b"]);
    expect(select(document, "groups/*/items/*")).toEqual([1, 2, 3]);
  });

  test("keeps the elements with a text", () => {
    expect(select(document, "groups/name=a/items")).toEqual([[1, 2]]);
  });

  test("throws if nothing is there", () => {
    expect(() => select(document, "groups/name=c")).toThrow("nothing at groups/name=c");
    expect(() => select(document, "grouped/0")).toThrow(RangeError);
  });
});

describe("what is selected is divided", () => {
  test("into slices, without a short rest", () => {
    expect(slices([1, 2, 3, 4, 5, 6, 7], 3)).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    expect(slices({ a: 1, b: 2, c: 3 }, 2)).toEqual([{ a: 1, b: 2 }, { c: 3 }]);
    expect(slices([1], 5)).toEqual([[1]]);
    expect(() => slices("text", 2)).toThrow(TypeError);
  });

  test("into lists of one length", () => {
    expect(lists([1, 2, 3, 4, 5], 2)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(lists([1], 2)).toEqual([[1]]);
  });

  test("and spread over all that there is", () => {
    expect(spread([0, 1, 2, 3, 4, 5, 6, 7], 4)).toEqual([0, 2, 4, 6]);
    expect(spread([1, 2], 4)).toEqual([1, 2]);
  });
});
