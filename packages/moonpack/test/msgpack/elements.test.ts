/** `maxElements`: the maximum number of elements and pairs in a message, decoded whole, in parts and in slices. */

import { caughtAsync, fault } from "@moonpack/harness/caught.ts";
import { Decoder, decode, decodeMulti } from "moonpack";
import { complete } from "moonpack/msgpack/features";
import { decodeCooperatively, StreamDecoder } from "moonpack/stream";
import { describe, expect, test } from "vitest";

// [[1, 2], { a: [] }] has five: two elements, two elements, one pair.
const NESTED = Uint8Array.of(0x92, 0x92, 1, 2, 0x81, 0xa1, 0x61, 0x90);
/** For each `maxElements` from 1 to 4, the offset of the header that exceeds it. */
const OFFSETS = [0, 1, 1, 4];

function inParts(bytes: Uint8Array, maxElements: number): unknown[] {
  const decoder = new StreamDecoder({ maxElements });
  const values: unknown[] = [];
  for (const byte of bytes) {
    decoder.push(Uint8Array.of(byte));
    for (const value of decoder) values.push(value);
  }
  decoder.end();
  return values;
}

describe("maxElements", () => {
  test("counts elements and pairs, and rejects the header that exceeds the limit", () => {
    for (const [i, offset] of OFFSETS.entries()) {
      const maxElements = i + 1;
      for (const read of [
        () => decode(NESTED, { maxElements }),
        () => new Decoder({ maxElements, strict: true, engine: complete }).decode(NESTED),
        () => [...decodeMulti(NESTED, { maxElements })],
        () => inParts(NESTED, maxElements),
      ]) {
        const error = fault(read);
        expect([error.code, error.offset]).toEqual(["ERR_LIMIT_ELEMENTS", offset]);
      }
    }
    const value = [[1, 2], { a: [] }];
    expect(decode(NESTED, { maxElements: 5 })).toEqual(value);
    expect(decode(NESTED, { maxElements: Infinity })).toEqual(value);
    expect(inParts(NESTED, 5)).toEqual([value]);
  });

  test("applies to each message separately, also after an error", () => {
    const decoder = new Decoder({ maxElements: 5 });
    for (let i = 0; i < 3; i++) {
      expect(decoder.decode(NESTED)).toEqual([[1, 2], { a: [] }]);
      expect(fault(() => decoder.decode(Uint8Array.of(0x96, 1, 2, 3, 4, 5, 6))).code).toBe("ERR_LIMIT_ELEMENTS");
    }
    const twice = new Uint8Array([...NESTED, ...NESTED]);
    expect([...decodeMulti(twice, { maxElements: 5 })].length).toBe(2);
    expect(inParts(twice, 5).length).toBe(2);
  });

  test("counts over all slices of a cooperative decode", async () => {
    const bytes = new Uint8Array(3 + 3000 * 3).fill(1);
    bytes.set([0xdc, 3000 >> 8, 3000 & 255]);
    for (let i = 0; i < 3000; i++) bytes[3 + 3 * i] = 0x92;
    const read = (maxElements: number) => decodeCooperatively<unknown[]>(bytes, { maxElements, budget: 0 });
    expect((await read(9000)).length).toBe(3000);
    const error = await caughtAsync(() => read(8999));
    expect(error).toMatchObject({ code: "ERR_LIMIT_ELEMENTS", offset: 3 + 3 * 2999 });
  });

  test("by default allows 1,200,000 empty objects, but not as many empty Maps", () => {
    const count = 1_200_000;
    const bytes = new Uint8Array(5 + count).fill(0x80);
    bytes.set([0xdd, count >>> 24, (count >> 16) & 255, (count >> 8) & 255, count & 255]);
    expect((decode(bytes) as unknown[]).length).toBe(count);
    // A Map counts as four. The default limit is two for each byte, plus 2^20.
    const granted = 2 ** 20 + 2 * bytes.length;
    const error = fault(() => decode(bytes, { maps: "map" }));
    expect([error.code, error.offset]).toEqual(["ERR_LIMIT_ELEMENTS", 5 + Math.floor(granted / 4)]);
    expect((decode(bytes, { maps: "map", maxElements: Infinity }) as unknown[]).length).toBe(count);
  });

  test("a header may declare more elements than have arrived", () => {
    const count = 3_000_000;
    const decoder = new StreamDecoder({ maps: "map" });
    decoder.push(Uint8Array.of(0xdd, count >>> 24, (count >> 16) & 255, (count >> 8) & 255, count & 255));
    expect([...decoder]).toEqual([]);
    decoder.push(new Uint8Array(count));
    expect((([...decoder] as unknown[][])[0] ?? []).length).toBe(count);
    decoder.push(Uint8Array.of(0xdd, 4, 0, 0, 0, 1)); // 2^26
    expect([...decoder]).toEqual([]);
    expect(fault(() => decoder.end()).code).toBe("ERR_TRUNCATED");
  });

  test("a header may not declare more elements than a list may have", () => {
    const decoder = new StreamDecoder();
    decoder.push(Uint8Array.of(0xdd, 4, 0, 0, 1, 1));
    expect(fault(() => [...decoder]).code).toBe("ERR_LIMIT_ELEMENTS");
  });

  test("must be a positive integer or Infinity", () => {
    for (const maxElements of [0, -1, 1.5, Number.NaN, "5", null] as never[]) {
      expect(fault(() => new Decoder({ maxElements })).code).toBe("ERR_INVALID_ARGUMENT");
    }
  });
});
