/**
 * The streams of msgpack-nodejs 1.3.9, one behaviour in each test. "as before": the same here. "better": the original loses
 * values, changes them or hangs; each is a row of UPGRADING.md.
 */
import { once } from "node:events";
import { Readable, Transform, Writable } from "node:stream";
import * as face from "@moonpack/compat/msgpack-nodejs";
import { applyOptions, DecodeStream, decode, EncodeStream, encode, NULL } from "@moonpack/compat/msgpack-nodejs";
import { cutEvery } from "@moonpack/harness/cuts.ts";
import { concat, toHex } from "@moonpack/harness/hex.ts";
import { describe, expect, it } from "vitest";

const values = [{ a: 1 }, 98, "text", [1, [2]], 0, "", false, { b: { c: "é" } }];
const all = concat(...values.map((value) => encode(value)));

describe("EncodeStream", () => {
  it("as before: a Transform, each written value is one chunk, a Buffer", async () => {
    const stream = new EncodeStream();
    expect(stream).toBeInstanceOf(Transform);
    const chunks: unknown[] = [];
    stream.on("data", (chunk) => chunks.push(chunk));
    for (const value of values) stream.write(value);
    stream.end();
    await once(stream, "end");
    expect(chunks.every(Buffer.isBuffer)).toBe(true);
    expect(chunks.map((chunk) => toHex(chunk as Buffer))).toEqual(values.map((value) => toHex(encode(value))));
  });

  it("better: write does not throw for a value that cannot be encoded; later writes work", async () => {
    const stream = new EncodeStream();
    const errors: unknown[] = [];
    stream.on("error", (error) => errors.push(error));
    const result: unknown[] = [];
    stream.on("data", (chunk: Uint8Array) => result.push(decode(chunk)));
    for (const value of [1, undefined, 2, { f: () => 1 }, new Set(), 3]) stream.write(value);
    expect(await new Promise((resolve) => stream.write(Symbol("s"), resolve))).toMatchObject({
      code: "ERR_UNSUPPORTED_TYPE",
    });
    stream.end(4);
    await once(stream, "end");
    expect(result).toEqual([1, 2, 3, 4]); // and no chunk without bytes
    expect(errors).toMatchObject([
      { code: "ERR_UNSUPPORTED_TYPE", path: "$" },
      { code: "ERR_UNSUPPORTED_TYPE", path: "$.f" },
      { code: "ERR_UNSUPPORTED_TYPE", path: "$" },
    ]);
  });

  it("better: null can be written, as null or NULL", async () => {
    const stream = new EncodeStream();
    stream.write(null);
    stream.end(NULL);
    expect(toHex(concat(...((await stream.toArray()) as Uint8Array[])))).toBe("c0c0");
  });
});

describe("DecodeStream", () => {
  it("as before: one message in each chunk gives one value for each chunk", async () => {
    const stream = new DecodeStream();
    expect(stream).toBeInstanceOf(Transform);
    for (const value of values) stream.write(encode(value));
    stream.end();
    expect(await stream.toArray()).toEqual(values);
  });

  it("better: messages over several chunks, several in a chunk, cut anywhere", async () => {
    for (const size of [1, 2, 3, 5, 1000]) {
      const parts = Readable.from(cutEvery(all, size), { objectMode: false });
      expect(await parts.pipe(new DecodeStream()).toArray()).toEqual(values);
    }
  });

  it("better: nil is a value, NULL", async () => {
    const stream = new DecodeStream();
    stream.end(concat(encode(1), encode(null), encode([null])));
    expect(await stream.toArray()).toEqual([1, NULL, [null]]);
  });

  it("better: malformed bytes and an end inside a message are errors, not undefined", async () => {
    for (const [bytes, code] of [
      [new Uint8Array([1, 0xc1]), "ERR_INVALID_BYTE"],
      [new Uint8Array([1, 0x92, 1]), "ERR_TRUNCATED"],
      [new Uint8Array([1, 0xc7, 1, 5, 0]), "ERR_UNKNOWN_EXTENSION"],
    ] as const) {
      const seen: unknown[] = [];
      const stream = new DecodeStream();
      stream.on("data", (value) => seen.push(value));
      stream.end(bytes);
      const [error] = (await once(stream, "error")) as [Error];
      expect([error, seen]).toMatchObject([{ code }, [1]]);
    }
  });

  it("better: for await, a signal, high-water marks", async () => {
    const controller = new AbortController();
    const stream = new DecodeStream({ readableHighWaterMark: 2, signal: controller.signal });
    expect(stream.readableHighWaterMark).toBe(2);
    stream.write(all);
    const loop = (async () => {
      let count = 0;
      for await (const value of stream) {
        expect(value).toEqual(values[count]);
        if (++count === values.length) setImmediate(() => controller.abort());
      }
    })();
    await expect(loop).rejects.toMatchObject({ code: "ERR_ABORTED" });
  });
});

