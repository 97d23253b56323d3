/** `return` while a chunk or value is awaited: it does not wait for a source that hangs, and reports an earlier failure. */

import { caughtAsync } from "@moonpack/harness/caught.ts";
import { hangingAfter, turn } from "@moonpack/harness/streams.ts";
import { within } from "@moonpack/harness/within.ts";
import { encode } from "moonpack";
import { encodeFrame } from "moonpack/bytes";
import { type ByteSource, decodeArrayStream, decodeFrames, decodeStream, encodeStream } from "moonpack/stream";
import { describe, expect, test } from "vitest";

const END = { done: true, value: undefined };
const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/** The failure of each call, or null. */
const failures = (...calls: Promise<unknown>[]) =>
  Promise.all(
    calls.map((call) =>
      within(call).then(
        () => null,
        (error: Error) => error.message,
      ),
    ),
  );

describe("a source that has failed before, with the error not reported yet", () => {
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
    test.each(faces)(`${name}, %s: return rejects with the error`, async (_, decode) => {
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

  test("an error caused by the close itself is ignored", async () => {
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

  test("encodeStream: the awaited next rejects with the error", async () => {
    const { failure, fail } = failing();
    const iterator = encodeStream({ [Symbol.asyncIterator]: () => ({ next: () => failure }) });
    const next = iterator.next();
    await turn();
    fail();
    expect(await failures(next, iterator.return())).toEqual(["disk", null]);
  });
});

describe("a source that hangs", () => {
  test("decodeFrames: both calls settle, also inside a frame, and the source is closed", async () => {
    for (const chunks of [[], [encodeFrame(encode("text")).subarray(0, 2)]]) {
      const log: string[] = [];
      const source = hangingAfter(chunks, () => log.push("return"));
      const iterator = decodeFrames(source);
      const next = iterator.next();
      await turn();
      expect(await within(iterator.return!())).toEqual(END);
      expect(await within(next)).toEqual(END);
      expect(log).toEqual(["return"]);
    }
  });

  for (const flush of ["size", "turn", "each"] as const) {
    test(`encodeStream, flush ${flush}: both calls settle, and the source is closed`, async () => {
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

  test("an encodeStream that was never read closes its source, and reports an error of that", async () => {
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

describe("encodeStream with an abort", () => {
  test("the source is closed at once, also while no chunk is awaited", async () => {
    for (const kind of ["sync", "async", "not begun"]) {
      const log: string[] = [];
      const sync = {
        [Symbol.iterator]: () => ({
          next: () => ({ done: false as const, value: 1 }),
          return: () => {
            log.push("return");
            return { done: true as const, value: undefined };
          },
        }),
      };
      const controller = new AbortController();
      const source = kind === "async" ? asAsync(sync) : sync;
      const chunks = encodeStream(source, { signal: controller.signal, flush: "each" });
      if (kind !== "not begun") await within(chunks.next());
      controller.abort();
      await turn();
      expect(log, kind).toEqual(["return"]);
      expect(await within(caughtAsync(() => chunks.next()))).toMatchObject({ code: "ERR_ABORTED" });
      expect(await within(chunks.return())).toEqual(END);
      expect(log, kind).toEqual(["return"]);
    }
  });

  test("an abort from the source's own code: the error arrives although the source hangs, and a generator is closed", async () => {
    const controller = new AbortController();
    const hanging: AsyncIterable<unknown> = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          controller.abort();
          return never();
        },
      }),
    };
    const chunks = encodeStream(hanging, { signal: controller.signal });
    expect(await within(caughtAsync(() => chunks.next()))).toMatchObject({ code: "ERR_ABORTED" });
    const other = new AbortController();
    const log: string[] = [];
    const generator = function* () {
      try {
        other.abort();
        yield 1;
      } finally {
        log.push("closed");
      }
    };
    const few = encodeStream(generator(), { signal: other.signal, flush: "each" });
    await within(few.next());
    expect(log).toEqual(["closed"]);
  });
});

/** Yields the items one by one, each after a wait. */
function asAsync(source: Iterable<unknown>): AsyncIterable<unknown> {
  return {
    [Symbol.asyncIterator]: () => {
      const inner = source[Symbol.iterator]();
      return {
        next: async () => inner.next(),
        return: async () => inner.return!(),
      };
    },
  };
}
