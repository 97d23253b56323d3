/** Every kind of source gives the same values and errors; other values are rejected. */

import { caughtAsync } from "@moonpack/harness/caught.ts";
import { cutEvery } from "@moonpack/harness/cuts.ts";
import { concat } from "@moonpack/harness/hex.ts";
import { all, bytes, later, values } from "@moonpack/harness/streams.ts";
import { streamOf } from "@moonpack/harness/web.ts";
import { encode } from "moonpack";
import { type ByteSource, decodeArrayStream, decodeAsync, decodeStream } from "moonpack/stream";
import { describe, expect, test } from "vitest";

function readable(parts: Uint8Array[], type?: "bytes"): ReadableStream<Uint8Array> {
  const left = parts.slice();
  const pull = (controller: { enqueue(part: Uint8Array<ArrayBuffer>): void; close(): void }) => {
    const part = left.shift();
    if (part === undefined) controller.close();
    else controller.enqueue(part.slice());
  };
  return (
    type === undefined ? new ReadableStream({ pull }) : new ReadableStream({ type, pull })
  ) as ReadableStream<Uint8Array>;
}

const sources: [string, (parts: Uint8Array[]) => ByteSource][] = [
  ["an array of chunks", (parts) => parts],
  ["an iterable", (parts) => new Set(parts)],
  ["an async iterable", later],
  ["a ReadableStream", (parts) => readable(parts)],
  [
    "a byte stream",
    (parts) =>
      readable(
        parts.filter((part) => part.length > 0),
        "bytes",
      ),
  ],
  ["a Blob", (parts) => new Blob(parts as Uint8Array<ArrayBuffer>[])],
  ["a Response", (parts) => new Response(readable(parts))],
  ["bytes", (parts) => concat(...parts)],
  ["an ArrayBuffer", (parts) => concat(...parts).slice().buffer],
  ["a DataView", (parts) => new DataView(concat(...parts).slice().buffer)],
];

describe.each(sources)("decode from %s", (_, open) => {
  test.each([1, 7, 1000, 100_000])("in parts of %d bytes", async (size) => {
    expect(await all(decodeStream(open(cutEvery(bytes, size))))).toEqual(values);
    const list = encode(values);
    expect(await all(decodeArrayStream(open(cutEvery(list, size))))).toEqual(values);
    expect(await decodeAsync(open(cutEvery(list, size)))).toEqual(values);
  });

  test("a truncated message, a malformed message, and an empty source", async () => {
    const cut = await caughtAsync(() => all(decodeStream(open(cutEvery(bytes.subarray(0, bytes.length - 5000), 100)))));
    expect(cut).toMatchObject({ code: "ERR_TRUNCATED", offset: bytes.length - 5004 });
    const bad = concat(bytes, new Uint8Array([0x91, 0xc1]), bytes);
    const error = await caughtAsync(() => all(decodeStream(open(cutEvery(bad, 100)))));
    expect(error).toMatchObject({ code: "ERR_INVALID_BYTE", offset: bytes.length + 1 });
    expect(await all(decodeStream(open([new Uint8Array(0)])))).toEqual([]);
    expect(await caughtAsync(() => decodeAsync(open([new Uint8Array(0)])))).toMatchObject({
      code: "ERR_TRUNCATED",
      offset: 0,
    });
    expect(await caughtAsync(() => all(decodeArrayStream(open([new Uint8Array(0)]))))).toMatchObject({
      code: "ERR_TRUNCATED",
    });
  });
});

describe("byte streams that close with their last bytes", () => {
  const big = encode("x".repeat(200_000));
  const open: [string, () => ReadableStream<Uint8Array>][] = [
    ["a Response of bytes", () => new Response(big).body!],
    [
      "enqueue and close",
      () =>
        new ReadableStream({
          type: "bytes",
          start(controller) {
            controller.enqueue(big.slice());
            controller.close();
          },
        }),
    ],
    [
      "respond and close",
      () => {
        let at = 0;
        return new ReadableStream({
          type: "bytes",
          pull(controller: ReadableByteStreamController) {
            const view = controller.byobRequest!.view as Uint8Array;
            const n = Math.min(view.length, big.length - at);
            view.set(big.subarray(at, at + n));
            at += n;
            controller.byobRequest!.respond(n);
            if (at === big.length) controller.close();
          },
        } as UnderlyingByteSource);
      },
    ],
  ];
  test.each(open)("%s", async (_, make) => {
    expect(await decodeAsync(make())).toBe("x".repeat(200_000));
    const stream = make();
    expect((await all(decodeStream(stream))).length).toBe(1);
    expect(stream.locked).toBe(false);
  });
});

test("values that are not sources, and chunks that are not bytes", async () => {
  for (const wrong of [undefined, null, 5, "text", {}, () => 1])
    expect(() => decodeStream(wrong as unknown as Uint8Array)).toThrow("expected a ReadableStream");
  expect(() => decodeStream([bytes], { signal: {} as AbortSignal })).toThrow("signal");
  expect(await caughtAsync(() => all(decodeStream(["text"] as unknown as Uint8Array[])))).toMatchObject({
    code: "ERR_INVALID_ARGUMENT",
  });
  for (const wrong of [null, undefined, 5]) {
    const chunks = [encode(1), wrong, encode(2)] as unknown as Uint8Array[];
    const source = streamOf(chunks);
    for (const parts of [chunks, source])
      expect(await caughtAsync(() => all(decodeStream(parts)))).toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
  }
  const used = new Response("x");
  await used.text();
  expect(() => decodeStream(used)).toThrow("read already");
});
