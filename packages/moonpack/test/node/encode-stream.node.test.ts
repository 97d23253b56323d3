import { once } from "node:events";
import { PassThrough, Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { fault } from "@moonpack/harness/caught.ts";
import { runChild } from "@moonpack/harness/child.ts";
import { none } from "@moonpack/harness/each.ts";
import { concat } from "@moonpack/harness/hex.ts";
import { differ } from "@moonpack/harness/same.ts";
import { type EncodeError, Encoder, encode } from "moonpack";
import { EncodeStream, NULL } from "moonpack/node";
import { describe, expect, test } from "vitest";
import { codeOf, Sink, turns } from "./tools.ts";

const messages = (...values: unknown[]) => concat(...values.map((value) => encode(value)));
const bad = { a: [1, () => 1] };

/** All chunks of a stream, concatenated. */
async function bytesOf(stream: EncodeStream): Promise<Uint8Array> {
  return concat(...((await stream.toArray()) as Uint8Array[]));
}

/** The argument of a write's callback. */
function told(stream: EncodeStream, value: unknown): Promise<unknown> {
  return new Promise((resolve) => stream.write(value, resolve));
}

describe("bytes from values", () => {
  test("the messages of encode, one after the other, by write, end, pipe and pipeline", async () => {
    const values = [1, "two", { three: [3, null] }, new Map([[1, 2]]), false, 0, "", 2n ** 60n];
    const stream = new EncodeStream();
    for (const value of values.slice(0, -1)) expect(stream.write(value)).toBe(true);
    stream.end(values.at(-1));
    expect(await bytesOf(stream)).toEqual(messages(...values));
    expect(await bytesOf(Readable.from(values).pipe(new EncodeStream()))).toEqual(messages(...values));
    const sink = new Sink();
    await pipeline(Readable.from(values), new EncodeStream(), sink);
    expect(sink.bytes).toEqual(messages(...values));
    expect(new EncodeStream()).toBeInstanceOf(Transform);
    expect(await bytesOf(new EncodeStream().end())).toEqual(new Uint8Array(0));
  });

  test("nil by NULL or null; inside values null is null", async () => {
    const stream = new EncodeStream();
    stream.write(NULL);
    stream.write(null);
    expect(await told(stream, null)).toBe(null);
    stream.write([null]);
    stream.end(NULL);
    expect(await bytesOf(stream)).toEqual(messages(null, null, null, [null], null));
    expect(NULL).toBe(Symbol.for("moonpack.NULL"));
  });

  test("options of the encoder, and invalid ones", async () => {
    const stream = new EncodeStream({ canonical: true, highWaterMark: 7 });
    expect([stream.readableHighWaterMark, stream.writableHighWaterMark]).toEqual([7, 7]);
    stream.end({ b: 1, a: 2 });
    expect(await bytesOf(stream)).toEqual(new Encoder({ canonical: true }).encode({ b: 1, a: 2 }));
    const wrong = [
      { flush: "now" },
      { chunkSize: 5 },
      { maxDepth: 0 },
      { writableHighWaterMark: "1" },
      { signal: 1 },
      5,
    ];
    for (const options of [...wrong, null])
      expect(fault(() => new EncodeStream(options as object)).code).toBe("ERR_INVALID_ARGUMENT");
  });
});

describe("chunks", () => {
  const run = async (options: ConstructorParameters<typeof EncodeStream>[0], rounds: unknown[][]) => {
    const stream = new EncodeStream(options);
    const chunks: number[] = [];
    stream.on("data", (chunk: Uint8Array) => chunks.push(chunk.length));
    for (const values of rounds) {
      for (const value of values) stream.write(value);
      await turns(2);
      chunks.push(-1);
    }
    stream.end();
    await once(stream, "end");
    return chunks;
  };

  test("turn: the values of one turn of the event loop are one chunk", async () => {
    expect(await run({}, [[1, 2, 3], [4], [], ["x", "y"]])).toEqual([3, -1, 1, -1, -1, 4, -1]);
    expect(await run({}, [["x".repeat(70_000), 1], [1]])).toEqual([70_005, 1, -1, 1, -1]);
  });
  test("each: every value is a chunk", async () => {
    expect(await run({ flush: "each" }, [[1, 2, "x".repeat(5000)], [4]])).toEqual([1, 1, 5003, -1, 1, -1]);
  });
  test("size: only full chunks, and one at the end", async () => {
    const ten = Array.from({ length: 10 }, () => "x".repeat(198)); // 200 bytes each
    const chunks = await run({ flush: "size", chunkSize: 1024 }, [ten, ten]);
    expect(chunks.filter((size) => size > 1024)).toEqual([]);
    expect(chunks.reduce((sum, size) => sum + Math.max(size, 0), 0)).toBe(4000);
    expect(chunks.length).toBeLessThanOrEqual(2 + 20);
    expect(await run({ flush: "size" }, [[1, 2], [3]])).toEqual([-1, -1, 3]);
  });

  test("the receiver owns a chunk, whose memory is at most twice its size", async () => {
    const stream = new EncodeStream();
    const chunks: Uint8Array[] = [];
    const copies: Uint8Array[] = [];
    stream.on("data", (chunk: Uint8Array) => {
      chunks.push(chunk);
      copies.push(chunk.slice());
      expect(chunk.buffer.byteLength).toBeLessThanOrEqual(2 * chunk.length);
    });
    for (let i = 0; i < 30; i++) {
      for (let k = 0; k < i % 7; k++) stream.write({ i, text: "x".repeat(k === 3 ? 100_000 : i) });
      await turns(1);
    }
    stream.end();
    await once(stream, "end");
    none(
      differ(
        chunks.map((chunk) => chunk.slice()),
        copies,
      ),
    );
  });

  test("a process that only writes ends by itself, after all is written", () => {
    const { stdout, status } = runChild(`import { EncodeStream } from "moonpack/node";
      const stream = new EncodeStream(); stream.pipe(process.stdout); stream.write("left open");`);
    expect([stdout.slice(1), status]).toEqual(["left open", 0]);
  });
});

describe("backpressure", () => {
  test("without a reader: write returns false, little is held, callbacks wait", async () => {
    const stream = new EncodeStream({ chunkSize: 1024, writableHighWaterMark: 4 });
    let done = 0;
    let count = 0;
    while (stream.write("x".repeat(100), () => done++) && count < 1000) count++;
    expect(count).toBeLessThan(30);
    await turns();
    const before = done;
    expect(before).toBeLessThan(count);
    expect(stream.writableNeedDrain).toBe(true);
    const drained = once(stream, "drain");
    stream.resume();
    await drained;
    await turns();
    expect(done).toBe(count + 1);
  });

  test("a slow sink slows the source down, and no value is lost", async () => {
    let asked = 0;
    const source = Readable.from(
      (function* () {
        for (; asked < 2000; asked++) yield { asked, text: "x".repeat(100) };
      })(),
    );
    const sink = new Sink({ highWaterMark: 1 });
    sink.isSlow = true;
    const done = pipeline(source, new EncodeStream({ chunkSize: 1024 }), sink);
    await turns(20);
    expect(asked).toBeLessThan(200);
    const step = setInterval(() => {
      sink.isSlow = false;
      sink.next?.();
      sink.next = null;
    }, 1);
    await done;
    clearInterval(step);
    const values = Array.from({ length: 2000 }, (_, i) => ({ asked: i, text: "x".repeat(100) }));
    none(differ(sink.bytes, messages(...values)));
  });
});

describe("a value that cannot be encoded", () => {
  test("fails its own write: the callback receives the error, nothing of it is sent, the stream stays usable", async () => {
    for (const flush of ["turn", "each", "size"] as const) {
      const stream = new EncodeStream({ flush });
      const result = bytesOf(stream);
      const outcomes = [1, bad, undefined, 2n ** 70n, "two", "\ud800", 3].map((value) => told(stream, value));
      const failures = (await Promise.all(outcomes)) as (EncodeError | null)[];
      expect(failures.map((error) => error && [error.code, error.path])).toEqual([
        null,
        ["ERR_UNSUPPORTED_TYPE", "$.a[1]"],
        ["ERR_UNSUPPORTED_TYPE", "$"],
        ["ERR_OUT_OF_RANGE", "$"],
        null,
        ["ERR_INVALID_UTF8", "$"],
        null,
      ]);
      expect(await codeOf(promisify<unknown, BufferEncoding, void>(stream.write.bind(stream))(bad, "utf8"))).toBe(
        "ERR_UNSUPPORTED_TYPE",
      );
      expect(stream.destroyed).toBe(false);
      stream.end("four");
      expect(await result).toEqual(messages(1, "two", 3, "four"));
    }
  });

  test("without a callback: an error event, which does not destroy the stream", async () => {
    const stream = new EncodeStream();
    const errors: EncodeError[] = [];
    stream.on("error", (error) => errors.push(error as EncodeError));
    const result = new Promise<Uint8Array>((resolve) => {
      const chunks: Uint8Array[] = [];
      stream.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      stream.on("end", () => resolve(concat(...chunks)));
    });
    stream.write(1);
    stream.write(bad);
    stream.write(2);
    expect(errors.length).toBe(0); // never out of write
    await turns();
    expect(errors.map(({ code, path }) => [code, path])).toEqual([["ERR_UNSUPPORTED_TYPE", "$.a[1]"]]);
    expect([stream.destroyed, stream.writable, stream.errored]).toEqual([false, true, null]);
    stream.write(3);
    stream.end(bad);
    expect(await result).toEqual(messages(1, 2, 3));
    expect(errors.length).toBe(2);
  });

  test("pipeline fails with it and destroys all streams; for await and pipe receive it", async () => {
    const source = Readable.from([1, bad, 3]);
    const stream = new EncodeStream();
    const sink = new Sink();
    expect(await codeOf(pipeline(source, stream, sink))).toBe("ERR_UNSUPPORTED_TYPE");
    expect([source.destroyed, stream.destroyed, sink.destroyed]).toEqual([true, true, true]);
    expect(await codeOf(Readable.from([1, bad, 3]).pipe(new EncodeStream()).toArray())).toBe("ERR_UNSUPPORTED_TYPE");
    const piped = new EncodeStream();
    const values = new PassThrough({ objectMode: true });
    values.pipe(piped);
    values.write(bad);
    const [error] = (await once(piped, "error")) as [EncodeError];
    expect(error.code).toBe("ERR_UNSUPPORTED_TYPE");
    expect([values.listenerCount("data"), piped.destroyed]).toEqual([0, false]); // unpiped, usable
  });

  test("without a listener: an uncaught exception, as for any stream", () => {
    const { stderr, status } = runChild(`import { EncodeStream } from "moonpack/node";
      new EncodeStream().write(() => 1);`);
    expect(status).not.toBe(0);
    expect(stderr).toContain("ERR_UNSUPPORTED_TYPE");
  });

  test("an error of a data handler is not the value's error", async () => {
    const stream = new EncodeStream({ flush: "each" });
    stream.on("data", () => {
      throw new Error("handler");
    });
    await turns();
    expect(() => stream.write(1)).toThrow("handler");
  });
});

describe("destroy and abort", () => {
  test("at any moment: no chunk and no immediate is left, and pending writes fail", async () => {
    for (let at = 0; at < 60; at += 7) {
      const stream = new EncodeStream({ chunkSize: 1024, highWaterMark: 8 });
      let chunks = 0;
      const outcomes: Promise<unknown>[] = [];
      for (let i = 0; i < at; i++) outcomes.push(told(stream, "x".repeat(90)));
      stream.destroy();
      stream.on("data", () => chunks++);
      const results = await Promise.all(outcomes);
      await turns();
      expect(chunks).toBe(0);
      for (const error of results.slice(30)) expect(error).toBeInstanceOf(Error);
      expect(process.getActiveResourcesInfo()).not.toContain("Immediate");
    }
  });

  test("with an error: pending writes receive it", async () => {
    const stream = new EncodeStream({ chunkSize: 1024, highWaterMark: 2 });
    stream.on("error", () => undefined);
    const outcomes = Array.from({ length: 30 }, () => told(stream, "x".repeat(100)));
    const reason = new Error("reason");
    stream.destroy(reason);
    const results = await Promise.all(outcomes);
    expect(results.at(-1)).toBe(reason);
    expect(await told(stream, 1)).toMatchObject({ code: "ERR_STREAM_DESTROYED" });
  });

  test("a signal", async () => {
    const controller = new AbortController();
    const stream = new EncodeStream({ signal: controller.signal });
    stream.write(1);
    controller.abort("why");
    const [error] = (await once(stream, "error")) as [Error];
    expect(error).toMatchObject({ code: "ERR_ABORTED", cause: "why" });
    const done = pipeline(Readable.from([1, 2]), new EncodeStream({ signal: AbortSignal.abort() }), new Sink());
    expect(await codeOf(done)).toBe("ERR_ABORTED");
  });
});
