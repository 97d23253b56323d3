/**
 * The streams of msgpack-nodejs 1.3.9, fact by fact. "as before": the same here. "better": the original loses values,
 * breaks them or stops; each is a row of UPGRADING.md.
 */
import { once } from "node:events";
import { Readable, Transform, Writable } from "node:stream";
import * as face from "moonpack/compat/msgpack-nodejs";
import { applyOptions, DecodeStream, decode, EncodeStream, encode, NULL } from "moonpack/compat/msgpack-nodejs";
import { describe, expect, it } from "vitest";
import { cutEvery } from "../harness/cuts.ts";
import { concat, toHex } from "../harness/hex.ts";
import { codeOf } from "../node/tools.ts";

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

  it("better: what cannot be encoded is no exception out of write; later writes work", async () => {
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
  it("as before: a message a chunk gives a value a chunk", async () => {
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
    expect(await codeOf(loop)).toBe("ERR_ABORTED");
  });
});

describe("both", () => {
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
