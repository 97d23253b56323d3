import fc from "fast-check";
import { decode, Encoder, Extension, encode, Timestamp } from "moonpack";
import { DecodeError, keyFlood } from "moonpack/bytes";
import { describe, expect, test } from "vitest";
import { convertBytes } from "./in-process.js";
import { convert, moonpack } from "./run.js";

const fromTyped = (json: string): Promise<Buffer> =>
  convertBytes(Buffer.from(json), { from: "json", to: "msgpack", typed: true });
const toTyped = async (bytes: Uint8Array): Promise<string> =>
  (await convertBytes(bytes, { from: "msgpack", to: "json", typed: true })).toString().trimEnd();

describe("each form reads back to the same bytes", () => {
  test.each<[unknown, string]>([
    [new Uint8Array([0xde, 0xad, 0xbe, 0xef]), '{"$bin":"3q2+7w=="}'],
    [new Uint8Array(0), '{"$bin":""}'],
    [2n ** 53n, '{"$int":"9007199254740992"}'],
    [2n ** 64n - 1n, '{"$int":"18446744073709551615"}'],
    [-(2n ** 63n), '{"$int":"-9223372036854775808"}'],
    [NaN, '{"$float":"NaN"}'],
    [Infinity, '{"$float":"Infinity"}'],
    [-Infinity, '{"$float":"-Infinity"}'],
    [-0, '{"$float":"-0"}'],
    [1.5, "1.5"],
    [0.1, "0.1"],
    [2 ** 53 + 2, "9007199254740994.0"],
    [1e300, "1e+300"],
    [new Timestamp(0), '{"$time":"1970-01-01T00:00:00Z"}'],
    [new Timestamp(1769860800, 1), '{"$time":"2026-01-31T12:00:00.000000001Z"}'],
    [new Timestamp(1769860800, 120_000_000), '{"$time":"2026-01-31T12:00:00.120Z"}'],
    [new Timestamp(-1, 999_999_000), '{"$time":"1969-12-31T23:59:59.999999Z"}'],
    [new Timestamp(253402300800n, 5), '{"$time":["253402300800",5]}'],
    [new Timestamp(-(2n ** 63n), 0), '{"$time":["-9223372036854775808",0]}'],
    [new Extension(7, new Uint8Array([0, 1])), '{"$ext":[7,"AAE="]}'],
    [new Extension(-128, new Uint8Array(0)), '{"$ext":[-128,""]}'],
    [
      new Map<unknown, unknown>([
        [1, "one"],
        [null, 2n ** 60n],
      ]),
      '{"$map":[[1,"one"],[null,{"$int":"1152921504606846976"}]]}',
    ],
    [{ $bin: "AA==" }, '{"$obj":{"$bin":"AA=="}}'],
    [{ $x: { $obj: { $y: NaN } } }, '{"$x":{"$obj":{"$obj":{"$y":{"$float":"NaN"}}}}}'],
    [{ $obj: { $obj: {} } }, '{"$obj":{"$obj":{"$obj":{"$obj":{}}}}}'],
    [{ $bin: 1, $int: 2 }, '{"$obj":{"$bin":1,"$int":2}}'],
    [{ $obj: { $int: 1 }, a: 1 }, '{"$obj":{"$obj":{"$obj":{"$int":1}},"a":1}}'],
    [{ a: 1, $bin: 2, $schema: 3 }, '{"a":1,"$bin":2,"$schema":3}'],
    [{ a: { b: [{ c: new Uint8Array(1) }] } }, '{"a":{"b":[{"c":{"$bin":"AA=="}}]}}'],
  ])("%o", async (value, json) => {
    const bytes = encode(value);
    expect(await toTyped(bytes)).toBe(json);
    expect(await fromTyped(json)).toEqual(Buffer.from(bytes));
  });
});

describe("an invalid form is an error with its offset", () => {
  test.each([
    '{"$bin":5}',
    '{"$bin":"A"}',
    '{"$bin":"AA"}',
    '{"$bin":"-_=="}',
    '{"$int":5}',
    '{"$int":"0x10"}',
    '{"$int":""}',
    '{"$float":"1.5"}',
    '{"$time":"2026-02-30T00:00:00Z"}',
    '{"$time":"2026-01-01"}',
    '{"$time":"2026-01-01T00:00:00+01:00"}',
    '{"$time":["1.5",0]}',
    '{"$time":["9223372036854775808",0]}',
    '{"$time":["0",1000000000]}',
    '{"$ext":[128,""]}',
    '{"$ext":["7",""]}',
    '{"$ext":[1]}',
    '{"$map":{}}',
    '{"$map":[[1]]}',
    '{"$map":[1]}',
    '{"$obj":[]}',
    '{"$obj":{"$bin":"AA=="},"b":1}',
    '{"$int":"1","b":1}',
  ])("%s", async (form) => {
    const error = await fromTyped(`[0,${form}]`).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(DecodeError);
    expect(error.code).toBe("ERR_INVALID_BYTE");
    expect(error.offset).toBe(3);
  });

  test("a map whose keys were chosen to collide", async () => {
    const form = (keys: readonly number[]) => `{"$map":[${keys.map((key) => `[${key},0]`).join()}]}`;
    const keys = collidingKeys(129);
    await expect(fromTyped(form(keys))).rejects.toMatchObject({ code: "ERR_LIMIT_ELEMENTS", offset: 0 });
    expect(decode(await fromTyped(form(keys.slice(1))))).toHaveProperty("size", 128);
    const twice = new Array<number>(200).fill(keys[0]!);
    await expect(fromTyped(form(twice))).rejects.toMatchObject({ code: "ERR_DUPLICATE_KEY", offset: 0 });
  });

  test("beyond 64 bits", async () => {
    await expect(fromTyped('{"$int":"18446744073709551616"}')).rejects.toMatchObject({ code: "ERR_OUT_OF_RANGE" });
  });

  test("without --typed a form is ordinary data", async () => {
    expect(decode(await convert('{"$bin":"AA=="}', "--from", "json"))).toEqual({ $bin: "AA==" });
  });

  test("with the command, in both directions", async () => {
    const bytes = encode({ photo: new Uint8Array([1, 2, 3]), at: new Date(1), id: 2n ** 63n });
    const { code, stdout } = await moonpack(["convert", "--from", "msgpack", "--typed", "--pretty"], { input: bytes });
    expect(code).toBe(0);
    expect(stdout.toString()).toBe(
      '{\n  "photo": {"$bin":"AQID"},\n  "at": {"$time":"1970-01-01T00:00:00.001Z"},\n  "id": {"$int":"9223372036854775808"}\n}\n',
    );
    expect(await convert(stdout, "--from", "json", "--typed")).toEqual(Buffer.from(bytes));
  });
});

