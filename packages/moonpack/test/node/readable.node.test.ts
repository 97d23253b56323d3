/** A Node Readable as a source of moonpack/stream that is closed while a chunk is awaited. */
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { caughtAsync } from "@moonpack/harness/caught.ts";
import { decodeArrayStream, decodeAsync, decodeFrames, decodeStream } from "moonpack/stream";
import { describe, expect, test } from "vitest";

describe("a Readable with a chunk awaited", () => {
  const open = () => new Readable({ read() {} });

  test.each([
    ["decodeStream", (source: Readable, signal: AbortSignal) => decodeStream(source, { signal }).next()],
    ["decodeArrayStream", (source: Readable, signal: AbortSignal) => decodeArrayStream(source, { signal }).next()],
    ["decodeAsync", (source: Readable, signal: AbortSignal) => decodeAsync(source, { signal })],
    ["decodeFrames", (source: Readable, signal: AbortSignal) => decodeFrames(source, { signal }).next()],
  ] as const)("%s: the signal destroys it", async (_, read) => {
    const source = open();
    const abort = new AbortController();
    const reading = caughtAsync(() => read(source, abort.signal));
    await sleep(20);
    abort.abort();
    expect(await reading).toMatchObject({ code: "ERR_ABORTED" });
    expect(source.destroyed).toBe(true);
    expect(source.errored).toBe(null);
  });

  test("a Readable of which no chunk was requested", async () => {
    const returned = open();
    await decodeStream(returned).return!();
    expect(returned.destroyed).toBe(true);
    const refused = open();
    const signal = AbortSignal.abort();
    expect(await caughtAsync(() => decodeStream(refused, { signal }).next())).toMatchObject({ code: "ERR_ABORTED" });
    expect(refused.destroyed).toBe(true);
  });

  test("decodeStream: return destroys it, and both calls settle", async () => {
    const source = open();
    const values = decodeStream(source);
    const next = values.next();
    await sleep(20);
    expect(await values.return!()).toEqual({ done: true, value: undefined });
    expect(await next).toEqual({ done: true, value: undefined });
    expect(source.destroyed).toBe(true);
  });

  test.each([
    ["decodeStream", decodeStream],
    ["decodeFrames", decodeFrames],
  ] as const)("%s: return rejects with a failure that came before it", async (_, decode) => {
    for (const isAwaited of [true, false]) {
      const source = new Readable({ read() {} });
      const values = decode(source);
      source.push(Uint8Array.of(1, 7));
      expect(await values.next()).toMatchObject({ done: false });
      if (!isAwaited && decode === decodeStream) await values.next();
      const next = isAwaited ? [values.next(), values.next()] : [];
      await sleep(5);
      source.destroy(new Error("disk"));
      expect(await caughtAsync(() => values.return!())).toMatchObject({ message: "disk" });
      for (const result of await Promise.all(next.slice(-1))) expect(result).toEqual({ done: true, value: undefined });
    }
  });
});
