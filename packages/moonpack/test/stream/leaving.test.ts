/** `return` while something is awaited: it waits for no source that hangs, and hides no failure that was there before. */
import { encode } from "moonpack";
import { encodeFrame } from "moonpack/bytes";
import { type ByteSource, decodeArrayStream, decodeFrames, decodeStream, encodeStream } from "moonpack/stream";
import { describe, expect, test } from "vitest";
import { caughtAsync } from "../harness/caught.ts";
import { turn } from "../harness/streams.ts";
import { within } from "../harness/within.ts";

const END = { done: true, value: undefined };
const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/** Told by whom: each call's failure, or null. */
const failures = (...calls: Promise<unknown>[]) =>
  Promise.all(
    calls.map((call) =>
      within(call).then(
        () => null,
        (error: Error) => error.message,
      ),
    ),
  );

describe("a source that has failed by then, of which nobody has been told", () => {
  const failing = () => {
    let fail: (error: Error) => void = () => undefined;
    const failure = new Promise<never>((_, reject) => {
      fail = reject;
    });
    return { failure, fail: () => fail(new Error("disk")) };
  };
  const sources: [string, () => { source: ByteSource; fail: () => void }][] = [
    [
      "an iterator",
      () => {
        const { failure, fail } = failing();
        return { source: { [Symbol.asyncIterator]: () => ({ next: () => failure }) }, fail };
      },
    ],
    ...([undefined, "bytes"] as const).map((type): [string, () => { source: ByteSource; fail: () => void }] => [
      type === undefined ? "a ReadableStream" : "a byte stream",
      () => {
        let controller!: ReadableStreamDefaultController<Uint8Array>;
        const source = new ReadableStream<Uint8Array>({
          ...(type === undefined ? {} : { type }),
          start(given: ReadableStreamDefaultController<Uint8Array>) {
            controller = given;
          },
        } as unknown as UnderlyingDefaultSource<Uint8Array>);
        return { source, fail: () => controller.error(new Error("disk")) };
      },
    ]),
  ];
  const faces = [
    ["decodeStream", decodeStream],
    ["decodeArrayStream", decodeArrayStream],
    ["decodeFrames", decodeFrames],
  ] as const;

  for (const [name, open] of sources) {
    test.each(faces)(`${name}, %s: return tells of it`, async (_, decode) => {
      for (const options of [{}, { signal: new AbortController().signal }]) {
        const { source, fail } = open();
        const iterator = decode(source, options);
        const next = iterator.next();
        await turn();
        fail();
        expect(await failures(next, iterator.return!())).toEqual([null, "disk"]);
        expect(await next).toEqual(END);
        expect(await within(iterator.next())).toEqual(END);
        expect(await within(iterator.return!())).toEqual(END);
      }
    });
  }

  test("one that fails because it is let go: that is no news", async () => {
    const { failure, fail } = failing();
    const source: ByteSource = {
      [Symbol.asyncIterator]: () => ({
        next: () => failure,
        return: async () => {
          fail();
          return { done: true as const, value: undefined };
        },
      }),
    };
    const iterator = decodeStream(source);
    const next = iterator.next();
    expect(await failures(next, iterator.return!())).toEqual([null, null]);
  });

  test("encodeStream: the value that is awaited tells of it", async () => {
    const { failure, fail } = failing();
    const iterator = encodeStream({ [Symbol.asyncIterator]: () => ({ next: () => failure }) });
    const next = iterator.next();
    await turn();
    fail();
    expect(await failures(next, iterator.return())).toEqual(["disk", null]);
  });
});

describe("a source that hangs", () => {
  test("decodeFrames: both settle, also inside a frame, and the source is let go", async () => {
    for (const chunks of [[], [encodeFrame(encode("text")).subarray(0, 2)]]) {
      const log: string[] = [];
      const source: AsyncIterable<Uint8Array> = {
        [Symbol.asyncIterator]: () => {
          const inner = chunks.values();
          let end: (result: IteratorReturnResult<undefined>) => void = () => undefined;
          return {
            next() {
              const result = inner.next();
              if (result.done !== true) return Promise.resolve(result);
              return new Promise<IteratorResult<Uint8Array>>((resolve) => {
                end = resolve;
              });
            },
            async return() {
              log.push("return");
              end({ done: true, value: undefined });
              return { done: true, value: undefined };
            },
          };
        },
      };
      const iterator = decodeFrames(source);
      const next = iterator.next();
      await turn();
      expect(await within(iterator.return!())).toEqual(END);
      expect(await within(next)).toEqual(END);
      expect(log).toEqual(["return"]);
    }
  });

  for (const flush of ["size", "turn", "each"] as const) {
    test(`encodeStream, flush ${flush}: both settle, and the source is let go`, async () => {
      for (const options of [{ flush }, { flush, signal: new AbortController().signal }]) {
        const log: string[] = [];
        let isFirst = true;
        const iterator = encodeStream(
          {
            [Symbol.asyncIterator]: () => ({
              next() {
                if (!isFirst) return never<IteratorResult<number>>();
                isFirst = false;
                return Promise.resolve({ done: false, value: 7 });
              },
              return() {
                log.push("return");
                return never<IteratorResult<number>>();
              },
            }),
          },
          options,
        );
        if (flush !== "size") expect(await within(iterator.next())).toEqual({ done: false, value: Uint8Array.of(7) });
        const next = iterator.next();
        await turn();
        expect(await within(iterator.return())).toEqual(END);
        expect(await within(next)).toEqual(END);
        expect(log).toEqual(["return"]);
        expect(await within(iterator.return())).toEqual(END);
        expect(await within(iterator.next())).toEqual(END);
        expect(log).toEqual(["return"]);
      }
    });
  }

  test("encodeStream that nobody has read from lets its source go, and says what that throws", async () => {
    const log: string[] = [];
    const iterable = (throws: boolean) => ({
      [Symbol.iterator]: () => ({
        next: () => ({ done: false as const, value: 1 }),
        return: () => {
          log.push("return");
          if (throws) throw new Error("of return");
          return { done: true as const, value: undefined };
        },
      }),
    });
    expect(await within(encodeStream(iterable(false)).return())).toEqual(END);
    const throwing = encodeStream(iterable(true));
    expect(((await within(caughtAsync(() => throwing.return()))) as Error).message).toBe("of return");
    expect(await within(throwing.next())).toEqual(END);
    expect(log).toEqual(["return", "return"]);
  });
});
