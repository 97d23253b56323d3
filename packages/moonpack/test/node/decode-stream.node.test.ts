import { getEventListeners, once } from "node:events";
import { PassThrough, Readable, Transform, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { type DecodeError, encode } from "moonpack";
import { DecodeStream, NULL } from "moonpack/node";
import { describe, expect, test } from "vitest";
import { caughtOurs, fault } from "../harness/caught.ts";
import { cutEvery } from "../harness/cuts.ts";
import { none } from "../harness/each.ts";
import { concat } from "../harness/hex.ts";
import { differ } from "../harness/same.ts";
import { codeOf, turns } from "./tools.ts";

const messages = (...values: unknown[]) => concat(...values.map((value) => encode(value)));

/** Values until the end or an error. */
async function taken(stream: DecodeStream): Promise<{ values: unknown[]; error: unknown }> {
  const values: unknown[] = [];
  try {
    for await (const value of stream) values.push(value);
  } catch (error) {
    return { values, error };
  }
  return { values, error: null };
}

describe("values out of bytes", () => {
  const bytes = messages(1, "two", null, { three: [3, null] }, new Uint8Array(5), "é".repeat(100));
  const values = [1, "two", NULL, { three: [3, null] }, new Uint8Array(5), "é".repeat(100)];

  test("however they are cut, by for await, data and pipeline; nil is NULL", async () => {
    for (const size of [1, 2, 3, 7, 1000]) {
      const parts = () => Readable.from(cutEvery(bytes, size), { objectMode: false });
      expect(await parts().pipe(new DecodeStream()).toArray()).toEqual(values);
      expect((await taken(parts().pipe(new DecodeStream()))).values).toEqual(values);
      const seen: unknown[] = [];
      const end = new Writable({
        objectMode: true,
        write(value, _encoding, callback) {
          seen.push(value);
          callback();
        },
      });
      await pipeline(parts(), new DecodeStream(), end);
      expect(seen).toEqual(values);
    }
  });

  test("it is a Transform; an empty stream is no values; empty chunks are nothing", async () => {
    const stream = new DecodeStream();
    expect(stream).toBeInstanceOf(Transform);
    stream.end();
    expect(await stream.toArray()).toEqual([]);
    const other = new DecodeStream();
    for (const part of [new Uint8Array(0), encode([1]), new Uint8Array(0)]) other.write(part);
    other.end(Buffer.alloc(0));
    expect(await other.toArray()).toEqual([[1]]);
  });

  test("each value as soon as its last byte has come", () => {
    const stream = new DecodeStream();
    const seen: unknown[] = [];
    stream.on("data", (value) => seen.push(value));
    stream.resume();
    return turns().then(() => {
      for (const byte of messages([1], "x")) {
        stream.write(new Uint8Array([byte]));
        seen.push("|");
      }
      expect(seen).toEqual(["|", [1], "|", "|", "x", "|"]);
    });
  });

  test("two at once do not meet", async () => {
    const streams = [new DecodeStream(), new DecodeStream(), new DecodeStream({})];
    const all = streams.map(() => messages(...Array.from({ length: 50 }, (_, i) => ({ i, deep: [[i, `${i}`]] }))));
    const results = streams.map((stream) => stream.toArray());
    for (let i = 0; i < all[0]!.length; i++) {
      for (const [k, stream] of streams.entries()) stream.write(all[k]!.subarray(i, i + 1));
    }
    for (const stream of streams) stream.end();
    const [a, b, c] = await Promise.all(results);
    expect(a!.length).toBe(50);
    expect([b, c]).toEqual([a, a]);
  });

  test("options of the decoder, of the sides, and those that make no sense", async () => {
    const stream = new DecodeStream({ maps: "map", readableHighWaterMark: 3, writableHighWaterMark: 99 });
    expect([stream.readableHighWaterMark, stream.writableHighWaterMark]).toEqual([3, 99]);
    stream.end(encode({ a: 1 }));
    expect(await stream.toArray()).toEqual([new Map([["a", 1]])]);
    expect(new DecodeStream({ highWaterMark: 5 }).readableHighWaterMark).toBe(5);
    for (const wrong of [{ maps: "x" }, { highWaterMark: -1 }, { readableHighWaterMark: 1.5 }, { signal: {} }, 5, null])
      expect(fault(() => new DecodeStream(wrong as object)).code).toBe("ERR_INVALID_ARGUMENT");
  });
});

describe("a chunk is the caller's again after its write", () => {
  for (const highWaterMark of [1, 16, 1000])
    test(`one buffer for all, ${highWaterMark} values at a time`, async () => {
      const stream = new DecodeStream({ readableHighWaterMark: highWaterMark });
      const result = stream.toArray();
      const buffer = new Uint8Array(3000);
      const expected: unknown[] = [];
      for (let round = 0; round < 30; round++) {
        const values = Array.from({ length: 20 }, (_, i) => ({ round, i, data: new Uint8Array(100).fill(round + i) }));
        expected.push(...values);
        const bytes = messages(...values);
        buffer.set(bytes);
        await new Promise<void>((resolve, reject) =>
          stream.write(buffer.subarray(0, bytes.length), (error) => (error ? reject(error) : resolve())),
        );
        none(differ(buffer.slice(0, bytes.length), bytes));
        buffer.fill(0xc1);
      }
      stream.end();
      none(differ(await result, expected));
    });
});

describe("backpressure", () => {
  test("a chunk of 100,000 values is not pushed past the mark", async () => {
    const stream = new DecodeStream<number>({ readableHighWaterMark: 10 });
    const chunk = new Uint8Array(100_000).map((_, i) => i & 0x7f);
    let isDone = false;
    stream.write(chunk, () => {
      isDone = true;
    });
    stream.end();
    await turns();
    let most = stream.readableLength;
    let count = 0;
    for await (const value of stream.iterator()) {
      if (value !== (count++ & 0x7f)) throw new Error(`wrong value ${String(value)} at ${count}`);
      most = Math.max(most, stream.readableLength);
      if (count < 99_000 && isDone) throw new Error(`the write is done at ${count}`);
    }
    expect([count, isDone]).toEqual([100_000, true]);
    expect(most).toBeLessThanOrEqual(10);
  });

  test("a slow consumer holds the source back", async () => {
    let asked = 0;
    const source = new Readable({
      highWaterMark: 1,
      read() {
        this.push(asked++ < 200 ? new Uint8Array(1000).fill(asked & 0x7f) : null);
      },
    });
    const stream = source.pipe(new DecodeStream({ readableHighWaterMark: 4, writableHighWaterMark: 2000 }));
    await turns(20);
    expect(asked).toBeLessThan(6);
    let count = 0;
    for await (const value of stream) {
      if (value !== ((Math.floor(count++ / 1000) + 1) & 0x7f)) throw new Error(`wrong value at ${count}`);
      if (count % 20_000 === 0) await sleep(1);
    }
    expect(count).toBe(200_000);
  });

  test("pause and resume, read and readable, within a data handler", async () => {
    const stream = new DecodeStream({ readableHighWaterMark: 2 });
    stream.end(messages(...Array.from({ length: 500 }, (_, i) => i)));
    const seen: unknown[] = [];
    stream.on("data", (value) => {
      seen.push(value);
      if (seen.length % 7 === 0) {
        stream.pause();
        setImmediate(() => stream.resume());
      }
      if (seen.length % 50 === 0) stream.read(); // gives it to this handler too
    });
    await once(stream, "end");
    expect(seen).toEqual(Array.from({ length: 500 }, (_, i) => i));
    const other = new DecodeStream({ readableHighWaterMark: 3 });
    other.end(messages(1, null, 3, 4, 5));
    const read: unknown[] = [];
    other.on("readable", () => {
      for (let value = other.read(); value !== null; value = other.read()) read.push(value);
    });
    await once(other, "end");
    expect(read).toEqual([1, NULL, 3, 4, 5]);
  });
});

describe("errors", () => {
  test("malformed bytes: an error with the offset in the stream, after the values in front of it", async () => {
    const bytes = concat(messages(...Array.from({ length: 40 }, (_, i) => i)), new Uint8Array([0x92, 1, 0xc1, 5]));
    for (const size of [1, 3, 1000])
      for (const mark of [1, 16, 100]) {
        const source = Readable.from(cutEvery(bytes, size), { objectMode: false });
        const { values, error } = await taken(source.pipe(new DecodeStream({ readableHighWaterMark: mark })));
        expect(values.length).toBe(40);
        expect(error).toMatchObject({ code: "ERR_INVALID_BYTE", offset: 42 });
      }
  });

  test("a cut stream is truncated, at the item that is cut, after the values in front of it", async () => {
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

  test("the writer hears of it, and later writes are refused", async () => {
    const stream = new DecodeStream();
    stream.on("error", () => undefined);
    const failed = new Promise((resolve) => stream.write(new Uint8Array([0xc1]), resolve));
    expect(await failed).toMatchObject({ code: "ERR_INVALID_BYTE", offset: 0 });
    expect(await new Promise((resolve) => stream.write(encode(1), resolve))).toMatchObject({
      code: "ERR_STREAM_DESTROYED",
    });
  });

  test("a source that fails, a consumer that fails: pipeline passes both on", async () => {
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
  test("at any value: nothing more comes, the write under way is told", async () => {
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

  test("with values waiting, with an error waiting, with nothing at all", async () => {
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

  test("a signal: ERR_ABORTED with its reason; before the beginning, in the middle, after the end", async () => {
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

  test("errors of ours are of the family", () => {
    expect(caughtOurs(() => new DecodeStream({ maxDepth: 0 })).code).toBe("ERR_INVALID_ARGUMENT");
  });
});
