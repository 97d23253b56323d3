/** encodeStream: how messages are collected into chunks, and errors of values and sources. */

import { caughtAsync } from "@moonpack/harness/caught.ts";
import { concat } from "@moonpack/harness/hex.ts";
import { all, bytes, later, turn, values } from "@moonpack/harness/streams.ts";
import { decodeMulti } from "moonpack";
import { encodeStream } from "moonpack/stream";
import { describe, expect, test } from "vitest";

describe("encodeStream", () => {
  test("collects up to chunkSize; larger messages are separate chunks, in order", async () => {
    const many = Array.from({ length: 3000 }, (_, i) => (i === 1500 ? "x".repeat(5000) : { i }));
    for (const source of [many, later(many)]) {
      const chunks = await all(encodeStream(source, { chunkSize: 2048 }));
      expect([...decodeMulti(concat(...chunks))]).toEqual(many);
      expect(chunks.filter((chunk) => chunk.length > 2048).map((chunk) => chunk.length)).toEqual([5003]);
      expect(chunks.length).toBeLessThan(20);
      // Full, except for a rest that is too small for the next message.
      for (const chunk of chunks.slice(0, 3)) expect(chunk.length).toBeGreaterThan(2048 - 16);
      for (const chunk of chunks) expect(chunk.buffer.byteLength).toBeLessThan(2 * chunk.length + 1024);
    }
    expect(await all(encodeStream([]))).toEqual([]);
    expect(await all(encodeStream(values))).toEqual([bytes]);
  });

  test("flush: after each value, or after each turn", async () => {
    expect((await all(encodeStream([1, 2, 3], { flush: "each" }))).map((chunk) => [...chunk])).toEqual([[1], [2], [3]]);
    const bursts = later([[1, 2, 3], [4], [5, 6]], turn);
    const flat = (async function* () {
      for await (const burst of bursts) yield* burst;
    })();
    expect((await all(encodeStream(flat, { flush: "turn" }))).map((chunk) => [...chunk])).toEqual([
      [1, 2, 3],
      [4],
      [5, 6],
    ]);
    expect((await all(encodeStream(later([1, 2], turn)))).map((chunk) => [...chunk])).toEqual([[1, 2]]);
  });

  test("a value that cannot be encoded: values before it are yielded, and the source is closed", async () => {
    let isClosed = false;
    const source = (function* () {
      try {
        yield* [1, 2, { f: () => 1 }, 3];
      } finally {
        isClosed = true;
      }
    })();
    const got: Uint8Array[] = [];
    const error = await caughtAsync(async () => {
      for await (const chunk of encodeStream(source)) got.push(chunk);
    });
    expect(got).toEqual([new Uint8Array([1, 2])]);
    expect(error).toMatchObject({ code: "ERR_UNSUPPORTED_TYPE", path: "$.f" });
    expect(isClosed).toBe(true);
  });

  test("an early break, a source that fails, an abort", async () => {
    let isClosed = false;
    async function* endless(): AsyncGenerator<number> {
      try {
        for (let i = 0; ; i++) yield i;
      } finally {
        isClosed = true;
      }
    }
    for await (const _ of encodeStream(endless(), { chunkSize: 1024 })) break;
    await turn();
    expect(isClosed).toBe(true);
    const failing = (async function* () {
      yield 1;
      throw new Error("disk");
    })();
    expect(((await caughtAsync(() => all(encodeStream(failing)))) as Error).message).toBe("disk");
    const controller = new AbortController();
    const never = later([1], () => new Promise(() => undefined));
    const pending = caughtAsync(() => all(encodeStream(never, { signal: controller.signal })));
    controller.abort();
    expect(await pending).toMatchObject({ code: "ERR_ABORTED" });
  });

  test("invalid arguments", async () => {
    for (const wrong of [undefined, 5, {}])
      expect(await caughtAsync(() => all(encodeStream(wrong as unknown as [])))).toMatchObject({
        code: "ERR_INVALID_ARGUMENT",
      });
    for (const options of [{ chunkSize: 10 }, { flush: "never" as "each" }, { maxDepth: 0 }])
      expect(await caughtAsync(() => all(encodeStream([], options)))).toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
  });
});
