/** Extensions, timestamps and the other exports of the replacement for @msgpack/msgpack, compared with the original. */

import * as moonpack from "@moonpack/compat/msgpack-javascript";
import { fault } from "@moonpack/harness/caught.ts";
import { each, none } from "@moonpack/harness/each.ts";
import { bytesWithLength } from "@moonpack/harness/false-length.ts";
import { fromHex, toHex } from "@moonpack/harness/hex.ts";
import type * as Original from "@msgpack/msgpack";
import { describe, expect, it } from "vitest";
import { Point } from "./cases.ts";
import { compare, face, type Library, original, outcome } from "./libraries.ts";

describe("extensions as in @msgpack/msgpack", () => {
  /** Set and Map as its README registers them, and Point by a function that asks for its place. */
  function codecOf(library: Library): InstanceType<Library["ExtensionCodec"]> {
    const extensionCodec = new library.ExtensionCodec();
    extensionCodec.register({
      type: 0,
      encode: (value: unknown) => (value instanceof Set ? library.encode([...value], { extensionCodec }) : null),
      decode: (data: Uint8Array) => new Set(library.decode(data, { extensionCodec }) as unknown[]),
    });
    extensionCodec.register({
      type: 1,
      encode: (value: unknown) => (value instanceof Map ? library.encode([...value], { extensionCodec }) : null),
      decode: (data: Uint8Array) => new Map(library.decode(data, { extensionCodec }) as [unknown, unknown][]),
    });
    extensionCodec.register({
      type: 127,
      encode: (value: unknown) =>
        value instanceof Point ? (at: number) => new Uint8Array([at, value.x, value.y]) : null,
      decode: (data: Uint8Array) => [...data],
    });
    return extensionCodec;
  }

  it("Set, Map, and data that depend on their offset", () => {
    const value = {
      s: new Set([1, new Set(["x"])]),
      m: new Map<unknown, unknown>([[1, new Date(5)]]),
      p: [new Point(1, 2), new Point(3, 4)],
    };
    none(compare((library) => library.encode(value, { extensionCodec: codecOf(library) })));
    const bytes = face.encode(value, { extensionCodec: codecOf(face) });
    expect(face.decode(bytes, { extensionCodec: codecOf(face) })).toEqual(
      original.decode(bytes, { extensionCodec: codecOf(original) }),
    );
  });

  it("floats aligned in the message, as in the README: data are a view of the input", () => {
    function aligned(library: Library) {
      const extensionCodec = new library.ExtensionCodec();
      extensionCodec.register({
        type: 0,
        encode: (value: unknown) =>
          value instanceof Float32Array
            ? (at: number) => {
                const padding = 1 + ((4 - ((at + 1) % 4)) % 4);
                const result = new Uint8Array(padding + value.byteLength);
                result[0] = padding;
                result.set(new Uint8Array(value.buffer), padding);
                return result;
              }
            : null,
        decode: (data: Uint8Array) =>
          new Float32Array(data.buffer, data.byteOffset + data[0]!, (data.byteLength - data[0]!) / 4),
      });
      return { extensionCodec };
    }
    const value = ["odd", new Float32Array([1.5, -2])];
    none(compare((library) => library.encode(value, aligned(library))));
    const bytes = face.encode(value, aligned(face));
    const decoded = face.decode(bytes, aligned(face)) as [string, Float32Array];
    expect(decoded).toEqual(value);
    expect(decoded[1].buffer).toBe(bytes.buffer);
  });

  it("context, order of types, replaced timestamps, ExtData of unknown types, one direction only", () => {
    const calls: unknown[][] = [[], []];
    [original, face].forEach((library, i) => {
      const log = calls[i]!;
      const extensionCodec = new library.ExtensionCodec();
      for (const type of [5, -2, -1, 3]) {
        extensionCodec.register({
          type,
          encode: (value: unknown, context: unknown) => {
            log.push(["encode", type, typeof value, context]);
            return type === 5 && typeof value === "symbol" ? new Uint8Array([type]) : null;
          },
          decode: (data: Uint8Array, extType: number, context: unknown) => {
            log.push(["decode", [...data], extType, context]);
            return extType;
          },
        });
      }
      extensionCodec.register({ type: 9, encode: undefined, decode: (data: Uint8Array) => data[0] });
      const options = { extensionCodec, context: { user: 1 } };
      log.push(toHex(library.encode([Symbol("a"), new Date(5), {}, 7, "t"], options)));
      log.push(library.decode(fromHex("94d40501d6ff00000000d40905d40209"), options));
    });
    expect(JSON.stringify(calls[1])).toBe(JSON.stringify(calls[0]));
  });

  it("ExtData and errors of an extension are passed unchanged", () => {
    for (const n of [0, 1, 2, 3, 4, 8, 16, 17, 255, 256, 65536]) {
      none(compare((library) => library.encode(new library.ExtData(42, new Uint8Array(n).fill(n)))));
    }
    none(compare((library) => library.encode(new library.ExtData(-42, (at: number) => new Uint8Array(at)))));
    none(
      compare((library) => library.encode(new library.ExtData(1, [1, 2, 3]))),
      "a list as data, which types forbid",
    );
    const mine = new TypeError("mine");
    for (const library of [original, face]) {
      const extensionCodec = new library.ExtensionCodec();
      const fail = () => {
        throw mine;
      };
      extensionCodec.register({ type: 1, encode: fail, decode: fail });
      expect(outcome(() => library.encode([{}], { extensionCodec })).error).toBe(mine);
      expect(outcome(() => library.decode(fromHex("91d40101"), { extensionCodec })).error).toBe(mine);
      expect(
        outcome(() =>
          library.encode({
            get a() {
              return fail();
            },
          }),
        ).error,
      ).toBe(mine);
    }
  });

  it("the original's codec in the replacement, and vice versa", () => {
    const value = { s: new Set([1]) };
    const bytes = face.encode(value, { extensionCodec: codecOf(original) });
    expect(toHex(bytes)).toBe(toHex(original.encode(value, { extensionCodec: codecOf(face) })));
    expect(face.decode(bytes, { extensionCodec: codecOf(original) })).toEqual(value);
  });

  it("nested calls of encoders and decoders by an extension", () => {
    for (const library of [original, face]) {
      const extensionCodec = new library.ExtensionCodec();
      const encoder = new library.Encoder({ extensionCodec });
      const decoder = new library.Decoder({ extensionCodec });
      extensionCodec.register({
        type: 1,
        encode: (value: unknown) => (value instanceof Set ? encoder.encode([...value]) : null),
        decode: (data: Uint8Array) => new Set(decoder.decode(data) as unknown[]),
      });
      const value = [new Set([1, new Set([2])]), "after"];
      expect(decoder.decode(encoder.encode(value))).toEqual(value);
    }
  });

  it("a custom key decoder", () => {
    const bytes = original.encode({ ab: { ["k".repeat(40)]: 1, "": 2 }, é: "v" }).slice();
    const asked: number[][] = [[], []];
    [original, face].forEach((library, i) => {
      const keyDecoder = {
        canBeCached: (n: number) => asked[i]!.push(n) > 0 && n < 10,
        decode: (input: Uint8Array, at: number, n: number) => `${n}:${input[at]}`,
      };
      expect(library.decode(bytes, { keyDecoder })).toEqual({
        "2:97": { ["k".repeat(40)]: 1, "0:2": 2 },
        "2:195": "v",
      });
    });
    expect(asked[1]).toEqual(asked[0]);
  });
});

