/** Errors and early ends of DecodeStream: earlier values are delivered, and both sides receive the error. */
import { getEventListeners, once } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { caughtOurs } from "@moonpack/harness/caught.ts";
import { cutEvery } from "@moonpack/harness/cuts.ts";
import { concat } from "@moonpack/harness/hex.ts";
import { messages, taken } from "@moonpack/harness/streams.ts";
import { type DecodeError, encode } from "moonpack";
import { DecodeStream } from "moonpack/node";
import { describe, expect, test } from "vitest";
import { codeOf, turns } from "./tools.ts";

describe("errors", () => {
  test("malformed bytes: an error with the offset in the stream, after the values before it", async () => {
    const bytes = concat(messages(...Array.from({ length: 40 }, (_, i) => i)), new Uint8Array([0x92, 1, 0xc1, 5]));
    for (const size of [1, 3, 1000])
      for (const mark of [1, 16, 100]) {
        const source = Readable.from(cutEvery(bytes, size), { objectMode: false });
        const { values, error } = await taken(source.pipe(new DecodeStream({ readableHighWaterMark: mark })));
        expect(values.length).toBe(40);
        expect(error).toMatchObject({ code: "ERR_INVALID_BYTE", offset: 42 });
      }
  });

  test("a truncated stream is ERR_TRUNCATED, at the cut item, after the values before it", async () => {
    const bytes = messages("first", ["second", 300]);
    for (let end = 7; end < bytes.length; end++) {
      const stream = new DecodeStream({ readableHighWaterMark: 1 });
      stream.write(bytes.subarray(0, end));
      stream.end();
      const { values, error } = await taken(stream);
      expect(values).toEqual(["first"]);
      expect((error as DecodeError).code).toBe("ERR_TRUNCATED");
      expect((error as DecodeError).offset).toBe(end < 14 ? 7 : 14);
      expect(stream.destroyed).toBe(true);
    }
  });

  test("the writer receives the error, and later writes fail", async () => {
    const stream = new DecodeStream();
    stream.on("error", () => undefined);
    const failed = new Promise((resolve) => stream.write(new Uint8Array([0xc1]), resolve));
    expect(await failed).toMatchObject({ code: "ERR_INVALID_BYTE", offset: 0 });
    expect(await new Promise((resolve) => stream.write(encode(1), resolve))).toMatchObject({
      code: "ERR_STREAM_DESTROYED",
    });
  });

  test("errors of a source and of a consumer pass through pipeline", async () => {
    const failing = Readable.from(
      (function* () {
        yield encode(1);
        throw new Error("source");
      })(),
      { objectMode: false },
    );
    await expect(pipeline(failing, new DecodeStream(), new PassThrough({ objectMode: true }).resume())).rejects.toThrow(
      "source",
    );
    const stream = new DecodeStream();
    const source = Readable.from([messages(1, 2, 3)], { objectMode: false });
    const consumer = async (values: AsyncIterable<unknown>) => {
      for await (const value of values) if (value === 2) throw new Error("consumer");
    };
    await expect(pipeline(source, stream, consumer)).rejects.toThrow("consumer");
    expect([source.destroyed, stream.destroyed]).toEqual([true, true]);
  });

  test("leaving the loop early destroys the stream", async () => {
    const stream = new DecodeStream();
    stream.write(new Uint8Array(1000));
    for await (const value of stream) {
      expect(value).toBe(0);
      break;
    }
    expect(stream.destroyed).toBe(true);
  });
});

describe("destroy and abort", () => {
  test("at any value: no more values follow, and the pending write fails", async () => {
    for (let at = 1; at < 40; at++) {
      const stream = new DecodeStream({ readableHighWaterMark: 4 });
      const seen: unknown[] = [];
      stream.on("data", (value) => {
        if (seen.push(value) === at) stream.destroy();
      });
      const told = new Promise((resolve) => stream.write(new Uint8Array(50), resolve));
      expect(await told).toMatchObject({ code: "ERR_CLOSED" });
      await turns(2);
      expect(seen.length).toBe(at);
    }
  });

  test("with queued values, with a held error, and with neither", async () => {
    for (const bytes of [messages(1, 2, 3), concat(messages(1, 2), new Uint8Array([0xc1])), new Uint8Array(0)]) {
      const stream = new DecodeStream({ readableHighWaterMark: 16 });
      const told = new Promise((resolve) => stream.write(bytes, resolve));
      await turns();
      stream.destroy();
      await once(stream, "close");
      const error = await told;
      if (bytes.includes(0xc1)) expect(error).toMatchObject({ code: "ERR_CLOSED" });
      else expect(error ?? null).toBe(null);
      expect(stream.destroyed).toBe(true);
    }
  });

  test("a signal: ERR_ABORTED with its reason; before the start, in the middle, after the end", async () => {
    const early = new DecodeStream({ signal: AbortSignal.abort("why") });
    const [error] = (await once(early, "error")) as [Error];
    expect(error).toMatchObject({ code: "ERR_ABORTED", cause: "why" });
    const controller = new AbortController();
    const stream = new DecodeStream({ signal: controller.signal });
    stream.write(new Uint8Array(100));
    setImmediate(() => controller.abort());
    expect(
      await codeOf(
        (async () => {
          for await (const value of stream) expect(value).toBe(0);
        })(),
      ),
    ).toBe("ERR_ABORTED");
    const late = new AbortController();
    const ended = new DecodeStream({ signal: late.signal });
    ended.end();
    await ended.toArray();
    await turns();
    expect(getEventListeners(late.signal, "abort")).toEqual([]);
    late.abort();
    expect(ended.errored).toBe(null);
  });

  test("the errors are MoonpackErrors", () => {
    expect(caughtOurs(() => new DecodeStream({ maxDepth: 0 })).code).toBe("ERR_INVALID_ARGUMENT");
  });
});
