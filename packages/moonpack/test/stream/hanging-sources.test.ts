/** Sources that hang or fail when they are closed, and consumers that leave while a chunk is awaited. */

import { caughtAsync } from "@moonpack/harness/caught.ts";
import { hangingAfter } from "@moonpack/harness/streams.ts";
import { within } from "@moonpack/harness/within.ts";
import { encode } from "moonpack";
import { type ByteSource, decodeArrayStream, decodeAsync, decodeStream } from "moonpack/stream";
import { describe, expect, test } from "vitest";

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);
const END = { done: true, value: undefined };

/** A ReadableStream of copies of these chunks; it ends after them, or never. */
function streamOf(
  chunks: Uint8Array[],
  type: "bytes" | undefined,
  isEndless = false,
  cancel: () => Promise<void> | void = () => undefined,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    ...(type === undefined ? {} : { type }),
    start(controller: ReadableStreamDefaultController<Uint8Array>) {
      for (const chunk of chunks) controller.enqueue(chunk.slice());
      if (!isEndless) controller.close();
    },
    cancel,
  } as unknown as UnderlyingDefaultSource<Uint8Array>);
}

describe("a source whose close never ends", () => {
  /** Of these chunks, and then of no end, or one that never comes. */
  type Open = (chunks: Uint8Array[], isEndless: boolean) => ByteSource;
  const iterable: Open = (chunks, isEndless): AsyncIterable<Uint8Array> => ({
    [Symbol.asyncIterator]: () => {
      const inner = chunks.values();
      return {
        next() {
          const result = inner.next();
          return result.done === true && isEndless ? never() : Promise.resolve(result);
        },
        return: never,
      };
    },
  });
  const readable =
    (type?: "bytes"): Open =>
    (chunks, isEndless) =>
      streamOf(chunks, type, isEndless, never);
  const sources: [string, Open][] = [
    ["an iterator whose return never settles", iterable],
    ["a ReadableStream whose cancel never settles", readable()],
    ["a byte stream whose cancel never settles", readable("bytes")],
  ];

  test.each(sources)("%s: decodeAsync settles with its value or its error", async (_, open) => {
    expect(await within(decodeAsync(open([encode([1, "two"])], false)))).toEqual([1, "two"]);
    const fault = (isEndless: boolean, ...chunks: number[][]) => {
      const source = open(
        chunks.map((chunk) => Uint8Array.from(chunk)),
        isEndless,
      );
      return within(caughtAsync(() => decodeAsync(source)));
    };
    expect(await fault(true, [1], [2], [3])).toMatchObject({ code: "ERR_TRAILING_BYTES", offset: 1 });
    expect(await fault(true, [1, 2], [3])).toMatchObject({ code: "ERR_TRAILING_BYTES", offset: 1 });
    expect(await fault(true, [0x92, 0xc1], [3])).toMatchObject({ code: "ERR_INVALID_BYTE", offset: 1 });
    expect(await fault(false, [0x92, 1])).toMatchObject({ code: "ERR_TRUNCATED", offset: 2 });
  });

  test.each(sources)("%s: an error ends decodeStream and decodeArrayStream", async (_, open) => {
    for (const decode of [decodeStream, decodeArrayStream]) {
      const iterator = decode(open([Uint8Array.of(0x92, 1, 0xc1), encode(3)], true));
      if (decode === decodeArrayStream) expect(await within(iterator.next())).toEqual({ done: false, value: 1 });
      expect(await within(caughtAsync(() => iterator.next()))).toMatchObject({ code: "ERR_INVALID_BYTE", offset: 2 });
      expect(await within(iterator.next())).toEqual(END);
      expect(await within(iterator.return!())).toEqual(END);
    }
  });

  test.each(sources)("%s: an abort ends the loop, also while a chunk is awaited", async (_, open) => {
    for (const isWaiting of [false, true]) {
      const controller = new AbortController();
      const iterator = decodeStream(open([encode(1)], true), { signal: controller.signal });
      expect(await within(iterator.next())).toEqual({ done: false, value: 1 });
      const waiting = isWaiting ? caughtAsync(() => iterator.next()) : null;
      controller.abort();
      expect(await within(waiting ?? caughtAsync(() => iterator.next()))).toMatchObject({ code: "ERR_ABORTED" });
      expect(await within(iterator.return!())).toEqual(END);
    }
  });
});

