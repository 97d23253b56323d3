import { fault } from "@moonpack/harness/caught.ts";
import { cutEvery, inParts } from "@moonpack/harness/cuts.ts";
import { concat } from "@moonpack/harness/hex.ts";
import { type DecoderOptions, Encoder, encode } from "moonpack";
import { StreamDecoder } from "moonpack/stream";
import { describe, expect, test } from "vitest";

describe("the decoder", () => {
  test("yields a value as soon as its last byte is there, also null", () => {
    const decoder = new StreamDecoder();
    const seen: unknown[] = [];
    for (const byte of concat(encode(null), encode([null]), encode("é"))) {
      seen.push([...decoder.push(new Uint8Array([byte]))]);
    }
    expect(seen).toEqual([[null], [], [[null]], [], [], ["é"]]);
    decoder.end();
  });

  test("values may be pulled at any time; bytes that were pushed in between are kept", () => {
    const decoder = new StreamDecoder<number>();
    const first = new Uint8Array(5000).fill(1);
    const second = new Uint8Array([2, 2]);
    decoder.push(first).push(second);
    first.fill(9); // ours to read until the iteration has ended: only the second was copied
    second.fill(9);
    const values: number[] = [];
    for (const value of decoder) if (values.push(value) === 10) break;
    for (const value of decoder.push(new Uint8Array([3]))) values.push(value);
    expect(values.length).toBe(5003);
    expect(values.slice(4999)).toEqual([9, 2, 2, 3]);
    expect([...decoder]).toEqual([]);
  });

  test("a stream that ends inside a message is ERR_TRUNCATED, at the cut item", () => {
    const cut = (bytes: number[], options?: DecoderOptions) =>
      fault(() => {
        const decoder = new StreamDecoder(options);
        for (const byte of bytes) expect([...decoder.push(new Uint8Array([byte]))].length).toBeLessThan(2);
        decoder.end();
      });
    expect(cut([0x01, 0x92, 0x01])).toEqual({ code: "ERR_TRUNCATED", offset: 3, needMore: 1 });
    expect(cut([0x92, 0xda, 0x01])).toEqual({ code: "ERR_TRUNCATED", offset: 1, needMore: 2 });
    expect(cut([0x93, 0xa5, 0x61])).toEqual({ code: "ERR_TRUNCATED", offset: 1, needMore: 6 });
    expect(cut([0x82, 0xa1, 0x61, 0x81])).toEqual({ code: "ERR_TRUNCATED", offset: 4, needMore: 4 });
    expect(cut([0xdf, 1, 0, 0, 0])).toEqual({ code: "ERR_TRUNCATED", offset: 5, needMore: 2 * 2 ** 24 });
    for (const parts of [[], [encode(1)], [new Uint8Array(0)]]) expect(inParts(parts, {}).error).toBe(null);
  });

  test("closed after an error and after the end", () => {
    const decoder = new StreamDecoder();
    const iterator = decoder.push(new Uint8Array([1, 0xc1, 2]))[Symbol.iterator]();
    expect(iterator.next()).toEqual({ done: false, value: 1 });
    expect(fault(() => iterator.next())).toEqual({ code: "ERR_INVALID_BYTE", offset: 1, needMore: 0 });
    expect(decoder.closed).toBe(true);
    expect(iterator.next().done).toBe(true);
    expect(fault(() => decoder.push(new Uint8Array(1)))).toEqual({ code: "ERR_CLOSED" });
    decoder.end();
    const ended = new StreamDecoder();
    ended.end();
    expect(fault(() => ended.push(new Uint8Array(1)))).toEqual({ code: "ERR_CLOSED" });
  });

  test("offsets count from the start of the stream, beyond 4 GB too", () => {
    const decoder = new StreamDecoder({ binary: "view" });
    const filler = encode(new Uint8Array(32 * 1024 * 1024));
    let count = 0;
    for (let i = 0; i < 130; i++)
      for (const value of decoder.push(filler)) count += (value as Uint8Array).length > 0 ? 1 : 0;
    expect(count).toBe(130);
    const at = 130 * filler.length;
    expect(at).toBeGreaterThan(2 ** 32);
    expect(decoder.offset).toBe(at);
    expect([...decoder.push(new Uint8Array([0x93, 1]))]).toEqual([]);
    expect(fault(() => [...decoder.push(new Uint8Array([2, 0xc1]))])).toEqual({
      code: "ERR_INVALID_BYTE",
      offset: at + 3,
      needMore: 0,
    });
  });

  test("invalid arguments, and bytes of every type", () => {
    const decoder = new StreamDecoder();
    for (const wrong of [undefined, null, "text", 5, [1]])
      expect(fault(() => decoder.push(wrong as unknown as Uint8Array)).code).toBe("ERR_INVALID_ARGUMENT");
    const bytes = encode([1, "text"]);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    for (const input of [
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
      new DataView(encode([1, "text"]).slice().buffer),
      shared,
    ])
      expect([...decoder.push(input)]).toEqual([[1, "text"]]);
    expect(() => new StreamDecoder({ maxBytes: 0 })).toThrow("maxBytes");
  });
});