describe("binary in a DecodeStream", () => {
  const decodeAll = async (chunks: Iterable<Uint8Array>) =>
    Readable.from(chunks, { objectMode: false }).pipe(new DecodeStream<unknown>()).toArray();

  it("as before: a Buffer, at every depth", async () => {
    const binary = new Uint8Array([1, 2, 3]);
    const message = {
      binary,
      list: [binary, [binary, new Date(5), null]],
      map: new Map<unknown, unknown>([
        [1, binary],
        [binary, [binary]],
      ]),
      ["__proto__"]: binary,
    };
    const found: unknown[] = [];
    const collect = (value: unknown): void => {
      if (value instanceof Uint8Array) found.push(value);
      else if (value instanceof Map) for (const pair of value) collect(pair);
      else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
    };
    for (const size of [1, 5, 1000]) {
      const results = await decodeAll(
        cutEvery(concat(encode(binary), encode(message), encode(new Uint8Array(0))), size),
      );
      expect(results).toEqual([Buffer.from(binary), bufferized(message), Buffer.alloc(0)]);
      found.length = 0;
      collect(results);
      expect(found.length).toBe(9);
      expect(found.every(Buffer.isBuffer)).toBe(true);
    }
  });

  it("better: it owns its memory, and decode still returns plain Uint8Arrays", async () => {
    const chunk = Buffer.from(encode([new Uint8Array(100).fill(7)]));
    const stream = new DecodeStream<[Buffer]>();
    stream.write(chunk);
    const [[binary]] = (await once(stream, "data")) as [[Buffer]];
    chunk.fill(0);
    expect(binary.every((byte) => byte === 7)).toBe(true);
    expect(Buffer.isBuffer(decode<[Uint8Array]>(encode([binary]))[0])).toBe(false);
  });

  it("4,000 levels deep, and in a large map", async () => {
    let deep: unknown = new Uint8Array([7]);
    for (let i = 0; i < 4000; i++) deep = [deep];
    const large = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`key${i}`, new Uint8Array([i & 255])]));
    const [first, second] = (await decodeAll([encode(deep as object), encode(large)])) as [unknown, object];
    let inner = first;
    while (Array.isArray(inner)) [inner] = inner as unknown[];
    expect(Buffer.isBuffer(inner)).toBe(true);
    expect(Object.values(second).every(Buffer.isBuffer)).toBe(true);
  });

  it("as before: decode of an extension receives a Buffer, and its result is not changed", async () => {
    class Blob56 {
      readonly bytes: Uint8Array;
      constructor(bytes: Uint8Array) {
        this.bytes = bytes;
      }
    }
    const seen: boolean[] = [];
    const plain: { self?: unknown; bytes: Uint8Array } = { bytes: new Uint8Array([1]) };
    plain.self = plain;
    Object.freeze(plain);
    const stream = new DecodeStream<unknown>();
    face.registerExtension({
      type: 56,
      objConstructor: Blob56,
      encode: ({ bytes }) => bytes,
      decode: (bytes) => {
        seen.push(Buffer.isBuffer(bytes));
        return bytes[0] === 0 ? (plain as Blob56) : new Blob56(Uint8Array.from(bytes));
      },
    });
    stream.end(encode([new Blob56(new Uint8Array([0])), new Blob56(new Uint8Array([1, 2])), new Uint8Array([3])]));
    const [[shared, own, binary]] = (await stream.toArray()) as [[unknown, Blob56, Buffer]];
    expect(shared).toBe(plain);
    expect([own instanceof Blob56, Buffer.isBuffer(own.bytes), own.bytes]).toEqual([
      true,
      false,
      new Uint8Array([1, 2]),
    ]);
    expect([Buffer.isBuffer(plain.bytes), Buffer.isBuffer(binary), seen]).toEqual([false, true, [true, true]]);
    decode(encode(new Blob56(new Uint8Array([1]))));
    expect(seen).toEqual([true, true, false]);
  });
});

/** A copy of the value with Buffers instead of Uint8Arrays. */
function bufferized(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (Array.isArray(value)) return value.map(bufferized);
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [bufferized(key), bufferized(item)]));
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, bufferized(item)]));
}

describe("both streams", () => {
  it("as before: the example of its documentation", async () => {
    const seen: unknown[] = [];
    const encodeStream = new EncodeStream();
    const writable = new Writable({
      objectMode: true,
      write(value, _encoding, callback) {
        seen.push(value);
        callback();
      },
    });
    encodeStream.pipe(new DecodeStream()).pipe(writable);
    encodeStream.write({ foo: "bar" });
    encodeStream.end();
    await once(writable, "finish");
    expect(seen).toEqual([{ foo: "bar" }]);
  });

  it("as before: classes of registerExtension, options of applyOptions", async () => {
    class Celsius {
      degrees: number;
      constructor(degrees: number) {
        this.degrees = degrees;
      }
    }
    const early = { encode: new EncodeStream(), decode: new DecodeStream() };
    face.registerExtension({
      type: 55,
      objConstructor: Celsius,
      encode: ({ degrees }) => encode(degrees),
      decode: (bytes) => new Celsius(decode<number>(bytes)),
    });
    applyOptions({ encoder: { byteArray: { base: 2048 } } });
    for (const streams of [early, { encode: new EncodeStream(), decode: new DecodeStream() }]) {
      streams.encode.end([new Celsius(7), "a\ud800", new Date(1)]);
      expect(await streams.encode.pipe(streams.decode).toArray()).toEqual([[new Celsius(7), "a\ufffd", new Date(1)]]);
    }
  });
});
