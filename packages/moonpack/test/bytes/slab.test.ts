import { transferAway } from "@moonpack/harness/transfer.ts";
import { copyOwned, Slab } from "moonpack/bytes";
import { describe, expect, test } from "vitest";

const source = new Uint8Array(100_000).map((_, i) => (i * 7 + (i >> 8)) & 255);
const matches = (result: Uint8Array, start: number) => result.every((byte, i) => byte === source[start + i]);

/** In Firefox and Bun a new array is faster than a cut. */
const cuts = !/Firefox|Bun/.test(globalThis.navigator?.userAgent);

describe("Slab", () => {
  test("copies the source, at every size around its limits", () => {
    const slab = new Slab();
    for (const size of [0, 1, 2, 7, 8, 9, 63, 64, 65, 100, 1000, 2047, 2048, 2049, 8192, 8193, 50_000]) {
      for (const start of [0, 1, 77]) {
        const result = slab.copy(source, start, start + size);
        expect(result.length).toBe(size);
        expect(matches(result, start)).toBe(true);
        expect(result.buffer).not.toBe(source.buffer);
        expect(Object.getPrototypeOf(result)).toBe(Uint8Array.prototype);
      }
    }
    expect(matches(slab.copy(source, 0, source.length), 0)).toBe(true);
  });

  test("from 65 bytes to 2 KB a result is cut from 8 KB (not in Firefox and Bun); others have their own memory", () => {
    const slab = new Slab();
    for (const size of [0, 1, 63, 64, 2049, 10_000])
      expect(slab.copy(source, 0, size).buffer.byteLength, `${size}`).toBe(size);
    for (const size of [65, 100, 2047, 2048])
      expect(slab.copy(source, 0, size).buffer.byteLength, `${size}`).toBe(cuts ? 8192 : size);
  });

  test("writing to one result changes no other", () => {
    const slab = new Slab();
    const kept: [Uint8Array, number][] = [];
    for (let i = 0; i < 300; i++) {
      const start = i * 3;
      const result = slab.copy(source, start, start + 1 + ((i * 131) % 3000));
      kept.push([result, start]);
    }
    for (const [result, start] of kept) {
      expect(matches(result, start)).toBe(true);
      result.fill(0xee); // must not change later results
    }
    expect(kept.every(([result]) => result.every((byte) => byte === 0xee))).toBe(true);
  });

  test("cuts begin aligned and never overlap", () => {
    const slab = new Slab();
    const taken = new Map<ArrayBufferLike, number>();
    for (let i = 0; i < 500; i++) {
      const result = slab.copy(source, 0, 65 + ((i * 37) % 1984));
      expect(result.byteOffset % 8).toBe(0);
      expect(result.byteOffset).toBeGreaterThanOrEqual(taken.get(result.buffer) ?? 0);
      taken.set(result.buffer, result.byteOffset + result.length);
    }
    expect(taken.size).toBeGreaterThan(10);
  });

  test("a slab that is transferred is kept or replaced", () => {
    const slab = new Slab();
    const first = slab.copy(source, 0, 100);
    if (!transferAway(first)) expect(matches(first, 0)).toBe(true);
    const second = slab.copy(source, 5, 105);
    expect(second.length).toBe(100);
    expect(matches(second, 5)).toBe(true);
  });

  test("two slabs share nothing", () => {
    const a = new Slab().copy(source, 0, 100);
    const b = new Slab().copy(source, 0, 100);
    expect(a.buffer).not.toBe(b.buffer);
  });
});

describe("copyOwned", () => {
  test("has its own memory, whatever the size", () => {
    for (const size of [0, 1, 63, 64, 65, 2048, 2049, 50_000]) {
      const result = copyOwned(source, 3, 3 + size);
      expect(result.buffer.byteLength).toBe(size);
      expect(matches(result, 3)).toBe(true);
      expect(Object.getPrototypeOf(result)).toBe(Uint8Array.prototype);
    }
  });
});
