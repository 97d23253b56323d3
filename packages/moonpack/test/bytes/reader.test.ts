import { fault } from "@moonpack/harness/caught.ts";
import { fromHex } from "@moonpack/harness/hex.ts";
import { ByteReader } from "moonpack/bytes";
import { describe, expect, test } from "vitest";

const bytes = fromHex("0102030405060708090a0b0c0d0e0f10");

/** Every fixed-size read: its name, its size, and its result at offset 1 of `bytes`. */
const fixed: readonly [string, number, (r: ByteReader) => unknown, unknown][] = [
  ["u8", 1, (r) => r.u8(), 0x02],
  ["u16", 2, (r) => r.u16(), 0x0203],
  ["u16 little-endian", 2, (r) => r.u16(true), 0x0302],
  ["u32", 4, (r) => r.u32(), 0x02030405],
  ["u32 little-endian", 4, (r) => r.u32(true), 0x05040302],
  ["u64", 8, (r) => [r.u64(), r.high], [0x06070809, 0x02030405]],
  ["u64 little-endian", 8, (r) => [r.u64(true), r.high], [0x05040302, 0x09080706]],
  ["f32", 4, (r) => r.f32(), new DataView(bytes.buffer).getFloat32(1)],
  ["f32 little-endian", 4, (r) => r.f32(true), new DataView(bytes.buffer).getFloat32(1, true)],
  ["f64", 8, (r) => r.f64(), new DataView(bytes.buffer).getFloat64(1)],
  ["f64 little-endian", 8, (r) => r.f64(true), new DataView(bytes.buffer).getFloat64(1, true)],
  ["raw", 5, (r) => [...r.raw(5)], [2, 3, 4, 5, 6]],
  ["utf8", 3, (r) => r.utf8(3), "\x02\x03\x04"],
];

describe("ByteReader", () => {
  for (const [name, size, read, want] of fixed) {
    test(`${name} reads ${size} bytes, at any byteOffset`, () => {
      const reader = new ByteReader(bytes, 1);
      expect(read(reader)).toEqual(want);
      expect(reader.pos).toBe(1 + size);
      const shifted = new Uint8Array(32).fill(0xff);
      shifted.set(bytes, 7);
      const inside = new ByteReader(shifted.subarray(7, 23), 1);
      expect(read(inside)).toEqual(want);
    });

    test(`${name} on every prefix`, () => {
      for (let have = 0; have < size; have++) {
        // Truncated by the array, and by `end` with bytes after it that must not be read.
        for (const reader of [new ByteReader(bytes.slice(0, 1 + have), 1), new ByteReader(bytes, 1, 1 + have)]) {
          expect(fault(() => read(reader))).toEqual({ code: "ERR_TRUNCATED", offset: 1, needMore: size - have });
          expect(reader.pos).toBe(1);
        }
      }
    });
  }

  test("highest values are unsigned", () => {
    const ff = new Uint8Array(8).fill(0xff);
    expect(new ByteReader(ff).u32()).toBe(4294967295);
    const reader = new ByteReader(ff);
    expect([reader.u64(), reader.high]).toEqual([4294967295, 4294967295]);
  });

  test("need names the item that began earlier", () => {
    const reader = new ByteReader(bytes, 10);
    reader.u8();
    expect(() => reader.need(5, 10)).not.toThrow();
    expect(fault(() => reader.need(9, 10))).toEqual({ code: "ERR_TRUNCATED", offset: 10, needMore: 4 });
  });

  test("utf8 rejects malformed bytes at the string's first byte", () => {
    const reader = new ByteReader(fromHex("6161c328"), 2);
    expect(fault(() => reader.utf8(2))).toEqual({ code: "ERR_INVALID_UTF8", offset: 2, needMore: 0 });
    expect(reader.pos).toBe(2);
  });

  test("raw is a view, and empty at the end", () => {
    const reader = new ByteReader(bytes);
    expect(reader.raw(4).buffer).toBe(bytes.buffer);
    reader.pos = 16;
    expect(reader.raw(0).length).toBe(0);
    expect(reader.utf8(0)).toBe("");
  });

  test("every kind of input", () => {
    for (const input of [bytes, bytes.buffer, new DataView(bytes.buffer), new Uint16Array(bytes.buffer)]) {
      const reader = new ByteReader(input);
      expect(reader.end).toBe(16);
      expect(reader.u32()).toBe(0x01020304);
    }
  });

  test("a start or end outside the bytes is rejected", () => {
    for (const [start, end] of [
      [-1, undefined],
      [17, undefined],
      [1.5, undefined],
      [Number.NaN, undefined],
      [0, 17],
      [5, 4],
      [0, 2.5],
      [0, Number.NaN],
    ] as const) {
      expect(
        fault(() => new ByteReader(bytes, start, end)),
        `${start} to ${end}`,
      ).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
    expect(new ByteReader(bytes, 16).pos).toBe(16);
    expect(new ByteReader(bytes, 0, 0).end).toBe(0);
  });

  test("an invalid number of bytes is rejected", () => {
    for (const n of [-1, 1.5, Number.NaN]) {
      expect(
        fault(() => new ByteReader(bytes, 4).raw(n)),
        String(n),
      ).toEqual({ code: "ERR_INVALID_ARGUMENT" });
      expect(
        fault(() => new ByteReader(bytes, 4).utf8(n)),
        String(n),
      ).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
  });
});
