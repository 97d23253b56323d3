/** Extensions that use or end the decoder that called them, or transfer its input. */

import { fault } from "@moonpack/harness/caught.ts";
import { cutAt, cutEvery, outcome } from "@moonpack/harness/cuts.ts";
import { none } from "@moonpack/harness/each.ts";
import { concat } from "@moonpack/harness/hex.ts";
import { differ } from "@moonpack/harness/same.ts";
import { type DecoderOptions, Extensions, encode, registerExtension, unregisterExtension } from "moonpack";
import { complete } from "moonpack/msgpack/features";
import { StreamDecoder } from "moonpack/stream";
import { describe, expect, test } from "vitest";

class Called {
  readonly data: unknown;
  constructor(data: unknown) {
    this.data = data;
  }
}

/** An extension of type 7 whose `decode` calls `act`. */
function calling(act: () => unknown): Extensions {
  return new Extensions().register({
    type: 7,
    class: Called,
    encode: () => Uint8Array.of(1, 2, 3),
    decode(data) {
      act();
      return data.length as unknown as Called; // anything will do
    },
  });
}

const plain = new Extensions().register({
  type: 7,
  class: Called,
  encode: () => Uint8Array.of(1, 2, 3),
  decode: (data) => data.length as unknown as Called,
});

const called = new Called(null);
/** Items after an extension: numbers, text, floats, maps, other extensions. */
const items = [
  1,
  called,
  70_000,
  "text",
  { a: 0.1, b: called, c: [1.5, -1], d: { e: called } },
  new Date(1e9),
  [called, called],
  new Map<unknown, unknown>([[called, 1]]),
  "x".repeat(40),
  called,
];
const CALLS = 7;
const EXTENSION_BYTES = 6;
const message = encode(items, { extensions: plain });

describe("an extension that transfers the chunk's buffer", () => {
  /** Up to here a chunk is copied before it is read. */
  const COPIED = 2048;
  const long = encode(["p".repeat(COPIED), 5]);
  const modes: [string, DecoderOptions][] = [
    ["by default", {}],
    ["without generated code", { codeGeneration: false }],
    ["strict", { strict: true, engine: complete }],
    ["binary: view", { binary: "view" }],
  ];

  /** Reads the parts. At its n-th call the extension transfers the part that is being read. Returns the size of that part. */
  function read(parts: Uint8Array[], options: DecoderOptions, n: number) {
    let count = 0;
    let size = 0;
    let part = new Uint8Array(0);
    const extensions = calling(() => {
      if (++count !== n) return;
      size = part.length;
      structuredClone(part.buffer, { transfer: [part.buffer] });
    });
    const decoder = new StreamDecoder({ ...options, extensions });
    const { values, error } = outcome((take) => {
      for (const piece of parts) {
        part = piece.slice();
        for (const value of decoder.push(part)) take(value);
      }
      decoder.end();
    });
    return { decoder, values, error, size };
  }

  for (const [name, options] of modes) {
    test(`${name}: an error, at any call and wherever the chunk is cut`, () => {
      const bytes = concat(message, long, message);
      const all = [...new StreamDecoder({ ...options, extensions: plain }).push(bytes)];
      expect(all.length).toBe(3);
      const failed = new Set<number>();
      for (let n = 1; n <= 2 * CALLS; n++) {
        for (let cut = 0; cut < message.length; cut++) {
          const { decoder, values, error, size } = read(cutAt(bytes, [cut]), options, n);
          // The values before it are right, and no value follows.
          none(differ(values, all.slice(0, values.length)), `call ${n}, cut at ${cut}`);
          if (size <= COPIED && options.binary !== "view") {
            expect(error).toBe(null);
            expect(values.length).toBe(3);
            continue;
          }
          failed.add(n);
          expect(error?.code, `call ${n}, cut at ${cut}`).toBe("ERR_INVALID_ARGUMENT");
          // A cut last item is read from held memory, and completes the message.
          const isWhole = n === CALLS && cut > message.length - EXTENSION_BYTES;
          expect(values.length).toBe(n > CALLS ? 2 : isWhole ? 1 : 0);
          expect(decoder.closed).toBe(true);
          expect(fault(() => decoder.push(message))).toEqual({ code: "ERR_CLOSED" });
        }
      }
      expect(failed.size).toBe(2 * CALLS);
    });
  }

  test("decoders that share a reader continue", () => {
    let part = new Uint8Array(0);
    registerExtension({
      type: 99,
      class: Called,
      encode: () => Uint8Array.of(1, 2, 3),
      decode() {
        if (part.length > 0) structuredClone(part.buffer, { transfer: [part.buffer] });
        return null;
      },
    });
    try {
      const bytes = encode(["p".repeat(COPIED), called, { a: [1, 2, { b: "c" }] }]);
      const other = new StreamDecoder();
      const half = encode({ a: [1, 2, { b: "c" }] });
      expect([...other.push(half.subarray(0, 7))]).toEqual([]);
      part = bytes.slice();
      const failing = new StreamDecoder();
      expect(fault(() => [...failing.push(part)]).code).toBe("ERR_INVALID_ARGUMENT");
      part = new Uint8Array(0);
      expect([...other.push(half.subarray(7))]).toEqual([{ a: [1, 2, { b: "c" }] }]);
      expect([...new StreamDecoder().push(half)]).toEqual([{ a: [1, 2, { b: "c" }] }]);
    } finally {
      unregisterExtension(99);
    }
  });
});

