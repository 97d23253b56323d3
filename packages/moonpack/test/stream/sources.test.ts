import { type DecoderOptions, encode } from "moonpack";
import { type ByteSource, decodeArrayStream, decodeAsync, decodeStream } from "moonpack/stream";
import { describe, expect, test } from "vitest";
import { caughtAsync } from "../harness/caught.ts";
import { cutEvery } from "../harness/cuts.ts";
import { concat } from "../harness/hex.ts";
import { streamOf } from "../harness/web.ts";

const values = [null, 1, { a: [1, 2, "é"] }, new Uint8Array([1, 2]), "x".repeat(5000), []];
const bytes = concat(...values.map((value) => encode(value)));

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const got: T[] = [];
  for await (const value of source) got.push(value);
  return got;
}

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

async function* later(parts: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    await Promise.resolve();
    yield part;
  }
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

  test("a message that is cut, one that is malformed, and nothing", async () => {
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

describe("values before an error are delivered", () => {
  test.each([1, 100, 10_000])("in parts of %d bytes", async (size) => {
    const got: unknown[] = [];
    const bad = concat(bytes, new Uint8Array([0xc1]));
    const error = await caughtAsync(async () => {
      for await (const value of decodeStream(cutEvery(bad, size))) got.push(value);
    });
    expect(got).toEqual(values);
    expect(error).toMatchObject({ code: "ERR_INVALID_BYTE", offset: bytes.length });
  });
});

describe("decodeArrayStream", () => {
  const take = async (input: Uint8Array, size: number, options?: DecoderOptions) =>
    all(decodeArrayStream(cutEvery(input, size), options));

  test.each([1, 3, 64, 10_000])("elements and pairs, in parts of %d bytes", async (size) => {
    const list = Array.from({ length: 500 }, (_, i) => (i % 3 === 0 ? i * 1000 : { id: i, list: [i, [i]] }));
    expect(await take(encode(list), size)).toEqual(list);
    const map = new Map<unknown, unknown>(list.map((value, i) => [i % 2 === 0 ? `k${i}` : i, value]));
    expect(await take(encode(map), size)).toEqual([...map]);
    expect(await take(encode({ a: 1, b: [2] }), size, { strict: true })).toEqual([
      ["a", 1],
      ["b", [2]],
    ]);
    for (const empty of [[], {}, new Map()]) expect(await take(encode(empty), size)).toEqual([]);
  });

  test.each([1, 3, 10_000])("its errors, in parts of %d bytes", async (size) => {
    const fault = async (...parts: (number[] | Uint8Array)[]) => {
      const got: unknown[] = [];
      const input = concat(...parts.map((part) => Uint8Array.from(part)));
      const error = await caughtAsync(async () => {
        for await (const value of decodeArrayStream(cutEvery(input, size))) got.push(value);
      });
      const { code, offset } = error as { code: string; offset: number };
      return [got, code, offset];
    };
    expect(await fault([0x93, 1, 2])).toEqual([[1, 2], "ERR_TRUNCATED", 3]);
    expect(await fault([0x82, 0xa1, 0x61, 1, 0xa1, 0x62])).toEqual([[["a", 1]], "ERR_TRUNCATED", 6]);
    expect(await fault([0x92, 1, 0xc1])).toEqual([[1], "ERR_INVALID_BYTE", 2]);
    expect(await fault([0x92, 1, 2, 3])).toEqual([[1, 2], "ERR_TRAILING_BYTES", 3]);
    expect(await fault([0x90, 0xc0])).toEqual([[], "ERR_TRAILING_BYTES", 1]);
    expect(await fault([0xa1, 0x61])).toEqual([[], "ERR_UNSUPPORTED_TYPE", 0]);
    expect(await fault([0xdc, 0])).toEqual([[], "ERR_TRUNCATED", 0]);
    expect(await fault([0xdd, 0xff, 0xff, 0xff, 0xff, 7])).toEqual([[7], "ERR_TRUNCATED", 6]);
  });

  test("maxBytes counts over the whole, maxDepth with the outer array", async () => {
    const list = encode(Array.from({ length: 100 }, (_, i) => i));
    expect((await take(list, 10, { maxBytes: list.length })).length).toBe(100);
    expect(await caughtAsync(() => take(list, 10, { maxBytes: list.length - 1 }))).toMatchObject({
      code: "ERR_LIMIT_ELEMENTS",
    });
    expect(await take(encode([[1]]), 10, { maxDepth: 2 })).toEqual([[1]]);
    expect(await caughtAsync(() => take(encode([[[1]]]), 10, { maxDepth: 2 }))).toMatchObject({
      code: "ERR_LIMIT_DEPTH",
    });
  });
});

test("decodeAsync takes one value, and nothing may follow it", async () => {
  const two = concat(encode([1]), encode(2));
  for (const size of [1, 2, 3, 100]) {
    expect(await caughtAsync(() => decodeAsync(cutEvery(two, size)))).toMatchObject({
      code: "ERR_TRAILING_BYTES",
      offset: 2,
    });
  }
  expect(await decodeAsync([encode(1), new Uint8Array(0)])).toBe(1);
});

describe("sources are let go", () => {
  function watched(parts: Uint8Array[], fail?: Error) {
    const log: string[] = [];
    const source: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => {
        let i = 0;
        return {
          async next() {
            log.push("next");
            if (i < parts.length) return { done: false, value: parts[i++]! };
            if (fail !== undefined) throw fail;
            return { done: true, value: undefined };
          },
          async return() {
            log.push("return");
            return { done: true, value: undefined };
          },
        };
      },
    };
    return { log, source };
  }

  test("an early break; nothing is read ahead", async () => {
    const { log, source } = watched([encode(1), encode(2), encode(3)]);
    for await (const value of decodeStream(source)) if (value === 2) break;
    expect(log).toEqual(["next", "next", "return"]);
  });

  test("a consumer that throws, and one that is slow", async () => {
    const { log, source } = watched([encode(1), encode(2)]);
    const error = await caughtAsync(async () => {
      for await (const _ of decodeStream(source)) throw new Error("mine");
    });
    expect((error as Error).message).toBe("mine");
    expect(log).toEqual(["next", "return"]);
    const slow = watched([encode(1), encode(2)]);
    const iterator = decodeStream(slow.source);
    await iterator.next();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(slow.log).toEqual(["next"]);
  });

  test("a malformed message ends the source's iteration", async () => {
    const { log, source } = watched([new Uint8Array([0xc1]), encode(2)]);
    await caughtAsync(() => all(decodeStream(source)));
    expect(log).toEqual(["next", "return"]);
  });

  test("a source that fails: its own error, after the values before it", async () => {
    const { source } = watched([encode(1)], new Error("disk"));
    const got: unknown[] = [];
    const error = await caughtAsync(async () => {
      for await (const value of decodeStream(source)) got.push(value);
    });
    expect(got).toEqual([1]);
    expect((error as Error).message).toBe("disk");
  });

  test("a ReadableStream is cancelled by a break, with the error by an error", async () => {
    for (const type of [undefined, "bytes"] as const) {
      const reasons: unknown[] = [];
      const open = (part: Uint8Array<ArrayBuffer>) =>
        new ReadableStream({
          ...(type === undefined ? {} : { type }),
          pull: (controller: ReadableStreamDefaultController<Uint8Array>) => controller.enqueue(part.slice()),
          cancel: (reason: unknown) => void reasons.push(reason),
        } as unknown as UnderlyingDefaultSource<Uint8Array>);
      for await (const _ of decodeStream(open(encode(1)))) break;
      const error = await caughtAsync(() => all(decodeStream(open(new Uint8Array([0xc1])))));
      expect(reasons).toEqual([undefined, error]);
    }
  });

  test("abort: before, between and while waiting", async () => {
    const reason = new Error("enough");
    const before = caughtAsync(() => all(decodeStream([bytes], { signal: AbortSignal.abort(reason) })));
    expect(await before).toMatchObject({ code: "ERR_ABORTED", cause: reason });
    const controller = new AbortController();
    const { log, source } = watched([encode(1), encode(2)]);
    const iterator = decodeStream(source, { signal: controller.signal });
    expect(await iterator.next()).toEqual({ done: false, value: 1 });
    controller.abort(reason);
    expect(await caughtAsync(() => iterator.next())).toMatchObject({ code: "ERR_ABORTED", cause: reason });
    expect(log).toEqual(["next", "return"]);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    const waiting = new AbortController();
    let cancelled = false;
    const never = new ReadableStream<Uint8Array>({
      cancel() {
        cancelled = true;
      },
    });
    const pending = caughtAsync(() => decodeAsync(never, { signal: waiting.signal }));
    await new Promise((resolve) => setTimeout(resolve, 1));
    waiting.abort(reason);
    expect(await pending).toMatchObject({ code: "ERR_ABORTED", cause: reason });
    expect(cancelled).toBe(true);
  });
});

test("calls that do not wait for one another come in order", async () => {
  const iterator = decodeStream<number>(later([encode(1), encode(2), encode(3)]));
  const results = await Promise.all([
    iterator.next(),
    iterator.next(),
    iterator.next(),
    iterator.next(),
    iterator.next(),
  ]);
  expect(results.map((result) => result.value)).toEqual([1, 2, 3, undefined, undefined]);
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

test("two at once, cut anywhere, do not mix", async () => {
  const a = decodeStream(later(cutEvery(bytes, 3)));
  const b = decodeStream(later(cutEvery(encode(["other", { a: [1] }]), 2)));
  const got: unknown[] = [];
  for await (const value of a) {
    got.push(value);
    await b.next();
  }
  expect(got).toEqual(values);
});

test("what is no source, or no chunk", async () => {
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
