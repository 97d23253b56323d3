/** What a stream must survive: declared sizes cost nothing, and what is held is what has come. */
import { encode } from "moonpack";
import { decodeStream, StreamDecoder } from "moonpack/stream";
import { describe, expect, test } from "vitest";
import { caughtAsync, fault } from "../harness/caught.ts";

function held(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

describe("a slow drip, one byte at a time", () => {
  const BYTES = 1_000_000;
  for (const [name, header] of [
    ["a string of 64 MiB", [0xdb, 0x04, 0, 0, 0]],
    ["a binary of 64 MiB", [0xc6, 0x04, 0, 0, 0]],
    ["an extension of 64 MiB", [0xc9, 0x04, 0, 0, 0, 7]],
  ] as const) {
    test(`${name}: held is what has come`, () => {
      expect([...new StreamDecoder().push(encode([1]))]).toEqual([[1]]); // what decoders share is there
      const decoder = new StreamDecoder();
      const drop = (byte: number) => {
        for (const _ of decoder.push(new Uint8Array([byte]))) expect.unreachable();
      };
      const before = held();
      for (const byte of header) drop(byte);
      expect(held() - before).toBeLessThan(100_000);
      for (let i = 0; i < BYTES; i++) drop(0x61);
      expect(decoder.buffered).toBe(BYTES + header.length);
      expect(held() - before).toBeLessThan(2 * BYTES + 500_000);
      expect(fault(() => decoder.end())).toMatchObject({
        code: "ERR_TRUNCATED",
        offset: 0,
        needMore: 64 * 1024 * 1024 - BYTES,
      });
      expect(held() - before).toBeLessThan(500_000);
    });
  }

  test("an array of 4,294,967,295 elements: nothing is allocated ahead", () => {
    expect([...new StreamDecoder().push(encode([1]))]).toEqual([[1]]); // what decoders share is there
    const decoder = new StreamDecoder();
    const before = held();
    for (const byte of [0xdd, 0xff, 0xff, 0xff, 0xff, ...new Array(1000).fill(0xc0)]) {
      for (const _ of decoder.push(new Uint8Array([byte]))) expect.unreachable();
    }
    expect(held() - before).toBeLessThan(200_000);
  });
});

test("headers of containers, forged by the thousand, cost no more than their bytes", () => {
  const bytes = new Uint8Array(72 * 1024);
  for (let i = 0; i < bytes.length; i += 3) bytes.set([0xdc, 0xff, 0xff], i);
  for (const size of [1, 1000, bytes.length]) {
    const before = held();
    const decoder = new StreamDecoder();
    const error = fault(() => {
      for (let i = 0; i < bytes.length; i += size)
        for (const _ of decoder.push(bytes.subarray(i, i + size))) expect.unreachable();
    });
    expect(error).toMatchObject({ code: "ERR_LIMIT_DEPTH", offset: 512 * 3 });
    expect(held() - before).toBeLessThan(1_000_000);
  }
});

test("a decoder between messages, or closed, holds nothing of them", () => {
  const message = encode({ text: "x".repeat(10_000_000), list: [1, 2, 3] });
  const before = held();
  const decoder = new StreamDecoder({});
  for (let i = 0; i < message.length; i += 60_000)
    for (const value of decoder.push(message.subarray(i, i + 60_000))) expect(value).toBeTypeOf("object");
  expect(held() - before).toBeLessThan(1_000_000);
  const cut = new StreamDecoder({});
  for (const _ of cut.push(message.subarray(0, 9_000_000))) expect.unreachable();
  expect(fault(() => cut.end()).code).toBe("ERR_TRUNCATED");
  expect(held() - before).toBeLessThan(1_000_000);
});

test("an extension that pushes to the decoder it is decoded by is refused; others may work meanwhile", async () => {
  const { Extensions } = await import("moonpack");
  const seen: unknown[] = [];
  const extensions = new Extensions().register({
    type: 3,
    class: class Never {},
    encode: () => new Uint8Array(0),
    decode: () => {
      const other = new StreamDecoder({ extensions });
      seen.push([...other.push(encode(["inner"]))]);
      seen.push(fault(() => [...decoder]));
      return "outer";
    },
  });
  const decoder = new StreamDecoder({ extensions });
  expect([...decoder.push(new Uint8Array([0x92, 0xd4, 3, 0, 5]))]).toEqual([["outer", 5]]);
  expect(seen).toEqual([[["inner"]], { code: "ERR_INVALID_ARGUMENT" }]);
});

test("a source whose chunk is transferred away while it is read", async () => {
  const chunk = new Uint8Array(10_000);
  const iterator = decodeStream([chunk]);
  expect((await iterator.next()).value).toBe(0);
  structuredClone(chunk.buffer, { transfer: [chunk.buffer] });
  expect(await caughtAsync(() => iterator.next())).toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
});