describe("return while a chunk is awaited: both calls settle, the source is cancelled", () => {
  const readable =
    (type?: "bytes") =>
    (chunks: Uint8Array[], log: string[]): ReadableStream<Uint8Array> =>
      streamOf(chunks, type, true, () => void log.push("cancel"));

  const iterable = (chunks: Uint8Array[], log: string[]) => hangingAfter(chunks, () => log.push("cancel"));

  const sources = [
    ["a ReadableStream", readable()],
    ["a byte stream", readable("bytes")],
    ["an async iterable", iterable],
  ] as const;
  const begun: [string, typeof decodeStream, Uint8Array[], unknown[]][] = [
    ["nothing has come", decodeStream, [], []],
    ["half a message has come", decodeStream, [Uint8Array.of(0x92, 1)], []],
    ["half a text has come", decodeStream, [Uint8Array.of(0xa5, 0x61)], []],
    ["an element of an array has come", decodeArrayStream, [Uint8Array.of(0x92, 1)], [1]],
  ];

  for (const [name, open] of sources) {
    for (const isSignalled of [false, true]) {
      const options = () => (isSignalled ? { signal: new AbortController().signal } : {});
      test.each(begun)(`${name}${isSignalled ? ", with a signal" : ""}: %s`, async (_, decode, chunks, values) => {
        const log: string[] = [];
        const iterator = decode(open(chunks, log), options());
        for (const value of values) expect(await within(iterator.next())).toEqual({ done: false, value });
        const waiting = [iterator.next(), iterator.next()];
        await new Promise((resolve) => setTimeout(resolve, 1));
        expect(log).toEqual([]);
        waiting.push(iterator.return!(), iterator.next());
        expect(await within(Promise.all(waiting))).toEqual([END, END, END, END]);
        expect(log).toEqual(["cancel"]);
        expect(await within(iterator.return!())).toEqual(END);
        expect(log).toEqual(["cancel"]);
      });
    }
  }

  test("a stream is unlocked", async () => {
    for (const type of [undefined, "bytes"] as const) {
      const stream = readable(type)([], []);
      const iterator = decodeStream(stream);
      const waiting = iterator.next();
      await within(iterator.return!());
      expect(await within(waiting)).toEqual(END);
      expect(stream.locked).toBe(false);
      const broken = readable(type)([Uint8Array.of(1, 2)], []);
      for await (const _ of decodeStream(broken)) break;
      expect(broken.locked).toBe(false);
      const ended = streamOf([Uint8Array.of(1)], type);
      expect(await decodeAsync(ended)).toBe(1);
      expect(ended.locked).toBe(false);
    }
  });
});

describe("a source whose return throws", () => {
  class Failing {
    readonly log: string[] = [];
    readonly chunks: Uint8Array[];
    constructor(...chunks: Uint8Array[]) {
      this.chunks = chunks;
    }
    iterator() {
      const inner = this.chunks.values();
      return {
        next: () => inner.next(),
        return: (): never => {
          this.log.push("return");
          throw new Error("of return");
        },
      };
    }
  }
  class Sync extends Failing {
    [Symbol.iterator]() {
      return this.iterator() as Iterator<Uint8Array>;
    }
  }
  class Async extends Failing {
    [Symbol.asyncIterator]() {
      return this.iterator() as unknown as AsyncIterator<Uint8Array>;
    }
  }

  for (const Source of [Sync, Async]) {
    const kind = Source === Sync ? "an iterable" : "an async iterable";
    const message = async (act: () => Promise<unknown>) => ((await within(caughtAsync(act))) as Error).message;

    test(`${kind}: a break throws its error, as for-of does`, async () => {
      const source = new Source(Uint8Array.of(1, 2), Uint8Array.of(3));
      const run = async () => {
        for await (const value of decodeStream(source)) if (value === 1) break;
      };
      expect(await message(run)).toBe("of return");
      expect(source.log).toEqual(["return"]);
      const iterator = decodeStream(new Source(Uint8Array.of(1, 2)));
      expect(await iterator.next()).toEqual({ done: false, value: 1 });
      expect(await message(() => iterator.return!())).toBe("of return");
      expect(await within(iterator.next())).toEqual(END);
      expect(await within(iterator.return!())).toEqual(END);
    });

    test(`${kind}: its error does not replace an earlier one`, async () => {
      const thrown = new Source(Uint8Array.of(1, 2));
      const run = async () => {
        for await (const _ of decodeStream(thrown)) throw new Error("mine");
      };
      expect(await message(run)).toBe("mine");
      const malformed = new Source(Uint8Array.of(0xc1), Uint8Array.of(2));
      expect(await within(caughtAsync(() => decodeStream(malformed).next()))).toMatchObject({
        code: "ERR_INVALID_BYTE",
      });
      const trailing = new Source(Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3));
      expect(await within(caughtAsync(() => decodeAsync(trailing)))).toMatchObject({ code: "ERR_TRAILING_BYTES" });
      const aborted = new Source(Uint8Array.of(1, 2));
      const controller = new AbortController();
      const iterator = decodeStream(aborted, { signal: controller.signal });
      await iterator.next();
      controller.abort();
      expect(await within(caughtAsync(() => iterator.next()))).toMatchObject({ code: "ERR_ABORTED" });
      await new Promise((resolve) => setTimeout(resolve, 1)); // an unhandled rejection fails the run
      for (const { log } of [thrown, malformed, trailing, aborted]) expect(log).toEqual(["return"]);
    });

    test(`${kind}: it is not called after the end`, async () => {
      const source = new Source(Uint8Array.of(1));
      expect(await within(decodeAsync(source))).toBe(1);
      for await (const value of decodeStream(new Source(Uint8Array.of(7)))) expect(value).toBe(7);
      expect(source.log).toEqual([]);
    });
  }
});
