/** Options are read once, even if two parts of the code use an option. Unknown names are refused, with the name that was meant. */

import { caughtAsync, caughtOurs } from "@moonpack/harness/caught.ts";
import { encodeContainer, schema, u8 } from "@moonpack/pck";
import { readContainer, writeContainer } from "@moonpack/pck/stream";
import { encode } from "moonpack";
import type { MoonpackError } from "moonpack/bytes";
import {
  DecodeStream,
  decodeArrayStream,
  decodeAsync,
  decodeCooperatively,
  decodeFrames,
  decodeStream,
  EncodeStream,
  encodeCooperatively,
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

describe("options that are not an object are refused", () => {
  const calls: [string, (options: never) => unknown][] = [
    ["decodeStream", (options) => decodeStream([encode(1)], options)],
    ["decodeArrayStream", (options) => decodeArrayStream([encode(1)], options)],
    ["decodeAsync", (options) => decodeAsync([encode(1)], options)],
    ["StreamDecoder", (options) => new StreamDecoder(options)],
    ["DecodeStream", (options) => new DecodeStream(options)],
    ["EncodeStream", (options) => new EncodeStream(options)],
    ["encodeStream", (options) => drain(encodeStream([1], options))],
    ["decodeFrames", (options) => decodeFrames([encode(1)], options)],
    ["FrameDecoder", (options) => new FrameDecoder(options)],
    ["FrameEncoder", (options) => new FrameEncoder(options)],
    ["decodeCooperatively", (options) => decodeCooperatively(encode(1), options)],
    ["encodeCooperatively", (options) => encodeCooperatively(1, options)],
  ];
  test.each(calls)("%s", async (_, call) => {
    for (const options of [null, 5, "x", []]) {
      const error = (await caughtAsync(async () => call(options as never))) as MoonpackError;
      expect([error.code, error.message]).toEqual(["ERR_INVALID_ARGUMENT", "options must be an object"]);
    }
  });
});

describe("a misspelt name is refused with a suggestion: also a name that the stream adds to its codec", () => {
  const chunks = [encode(1)];
  const calls: [string, string, string, (options: object) => unknown][] = [
    ["decodeStream", "sginal", "signal", (options) => decodeStream(chunks, options)],
    ["decodeArrayStream", "maxBytess", "maxBytes", (options) => decodeArrayStream(chunks, options)],
    ["decodeAsync", "signl", "signal", (options) => decodeAsync(chunks, options)],
    ["DecodeStream", "highWatermrk", "highWaterMark", (options) => new DecodeStream(options)],
    ["encodeStream", "chunkSiz", "chunkSize", (options) => drain(encodeStream([1], options))],
    ["EncodeStream", "flsh", "flush", (options) => new EncodeStream(options)],
    ["EncodeStream", "onEror", "onError", (options) => new EncodeStream(options)],
    ["FrameDecoder", "undecodabl", "undecodable", (options) => new FrameDecoder(options)],
    ["FrameDecoder", "prefx", "prefix", (options) => new FrameDecoder(options)],
    ["decodeFrames", "sgnal", "signal", (options) => decodeFrames(chunks, options)],
    ["FrameEncoder", "encod", "encode", (options) => new FrameEncoder(options)],
    ["decodeCooperatively", "budgt", "budget", (options) => decodeCooperatively(encode(1), options)],
    ["encodeCooperatively", "signa", "signal", (options) => encodeCooperatively(1, options)],
  ];
  // Codecs of pages suggest nothing (docs/pages-size.md).
  const suggests = caughtOurs(() => encode(1, { maxDpth: 1 } as object)).message.includes("did you mean");
  test.each(calls)("%s: %s", async (name, wrong, meant, call) => {
    const error = (await caughtAsync(async () => call({ [wrong]: 1 }))) as MoonpackError;
    expect(error.code).toBe("ERR_INVALID_ARGUMENT");
    const hint = suggests || name.includes("Frame") ? `: did you mean ${meant}?` : "";
    expect(error.message).toBe(`"${wrong}" is not a known option${hint}`);
  });

  test("only decodeFrames has a signal, a FrameDecoder has none", () => {
    const error = caughtOurs(() => new FrameDecoder({ signal: AbortSignal.abort() } as object));
    expect(error.message).toBe('"signal" is not a known option');
  });
});
