/**
 * Web streams of every kind as sources: a polyfill's, which are not instances of ReadableStream, and the engine's without an
 * async iterator, as in Safari. They give the same values, and are unlocked or cancelled whenever the reading ends.
 */

import * as compat from "@moonpack/compat/msgpack-javascript";
import { caughtAsync } from "@moonpack/harness/caught.ts";
import { cutEvery } from "@moonpack/harness/cuts.ts";
import { concat } from "@moonpack/harness/hex.ts";
import { PolyfillReadableStream, withoutAsyncIterator } from "@moonpack/harness/polyfill.ts";
import { all, bytes, turn, values } from "@moonpack/harness/streams.ts";
import { within } from "@moonpack/harness/within.ts";
import { ivar, schema } from "@moonpack/pck";
import { readContainer, writeContainer } from "@moonpack/pck/stream";
import { encode } from "moonpack";
import { encodeFrame } from "moonpack/bytes";
import {
  type ByteSource,
  decodeArrayStream,
  decodeAsync,
  decodeFrames,
  decodeStream,
  encodeStream,
} from "moonpack/stream";
import { describe, expect, test } from "vitest";

/** The chunks of a stream of either kind, and its cancellation. */
interface Opened<T> {
  readonly stream: AsyncIterable<T> & { readonly locked: boolean };
  readonly cancelled: unknown[];
}

type Pull<T> = () => T | undefined | Promise<T | undefined>;

/** A kind of stream: how it is made, and how a test with it is run. */
interface Kind {
  readonly name: string;
  open<T>(pull: Pull<T>): Opened<T>;
  run(act: () => unknown): Promise<void>;
}

const run = async (act: () => unknown) => void (await act());

function polyfill<T>(pull: Pull<T>): Opened<T> {
  const cancelled: unknown[] = [];
  const cancel = (reason: unknown) => void cancelled.push(reason);
  return { stream: new PolyfillReadableStream<T>({ pull, cancel }) as never, cancelled };
}