describe("limits apply to the whole message", () => {
  const run = (bytes: Uint8Array, options: DecoderOptions, size: number) => inParts(cutEvery(bytes, size), options);
  test("maxBytes", () => {
    const bytes = concat(encode(["abc", [1, 2, 3]]), encode({ a: "x".repeat(40) }));
    for (const size of [1, 3, 10, 1000]) {
      expect(run(bytes, { maxBytes: 45 }, size)).toEqual({
        values: [["abc", [1, 2, 3]], { a: "x".repeat(40) }],
        error: null,
      });
      const { values, error } = run(bytes, { maxBytes: 44 }, size);
      expect(values).toEqual([["abc", [1, 2, 3]]]);
      expect([error?.code, error?.offset]).toEqual(["ERR_LIMIT_BYTES", 9]);
    }
  });
  test("a declared size beyond maxBytes is rejected before its bytes arrive", () => {
    const { error } = run(new Uint8Array([0x92, 0xdd, 0, 1, 0, 0]), { maxBytes: 1000 }, 2);
    expect([error?.code, error?.offset]).toEqual(["ERR_LIMIT_ELEMENTS", 1]);
    const text = run(new Uint8Array([0x92, 0xdb, 0, 1, 0, 0]), { maxBytes: 1000 }, 2);
    expect([text.error?.code, text.error?.offset]).toEqual(["ERR_LIMIT_BYTES", 0]);
  });
  test("maxBufferedBytes, before a byte is kept", () => {
    const header = new Uint8Array([0x91, 0xc6, 0x04, 0, 0, 1]);
    const { error } = run(header, {}, 3);
    expect([error?.code, error?.offset]).toEqual(["ERR_LIMIT_BYTES", 1]);
    expect(run(concat(new Uint8Array([0x91, 0xc4, 0x05]), new Uint8Array(5)), { maxBufferedBytes: 5 }, 1).error).toBe(
      null,
    );
    expect(
      run(concat(new Uint8Array([0x91, 0xc4, 0x05]), new Uint8Array(5)), { maxBufferedBytes: 4 }, 1).error?.code,
    ).toBe("ERR_LIMIT_BYTES");
    expect(run(encode([2 ** 40, 1.5]), { maxBufferedBytes: 1 }, 1).error).toBe(null);
  });
  test("maxDepth", () => {
    const nested = (n: number) => concat(new Uint8Array(n).fill(0x91), new Uint8Array([0xc0]));
    for (const size of [1, 100, 1000]) {
      expect(run(nested(512), {}, size).error).toBe(null);
      const { error } = run(nested(513), {}, size);
      expect([error?.code, error?.offset]).toEqual(["ERR_LIMIT_DEPTH", 512]);
    }
  });
});

test("stats count what a whole decoder counts", () => {
  const encoder = new Encoder();
  const bytes = concat(encoder.encode([1, { a: [2, 3] }]), encoder.encode("x"));
  for (const size of [1, 4, 100]) {
    const decoder = new StreamDecoder();
    for (const part of cutEvery(bytes, size)) for (const _ of decoder.push(part)) expect(decoder.closed).toBe(false);
    const { messages, bytes: read, values } = decoder.stats();
    expect([messages, read, values]).toEqual([2, bytes.length, 7]);
  }
});

describe("decoders that share what they learn", () => {
  test("an error inside a container does not affect the others", () => {
    const list = encode(Array.from({ length: 100 }, (_, i) => [i]));
    const good = new StreamDecoder();
    const bad = new StreamDecoder();
    expect([...good.push(list.subarray(0, 23))]).toEqual([]);
    const fail = () => {
      for (const part of [new Uint8Array(512).fill(0x91), Uint8Array.of(0xdc, 0), Uint8Array.of(1, 1)]) {
        expect([...bad.push(part)]).toEqual([]);
      }
    };
    expect(fault(fail).code).toBe("ERR_LIMIT_DEPTH");
    expect([...good.push(list.subarray(23))].length).toBe(1);
  });

  test("end, with bytes that were pushed and not read", () => {
    expect(fault(() => new StreamDecoder().push(Uint8Array.of(0x92, 1)).end())).toEqual({
      code: "ERR_INVALID_ARGUMENT",
    });
  });
});

test("items: as many as a header can declare, since none is kept; their own containers are limited", () => {
  const list = new StreamDecoder(undefined, "items");
  expect([...list.push(Uint8Array.of(0xdd, 255, 255, 255, 255, 1, 2))]).toEqual([1, 2]);
  const map = new StreamDecoder(undefined, "items");
  const pairs: unknown[] = [];
  for (const byte of [0xdf, 255, 255, 255, 255, 1, 2, 3, 4]) pairs.push(...map.push(Uint8Array.of(byte)));
  expect(pairs).toEqual([
    [1, 2],
    [3, 4],
  ]);
  for (const decoder of [list, map]) {
    const inner = decoder === list ? 7 : 9;
    const key = decoder === list ? [] : [5];
    expect(fault(() => [...decoder.push(Uint8Array.of(...key, 0xdd, 4, 0, 0, 1, 1))])).toMatchObject({
      code: "ERR_LIMIT_ELEMENTS",
      offset: inner + key.length,
    });
  }
  // The reader is shared with decoders of messages.
  expect(fault(() => [...new StreamDecoder().push(Uint8Array.of(0xdd, 255, 255, 255, 255, 1))]).code).toBe(
    "ERR_LIMIT_ELEMENTS",
  );
});

test("values: messages or items, nothing else", () => {
  const bytes = encode([1, [2]]);
  expect([...new StreamDecoder({}).push(bytes)]).toEqual([[1, [2]]]);
  expect([...new StreamDecoder({}, "items").push(bytes)]).toEqual([1, [2]]);
  expect(fault(() => new StreamDecoder({}, true as never)).code).toBe("ERR_INVALID_ARGUMENT");
});