/** Returns integers that V8 puts into one bucket of a Map: the guard itself finds them. */
function collidingKeys(count: number): number[] {
  const keys: number[] = [];
  for (let key = 0; keys.length < count; key++) {
    const flood = keyFlood(256)!;
    for (let i = 0; i < 32; i++) flood.isFull(0);
    if (flood.isFull(key)) keys.push(key);
  }
  return keys;
}

/** Any value that MessagePack can hold, often with unusual keys: forms, digits, names of the prototype. */
const text = fc.string({ unit: "grapheme" });
const key = fc.oneof(
  text,
  fc.constantFrom("$bin", "$obj", "$map", "$int", "$", "1", "2", "10", "__proto__", "constructor", ""),
);
const number = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double(),
  fc.float(),
  fc.constantFrom(-0, NaN, 2 ** 53, 1e20),
);
const int64 = fc.oneof(fc.bigInt(-(2n ** 63n), 2n ** 64n - 1n), fc.bigInt(-(2n ** 54n), 2n ** 54n));
const time = fc.record({ seconds: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), nanos: fc.nat(999_999_999) });
/** A Map whose keys differ in their bytes, as -12 and -12n do not: of equal keys the last one wins. A Map makes -0 a 0. */
const mapOf = (keys: fc.Arbitrary<unknown>, values: fc.Arbitrary<unknown>, maxLength: number) =>
  fc
    .uniqueArray(fc.tuple(keys, values), {
      maxLength,
      selector: ([key]) => Buffer.from(encode(key === 0 ? 0 : key)).toString("hex"),
    })
    .map((entries) => new Map(entries));
const anything = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(text, number, fc.boolean(), fc.constant(null)),
    int64,
    fc.uint8Array({ maxLength: 40 }),
    time.map(({ seconds, nanos }) => new Timestamp(seconds >> 20n, nanos)),
    fc
      .record({ type: fc.integer({ min: -128, max: 127 }).filter((type) => type !== -1), data: fc.uint8Array() })
      .map(({ type, data }) => new Extension(type, data)),
    fc.array(tie("value"), { maxLength: 8 }),
    mapOf(key, tie("value"), 6),
    mapOf(fc.oneof(key, number, int64, fc.boolean()), tie("value"), 4),
  ),
})).value;

/** How the input arrives: all at once, or in small pieces with most containers in parts. */
const ways = fc.record({
  chunk: fc.constantFrom(1, 7, 64, 1 << 20),
  wholeBytes: fc.constantFrom(64, 300, 1 << 20),
  indent: fc.constantFrom(0, 2),
  pipe: fc.boolean(),
});
const RUNS = process.env.CI === "true" || process.env.MOONPACK_ALL ? 2000 : 500;

test("any MessagePack to typed JSON and back is the same bytes, whole or in parts", async () => {
  const encoder = new Encoder();
  await fc.assert(
    fc.asyncProperty(anything, ways, ways, async (value, there, back) => {
      const bytes = encoder.encode(value);
      const json = await convertBytes(bytes, { ...there, from: "msgpack", to: "json", typed: true });
      JSON.parse(json.toString());
      const again = await convertBytes(json, { ...back, from: "json", to: "msgpack", typed: true });
      expect(again).toEqual(Buffer.from(bytes));
    }),
    { numRuns: RUNS },
  );
});

test("a sequence of any messages to typed lines and back", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anything, { maxLength: 5 }), ways, ways, async (values, there, back) => {
      const bytes = Buffer.concat(values.map((value) => encode(value)));
      const lines = await convertBytes(bytes, { ...there, indent: 0, from: "msgpack", to: "ndjson", typed: true });
      expect(lines.toString().split("\n").length).toBe(values.length + 1);
      expect(await convertBytes(lines, { ...back, from: "ndjson", to: "msgpack", typed: true })).toEqual(bytes);
    }),
    { numRuns: RUNS / 2 },
  );
});

test("any bytes give JSON or an error with code and offset", async () => {
  const noise = fc.oneof(
    fc.uint8Array(),
    fc.tuple(anything, fc.nat(), fc.nat(255)).map(([value, at, byte]) => {
      const bytes = encode(value).slice();
      bytes[at % bytes.length] = byte;
      return bytes;
    }),
  );
  await fc.assert(
    fc.asyncProperty(noise, ways, async (bytes, way) => {
      const error = await convertBytes(bytes, { ...way, from: "msgpack", to: "json", typed: true }).catch(
        (thrown) => thrown,
      );
      if (error instanceof Uint8Array) return;
      expect(error).toBeInstanceOf(DecodeError);
      expect(error.offset).toBeLessThanOrEqual(bytes.length);
    }),
    { numRuns: RUNS },
  );
});
