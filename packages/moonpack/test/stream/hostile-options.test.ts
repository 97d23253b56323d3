/** Options are read once: a getter is called once, even if two parts of the code use the option. */

import { encodeContainer, schema, u8 } from "@moonpack/pck";
import { readContainer, writeContainer } from "@moonpack/pck/stream";
import { encode } from "moonpack";
import {
  DecodeStream,
  decodeArrayStream,
  decodeAsync,
  decodeFrames,
  decodeStream,
  EncodeStream,
  encodeStream,
  FrameDecoder,
  FrameEncoder,
  StreamDecoder,
} from "moonpack/stream";
import { describe, expect, test } from "vitest";

/** Options with getters that count their calls. */
function counting(values: Record<string, unknown>): { options: object; most: () => number } {
  const asked = new Map<string, number>();
  const options = {};
  for (const [name, value] of Object.entries(values)) {
    const get = () => {
      asked.set(name, (asked.get(name) ?? 0) + 1);
      return value;
    };
    Object.defineProperty(options, name, { get, enumerable: true });
  }
  return { options, most: () => Math.max(...asked.values()) };
}

const S = schema("S", u8("x"));
const container = encodeContainer(
  S,
  Array.from({ length: 1200 }, () => ({ x: 1 })),
);
const drain = async (values: AsyncIterable<unknown>) => {
  let n = 0;
  for await (const _ of values) n++;
  return n;
};

describe("each option is read once", () => {
  const decoding = { binary: "view", maxBytes: 1e6, strict: true };
  const encoding = { canonical: true, maxBytes: 1e6, flush: "size", chunkSize: 2048 };
  const calls: [string, Record<string, unknown>, (options: object) => unknown][] = [
    ["decodeStream", decoding, (options) => drain(decodeStream([encode(1)], options))],
    ["decodeArrayStream", decoding, (options) => drain(decodeArrayStream([encode([1])], options))],
    ["decodeAsync", decoding, (options) => decodeAsync([encode(1)], options)],
    ["StreamDecoder", decoding, (options) => new StreamDecoder(options)],
    ["DecodeStream", { ...decoding, highWaterMark: 3 }, (options) => new DecodeStream(options)],
    ["encodeStream", encoding, (options) => drain(encodeStream([1], options))],
    ["EncodeStream", encoding, (options) => new EncodeStream(options)],
    [
      "decodeFrames",
      { frames: "view", prefix: "uvar" },
      (options) =>
        drain(
          decodeFrames(
            [[1, 7]].map((b) => new Uint8Array(b)),
            options,
          ),
        ),
    ],
    ["FrameDecoder", { frames: "view", prefix: "uvar" }, (options) => new FrameDecoder(options)],
    ["FrameEncoder", { maxFrameBytes: 9, prefix: "uvar" }, (options) => new FrameEncoder(options)],
    [
      "readContainer",
      { binary: "view", int64: "number", reader: S, maxFrameBytes: 9 },
      (options) => drain(readContainer([container], options)),
    ],
    [
      "writeContainer",
      { flush: "size", chunkSize: 2048, maxFrameBytes: 9, int64: "number" },
      (options) => drain(writeContainer(S, [{ x: 1 }], options)),
    ],
  ];
  for (const [name, values, call] of calls) {
    test(name, async () => {
      const { options, most } = counting(values);
      await call(options);
      expect(most()).toBe(1);
    });
  }
});
