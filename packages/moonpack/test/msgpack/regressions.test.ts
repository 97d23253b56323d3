// One test for each bug that was found and that no other suite covers.

import { caughtOurs, fault } from "@moonpack/harness/caught.ts";
import {
  type DecodeError,
  Decoder,
  decode,
  decodeMulti,
  diagnose,
  type EncodeError,
  Encoder,
  Extension,
  Extensions,
  encode,
  type MoonpackError,
} from "moonpack";
import { ByteWriter, writeFrame } from "moonpack/bytes";
import { complete, js, jsRegExp } from "moonpack/msgpack/features";
import { describe, expect, test } from "vitest";

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const code = (run: () => unknown) => (caughtOurs(run) as MoonpackError).code;

describe("toMessagePack of a subclass of Map or Array is called at every position", () => {
  class Listed extends Map<string, number> {
    toMessagePack() {
      return "listed";
    }
  }
  class Row extends Array<number> {
    toMessagePack() {
      return "row";
    }
  }
  for (const options of [{}, { canonical: true, engine: complete }, { fidelity: js }]) {
    test(JSON.stringify(Object.keys(options)), () => {
      for (const [instance, text] of [
        [new Listed(), "listed"],
        [new Row(), "row"],
      ] as const) {
        const expected = hex(encode(text));
        expect(hex(encode(instance, options))).toBe(expected);
        expect(hex(encode([instance], options))).toBe(`91${expected}`);
        expect(hex(encode({ a: instance }, options))).toBe(`81a161${expected}`);
        const inMap = decode<Map<string, unknown>>(encode(new Map([["a", instance]]), options), {
          maps: "map",
          fidelity: js,
        });
        expect(inMap.get("a")).toBe(text);
      }
    });
  }

  test("a function named toMessagePack in a plain object is rejected as a value", () => {
    const plain = { toMessagePack: () => 1 };
    for (const options of [{}, { canonical: true, engine: complete }])
      for (const value of [plain, [plain]]) expect(code(() => encode(value, options))).toBe("ERR_UNSUPPORTED_TYPE");
  });
});

describe("strict compares keys by value, not by identity", () => {
  for (const [what, bytes] of [
    ["arrays", [0x82, 0x91, 1, 1, 0x91, 1, 2]],
    ["binary", [0x82, 0xc4, 1, 7, 1, 0xc4, 1, 7, 2]],
    ["times", [0x82, 0xd6, 0xff, 0, 0, 0, 1, 1, 0xd6, 0xff, 0, 0, 0, 1, 2]],
  ] as const) {
    test(what, () => {
      const input = Uint8Array.from(bytes);
      expect(code(() => decode(input, { strict: true, engine: complete }))).toBe("ERR_DUPLICATE_KEY");
      expect(decode<Map<unknown, unknown>>(input).size).toBe(2);
    });
  }
});

