/** Options that restrict values: a value outside the limit throws with its offset or path, one inside is accepted. */

import { caught, fault } from "@moonpack/harness/caught.ts";
import { none } from "@moonpack/harness/each.ts";
import { concat, fromHex, toHex } from "@moonpack/harness/hex.ts";
import { probe, probeBytes } from "@moonpack/harness/refused.ts";
import { differ } from "@moonpack/harness/same.ts";
import { Decoder, decode, Encoder, Extension, encode, Timestamp } from "moonpack";
import { complete } from "moonpack/msgpack/features";
import { describe, expect, test } from "vitest";

describe("options that restrict values", () => {
  test("maxBytes", () => {
    const limited = new Encoder({ maxBytes: 100 });
    expect(limited.encode("a".repeat(98)).length).toBe(100);
    expect(fault(() => limited.encode("a".repeat(99)))).toEqual({ code: "ERR_LIMIT_BYTES", path: "$" });
    expect(fault(() => limited.encode(Array.from({ length: 100_000 }, () => "text"))).code).toBe("ERR_LIMIT_BYTES");
    expect(toHex(limited.encode(probe))).toBe(toHex(probeBytes));
    const reader = new Decoder({ maxBytes: 100 });
    expect(reader.decode(encode("a".repeat(98)))).toBe("a".repeat(98));
    expect(fault(() => reader.decode(encode("a".repeat(99)))).code).toBe("ERR_LIMIT_BYTES");
    expect(fault(() => reader.decodeAt(encode("a".repeat(99)), 0)).code).toBe("ERR_LIMIT_BYTES");
    expect(fault(() => reader.decodeAt(encode("a".repeat(98)).subarray(0, 50), 0)).code).toBe("ERR_TRUNCATED");
    expect([...reader.decodeMulti(concat(encode("a".repeat(98)), encode("b".repeat(98))))].length).toBe(2);
  });

  test("int64: 'number' throws where a number would round, 'bigint' is always bigint", () => {
    const number = new Decoder({ int64: "number" });
    const bigint = new Decoder({ int64: "bigint" });
    const cases: [string, number | bigint, bigint][] = [
      ["cf0000000100000000", 4294967296, 4294967296n],
      ["cf001fffffffffffff", Number.MAX_SAFE_INTEGER, 2n ** 53n - 1n],
      ["cf0020000000000000", 2n ** 53n, 2n ** 53n],
      ["cfffffffffffffffff", 2n ** 64n - 1n, 2n ** 64n - 1n],
      ["d3ffe0000000000001", Number.MIN_SAFE_INTEGER, -(2n ** 53n) + 1n],
      ["d3ffe0000000000000", -(2n ** 53n), -(2n ** 53n)],
      ["d37fffffffffffffff", 2n ** 63n - 1n, 2n ** 63n - 1n],
      ["d38000000000000000", -(2n ** 63n), -(2n ** 63n)],
    ];
    for (const [hex, auto, big] of cases) {
      const bytes = fromHex(hex);
      expect(decode(bytes), hex).toBe(auto);
      expect(bigint.decode(bytes), hex).toBe(big);
      if (typeof auto === "number") expect(number.decode(bytes), hex).toBe(auto);
      else
        expect(
          fault(() => number.decode(concat(fromHex("91"), bytes))),
          hex,
        ).toEqual({ code: "ERR_UNSAFE_INTEGER", offset: 1, needMore: 0 });
    }
  });

  test("maps: 'object' rejects other keys with the key's offset, 'map' decodes every map to a Map", () => {
    expect(fault(() => decode(fromHex("82a161010702"), { maps: "object" }))).toEqual({
      code: "ERR_UNSUPPORTED_TYPE",
      offset: 4,
      needMore: 0,
    });
    none(differ(decode(fromHex("81a16180"), { maps: "map" }), new Map([["a", new Map()]])));
  });

  test("timestamps: 'timestamp' and 'date' choose the decoded type", () => {
    const whole = fromHex("d6ff00000001");
    const fine = fromHex("d7ff0000000400000000");
    expect(decode(whole, { timestamps: "timestamp" })).toEqual(new Timestamp(1, 0));
    expect(decode(whole, { timestamps: "date" })).toEqual(new Date(1000));
    expect(decode(fine, { timestamps: "date" })).toEqual(new Date(0));
    expect(fault(() => decode(encode(new Timestamp(2n ** 60n, 0)), { timestamps: "date" })).code).toBe(
      "ERR_OUT_OF_RANGE",
    );
  });

  test("unknownExtensions: 'keep' decodes to Extension values, which encode to the same bytes", () => {
    const bytes = fromHex("93d405aac7007fd5fe0102");
    const value = decode<Extension[]>(bytes, { unknownExtensions: "keep" });
    none(
      differ(value, [
        new Extension(5, fromHex("aa")),
        new Extension(127, fromHex("")),
        new Extension(-2, fromHex("0102")),
      ]),
    );
    expect(toHex(encode(value))).toBe(toHex(bytes));
    expect(value[0]!.data.buffer.byteLength).toBe(1);
  });

  test("a map with an extension as a key decodes to a Map", () => {
    const value = decode<Map<unknown, unknown>>(fromHex("81d40500c0"), { unknownExtensions: "keep" });
    none(differ(value, new Map([[new Extension(5, fromHex("00")), null]])));
    expect(fault(() => decode(fromHex("81d40500c0")))).toEqual({
      code: "ERR_UNKNOWN_EXTENSION",
      offset: 1,
      needMore: 0,
    });
  });
});

describe("codeGeneration that is not the export of moonpack/msgpack/features", () => {
  const map = encode({ a: 1 });

  test.each([5, null, undefined, {}, "on"])("a function that returns %j is a wrong argument", (wrong) => {
    const options = { engine: complete, codeGeneration: () => wrong } as never;
    for (const act of [() => new Decoder(options), () => decode(map, options), () => decode(encode(1), options)]) {
      expect(fault(act)).toEqual({ code: "ERR_INVALID_ARGUMENT" });
      expect(act).toThrow("codeGeneration must be a boolean, or codeGeneration of moonpack/msgpack/features");
    }
  });

  test("a TypeError of it is an error of user code, not a limit", () => {
    const readMap = () => {
      throw new TypeError("broken");
    };
    const error = caught(() => decode(map, { engine: complete, codeGeneration: () => ({ readMap }) }));
    expect(error).toMatchObject({ code: "ERR_USER_CODE" });
    expect((error as Error).message).toContain("broken");
    expect((error as Error).cause).toBeInstanceOf(TypeError);
  });
});
