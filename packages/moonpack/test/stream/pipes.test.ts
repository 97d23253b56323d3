/** The streams of moonpack/stream in pipes of a polyfill, and in engines whose ReadableStream has no async iterator. */

import { caughtAsync } from "@moonpack/harness/caught.ts";
import { cutEvery } from "@moonpack/harness/cuts.ts";
import { concat } from "@moonpack/harness/hex.ts";
import {
  PolyfillReadableStream,
  PolyfillWritableStream,
  polyfillOf,
  type WritableLike,
  withoutAsyncIterator,
} from "@moonpack/harness/polyfill.ts";
import { all, bytes, turn, values } from "@moonpack/harness/streams.ts";
import { streamOf } from "@moonpack/harness/web.ts";
import { within } from "@moonpack/harness/within.ts";
import { encode } from "moonpack";
import { encodeFrame } from "moonpack/bytes";
import { DecodeStream, decodeStream, EncodeStream, FrameDecoder, FrameEncoder } from "moonpack/stream";
import { describe, expect, test } from "vitest";

/** A polyfill's sink that collects chunks and logs how it ended. */
function sink<T>() {
  const chunks: T[] = [];
  const log: unknown[] = [];
  const stream = new PolyfillWritableStream<T>({
    write: (chunk) => void chunks.push(chunk),
    close: () => void log.push("close"),
    abort: (reason) => void log.push(reason),
  });
  return { chunks, log, stream, writable: stream as unknown as WritableStream<T> };
}

/** Every pair: its input, its output, and how an output is compared. */
const pairs: [
  string,
  () => { readable: ReadableStream; writable: WritableStream },
  unknown[],
  (out: unknown[]) => unknown,
][] = [
  ["EncodeStream", () => new EncodeStream(), values, (out) => concat(...(out as Uint8Array[]))],
  ["DecodeStream", () => new DecodeStream(), cutEvery(bytes, 7), (out) => out],
  ["FrameEncoder", () => new FrameEncoder(), [encode(1), encode("two")], (out) => concat(...(out as Uint8Array[]))],
  ["FrameDecoder", () => new FrameDecoder(), cutEvery(encodeFrame(bytes), 7), (out) => out],
];
const expected = [bytes, values, concat(encodeFrame(encode(1)), encodeFrame(encode("two"))), [bytes]];

describe("a polyfill's pipe", () => {
  test.each(
    pairs.map((pair, i) => [...pair, expected[i]] as const),
  )("through %s, into a polyfill's stream", async (_, make, input, output, wanted) => {
    const { chunks, log, writable } = sink<unknown>();
    const through = polyfillOf(input).pipeThrough(
      make() as { readable: ReadableStream; writable: WritableLike<unknown> },
    );
    await within(through.pipeTo(writable));
    expect(output(chunks)).toEqual(wanted);
    expect([log, through.locked, writable.locked]).toEqual([["close"], false, false]);
  });

  test.each(pairs)("through %s: an error of its source reaches the reader", async (_, make) => {
    const mine = new Error("disk");
    const failing = new PolyfillReadableStream<unknown>({ pull: () => Promise.reject(mine) });
    const through = failing.pipeThrough(make() as { readable: ReadableStream; writable: WritableLike<unknown> });
    expect(await within(caughtAsync(() => all(through as unknown as AsyncIterable<unknown>)))).toBe(mine);
    await turn();
    expect(failing.locked).toBe(false);
  });

  test("into EncodeStream: a value that cannot be encoded fails the pipe", async () => {
    const { readable, writable } = new EncodeStream();
    const source = polyfillOf<unknown>([1, () => 1, 2]);
    const reading = caughtAsync(() => all(readable as unknown as AsyncIterable<unknown>));
    expect(await within(caughtAsync(() => source.pipeTo(writable as never)))).toMatchObject({
      code: "ERR_UNSUPPORTED_TYPE",
    });
    expect(await within(reading)).toMatchObject({ code: "ERR_UNSUPPORTED_TYPE" });
  });

  test("into DecodeStream: a malformed byte fails the pipe and cancels its source", async () => {
    const cancelled: unknown[] = [];
    const parts = [Uint8Array.of(1, 0xc1), bytes].values();
    const source = new PolyfillReadableStream<Uint8Array>({
      pull: () => parts.next().value,
      cancel: (reason) => void cancelled.push(reason),
    });
    const { readable, writable } = new DecodeStream();
    const reading = caughtAsync(() => all(readable as unknown as AsyncIterable<unknown>));
    const error = await within(caughtAsync(() => source.pipeTo(writable as never)));
    expect(error).toMatchObject({ code: "ERR_INVALID_BYTE", offset: 1 });
    expect(await within(reading)).toBe(error);
    expect([cancelled, source.locked]).toEqual([[error], false]);
  });
});