describe("fidelity js", () => {
  const read = (type: number, data: unknown) => decode(encode(new Extension(type, encode(data))), { fidelity: js });

  test("rejects data that its encoder never writes", () => {
    for (const [type, data] of [
      [96, [1]],
      [97, "ab"],
      [98, [1]],
      [100, [5, "m", null, null]],
      [100, ["E", "m", { a: 1 }, null]],
      [101, [0, "abc"]],
      [101, [2, [1, 2]]],
      [101, ["constructor", new Uint8Array(3)]],
      [101, [99, new Uint8Array(3)]],
      [101, [4, new Uint8Array(3)]],
      [102, [true, "xyz"]],
    ] as const) {
      expect(
        code(() => read(type, data)),
        JSON.stringify([type, data]),
      ).toBe("ERR_INVALID_BYTE");
    }
  });

  test("RegExps are neither written nor compiled, unless the preset says so", () => {
    expect(code(() => encode([/a/], { fidelity: js }))).toBe("ERR_UNSUPPORTED_TYPE");
    // Compiling this takes 0.7 s.
    const slow = new Extension(99, encode(["\\p{RGI_Emoji}".repeat(50), "iv"]));
    for (const value of [slow, [slow], new Map([[1, [slow]]])]) {
      const options = { fidelity: js, maxDepth: 4096 };
      const error = caughtOurs(() => decode(encode(value), options)) as DecodeError;
      expect([error.code, error.message]).toEqual(["ERR_UNSUPPORTED_TYPE", expect.stringMatching(/js\+regexp/)]);
    }
    expect(decode(encode([/a+/gi], { fidelity: jsRegExp }), { fidelity: jsRegExp })).toEqual([/a+/gi]);
    for (const data of [["a"], ["(", ""]]) {
      const bytes = encode(new Extension(99, encode(data)));
      expect(code(() => decode(bytes, { fidelity: jsRegExp }))).toBe("ERR_INVALID_BYTE");
    }
  });

  test("decoded Errors capture no stack, and leave the limit of stacks as it was", () => {
    const limit = Error.stackTraceLimit;
    const read = decode(encode([new TypeError("no")], { fidelity: js }), { fidelity: js }) as Error[];
    expect(read[0]).toBeInstanceOf(TypeError);
    expect(Error.stackTraceLimit).toBe(limit);
  });

  test("extension data that ends inside an item is malformed, not truncated", () => {
    const error = caughtOurs(() => decode(Uint8Array.of(0xc7, 2, 0x61, 0x92, 1), { fidelity: js })) as DecodeError;
    expect([error.code, error.needMore]).toEqual(["ERR_INVALID_BYTE", 0]);
  });

  test("canonical sorts Maps and rejects keys with equal bytes", () => {
    const options = { fidelity: js, canonical: true, engine: complete } as const;
    const one = encode(new Map([["b", 1], ["a", 2]]), options); // biome-ignore format: one line shows the order
    expect(hex(encode(new Map([["a", 2], ["b", 1]]), options))).toBe(hex(one)); // biome-ignore format: the other order
    expect(
      code(() =>
        encode(
          new Map<unknown, number>([
            [1, 1],
            [1n, 2],
          ]),
          options,
        ),
      ),
    ).toBe("ERR_DUPLICATE_KEY");
  });

  test("its extension types cannot be registered for other classes", () => {
    class Own {}
    const extensions = new Extensions().register({
      type: 97,
      class: Own,
      encode: () => new Uint8Array(1),
      decode: () => new Own(),
    });
    expect(code(() => new Decoder({ extensions, fidelity: js }))).toBe("ERR_INVALID_ARGUMENT");
    expect(code(() => new Encoder({ extensions, fidelity: js }))).toBe("ERR_INVALID_ARGUMENT");
  });
});

describe("fidelity json writes what JSON.stringify writes", () => {
  const withToJson = Object.assign(() => 1, { toJSON: () => "function" });
  const boxed = Object.assign(new String("a"), { toString: () => "b" });
  const number = Object.assign(new Number(1), { valueOf: () => 7 });
  const iterated = Object.assign([1, 2], { [Symbol.iterator]: () => [9][Symbol.iterator]() });
  for (const [what, value] of Object.entries({ withToJson, boxed, number, iterated })) {
    test(what, () => {
      expect(decode(encode({ value }, { fidelity: "json", engine: complete }))).toEqual(
        JSON.parse(JSON.stringify({ value })),
      );
    });
  }
  test("a boxed bigint is rejected", () => {
    expect(code(() => encode(Object(5n), { fidelity: "json", engine: complete }))).toBe("ERR_UNSUPPORTED_TYPE");
  });
});

test("an extension that throws a value without a text: ERR_USER_CODE", () => {
  class Point {}
  for (const thrown of [Symbol("s"), Object.create(null) as object, undefined, null]) {
    const extensions = new Extensions().register({
      type: 1,
      class: Point,
      encode: (): Uint8Array => {
        throw thrown;
      },
      decode: (): Point => {
        throw thrown;
      },
    });
    const failed = caughtOurs(() => decode(Uint8Array.of(0xd4, 1, 0), { extensions })) as DecodeError;
    expect([failed.code, failed.offset]).toEqual(["ERR_USER_CODE", 0]);
    expect(code(() => encode([new Point()], { extensions }))).toBe("ERR_USER_CODE");
  }
});

test("a class with a private constructor can be registered", () => {
  class Only {
    static readonly one = new Only();
    private constructor() {}
  }
  const extensions = new Extensions().register({
    type: 3,
    class: Only,
    encode: () => new Uint8Array(1),
    decode: () => Only.one,
  });
  expect(decode(encode(Only.one, { extensions }), { extensions })).toBe(Only.one);
});

test("an array with an invalid length is rejected", () => {
  for (const length of [1.5, -1, 2 ** 32, Number.NaN]) {
    const odd = new Proxy([1, 2], { get: (target, key) => (key === "length" ? length : Reflect.get(target, key)) });
    expect(
      code(() => encode(odd)),
      String(length),
    ).toBe("ERR_OUT_OF_RANGE");
  }
});