describe("timestamp helpers as in @msgpack/msgpack", () => {
  const specs = [0, 1, 2 ** 32 - 1, 2 ** 32, 2 ** 34 - 1, 2 ** 34, -1, -(2 ** 40), 2 ** 53 - 1, 1.75].flatMap((sec) =>
    [0, 1, 999_999_999, 5.5].map((nsec) => ({ name: `${sec} ${nsec}`, sec, nsec })),
  );
  it("encoding and decoding", () => {
    expect(face.EXT_TIMESTAMP).toBe(original.EXT_TIMESTAMP);
    each(specs, ({ sec, nsec }) => {
      none(compare((library) => library.encodeTimeSpecToTimestamp({ sec, nsec })));
      const data = face.encodeTimeSpecToTimestamp({ sec, nsec });
      none(compare((library) => library.decodeTimestampToTimeSpec(data)));
      if (Math.abs(sec) < 8.64e12) none(compare((library) => library.decodeTimestampExtension(data)));
    });
    for (const ms of [0, 1, -1, 1234567890123, -8.64e15]) {
      none(compare((library) => library.encodeDateToTimeSpec(new Date(ms))));
      none(compare((library) => library.encodeTimestampExtension(new Date(ms))));
    }
    none(compare((library) => library.encodeTimestampExtension({})));
    none(compare((library) => library.decodeTimestampToTimeSpec(new Uint8Array(5))));
  });

  it("nanoseconds through a replaced timestamp extension", () => {
    none(
      compare((library) => {
        const extensionCodec = new library.ExtensionCodec();
        const decode = (data: Uint8Array) => library.decodeTimestampToTimeSpec(data);
        extensionCodec.register({ type: library.EXT_TIMESTAMP, encode: () => null, decode });
        return library.decode(fromHex("d7ff0000000800000001"), { extensionCodec });
      }),
    );
  });
});