describe("an extension that uses the decoder that called it", () => {
  const all = [...new StreamDecoder({ extensions: plain }).push(message)];
  const REFUSED = { code: "ERR_INVALID_ARGUMENT" };

  test.each(["end", "next"])("%s throws, and the decoder stays usable", (method) => {
    for (const size of [1, 2, 3, 5, 20, 70, message.length, 3 * message.length]) {
      const faults: unknown[] = [];
      const extensions = calling(() => {
        faults.push(fault(() => (method === "end" ? decoder.end() : decoder[Symbol.iterator]().next())));
        expect(decoder.closed).toBe(false);
      });
      const decoder = new StreamDecoder({ extensions });
      const values: unknown[] = [];
      for (const part of cutEvery(concat(message, message, message), size)) {
        for (const value of decoder.push(part)) values.push(value);
      }
      none(differ(values, [...all, ...all, ...all]), `parts of ${size}`);
      expect(faults).toEqual(new Array(3 * CALLS).fill(REFUSED));
      expect([decoder.offset, decoder.left, decoder.buffered]).toEqual([3 * message.length, 0, 0]);
      decoder.end();
      expect(decoder.closed).toBe(true);
    }
  });

  test.each(["end", "next"])("%s without a catch ends the decoder, as any error of an extension", (method) => {
    for (const size of [1, 3, message.length]) {
      const extensions = calling(() => (method === "end" ? decoder.end() : decoder[Symbol.iterator]().next()));
      const decoder = new StreamDecoder({ extensions });
      const { values, error } = outcome((take) => {
        for (const part of cutEvery(message, size)) for (const value of decoder.push(part)) take(value);
      });
      expect(values).toEqual([]);
      expect(error).toMatchObject({ code: "ERR_USER_CODE", offset: 2, cause: REFUSED });
      expect(decoder.closed).toBe(true);
      expect(decoder.buffered).toBe(0);
      decoder.end(); // has ended
    }
  });

  test("pushed bytes follow the part that is being read", () => {
    for (const size of [1, 2, 3, 5, 20, message.length]) {
      let isFirst = true;
      const extensions = calling(() => {
        if (isFirst) decoder.push(pushed);
        isFirst = false;
      });
      const decoder = new StreamDecoder({ extensions });
      const parts = cutEvery(message, size);
      // The call happens in the first part that completes the extension, bytes 2 to 7: the pushed bytes follow that part.
      const at = parts.findIndex((_, i) => (i + 1) * size >= 8 || i === parts.length - 1);
      const pushed = concat(...parts.slice(at + 1), encode("pushed"));
      const values = parts.slice(0, at + 1).flatMap((part) => [...decoder.push(part)]);
      none(differ(values, [...all, "pushed"]), `parts of ${size}`);
      decoder.end();
    }
  });
});
