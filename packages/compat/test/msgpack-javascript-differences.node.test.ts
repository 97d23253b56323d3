/**
 * The intended differences between @msgpack/msgpack and its replacement. Each test shows the behaviour of both, and has the name
 * of its row in UPGRADING.md. Node only: it uses other realms and Buffers, and reads the page.
 */
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { fromHex, toHex } from "@moonpack/harness/hex.ts";
import { allocatedByCall } from "@moonpack/harness/retained-memory.ts";
import { describe, expect, it } from "vitest";
import { compare, face, type Library, original, outcome } from "./libraries.ts";
import { collect, streamOf } from "./msgpack-javascript-chunks.ts";
import { STREAM_DIFFERENCES } from "./msgpack-javascript-stream-differences.ts";

/** The code of the replacement's error. */
function code(call: () => unknown): unknown {
  return (outcome(call).error as { code?: unknown } | undefined)?.code;
}

function hex(library: Library, value: unknown, options?: object): string {
  return toHex(library.encode(value, options));
}

function str8(bytes: readonly number[]): Uint8Array {
  return new Uint8Array([0xd9, bytes.length, ...bytes]);
}

const DIFFERENCES: Record<string, () => void | Promise<void>> = {
  "Lone surrogates in strings to encode": () => {
    expect(hex(original, "a\ud800")).toBe("a461eda080"); // no UTF-8
    expect(hex(original, "x".repeat(60) + "\ud800").slice(-6)).toBe("efbfbd"); // but so in long strings
    expect(hex(face, "a\ud800")).toBe("a461efbfbd");
    expect(hex(face, { "\udc00": 1 })).toBe("81a3efbfbd01");
    expect(compare((library) => library.encode("x".repeat(60) + "\ud800"))).toBeNull();
  },
  "Malformed UTF-8 in strings to decode": () => {
    const overlongNul = fromHex("a2c080");
    expect(original.decode(overlongNul)).toBe("\0");
    expect(face.decode(overlongNul)).toBe("\ufffd\ufffd");
    const cutBeforeTheNext = fromHex("92a1e2a282ac");
    expect(original.decode(cutBeforeTheNext)).toEqual(["\u2882", "\x82\xac"]); // it has read beyond the string
    expect(face.decode(cutBeforeTheNext)).toEqual(["\ufffd", "\ufffd\ufffd"]);
  },
  "A byte order mark at the start of a string above 200 bytes": () => {
    const bytes = str8([0xef, 0xbb, 0xbf, ...new Array<number>(210).fill(0x61)]);
    expect((original.decode(bytes) as string).length).toBe(210);
    expect((face.decode(bytes) as string).length).toBe(211);
    expect(face.encode(face.decode(bytes))).toEqual(bytes);
  },
  "The key `__proto__` in input": () => {
    const bytes = face.encode(JSON.parse('{"__proto__":{"admin":true},"a":1}'));
    expect(outcome(() => original.decode(bytes)).error).toBeInstanceOf(original.DecodeError);
    const value = face.decode(bytes) as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(["__proto__", "a"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value.admin).toBeUndefined();
  },
  "`mapKeyConverter` that returns `__proto__`": () => {
    const bytes = fromHex("81c081a161c3");
    const options = { mapKeyConverter: (key: unknown) => key ?? "__proto__" };
    expect((original.decode(bytes, options) as { a?: unknown }).a).toBe(true); // the prototype was replaced
    expect((face.decode(bytes, options) as { a?: unknown }).a).toBeUndefined();
    expect(Object.keys(face.decode(bytes, options) as object)).toEqual(["__proto__"]);
  },
  "bigint beyond 64 bits with `useBigInt64`": () => {
    expect(hex(original, 2n ** 64n + 7n, { useBigInt64: true })).toBe("cf0000000000000007");
    expect(hex(original, -(2n ** 63n) - 1n, { useBigInt64: true })).toBe("d37fffffffffffffff");
    for (const value of [2n ** 64n, -(2n ** 63n) - 1n]) {
      expect(code(() => face.encode(value, { useBigInt64: true }))).toBe("ERR_OUT_OF_RANGE");
    }
    expect(compare((library) => library.encode([2n ** 64n - 1n, -(2n ** 63n)], { useBigInt64: true }))).toBeNull();
  },
  "ArrayBuffer and SharedArrayBuffer": () => {
    expect(hex(original, fromHex("0102").buffer)).toBe("80");
    expect(hex(face, fromHex("0102").buffer)).toBe("c4020102");
    expect(hex(face, new SharedArrayBuffer(1))).toBe("c40100");
  },
  "Map, Set, WeakMap, WeakSet, Promise, RegExp, boxed primitives": () => {
    const values = [
      new Map([[1, 2]]),
      new Set([1]),
      new WeakMap(),
      new WeakSet(),
      Promise.resolve(1),
      /a/,
      Object(1),
      Object(true),
    ];
    for (const value of values) {
      expect(hex(original, value)).toBe("80");
      const error = outcome(() => face.encode({ a: value })).error;
      expect(error).toMatchObject({ code: "ERR_UNSUPPORTED_TYPE", path: "$.a" });
    }
  },
  "An invalid Date": () => {
    expect(original.decode(original.encode(new Date(Number.NaN)))).toEqual(new Date(0));
    expect(outcome(() => face.encode([new Date(Number.NaN)])).error).toMatchObject({
      code: "ERR_UNSUPPORTED_TYPE",
      path: "$[0]",
    });
    expect(original.encodeDateToTimeSpec(new Date(Number.NaN)).sec).toBeNaN();
    expect(code(() => face.encodeDateToTimeSpec(new Date(Number.NaN)))).toBe("ERR_INVALID_ARGUMENT");
  },
  "A Date of another realm": () => {
    const date: unknown = runInNewContext("new Date(1000)");
    expect(hex(original, date)).toBe("80");
    expect(hex(face, date)).toBe("d6ff00000001");
  },
  "Extension types outside -128 to 127": () => {
    expect(hex(original, new original.ExtData(200, new Uint8Array(1)))).toBe("d4c800"); // type -56
    expect(code(() => face.encode(new face.ExtData(200, new Uint8Array(1))))).toBe("ERR_OUT_OF_RANGE");
    const extension = { type: 200, encode: () => null, decode: () => null };
    new original.ExtensionCodec().register(extension);
    expect(code(() => new face.ExtensionCodec().register(extension))).toBe("ERR_INVALID_ARGUMENT");
  },
  "`encodeTimeSpecToTimestamp` beyond its range": () => {
    expect(toHex(original.encodeTimeSpecToTimestamp({ sec: 2 ** 64, nsec: 0 }))).toBe("0".repeat(24));
    expect(toHex(original.encodeTimeSpecToTimestamp({ sec: 1, nsec: 2 ** 30 }))).toBe("0000000000000001");
    for (const spec of [
      { sec: 2 ** 64, nsec: 0 },
      { sec: 1, nsec: 2 ** 30 },
      { sec: 1, nsec: -1 },
      { sec: Number.NaN, nsec: 0 },
    ]) {
      expect(code(() => face.encodeTimeSpecToTimestamp(spec))).toBe("ERR_OUT_OF_RANGE");
    }
  },
  "Timestamps with more than 999,999,999 nanoseconds": () => {
    const bytes = fromHex("d7fffffffffc00000000");
    expect(original.decode(bytes)).toEqual(new Date(1073));
    expect(outcome(() => face.decode(bytes)).error).toMatchObject({ code: "ERR_OUT_OF_RANGE", offset: 0 });
  },
  "Timestamps out of the range of a Date": () => {
    const bytes = fromHex("c70cff000000007f00000000000000");
    expect((original.decode(bytes) as Date).getTime()).toBeNaN();
    expect(outcome(() => face.decode(bytes)).error).toMatchObject({ code: "ERR_OUT_OF_RANGE", offset: 0 });
  },
  "Input nested deeper than 512": () => {
    const bytes = new Uint8Array(4098).fill(0x91);
    bytes[4097] = 0x90;
    expect(original.decode(bytes)).toHaveLength(1);
    expect(outcome(() => face.decode(bytes)).error).toMatchObject({ code: "ERR_LIMIT_DEPTH", offset: 512 });
    expect(face.decode(bytes.subarray(4098 - 4096), { maxDepth: 4096 })).toHaveLength(1);
    expect(outcome(() => face.decode(bytes, { maxDepth: 4096 })).error).toMatchObject({
      code: "ERR_LIMIT_DEPTH",
      offset: 4096,
    });
  },
  "Headers that declare more items than there are": () => {
    const forged = (n: number) => new Uint8Array(3 * n).map((_, i) => (i % 3 === 0 ? 0xdc : 0xff));
    // Each of these 50 headers declares 65,535 elements: 26 MB of arrays of the declared size.
    const allocated = (library: string, calls: number) =>
      allocatedByCall(
        `
        import { Decoder } from "${library}";
        const bytes = new Uint8Array(150).map((_, i) => (i % 3 === 0 ? 0xdc : 0xff));`,
        `() => {
          try { new Decoder().decode(bytes); } catch (error) { if (error instanceof RangeError) return; throw error; }
          throw new Error("a value");
        }`,
        calls,
      );
    expect(allocated("@msgpack/msgpack", 1)).toBeGreaterThan(20_000_000);
    // The average of many calls: the engine itself allocates 15 to 250 KB in a round, for code that it compiles.
    expect(allocated("@moonpack/compat/msgpack-javascript", 100)).toBeLessThan(10_000);
    expect(outcome(() => face.decode(forged(24_000))).error).toMatchObject({ code: "ERR_TRUNCATED", offset: 3 });
  },
  "Binary decoded from a Buffer": () => {
    const bytes = Buffer.from("c40107", "hex");
    expect(Buffer.isBuffer(original.decode(bytes))).toBe(true);
    const value = face.decode(bytes) as Uint8Array;
    expect(Object.getPrototypeOf(value)).toBe(Uint8Array.prototype);
    expect(value.buffer).toBe(bytes.buffer); // a window on the input on both
  },
  "A nested call of a Decoder": async () => {
    const nested = (library: Library) => {
      const extensionCodec = new library.ExtensionCodec();
      const decoder: { decode(bytes: unknown): unknown } = new library.Decoder({
        extensionCodec,
        mapKeyConverter: String,
      });
      extensionCodec.register({ type: 1, encode: () => null, decode: () => decoder.decode(fromHex("81c001")) });
      return outcome(() => decoder.decode(fromHex("d40100")));
    };
    expect(nested(original).error).toBeInstanceOf(original.DecodeError); // its mapKeyConverter was forgotten
    expect(nested(face).value).toEqual({ null: 1 });
    const whileStreaming = async (library: Library) => {
      const decoder = new library.Decoder({ mapKeyConverter: String });
      for await (const _ of decoder.decodeStream(streamOf([fromHex("0102")]))) {
        return outcome(() => decoder.decode(fromHex("81c001")));
      }
      throw new Error("no value");
    };
    expect((await whileStreaming(original)).error).toBeInstanceOf(original.DecodeError);
    expect((await whileStreaming(face)).value).toEqual({ null: 1 });
  },
  "Values that change while they are encoded": () => {
    const shrinking = () => {
      const array = [0, 2, 3];
      Object.defineProperty(array, 0, { get: () => (array.length = 1), enumerable: true, configurable: true });
      return array;
    };
    expect(hex(original, shrinking())).toBe("9301"); // declares three, holds one
    expect(hex(face, shrinking())).toBe("9301c0c0");
    const once = () => {
      let reads = 0;
      return {
        get a() {
          return reads++ === 0 ? 1 : undefined;
        },
      };
    };
    expect(hex(original, once(), { ignoreUndefined: true })).toBe("81");
    expect(hex(face, once(), { ignoreUndefined: true })).toBe("81a16101");
  },
  "`maxDepth` of an encoder beyond the call stack": () => {
    let deep: unknown[] = [];
    for (let i = 0; i < 50_000; i++) deep = [deep];
    expect(outcome(() => original.encode(deep, { maxDepth: Infinity })).error).toBeInstanceOf(RangeError);
    expect(code(() => face.encode(deep, { maxDepth: Infinity }))).toBe("ERR_LIMIT_DEPTH");
  },
  "Input that is not bytes, sources that are not streams": async () => {
    expect(original.decode("a")).toBe(0);
    expect(outcome(() => original.decode(null)).error).toBeInstanceOf(TypeError);
    for (const input of ["a", null, undefined, 5, {}])
      expect(code(() => face.decode(input))).toBe("ERR_INVALID_ARGUMENT");
    expect(await original.decodeAsync(streamOf(["a"]))).toBe(0);
    await expect(original.decodeAsync({})).rejects.toBeInstanceOf(TypeError);
    for (const stream of [streamOf(["a"]), null, {}]) {
      expect((await collect(face.decodeAsync(stream))).error).toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
    }
  },
  Options: () => {
    expect(hex(original, 1, { sortKeys: "no" })).toBe("01");
    expect(code(() => face.encode(1, { sortKeys: "no" }))).toBe("ERR_INVALID_ARGUMENT");
    expect(code(() => face.decode([1], { maxStrLength: -1 }))).toBe("ERR_INVALID_ARGUMENT");
    expect(code(() => face.decode([1], { extensionCodec: {} }))).toBe("ERR_INVALID_ARGUMENT");
    expect(code(() => face.decode([1], { keyDecoder: {} }))).toBe("ERR_INVALID_ARGUMENT");
    expect(code(() => face.decode([1], { mapKeyConverter: "a" }))).toBe("ERR_INVALID_ARGUMENT");
    const inherited = Object.create({ useBigInt64: true }) as object;
    expect(original.decode(fromHex("cf0000000000000001"), inherited)).toBe(1n);
    expect(face.decode(fromHex("cf0000000000000001"), inherited)).toBe(1);
  },
  "Classes of errors": () => {
    const bad = fromHex("c1");
    const cut = fromHex("92");
    expect(outcome(() => original.decode(bad)).error).not.toBeInstanceOf(RangeError);
    expect(outcome(() => original.decode(cut)).error).not.toBeInstanceOf(original.DecodeError);
    for (const bytes of [bad, cut]) {
      expect(outcome(() => face.decode(bytes)).error).toBeInstanceOf(RangeError);
      expect(outcome(() => face.decode(bytes)).error).toBeInstanceOf(face.DecodeError);
    }
    expect(code(() => face.decode(cut))).toBe("ERR_TRUNCATED");
    expect(code(() => face.decode(bad))).toBe("ERR_INVALID_BYTE");
  },
  "Memory of the result of `encode`": () => {
    expect(original.encode(1).buffer.byteLength).toBe(2048);
    expect(face.encode(1).buffer.byteLength).toBe(1);
  },
  ...STREAM_DIFFERENCES,
};

describe("differences from @msgpack/msgpack", () => {
  for (const [name, check] of Object.entries(DIFFERENCES)) it(name, check);

  it("are exactly the rows of UPGRADING.md", () => {
    const page = readFileSync(new URL("../../../UPGRADING.md", import.meta.url), "utf8");
    const section = page.slice(page.indexOf("## From @msgpack/msgpack"), page.indexOf("### Moving on to `moonpack`"));
    const table = section.slice(section.indexOf("### What differs"));
    const rows = [...table.matchAll(/^\| (?!---|What )(.+?) \|/gm)].map((row) => row[1]);
    expect(rows).toEqual(Object.keys(DIFFERENCES));
  });
});