describe("the replacement", () => {
  it("exports what the original exports", async () => {
    const names = Object.keys(await import("@msgpack/msgpack"));
    expect(Object.keys(moonpack).sort()).toEqual(names.sort());
  });

  it("types: a context, as the original's README uses it", () => {
    class MyContext {
      seen: unknown[] = [];
    }
    const extensionCodec = new moonpack.ExtensionCodec<MyContext>();
    extensionCodec.register({
      type: 0,
      encode: (value, context) => {
        if (!(value instanceof Point)) return null;
        context.seen.push(value);
        return moonpack.encode([value.x, value.y], { extensionCodec, context });
      },
      decode: (data, _type, context) => {
        const [x, y] = moonpack.decode(data, { extensionCodec, context }) as [number, number];
        context.seen.push("decoded");
        return new Point(x, y);
      },
    });
    const context = new MyContext();
    const bytes = new moonpack.Encoder({ extensionCodec, context }).encode({ p: new Point(1, 2) });
    expect(new moonpack.Decoder({ extensionCodec, context }).decode(bytes)).toEqual({ p: new Point(1, 2) });
    expect(context.seen).toEqual([new Point(1, 2), "decoded"]);
  });

  it("takes values typed for the original", () => {
    const options: Original.EncoderOptions<{ n: number }> & moonpack.EncoderOptions<{ n: number }> = {
      context: { n: 1 },
    };
    const codec: Original.ExtensionCodecType<undefined> = new moonpack.ExtensionCodec();
    const data: Uint8Array<ArrayBuffer> = moonpack.encode<{ n: number }>(1, options);
    expect(moonpack.decode(data, { extensionCodec: codec })).toBe(1);
  });

  it("errors are moonpack's: code and offset, code and path", () => {
    expect(outcome(() => face.decode(fromHex("9201c1"))).error).toMatchObject({
      name: "DecodeError",
      code: "ERR_INVALID_BYTE",
      offset: 2,
    });
    expect(outcome(() => face.decode(fromHex("0102"))).error).toMatchObject({
      code: "ERR_TRAILING_BYTES",
      offset: 1,
      needMore: 0,
    });
    expect(outcome(() => face.decode(fromHex("9102"), { maxArrayLength: 0 })).error).toMatchObject({
      code: "ERR_LIMIT_ELEMENTS",
      offset: 0,
    });
    expect(outcome(() => face.decode(fromHex("91a161"), { maxStrLength: 0 })).error).toMatchObject({
      code: "ERR_LIMIT_BYTES",
      offset: 1,
    });
    expect(outcome(() => face.decode(fromHex("9181c001"))).error).toMatchObject({
      code: "ERR_UNSUPPORTED_TYPE",
      offset: 2,
    });
    expect(outcome(() => face.decode(fromHex("91c702ff0102"))).error).toMatchObject({
      code: "ERR_OUT_OF_RANGE",
      offset: 1,
    });
    expect(outcome(() => face.encode({ a: [1, { b: () => 1 }] })).error).toMatchObject({
      name: "EncodeError",
      code: "ERR_UNSUPPORTED_TYPE",
      path: "$.a[1].b",
    });
    expect(outcome(() => face.encode([[1]], { maxDepth: 2 })).error).toMatchObject({
      code: "ERR_LIMIT_DEPTH",
      path: "$[0][0]",
    });
    expect(new face.DecodeError("mine")).toMatchObject({ message: "mine", code: "ERR_USER_CODE" });
  });
});

describe("values with a false length", () => {
  it("data of a class with a false length are written with their real length", () => {
    for (const length of [0, 2, 40, 1.5]) {
      const encoder = new moonpack.Encoder();
      encoder.encode("something of an earlier message".repeat(4));
      const data = bytesWithLength(length);
      expect(toHex(encoder.encode([new moonpack.ExtData(5, data), 7]))).toBe("92c7030501020307");
      expect(toHex(encoder.encode([new moonpack.ExtData(5, () => data), 7]))).toBe("92c9000000030501020307");
    }
  });

  it("an array with an invalid length", () => {
    for (const length of [1.5, -1, 2 ** 32]) {
      const odd = new Proxy([1, 2], { get: (array, key) => (key === "length" ? length : Reflect.get(array, key)) });
      expect(fault(() => moonpack.encode([odd]))).toEqual({ code: "ERR_OUT_OF_RANGE", path: "$[0]" });
    }
  });
});