test("the error of a proxy that throws at the root has the path of the root", () => {
  const odd = new Proxy({}, {
    ownKeys: () => {
      throw new Error("no");
    },
  }); // biome-ignore format: short enough
  expect((caughtOurs(() => encode(odd)) as EncodeError).path).toBe("$");
  expect((caughtOurs(() => new Encoder({ canonical: true, engine: complete }).encode(odd)) as EncodeError).path).toBe(
    "$",
  );
  // An encoder that meets other keys each time expects none any more, and writes objects in another way.
  const encoder = new Encoder();
  for (let i = 0; i < 6000; i++) encoder.encode({ [`k${i}`]: 1 });
  expect((caughtOurs(() => encoder.encode(odd)) as EncodeError).path).toBe("$");
  expect((caughtOurs(() => encoder.encode({ a: odd })) as EncodeError).path).toBe("$.a");
});

test("error messages and dumps stay short with long keys", () => {
  const key = "k".repeat(10_000);
  let value: unknown = () => 1;
  for (let i = 0; i < 100; i++) value = { [key]: value };
  const error = caughtOurs(() => encode(value)) as EncodeError;
  expect(error.message.length).toBeLessThan(500);
  expect(error.path.length).toBeGreaterThan(1_000_000);
  const dump = [...diagnose(encode({ [key]: Array.from({ length: 1000 }, (_, i) => i) }))];
  expect(Math.max(...dump.map(({ path }) => path.length))).toBeLessThan(200);
});

test("decodeMulti throws if its input is detached between two values", () => {
  const input = Uint8Array.of(1, 2, 3);
  const values = decodeMulti(input);
  expect(values.next().value).toBe(1);
  structuredClone(input.buffer, { transfer: [input.buffer] });
  expect(code(() => values.next())).toBe("ERR_INVALID_ARGUMENT");
});

test("a frame that does not fit writes no length", () => {
  const writer = new ByteWriter(8, 16);
  expect(code(() => writeFrame(writer, new Uint8Array(20)))).toBe("ERR_LIMIT_BYTES");
  expect(writer.pos).toBe(0);
});

test("varints of values that are not 32-bit integers are rejected", () => {
  for (const n of [2 ** 32, -1, 1.5, Number.NaN])
    expect(code(() => new ByteWriter().uvar32(n))).toBe("ERR_OUT_OF_RANGE");
  for (const n of [2 ** 31, -(2 ** 31) - 1, 0.5])
    expect(code(() => new ByteWriter().ivar32(n))).toBe("ERR_OUT_OF_RANGE");
});

test("an extension that uses its own encoder and decoder, in 300 messages", () => {
  class Point {
    readonly x: number;
    constructor(x: number) {
      this.x = x;
    }
  }
  const extensions = new Extensions();
  const encoder = new Encoder({ extensions });
  const decoder = new Decoder({ extensions });
  extensions.register({
    type: 1,
    class: Point,
    encode: ({ x }) => encoder.encode(x > 0 ? [x, new Point(x - 1)] : [x]),
    decode: (data) => new Point(decoder.decode<[number]>(data)[0]),
  });
  for (let round = 0; round < 300; round++) {
    const points = Array.from({ length: 5 }, (_, i) => new Point(i));
    expect(decoder.decode(encoder.encode({ points, round }))).toEqual({ points, round });
  }
});

test("long text: a lone surrogate at any position is rejected, an original replacement character is kept", () => {
  for (const n of [1000, 1024, 1025, 1500, 4096, 4097, 9000]) {
    for (const letter of ["é", "’", "日", "a"]) {
      for (const at of [0, 1, n >> 1, n - 1]) {
        const text = letter.repeat(at) + "\ud800" + letter.repeat(n - at - 1);
        const kept = letter.repeat(at) + "\ufffd" + letter.repeat(n - at - 1);
        expect(
          code(() => encode(text)),
          `${n} ${letter} ${at}`,
        ).toBe("ERR_INVALID_UTF8");
        expect(decode(encode(kept)) === kept, `${n} ${letter} ${at}`).toBe(true);
        expect(code(() => encode(kept + text))).toBe("ERR_INVALID_UTF8");
        expect(decode(encode(text, { utf8: "replace" })) === kept).toBe(true);
      }
    }
  }
});

test("strict compares all bytes of keys that are containers", () => {
  const strict = new Decoder({ strict: true, engine: complete });
  const different = encode(
    new Map([
      [[1, 2], "a"],
      [[3, 2], "b"],
      [[[1], 2], "c"],
    ]),
  );
  expect([...strict.decode<Map<unknown, unknown>>(different).keys()]).toEqual([
    [1, 2],
    [3, 2],
    [[1], 2],
  ]);
  const same = encode(
    new Map([
      [[1, 2], "a"],
      [[3, 2], "b"],
      [[1, 2], "c"],
    ]),
  );
  expect(fault(() => strict.decode(same))).toEqual({ code: "ERR_DUPLICATE_KEY", offset: 11, needMore: 0 });
});
