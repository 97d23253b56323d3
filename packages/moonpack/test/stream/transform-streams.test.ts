/** EncodeStream and DecodeStream: piped, written to, cancelled and aborted, with errors on both sides. */

import { caughtAsync } from "@moonpack/harness/caught.ts";
import { cutEvery } from "@moonpack/harness/cuts.ts";
import { concat } from "@moonpack/harness/hex.ts";
import { all, bytes, turn, values } from "@moonpack/harness/streams.ts";
import { streamOf } from "@moonpack/harness/web.ts";
import { within } from "@moonpack/harness/within.ts";
import { decodeMulti, encode } from "moonpack";
import { DecodeStream, decodeStream, EncodeStream, encodeStream } from "moonpack/stream";
import { describe, expect, test } from "vitest";

describe("EncodeStream, DecodeStream", () => {
  test("piped: the same values, however cut", async () => {
    for (const size of [1, 7, 100_000]) {
      const encoded = new ReadableStream({
        start(controller) {
          for (const value of values) controller.enqueue(value);
          controller.close();
        },
      }).pipeThrough(new EncodeStream());
      const whole = concat(...(await all(encoded as unknown as AsyncIterable<Uint8Array>)));
      expect(whole).toEqual(bytes);
      const decoded = new ReadableStream<Uint8Array<ArrayBuffer>>({
        start(controller) {
          for (const part of cutEvery(whole, size)) controller.enqueue(part as Uint8Array<ArrayBuffer>);
          controller.close();
        },
      }).pipeThrough(new DecodeStream());
      expect(await all(decoded as unknown as AsyncIterable<unknown>)).toEqual(values);
    }
  });

  test("values of one turn become one chunk, which does not wait for more", async () => {
    const { readable, writable } = new EncodeStream();
    const writer = writable.getWriter();
    const reader = readable.getReader();
    void writer.write(1);
    void writer.write(2);
    expect(await reader.read()).toEqual({ done: false, value: new Uint8Array([1, 2]) });
    void writer.write(3);
    expect(await reader.read()).toEqual({ done: false, value: new Uint8Array([3]) });
    void writer.close();
    expect((await reader.read()).done).toBe(true);
  });

  test("a value that cannot be encoded rejects its own write", async () => {
    const { readable, writable } = new EncodeStream({ flush: "each" });
    const writer = writable.getWriter();
    const chunks = all(readable as unknown as AsyncIterable<Uint8Array>);
    await writer.write(1);
    expect(await caughtAsync(() => writer.write([() => 1]))).toMatchObject({
      code: "ERR_UNSUPPORTED_TYPE",
      path: "$[0]",
    });
    const changed = { a: 1 };
    const written = writer.write(changed);
    changed.a = 2;
    await written;
    await writer.write(null);
    await writer.close();
    expect([...decodeMulti(concat(...(await chunks)))]).toEqual([1, { a: 1 }, null]);
    const piped = new ReadableStream({ start: (controller) => controller.enqueue(() => 1) }).pipeThrough(
      new EncodeStream(),
    );
    const before = streamOf<unknown>([3, 4, () => 1]).pipeThrough(new EncodeStream({ flush: "size" }));
    const got: Uint8Array[] = [];
    const failure = await caughtAsync(async () => {
      for await (const chunk of before as unknown as AsyncIterable<Uint8Array>) got.push(chunk);
    });
    expect([...concat(...got)]).toEqual([3, 4]);
    expect(failure).toMatchObject({ code: "ERR_UNSUPPORTED_TYPE" });
    expect(await caughtAsync(() => all(piped as unknown as AsyncIterable<unknown>))).toMatchObject({
      code: "ERR_UNSUPPORTED_TYPE",
    });
  });

  test("onError skips piped values that cannot be encoded", async () => {
    const seen: unknown[] = [];
    const onError = (error: unknown, value: unknown) => void seen.push((error as { code: string }).code, value);
    const encoder = new EncodeStream({ onError });
    const bad = [() => 1];
    const values = streamOf<unknown>([1, bad, 2]).pipeThrough(encoder);
    const chunks = await all(values as unknown as AsyncIterable<Uint8Array>);
    expect([...concat(...chunks)]).toEqual([1, 2]);
    expect(seen).toEqual(["ERR_UNSUPPORTED_TYPE", bad]);
    expect(() => new EncodeStream({ onError: 1 as unknown as "throw" })).toThrow("onError");
  });

  test("malformed and truncated: an error of both sides, after the values before it", async () => {
    for (const [tail, code] of [
      [[0xc1], "ERR_INVALID_BYTE"],
      [[0x91], "ERR_TRUNCATED"],
    ] as const) {
      const { readable, writable } = new DecodeStream();
      const got: unknown[] = [];
      const reading = caughtAsync(async () => {
        for await (const value of readable as unknown as AsyncIterable<unknown>) got.push(value);
      });
      const writer = writable.getWriter();
      const writing = caughtAsync(async () => {
        await writer.write(concat(bytes, Uint8Array.from(tail)));
        await writer.close();
      });
      expect(await writing).toMatchObject({ code, offset: bytes.length + (code === "ERR_TRUNCATED" ? 1 : 0) });
      expect(await reading).toMatchObject({ code });
      expect(got).toEqual(values);
    }
  });

  test("one chunk of a hundred thousand values waits for its reader", async () => {
    const { readable, writable } = new DecodeStream({ highWaterMark: 4 });
    const writer = writable.getWriter();
    let isWritten = false;
    const written = writer.write(new Uint8Array(100_000)).then(() => {
      isWritten = true;
    });
    const reader = readable.getReader();
    for (let i = 0; i < 10; i++) expect(await reader.read()).toEqual({ done: false, value: 0 });
    await turn();
    expect(isWritten).toBe(false);
    await reader.cancel(new Error("enough"));
    await Promise.race([written.catch(() => undefined), turn()]);
    expect(((await caughtAsync(() => writer.closed)) as Error).message).toBe("enough");
  });

  test("abort and cancel reach the other side", async () => {
    const encoder = new EncodeStream();
    const reading = caughtAsync(() => all(encoder.readable as unknown as AsyncIterable<unknown>));
    await encoder.writable.abort(new Error("stop"));
    expect(((await reading) as Error).message).toBe("stop");
    const other = new EncodeStream();
    const writer = other.writable.getWriter();
    await other.readable.cancel(new Error("enough"));
    expect(((await caughtAsync(() => writer.write(1))) as Error).message).toBe("enough");
  });

  test("an abort ends a chunk that is being read", async () => {
    const { readable, writable } = new DecodeStream({ highWaterMark: 1 });
    const writer = writable.getWriter();
    void writer.write(new Uint8Array(50_000));
    let count = 0;
    const reading = caughtAsync(async () => {
      for await (const _ of readable as unknown as AsyncIterable<unknown>)
        if (++count === 10) void writer.abort(new Error("stop"));
    });
    expect(((await reading) as Error).message).toBe("stop");
    expect(count).toBeLessThan(20);
  });

  describe("a cancel while the writer closes", () => {
    const enough = new Error("enough");
    const streams = [
      ["EncodeStream", () => new EncodeStream({ flush: "size" }), "a value"],
      ["DecodeStream", () => new DecodeStream(), encode("a value")],
    ] as const;
    const open = (make: (typeof streams)[number][1]) => {
      const { readable, writable } = make();
      const writer = (writable as WritableStream<unknown>).getWriter();
      return { readable: readable as ReadableStream<unknown>, writer };
    };
    /** The value or the error of a promise. */
    const outcome = (promise: Promise<unknown>) => within(promise.catch((error: unknown) => error));

    test.each(streams)("%s: a close that has not started rejects with the reason", async (_, make, item) => {
      for (const hasWritten of [false, true]) {
        // A new stream starts at the next microtask.
        const { readable, writer } = open(make);
        const written = hasWritten ? outcome(writer.write(item)) : enough;
        const closing = outcome(writer.close());
        expect(await within(readable.cancel(enough))).toBe(undefined);
        expect([await written, await closing, await outcome(writer.closed)]).toEqual([enough, enough, enough]);
      }
    });

    test.each(streams)("%s: a close that has started succeeds", async (_, make, item) => {
      for (const hasWritten of [false, true]) {
        const { readable, writer } = open(make);
        await turn();
        if (hasWritten) await within(writer.write(item));
        const closing = outcome(writer.close());
        expect(await within(readable.cancel(enough))).toBe(undefined);
        expect([await closing, await outcome(writer.closed)]).toEqual([undefined, undefined]);
      }
    });

    test("a write that waits for the reader resolves, the close after it rejects with the reason", async () => {
      const { readable, writer } = open(() => new DecodeStream({ highWaterMark: 1 }));
      const written = outcome(writer.write(new Uint8Array(50_000)));
      await turn();
      const closing = outcome(writer.close());
      await turn();
      expect(await within(readable.cancel(enough))).toBe(undefined);
      expect([await written, await closing, await outcome(writer.closed)]).toEqual([undefined, enough, enough]);
    });

    test("a close that fails rejects with its own error", async () => {
      const { readable, writer } = open(() => new DecodeStream({ highWaterMark: 4 }));
      await within(writer.write(Uint8Array.of(1, 0x92)));
      const closing = outcome(writer.close()); // waits until the value has been read
      await turn();
      expect(await within(readable.cancel(enough))).toBe(undefined);
      expect(await closing).toMatchObject({ code: "ERR_TRUNCATED", offset: 2 });
      await outcome(writer.closed);
    });
  });

  test("encodeStream into a Blob, and back", async () => {
    const blob = new Blob(await all(encodeStream(values)));
    expect(await all(decodeStream(blob))).toEqual(values);
  });
});
