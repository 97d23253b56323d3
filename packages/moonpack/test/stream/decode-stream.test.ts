/** Values of decodeStream, decodeArrayStream and decodeAsync, their order, and how the streams end. */

import { caughtAsync } from "@moonpack/harness/caught.ts";
import { cutEvery } from "@moonpack/harness/cuts.ts";
import { concat } from "@moonpack/harness/hex.ts";
import { all, bytes, later, values } from "@moonpack/harness/streams.ts";
import { type DecoderOptions, encode } from "moonpack";
import { complete } from "moonpack/msgpack/features";
import { decodeArrayStream, decodeAsync, decodeStream } from "moonpack/stream";
import { describe, expect, test } from "vitest";

describe("values before an error are yielded", () => {
  test.each([1, 100, 10_000])("in parts of %d bytes", async (size) => {
    const got: unknown[] = [];
    const bad = concat(bytes, new Uint8Array([0xc1]));
    const error = await caughtAsync(async () => {
      for await (const value of decodeStream(cutEvery(bad, size))) got.push(value);
    });
    expect(got).toEqual(values);
    expect(error).toMatchObject({ code: "ERR_INVALID_BYTE", offset: bytes.length });
  });
});

describe("decodeArrayStream", () => {
  const take = async (input: Uint8Array, size: number, options?: DecoderOptions) =>
    all(decodeArrayStream(cutEvery(input, size), options));

  test.each([1, 3, 64, 10_000])("elements and pairs, in parts of %d bytes", async (size) => {
    const list = Array.from({ length: 500 }, (_, i) => (i % 3 === 0 ? i * 1000 : { id: i, list: [i, [i]] }));
    expect(await take(encode(list), size)).toEqual(list);
    const map = new Map<unknown, unknown>(list.map((value, i) => [i % 2 === 0 ? `k${i}` : i, value]));
    expect(await take(encode(map), size)).toEqual([...map]);
    expect(await take(encode({ a: 1, b: [2] }), size, { strict: true, engine: complete })).toEqual([
      ["a", 1],
      ["b", [2]],
    ]);
    for (const empty of [[], {}, new Map()]) expect(await take(encode(empty), size)).toEqual([]);
  });

  test.each([1, 3, 10_000])("errors, in parts of %d bytes", async (size) => {
    const fault = async (...parts: (number[] | Uint8Array)[]) => {
      const got: unknown[] = [];
      const input = concat(...parts.map((part) => Uint8Array.from(part)));
      const error = await caughtAsync(async () => {
        for await (const value of decodeArrayStream(cutEvery(input, size))) got.push(value);
      });
      const { code, offset } = error as { code: string; offset: number };
      return [got, code, offset];
    };
    expect(await fault([0x93, 1, 2])).toEqual([[1, 2], "ERR_TRUNCATED", 3]);
    expect(await fault([0x82, 0xa1, 0x61, 1, 0xa1, 0x62])).toEqual([[["a", 1]], "ERR_TRUNCATED", 6]);
    expect(await fault([0x92, 1, 0xc1])).toEqual([[1], "ERR_INVALID_BYTE", 2]);
    expect(await fault([0x92, 1, 2, 3])).toEqual([[1, 2], "ERR_TRAILING_BYTES", 3]);
    expect(await fault([0x90, 0xc0])).toEqual([[], "ERR_TRAILING_BYTES", 1]);
    expect(await fault([0xa1, 0x61])).toEqual([[], "ERR_UNSUPPORTED_TYPE", 0]);
    expect(await fault([0xdc, 0])).toEqual([[], "ERR_TRUNCATED", 0]);
    expect(await fault([0xdd, 0xff, 0xff, 0xff, 0xff, 7])).toEqual([[7], "ERR_TRUNCATED", 6]);
  });

  test("maxBytes counts for the whole message, maxDepth includes the outer array", async () => {
    const list = encode(Array.from({ length: 100 }, (_, i) => i));
    expect((await take(list, 10, { maxBytes: list.length })).length).toBe(100);
    expect(await caughtAsync(() => take(list, 10, { maxBytes: list.length - 1 }))).toMatchObject({
      code: "ERR_LIMIT_ELEMENTS",
    });
    expect(await take(encode([[1]]), 10, { maxDepth: 2 })).toEqual([[1]]);
    expect(await caughtAsync(() => take(encode([[[1]]]), 10, { maxDepth: 2 }))).toMatchObject({
      code: "ERR_LIMIT_DEPTH",
    });
  });
});

test("decodeAsync decodes one value and rejects bytes after it", async () => {
  const two = concat(encode([1]), encode(2));
  for (const size of [1, 2, 3, 100]) {
    expect(await caughtAsync(() => decodeAsync(cutEvery(two, size)))).toMatchObject({
      code: "ERR_TRAILING_BYTES",
      offset: 2,
    });
  }
  expect(await decodeAsync([encode(1), new Uint8Array(0)])).toBe(1);
});

test("concurrent calls of next resolve in order", async () => {
  const iterator = decodeStream<number>(later([encode(1), encode(2), encode(3)]));
  const results = await Promise.all([
    iterator.next(),
    iterator.next(),
    iterator.next(),
    iterator.next(),
    iterator.next(),
  ]);
  expect(results.map((result) => result.value)).toEqual([1, 2, 3, undefined, undefined]);
});

test("two concurrent streams, cut anywhere, stay separate", async () => {
  const a = decodeStream(later(cutEvery(bytes, 3)));
  const b = decodeStream(later(cutEvery(encode(["other", { a: [1] }]), 2)));
  const got: unknown[] = [];
  for await (const value of a) {
    got.push(value);
    await b.next();
  }
  expect(got).toEqual(values);
});
