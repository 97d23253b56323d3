/**
 * Readers of pages at each of their limits (docs/series-format.md, "Limits for readers"). All pages are crafted,
 * with a checksum that is right.
 */

import { PagePoints } from "@moonpack/series/driver";
import { slotOf } from "@moonpack/series/test/harness/points.ts";
import { type Bytes, fixed, float64 } from "@moonpack/series/test/reference/bytes.ts";
import { craftPageBody, type PageParts, sealPage } from "@moonpack/series/test/reference/crafted.ts";
import { encodePageKey } from "@moonpack/series/test/reference/page-key.ts";
import { uvar, zig } from "@moonpack/series/test/reference/varint.ts";
import { listOf } from "@moonpack/series/test/reference/vectors/random.ts";
import { describe, expect, test } from "vitest";
import { PageReader } from "../src/page/page.ts";

const KEY = encodePageKey({ minute: 28_333_320, group: 2 });
const MINUTE = 60_000;
const HOUR = 3_600_000;
const reader = new PageReader();
const memory = new PagePoints();

/** The first slot of a page with one column and one slot: by default four points of value 0. */
function read(parts: Partial<PageParts>): PagePoints {
  const body = craftPageBody({ columns: [[0, 4, 0, 1]], slots: [[0, 0]], ...parts });
  reader.read(Uint8Array.from(KEY), Uint8Array.from(sealPage(KEY, body)), 1, memory, () => {});
  return memory;
}

const refused = (parts: Partial<PageParts>, code: string) =>
  expect(() => read(parts)).toThrow(expect.objectContaining({ code }));
const zeros = (count: number) => new Array<number>(count).fill(0);
const BYTES = listOf(256, (byte) => byte);

/** Reads a page for each byte, and returns those that are accepted. */
function accepted(partsOf: (byte: number) => Partial<PageParts>): number[] {
  return BYTES.filter((byte) => {
    try {
      read(partsOf(byte));
      return true;
    } catch {
      return false;
    }
  });
}

test("only version 1, and pages of 1 and 60 minutes", () => {
  expect(accepted((version) => ({ version }))).toEqual([1]);
  expect(accepted((span) => ({ span }))).toEqual([1, 60]);
});

test("1 to 16 columns, as many as are used", () => {
  const columns = (count: number) => ({
    present: 0xffff,
    columns: listOf(count, (i) => [0, 1, i]),
    slots: listOf(16, (slot) => (count > 1 ? [Math.min(slot, count - 1), 0, 0] : [0, 0])),
  });
  for (let count = 1; count <= 16; count++) expect(() => read(columns(count))).not.toThrow();
  refused(columns(0), "ERR_OUT_OF_RANGE");
  refused(columns(17), "ERR_OUT_OF_RANGE");
});

describe("points", () => {
  test("as many as the milliseconds of a minute", () => {
    const column = (count: number) => ({ columns: [[0, ...uvar(count), 0, 1]] });
    expect(slotOf(0, read(column(MINUTE))).times.at(-1)).toBe(MINUTE - 1);
    refused(column(MINUTE + 1), "ERR_OUT_OF_RANGE");
  });

  test("of an hour more than a writer puts there", () => {
    const column = (count: number) => ({ span: 60, columns: [[0, ...uvar(count), 0, 1]] });
    expect(read(column(200_000)).length).toBe(200_000);
    refused(column(HOUR + 1), "ERR_OUT_OF_RANGE");
  });
});

describe("times", () => {
  /** Columns of each kind whose last time is `last`. */
  const ending: readonly [kind: string, column: (last: number) => Bytes][] = [
    ["one time", (last) => [0, 1, ...uvar(last)]],
    ["a grid", (last) => [0, 2, 0, ...uvar(last)]],
    ["a grid that is shifted", (last) => [0, 3, ...uvar(last - 20), 10]],
    ["a bitmap", (last) => [1, 3, ...uvar(last - 30), 10, 4, 0b1011]],
    ["gaps", (last) => [2, 3, ...uvar(last - 7), 1, ...zig(3n), 1, 0b10]],
    ["one gap", (last) => [2, 2, 0, 1, ...zig(BigInt(last)), 0]],
    ["gaps with a divisor", (last) => [2, 3, ...uvar(last - 50), 10, ...zig(2n), 1, 0b10]],
    ["deltas", (last) => [3, 3, ...uvar(last - 50), 10, 2, 0b00101]],
  ];
  test.each(ending)("%s ends within the page", (_, column) => {
    for (const [span, length] of [
      [1, MINUTE],
      [60, HOUR],
    ] as const) {
      expect(() => read({ span, columns: [column(length - 1)] })).not.toThrow();
      refused({ span, columns: [column(length)] }, "ERR_OUT_OF_RANGE");
    }
  });
});

