/** DecodeStream: values from bytes in any chunks, chunks that are reused, and backpressure. */
import { once } from "node:events";
import { Readable, Transform, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fault } from "@moonpack/harness/caught.ts";
import { cutEvery } from "@moonpack/harness/cuts.ts";
import { none } from "@moonpack/harness/each.ts";
import { differ } from "@moonpack/harness/same.ts";
import { messages, taken } from "@moonpack/harness/streams.ts";
import { encode } from "moonpack";
import { DecodeStream, NULL } from "moonpack/node";
import { describe, expect, test } from "vitest";
import { turns } from "./tools.ts";

describe("values from bytes", () => {
  const bytes = messages(1, "two", null, { three: [3, null] }, new Uint8Array(5), "é".repeat(100));
  const values = [1, "two", NULL, { three: [3, null] }, new Uint8Array(5), "é".repeat(100)];

  test("in any chunks, by for await, data and pipeline; nil is NULL", async () => {
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

  test("it is a Transform; an empty stream has no values; empty chunks are ignored", async () => {
    const stream = new DecodeStream();
    expect(stream).toBeInstanceOf(Transform);
    stream.end();
    expect(await stream.toArray()).toEqual([]);
    const other = new DecodeStream();
    for (const part of [new Uint8Array(0), encode([1]), new Uint8Array(0)]) other.write(part);
    other.end(Buffer.alloc(0));
    expect(await other.toArray()).toEqual([[1]]);
  });

  test("each value as soon as its last byte has arrived", () => {
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

  test("two concurrent streams stay separate", async () => {
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

  test("options of the decoder, of both sides, and invalid ones", async () => {
    const stream = new DecodeStream({ maps: "map", readableHighWaterMark: 3, writableHighWaterMark: 99 });
    expect([stream.readableHighWaterMark, stream.writableHighWaterMark]).toEqual([3, 99]);
    stream.end(encode({ a: 1 }));
    expect(await stream.toArray()).toEqual([new Map([["a", 1]])]);
    expect(new DecodeStream({ highWaterMark: 5 }).readableHighWaterMark).toBe(5);
    for (const wrong of [{ maps: "x" }, { highWaterMark: -1 }, { readableHighWaterMark: 1.5 }, { signal: {} }, 5, null])
      expect(fault(() => new DecodeStream(wrong as object)).code).toBe("ERR_INVALID_ARGUMENT");
  });
});

describe("a chunk may be reused after its write", () => {
  for (const highWaterMark of [1, 16, 1000])
    test(`one buffer for all chunks, ${highWaterMark} values at a time`, async () => {
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
  test("a chunk of 100,000 values is not pushed beyond the high-water mark", async () => {
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

  test("a slow consumer slows the source down", async () => {
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