function native<T>(pull: Pull<T>, type?: "bytes"): Opened<T> {
  const cancelled: unknown[] = [];
  const source = {
    ...(type === undefined ? {} : { type }),
    async pull(controller: ReadableStreamDefaultController<T>) {
      const chunk = await pull();
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
    cancel: (reason: unknown) => void cancelled.push(reason),
  };
  return {
    stream: new ReadableStream<T>(source as never, { highWaterMark: 0 }) as never,
    cancelled,
  };
}

const kinds: Kind[] = [
  { name: "a polyfill's stream", open: polyfill, run },
  {
    name: "a polyfill's stream that ignores the mode of its reader",
    open<T>(pull: Pull<T>) {
      const { stream, cancelled } = polyfill(pull);
      const { getReader } = stream as unknown as PolyfillReadableStream<T>;
      Object.assign(stream, { getReader: () => getReader.call(stream) });
      return { stream, cancelled };
    },
    run,
  },
  { name: "a native stream without an async iterator", open: native, run: withoutAsyncIterator },
  {
    name: "a native stream whose getReader is the user's own",
    open<T>(pull: Pull<T>) {
      const { stream, cancelled } = native(pull);
      const readable = stream as unknown as ReadableStream<T>;
      const getReader = readable.getReader.bind(readable);
      Object.assign(stream, { getReader: () => getReader() });
      return { stream, cancelled };
    },
    run,
  },
];
/** Byte streams hold bytes only. */
const byteKinds: Kind[] = [
  ...kinds,
  {
    name: "a native byte stream without an async iterator",
    open: <T>(pull: Pull<T>) => native(pull, "bytes"),
    run: withoutAsyncIterator,
  },
];

/** Gives the items one by one, then the end. */
const pullOf = <T>(items: Iterable<T>): Pull<T> => {
  const iterator = items[Symbol.iterator]();
  return () => iterator.next().value as T | undefined;
};
const copies = (parts: Iterable<Uint8Array>) => Array.from(parts, (part) => part.slice());

const Point = schema("Point", ivar("x"));
const points = [{ x: 1 }, { x: 2 }, { x: 3 }];
const list = encode(values);
const frames = concat(...values.map((value) => encodeFrame(encode(value))));
const container = () => all(writeContainer(Point, points)).then((chunks) => concat(...chunks));

type Read = (source: ByteSource, options?: { signal?: AbortSignal }) => AsyncIterable<unknown>;

/** Every function that reads bytes as a loop. */
const loops: [string, Read, () => Promise<Uint8Array> | Uint8Array, unknown[]][] = [
  ["decodeStream", decodeStream, () => bytes, values],
  ["decodeArrayStream", decodeArrayStream, () => list, values],
  ["decodeFrames", decodeFrames, () => frames, values.map((value) => encode(value))],
  ["readContainer", (source, options) => readContainer(source, { reader: Point, ...options }), container, points],
];

describe.each(byteKinds)("bytes from $name", ({ open, run }) => {
  test.each(loops)("%s: the values, and the lock is released", async (_, read, data, expected) => {
    await run(async () => {
      for (const size of [1, 7, 100_000]) {
        const { stream, cancelled } = open(pullOf(copies(cutEvery(await data(), size))));
        expect(await all(read(stream as ByteSource))).toEqual(expected);
        expect([stream.locked, cancelled]).toEqual([false, []]);
      }
    });
  });

  test.each(loops)("%s: cancelled by a break, by an error of the consumer and by an abort", async (_, read, data) => {
    await run(async () => {
      const parts = cutEvery(await data(), 50);
      const left = open(pullOf(copies(parts)));
      for await (const _ of read(left.stream as ByteSource)) break;
      expect([left.stream.locked, left.cancelled]).toEqual([false, [undefined]]);

      const thrown = open(pullOf(copies(parts)));
      const error = await caughtAsync(async () => {
        for await (const _ of read(thrown.stream as ByteSource)) throw new Error("mine");
      });
      expect((error as Error).message).toBe("mine");
      expect([thrown.stream.locked, thrown.cancelled]).toEqual([false, [undefined]]);

      const hanging = open<Uint8Array>(() => new Promise<never>(() => undefined));
      const controller = new AbortController();
      const reading = caughtAsync(() => all(read(hanging.stream as ByteSource, { signal: controller.signal })));
      await turn();
      controller.abort("enough");
      expect(await within(reading)).toMatchObject({ code: "ERR_ABORTED", cause: "enough" });
      await turn();
      expect([hanging.stream.locked, hanging.cancelled]).toEqual([false, ["enough"]]);
    });
  });

  test.each(loops)("%s: an error of the source passes as it is", async (_, read, data) => {
    await run(async () => {
      const mine = new Error("disk");
      const parts = pullOf(copies(cutEvery(await data(), 50)).slice(0, 2));
      const { stream } = open<Uint8Array>(() => {
        const part = parts();
        if (part === undefined) throw mine;
        return part;
      });
      expect(await caughtAsync(() => all(read(stream as ByteSource)))).toBe(mine);
      expect(stream.locked).toBe(false);
    });
  });

  test("return, while a chunk is awaited", async () => {
    await run(async () => {
      const { stream, cancelled } = open<Uint8Array>(() => new Promise<never>(() => undefined));
      const iterator = decodeStream(stream as ByteSource);
      const next = iterator.next();
      await turn();
      await within(iterator.return!());
      expect(await within(next)).toEqual({ done: true, value: undefined });
      expect([stream.locked, cancelled]).toEqual([false, [undefined]]);
    });
  });

  test("decodeAsync; a malformed message cancels with its error", async () => {
    await run(async () => {
      expect(await decodeAsync(open(pullOf(copies(cutEvery(list, 7)))).stream as ByteSource)).toEqual(values);
      const { stream, cancelled } = open(pullOf(copies([Uint8Array.of(0x91, 0xc1), list])));
      const error = await caughtAsync(() => decodeAsync(stream as ByteSource));
      expect(error).toMatchObject({ code: "ERR_INVALID_BYTE", offset: 1 });
      await turn();
      expect([stream.locked, cancelled]).toEqual([false, [error]]);
    });
  });

  test("a locked stream is an error of the stream", async () => {
    await run(async () => {
      const { stream } = open(pullOf([bytes]));
      (stream as unknown as ReadableStream).getReader();
      expect(() => decodeStream(stream as ByteSource)).toThrow();
    });
  });

  test("the stream functions of @moonpack/compat/msgpack-javascript", async () => {
    await run(async () => {
      const { decodeArrayStream, decodeAsync, decodeMultiStream } = compat;
      const opened = (data: Uint8Array) => open(pullOf(copies(cutEvery(data, 7))));
      const one = opened(list);
      expect(await decodeAsync(one.stream)).toEqual(values);
      const elements = opened(list);
      expect(await all(decodeArrayStream(elements.stream))).toEqual(values);
      const multi = opened(bytes);
      expect(await all(decodeMultiStream(multi.stream))).toEqual(values);
      for (const { stream, cancelled } of [one, elements, multi])
        expect([stream.locked, cancelled]).toEqual([false, []]);

      const left = opened(list);
      for await (const _ of decodeArrayStream(left.stream)) break;
      const malformed = open(pullOf(copies([Uint8Array.of(0xc1), list])));
      expect(await caughtAsync(() => decodeAsync(malformed.stream))).toMatchObject({ code: "ERR_INVALID_BYTE" });
      for (const { stream, cancelled } of [left, malformed])
        expect([stream.locked, cancelled.length]).toEqual([false, 1]);

      const mine = new Error("disk");
      const failing = open<Uint8Array>(() => Promise.reject(mine));
      expect(await caughtAsync(() => decodeAsync(failing.stream))).toBe(mine);
      expect(failing.stream.locked).toBe(false);
    });
  });
});

describe.each(kinds)("values from $name", ({ open, run }) => {
  const writes = [
    ["encodeStream", encodeStream, points],
    ["writeContainer", (source: never, options?: object) => writeContainer(Point, source, options), points],
  ] as const;

  test.each(writes)("%s: the same bytes as from an array, and the lock is released", async (_, write, items) => {
    await run(async () => {
      for (const flush of ["size", "turn", "each"] as const) {
        const { stream, cancelled } = open<unknown>(pullOf(items));
        const chunks = await all(write(stream as never, { flush }));
        expect(concat(...chunks)).toEqual(concat(...(await all(write(items as never)))));
        expect([stream.locked, cancelled]).toEqual([false, []]);
      }
    });
  });

  test.each(writes)("%s: cancelled by a break, a value that cannot be encoded, return and abort", async (_, write) => {
    await run(async () => {
      const left = open<unknown>(() => points[0]);
      for await (const _ of write(left.stream as never, { flush: "each" })) break;
      await turn();
      expect([left.stream.locked, left.cancelled.length]).toEqual([false, 1]);

      const invalid = open<unknown>(pullOf([points[0], () => 1, points[1]]));
      expect(await caughtAsync(() => all(write(invalid.stream as never)))).toMatchObject({ name: "EncodeError" });
      await turn();
      expect([invalid.stream.locked, invalid.cancelled.length]).toEqual([false, 1]);

      const hanging = open<unknown>(() => new Promise<never>(() => undefined));
      const iterator = write(hanging.stream as never);
      const next = iterator.next();
      await turn();
      await within(iterator.return());
      expect((await within(next)).done).toBe(true);
      await turn();
      expect([hanging.stream.locked, hanging.cancelled.length]).toEqual([false, 1]);

      const waiting = open<unknown>(() => new Promise<never>(() => undefined));
      const controller = new AbortController();
      const chunks = caughtAsync(() => all(write(waiting.stream as never, { signal: controller.signal })));
      await turn();
      controller.abort("enough");
      expect(await within(chunks)).toMatchObject({ code: "ERR_ABORTED", cause: "enough" });
      await turn();
      expect([waiting.stream.locked, waiting.cancelled.length]).toEqual([false, 1]);
    });
  });

  test.each(writes)("%s: an error of the source comes after the values before it", async (_, write) => {
    await run(async () => {
      const mine = new Error("disk");
      const pull = pullOf(points.slice(0, 1));
      const { stream } = open<unknown>(() => pull() ?? Promise.reject(mine));
      let size = 0;
      const error = await caughtAsync(async () => {
        for await (const chunk of write(stream as never)) size += chunk.length;
      });
      expect(error).toBe(mine);
      expect(size > 0).toBe(true);
      expect(stream.locked).toBe(false);
    });
  });
});