describe("our readable side piped into a polyfill's stream", () => {
  const decoded = () => streamOf(cutEvery(bytes, 7)).pipeThrough(new DecodeStream());
  const never = () => new ReadableStream<Uint8Array<ArrayBuffer>>().pipeThrough(new DecodeStream());

  test("pipeThrough a polyfill's pair, on into ours", async () => {
    const chunks: unknown[] = [];
    const middle = new PolyfillWritableStream<unknown>({ write: (chunk) => void chunks.push(chunk) });
    const readable = polyfillOf([1, 2, 3]);
    const through = decoded().pipeThrough({ readable, writable: middle } as unknown as ReadableWritablePair);
    expect(through).toBe(readable as unknown as ReadableStream);
    await turn();
    expect(chunks).toEqual(values);
  });

  test("a native stream is piped by the engine", async () => {
    const chunks: unknown[] = [];
    await decoded().pipeTo(new WritableStream({ write: (chunk) => void chunks.push(chunk) }));
    expect(chunks).toEqual(values);
  });

  test("preventClose; a destination that is closed, locked, or not a stream", async () => {
    const open = sink<unknown>();
    await within(decoded().pipeTo(open.writable, { preventClose: true }));
    expect([open.log, open.writable.locked]).toEqual([[], false]);
    await open.stream.getWriter().close();
    const closed = never();
    expect(await within(caughtAsync(() => closed.pipeTo(open.writable)))).toBeInstanceOf(TypeError);
    expect(closed.locked).toBe(false);
    for (const wrong of [undefined, null, 5, {}]) {
      const stream = decoded();
      expect(await within(caughtAsync(() => stream.pipeTo(wrong as unknown as WritableStream)))).toBeInstanceOf(
        TypeError,
      );
      expect(stream.locked).toBe(false);
    }
  });

  test("an error of the source aborts the destination, unless preventAbort", async () => {
    for (const preventAbort of [false, true]) {
      const { chunks, log, writable } = sink<unknown>();
      const stream = streamOf([concat(bytes, Uint8Array.of(0xc1))]).pipeThrough(new DecodeStream());
      const error = await within(caughtAsync(() => stream.pipeTo(writable, { preventAbort })));
      expect(error).toMatchObject({ code: "ERR_INVALID_BYTE" });
      expect(chunks).toEqual(values);
      expect([log, writable.locked, stream.locked]).toEqual([preventAbort ? [] : [error], false, false]);
    }
  });

  test("an error of the destination cancels the source, unless preventCancel", async () => {
    for (const preventCancel of [false, true]) {
      const mine = new Error("full");
      const decoder = new DecodeStream();
      const writer = decoder.writable.getWriter();
      void writer.write(Uint8Array.of(1)).catch(() => undefined);
      writer.closed.catch(() => undefined);
      const full = new PolyfillWritableStream<unknown>({ write: () => Promise.reject(mine) });
      const piping = caughtAsync(() => decoder.readable.pipeTo(full as unknown as WritableStream, { preventCancel }));
      expect(await within(piping)).toBe(mine);
      expect(decoder.readable.locked).toBe(false);
      if (preventCancel) await within(writer.write(Uint8Array.of(2)));
      else expect(await within(caughtAsync(() => writer.closed))).toBe(mine);
    }
  });

  test("a destination that fails, or is closed, while the source hangs", async () => {
    const { stream, writable } = sink<unknown>();
    const piping = caughtAsync(() => never().pipeTo(writable));
    await turn();
    const mine = new Error("gone");
    stream.fail(mine);
    expect(await within(piping)).toBe(mine);
  });

  test("a signal ends both sides, before and while the source hangs", async () => {
    for (const isBefore of [true, false]) {
      const { log, writable } = sink<unknown>();
      const controller = new AbortController();
      if (isBefore) controller.abort("enough");
      const source = never();
      const piping = caughtAsync(() => source.pipeTo(writable, { signal: controller.signal }));
      await turn();
      if (!isBefore) controller.abort("enough");
      expect(await within(piping)).toBe("enough");
      expect([log, source.locked, writable.locked]).toEqual([["enough"], false, false]);
    }
  });

  test("chunks are written no faster than the destination takes them", async () => {
    let release: () => void = () => undefined;
    let count = 0;
    const slow = new PolyfillWritableStream<unknown>({
      write: () => {
        count++;
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      },
    });
    const piping = decoded().pipeTo(slow as unknown as WritableStream);
    for (let i = 1; i <= values.length; i++) {
      await turn();
      expect(count).toBe(i);
      release();
    }
    await within(piping);
  });
});

describe("without an async iterator of the engine", () => {
  test.each(pairs)("%s: its readable side has one", async (_, make, input, output) => {
    const native = output(await all(streamOf(input).pipeThrough(make()) as unknown as AsyncIterable<unknown>));
    await withoutAsyncIterator(async () => {
      const readable = streamOf(input).pipeThrough(make());
      expect(output(await all(readable as unknown as AsyncIterable<unknown>))).toEqual(native);
      expect(readable.locked).toBe(false);
    });
  });

  test("a break cancels, and an error of the stream passes", async () => {
    await withoutAsyncIterator(async () => {
      const decoder = new DecodeStream();
      const writer = decoder.writable.getWriter();
      writer.write(bytes).catch(() => undefined);
      for await (const _ of decoder.readable as unknown as AsyncIterable<unknown>) break;
      expect(decoder.readable.locked).toBe(false);
      await within(writer.closed.catch(() => undefined));
      const malformed = streamOf([Uint8Array.of(0xc1)]).pipeThrough(new DecodeStream());
      const error = await within(caughtAsync(() => all(malformed as unknown as AsyncIterable<unknown>)));
      expect(error).toMatchObject({ code: "ERR_INVALID_BYTE" });
      expect(malformed.locked).toBe(false);
      expect(await all(decodeStream(streamOf([bytes])))).toEqual(values);
    });
  });
});
