/** Options are read when a stream is created: later changes, and getters with other values, have no effect. */

import { fault } from "@moonpack/harness/caught.ts";
import { concat } from "@moonpack/harness/hex.ts";
import { all } from "@moonpack/harness/streams.ts";
import { encodeContainer, schema, uvar } from "@moonpack/pck";
import { readContainer } from "@moonpack/pck/stream";
import { encode } from "moonpack";
import { encodeFrame, type FramePrefix, readFrames } from "moonpack/bytes";
import { decodeArrayStream, decodeAsync, decodeFrames, decodeStream, EncodeStream } from "moonpack/stream";
import { describe, expect, test } from "vitest";

/** Options with a getter that returns `first` once, and undefined afterwards. */
function fickle<T>(name: string, first: T): object {
  let value: T | undefined = first;
  return Object.defineProperty({}, name, {
    enumerable: true,
    get: () => {
      const now = value;
      value = undefined;
      return now;
    },
  });
}

/** A byte stream that fills its reader's buffer, and so overwrites a reused one. */
function byteStream(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  let i = 0;
  return new ReadableStream({
    type: "bytes",
    pull(controller: ReadableByteStreamController) {
      const chunk = chunks[i++];
      if (chunk !== undefined) controller.enqueue(chunk.slice());
      else {
        controller.close();
        (controller as { byobRequest?: { respond(n: number): void } | null }).byobRequest?.respond(0);
      }
    },
  } as unknown as UnderlyingDefaultSource<Uint8Array>);
}

describe("views of a byte stream's chunks are not overwritten", () => {
  const binaries = [1, 2, 3].map((n) => new Uint8Array(100).fill(n));
  const messages = binaries.map((bytes) => encode(bytes));

  test.each([
    ["decodeStream", () => decodeStream(byteStream(messages), fickle("binary", "view"))],
    [
      "decodeArrayStream",
      () => decodeArrayStream(byteStream([Uint8Array.of(0x93), ...messages]), fickle("binary", "view")),
    ],
    [
      "decodeFrames",
      () => decodeFrames(byteStream(binaries.map((bytes) => encodeFrame(bytes))), fickle("frames", "view")),
    ],
  ] as const)("%s", async (_, read) => {
    expect(await all(read() as AsyncIterable<unknown>)).toEqual(binaries);
  });

  test("decodeAsync", async () => {
    const whole = concat(Uint8Array.of(0x93), ...messages);
    const parts = [whole.subarray(0, 110), whole.subarray(110, 220), whole.subarray(220)];
    expect(await decodeAsync(byteStream(parts), fickle("binary", "view"))).toEqual(binaries);
  });
});

test("EncodeStream encodes written and piped values in the same way", async () => {
  const value = { b: 1, a: 2 };
  const { readable, writable } = new EncodeStream(fickle("canonical", true));
  const reader = readable.getReader();
  const writer = writable.getWriter();
  void writer.write(value);
  const written = (await reader.read()).value!;
  writer.releaseLock();
  void new ReadableStream({ start: (controller) => controller.enqueue(value) }).pipeTo(writable);
  expect((await reader.read()).value).toEqual(written);
});

test("readContainer: many values, options that change during the reading", async () => {
  const Item = schema(uvar("n"));
  const items = Array.from({ length: 1500 }, (_, n) => ({ n }));
  const options: { reader?: typeof Item } = {};
  const got: unknown[] = [];
  for await (const item of readContainer(encodeContainer(Item, items), options)) {
    got.push(item);
    options.reader = "none" as unknown as typeof Item;
  }
  expect(got).toEqual(items);
});

describe("readFrames", () => {
  const bytes = concat(...[1, 2, 3].map((n) => encodeFrame(new Uint8Array(n).fill(n), { prefix: "u32be" })));

  test("options that change during the reading", () => {
    const options: { prefix: FramePrefix } = { prefix: "u32be" };
    const lengths: number[] = [];
    for (const frame of readFrames(bytes, options)) {
      lengths.push(frame.length);
      options.prefix = "uvar";
    }
    expect(lengths).toEqual([1, 2, 3]);
  });

  test("bytes that are transferred during the reading: an error, not an end", () => {
    const own = bytes.slice();
    const frames = readFrames(own, { prefix: "u32be" });
    expect(frames.next().value).toEqual(Uint8Array.of(1));
    structuredClone(own.buffer, { transfer: [own.buffer] });
    expect(fault(() => frames.next())).toEqual({ code: "ERR_INVALID_ARGUMENT" });
  });
});