describe("widths", () => {
  test("FOR: 0 to 54 bits", () => {
    const block = (width: number) => ({ slots: [[2, ...zig(0n), width, ...zeros(Math.ceil((4 * width) / 8))]] });
    expect(accepted(block)).toEqual(listOf(55, (width) => width));
  });

  test("gaps: what a page can hold, 16 bits in a minute and 22 in an hour", () => {
    const gaps = (span: number) => (width: number) => ({
      span,
      columns: [[2, 3, 0, 1, ...zig(1n), width, ...zeros(Math.ceil((2 * width) / 8))]],
    });
    expect(accepted(gaps(1))).toEqual(listOf(17, (width) => width));
    expect(accepted(gaps(60))).toEqual(listOf(23, (width) => width));
  });

  test("XOR: 0 to 64 bits, with a bitmap 1 to 64", () => {
    const block = (head: number) => {
      const bits = 3 * (head & 0x7f);
      const run = head === 0 ? [0] : head < 0x80 ? [head, 0, ...zeros(Math.ceil(bits / 8))] : undefined;
      return { slots: [[4, ...float64(1), ...(run ?? [head, 0, 7, ...zeros(Math.ceil(bits / 8))])]] };
    };
    const widths = listOf(64, (i) => i + 1);
    expect(accepted(block)).toEqual([0, ...widths, ...widths.map((width) => width | 0x80)]);
  });

  test("XOR: width and zero bits after it are at most 64", () => {
    const block = (trail: number) => ({ slots: [[4, ...float64(1), 8, trail, ...zeros(3)]] });
    expect(accepted(block)).toEqual(listOf(57, (trail) => trail));
  });
});

describe("reserved bits", () => {
  test("the heads that there are", () => {
    const rests = new Map<number, Bytes>([
      [1, [0, 3]],
      [2, [0, 0]],
      [3, [0, 0, 0]],
      [4, [...float64(1), 0]],
      [5, [...fixed(1, 8), 0, 0]],
    ]);
    const block = (head: number) => ({
      slots: [[head, ...((head & 8) !== 0 ? [1] : []), ...(rests.get(head & 7) ?? [0])]],
    });
    expect(accepted(block)).toEqual([0, 1, 2, 3, 4, 8, 9, 10, 11, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15]);
  });

  test("the scales that there are: not 0, and not F together with R", () => {
    const block = (scale: number) => {
      const residuals = (scale & 0x20) !== 0 ? [...zig(0n), 0] : [];
      const specials = (scale & 0x40) !== 0 ? [1, 0, 0] : [];
      return { slots: [[8, scale, 0, ...residuals, ...specials]] };
    };
    const expected = BYTES.filter((scale) => scale > 0 && scale < 0x80 && (scale & 0x30) !== 0x30);
    expect(accepted(block)).toEqual(expected);
  });

  /** Parts of pages whose last byte has `used` bits that count. */
  const parts: readonly [name: string, used: number, parts: (byte: number) => Partial<PageParts>][] = [
    ["FOR", 4, (byte) => ({ slots: [[2, 0, 1, byte]] })],
    ["differences", 3, (byte) => ({ slots: [[3, 0, 0, 1, byte]] })],
    ["residuals", 4, (byte) => ({ slots: [[8, 0x21, 2, 0, 1, byte]] })],
    ["int64 differences", 3, (byte) => ({ slots: [[0x15, ...fixed(2n ** 60n, 8), 0, 1, byte]] })],
    ["the bits of XOR", 3, (byte) => ({ slots: [[4, ...float64(1), 1, 0, byte]] })],
    ["the bitmap of XOR", 3, (byte) => ({ slots: [[4, ...float64(1), 0x81, 0, byte]] })],
    ["a bitmap of times", 5, (byte) => ({ columns: [[1, 3, 0, 1, 5, byte]] })],
    ["gaps", 2, (byte) => ({ columns: [[2, 3, 0, 1, 2, 1, byte]] })],
    ["deltas", 1, (byte) => ({ columns: [[3, 3, 0, 1, 1, byte]] })],
  ];
  test.each(parts)("the bits after the last of %s are 0", (_, used, of) => {
    for (let bit = used; bit < 8; bit++) {
      const lowest = used === 5 ? 0b10011 : 0;
      expect(() => read(of(lowest))).not.toThrow();
      refused(of(lowest | (1 << bit)), "ERR_INVALID_PADDING");
    }
  });
});
