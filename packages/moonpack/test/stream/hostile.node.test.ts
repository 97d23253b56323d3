/** Hostile streams: declared sizes allocate nothing, and only bytes that have arrived are held. */

import { caughtAsync, fault } from "@moonpack/harness/caught.ts";
import { isWhole } from "@moonpack/harness/effort.ts";
import { retainedByEach } from "@moonpack/harness/retained-memory.ts";
import { encode } from "moonpack";
import { decodeStream, StreamDecoder } from "moonpack/stream";
import { describe, expect, test } from "vitest";

const SETUP = `
  import { encode } from "moonpack";
  import { StreamDecoder } from "moonpack/stream";
  const none = (decoder, bytes) => { for (const _ of decoder.push(bytes)) throw new Error("a value"); };
  const drip = (decoder, bytes) => { for (const byte of bytes) none(decoder, new Uint8Array([byte])); };
  const expectError = (code, offset, act) => {
    try { act(); } catch (error) { if (error.code === code && error.offset === offset) return; throw error; }
    throw new Error("no error");
  };
`;

/** A share takes the first of them: each is a process. */
const some = <T>(cases: readonly T[]): readonly T[] => (isWhole ? cases : cases.slice(0, 1));

describe("a slow drip, one byte at a time", () => {
  const BYTES = 100_000;
  for (const [name, header] of some([
    ["a string of 64 MiB", [0xdb, 0x04, 0, 0, 0]],
    ["a binary of 64 MiB", [0xc6, 0x04, 0, 0, 0]],
    ["an extension of 64 MiB", [0xc9, 0x04, 0, 0, 0, 7]],
  ] as const)) {
    test(`${name}: only bytes that have arrived are held`, () => {
      const held = retainedByEach(
        SETUP,
        {
          header: `() => {
            const decoder = new StreamDecoder();
            drip(decoder, [${header.join()}]);
            return decoder;
          }`,
          body: `(decoder) => {
            const byte = new Uint8Array([0x61]);
            for (let i = 0; i < ${BYTES}; i++) none(decoder, i % 8 === 0 ? byte.slice() : byte);
            if (decoder.buffered !== ${BYTES + header.length}) throw new Error(String(decoder.buffered));
            return decoder;
          }`,
          end: `(decoder) => {
            expectError("ERR_TRUNCATED", 0, () => decoder.end());
            return decoder;
          }`,
        },
        8,
      );
      expect(held.header).toBeLessThan(20_000);
      expect(held.body).toBeGreaterThan(BYTES);
      expect(held.body).toBeLessThan(2 * BYTES + 50_000);
      expect(held.end).toBeLessThan(20_000);
    });

    test(`${name}: the missing bytes at its end`, () => {
      const decoder = new StreamDecoder();
      for (const part of [header, new Array(1000).fill(0x61)])
        expect([...decoder.push(new Uint8Array(part))]).toEqual([]);
      expect(fault(() => decoder.end())).toMatchObject({
        code: "ERR_TRUNCATED",
        offset: 0,
        needMore: 64 * 1024 * 1024 - 1000,
      });
    });
  }

  test("an array of 67,108,864 elements: its size is not allocated", () => {
    const { held } = retainedByEach(SETUP, {
      held: `() => {
        const decoder = new StreamDecoder();
        drip(decoder, [0xdd, 4, 0, 0, 0, ...new Array(1000).fill(0xc0)]);
        return decoder;
      }`,
    });
    expect(held).toBeLessThan(30_000);
  });
});

test.each(some([1, 1000, 72 * 1024]))("thousands of forged container headers, in parts of %d bytes", (size) => {
  const held = retainedByEach(
    `${SETUP}
    const bytes = new Uint8Array(72 * 1024);
    for (let i = 0; i < bytes.length; i += 3) bytes.set([0xdc, 0xff, 0xff], i);
    const feed = (decoder, to) => {
      for (let i = decoder.offset + decoder.buffered; i < to; i = Math.min(to, i + ${size})) none(decoder, bytes.subarray(i, Math.min(to, i + ${size})));
      return decoder;
    };`,
    {
      open: `() => feed(new StreamDecoder(), 512 * 3)`,
      failed: `(decoder) => {
        expectError("ERR_LIMIT_DEPTH", 512 * 3, () => feed(decoder, bytes.length));
        return decoder;
      }`,
    },
    20,
    // 512 arrays of their declared sizes would take 270 MB for each decoder.
    ["--max-old-space-size=64"],
  );
  expect(held.open).toBeLessThan(200_000);
  expect(held.failed).toBeLessThan(20_000);
});

test("a decoder between messages, or closed, holds no bytes of them", () => {
  const held = retainedByEach(
    `${SETUP}
    const message = encode({ text: "x".repeat(3_000_000), list: [1, 2, 3] });
    const feed = (decoder, to) => {
      let count = 0;
      for (let i = 0; i < to; i += 60_000) for (const _ of decoder.push(message.subarray(i, Math.min(to, i + 60_000)))) count++;
      return count;
    };`,
    {
      between: `() => {
        const decoder = new StreamDecoder({});
        if (feed(decoder, message.length) !== 1) throw new Error("no value");
        return decoder;
      }`,
      inside: `(decoder) => {
        if (feed(decoder, 2_500_000) !== 0) throw new Error("a value");
        return decoder;
      }`,
      closed: `(decoder) => {
        expectError("ERR_TRUNCATED", message.length + 6, () => decoder.end());
        return decoder;
      }`,
    },
    10,
  );
  // Memory for keys and shapes of a decoder with options; see the constructor.
  expect(held.between).toBeLessThan(100_000);
  expect(held.inside).toBeGreaterThan(2_500_000);
  expect(held.closed).toBeLessThan(100_000);
});

test("strict: bytes of nested keys are held once", () => {
  const { held } = retainedByEach(
    `${SETUP}
    const item = encode(new Uint8Array(1000));`,
    {
      held: `() => {
        const decoder = new StreamDecoder({ strict: true });
        none(decoder, new Uint8Array(9).fill(0x82));
        none(decoder, new Uint8Array([0xdc, 0x03, 0xe8]));
        for (let i = 0; i < 100; i++) none(decoder, item);
        return decoder;
      }`,
    },
    5,
  );
  // 9 levels and 100 binaries; their bytes may take twice the memory while it grows.
  expect(held).toBeGreaterThan(200_000);
  expect(held).toBeLessThan(900_000);
});

test("an extension cannot push to the decoder that called it; other decoders may be used", async () => {
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

test("a source whose chunk is transferred while it is read", async () => {
  const chunk = new Uint8Array(10_000);
  const iterator = decodeStream([chunk]);
  expect((await iterator.next()).value).toBe(0);
  structuredClone(chunk.buffer, { transfer: [chunk.buffer] });
  expect(await caughtAsync(() => iterator.next())).toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
});
