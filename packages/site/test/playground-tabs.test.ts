// How addresses and keys choose a tab of the playground.
import { describe, expect, it } from "vitest";
import { fragmentOf, TAB_IDS, tabByKey, tabOf } from "../src/playground/shared/tabs.ts";

describe("the address", () => {
  it("names a tab, and what belongs to it", () => {
    for (const id of TAB_IDS) expect(tabOf(`#${id}`)).toBe(id);
    expect(tabOf("#bytes=x=y")).toBe("bytes");
    for (const other of ["", "#", "#bytesize", "#Bytes", "#nothing", "#bytes-title"])
      expect(tabOf(other)).toBeUndefined();
  });

  it("keeps what a tab has put there", () => {
    expect(fragmentOf("speed", "#bytes=x")).toBe("#speed");
    expect(fragmentOf("bytes", "#bytes=x")).toBe("#bytes=x");
    expect(fragmentOf("bytes", "")).toBe("#bytes");
  });
});

describe("keys", () => {
  it("lead to the tabs beside, around the ends, and to the ends", () => {
    const [first, last] = [TAB_IDS[0], TAB_IDS.at(-1)!];
    expect(tabByKey("ArrowLeft", first)).toBe(last);
    expect(tabByKey("ArrowRight", last)).toBe(first);
    expect(tabByKey("ArrowRight", first)).toBe(TAB_IDS[1]);
    expect(tabByKey("ArrowLeft", TAB_IDS[1])).toBe(first);
    expect(tabByKey("Home", last)).toBe(first);
    expect(tabByKey("End", first)).toBe(last);
    expect(tabByKey("Enter", first)).toBeUndefined();
    expect(tabByKey("toString", first)).toBeUndefined();
  });
});
