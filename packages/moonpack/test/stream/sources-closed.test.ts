/** Sources are closed after a break, an error and an abort, and are not read ahead. */

import { caughtAsync } from "@moonpack/harness/caught.ts";
import { all, bytes } from "@moonpack/harness/streams.ts";
import { encode } from "moonpack";
import { decodeAsync, decodeStream } from "moonpack/stream";
import { describe, expect, test } from "vitest";

describe("sources are closed", () => {
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

  test("a malformed message closes the source", async () => {
    const { log, source } = watched([new Uint8Array([0xc1]), encode(2)]);
    await caughtAsync(() => all(decodeStream(source)));
    expect(log).toEqual(["next", "return"]);
  });

  test("an error of the source, after the values before it", async () => {
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
