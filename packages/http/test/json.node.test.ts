/** JSON that loses nothing, or is an error. */
import { DecodeError, EncodeError } from "moonpack/bytes";
import { describe, expect, test } from "vitest";
import { readLines } from "../src/json/lines.ts";
import { readJson } from "../src/json/read.ts";
import { writeJson } from "../src/json/write.ts";
import { caught } from "./harness/caught.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const failure = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe("writing", () => {
  test("values of JSON are written as by JSON.stringify, but -0 as -0", () => {
    const nothing = Object.create(null) as Record<string, unknown>;
    nothing["a"] = 1;
    const values = [
      null,
      true,
      0,
      1e21,
      1e-7,
      -1.5,
      "",
      'a"b\\\n\u2028\u{1f600}\u0000',
      [],
      {},
      [[], {}],
      { a: undefined, "b c": [1, { d: "é" }] },
      nothing,
      new Date(5),
      { toJSON: () => [1] },
      JSON.parse('{"__proto__":{"a":1}}'),
      "x".repeat(1_000_000),
      `"${"é".repeat(100_000)}`,
    ];
    for (const value of values) expect(writeJson(value)).toBe(JSON.stringify(value));
    expect(writeJson([-0, 5n, -(2n ** 53n) + 1n])).toBe("[-0,5,-9007199254740991]");
    expect(Object.is(JSON.parse(writeJson(-0)), -0)).toBe(true);
  });

  test("other values are errors with a path", () => {
    class Point {
      readonly x = 1;
    }
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    const deep = JSON.parse("[".repeat(513) + "]".repeat(513)) as unknown;
    const cases: [unknown, string, string][] = [
      [{ a: [1, Number.NaN] }, "ERR_OUT_OF_RANGE", "$.a[1]"],
      [{ "a b": Number.POSITIVE_INFINITY }, "ERR_OUT_OF_RANGE", '$["a b"]'],
      [[2n ** 53n], "ERR_UNSAFE_INTEGER", "$[0]"],
      [undefined, "ERR_UNSUPPORTED_TYPE", "$"],
      [[undefined], "ERR_UNSUPPORTED_TYPE", "$[0]"],
      [{ f: () => 1 }, "ERR_UNSUPPORTED_TYPE", "$.f"],
      [Symbol("s"), "ERR_UNSUPPORTED_TYPE", "$"],
      [new Map([["a", 1]]), "ERR_UNSUPPORTED_TYPE", "$"],
      [{ s: new Set() }, "ERR_UNSUPPORTED_TYPE", "$.s"],
      [{ p: new Point() }, "ERR_UNSUPPORTED_TYPE", "$.p"],
      [{ b: new Uint8Array(2) }, "ERR_UNSUPPORTED_TYPE", "$.b"],
      [{ b: Buffer.from("ab") }, "ERR_UNSUPPORTED_TYPE", "$.b"],
      [new ArrayBuffer(1), "ERR_UNSUPPORTED_TYPE", "$"],
      [new Date(Number.NaN), "ERR_OUT_OF_RANGE", "$"],
      [["\ud800"], "ERR_INVALID_UTF8", "$[0]"],
      [{ "\udc00x": 1 }, "ERR_INVALID_UTF8", '$["\\udc00x"]'],
      [cycle, "ERR_LIMIT_DEPTH", `$${".self".repeat(512)}`],
      [deep, "ERR_LIMIT_DEPTH", `$${"[0]".repeat(512)}`],
      [{ toJSON: () => ({ toJSON: () => 1 }) }, "ERR_UNSUPPORTED_TYPE", "$"],
    ];
    for (const [value, code, path] of cases) {
      const error = failure(() => writeJson(value));
      expect(error).toBeInstanceOf(EncodeError);
      expect(error).toMatchObject({ code, path });
    }
  });

  test("an error of the value's own code is the cause", () => {
    const cause = new Error("mine");
    const value = {
      a: [
        {
          get b(): never {
            throw cause;
          },
        },
      ],
    };
    expect(failure(() => writeJson(value))).toMatchObject({ code: "ERR_USER_CODE", cause });
  });
});

describe("reading", () => {
  test("reads the same as JSON.parse", () => {
    const texts = [
      "null",
      " [1 , 2.50, -0, 1e3, 0.1E-2 ]\r\n\t",
      '{"a":{"b":[]},"":"\\u00e9\\n\\\\"}',
      '"\u{1f600}"',
      "9007199254740991",
      "12345678901234567890.5",
      `[${"[".repeat(510)}${"]".repeat(510)}]`,
      '{"__proto__":{"x":1},"constructor":2}',
      `"${"x".repeat(1_000_000)}"`,
    ];
    for (const text of texts) expect(readJson(bytes(text))).toEqual(JSON.parse(text));
    const read = readJson(bytes('{"__proto__":{"x":1}}')) as Record<string, unknown>;
    expect(Object.hasOwn(read, "__proto__")).toBe(true);
    expect(read["x"]).toBeUndefined();
  });

  test("refuses the same as JSON.parse, with a byte offset; and numbers that it would round", () => {
    const cases: [string, string, number][] = [
      ["", "ERR_TRUNCATED", 0],
      ["[1e-400]", "ERR_OUT_OF_RANGE", 1],
      ["-0.0001e-999", "ERR_OUT_OF_RANGE", 0],
      ['{"a":1,"b":{"a":1},"a":2}', "ERR_DUPLICATE_KEY", 19],
      ['{"a":1,"\\u0061":2}', "ERR_DUPLICATE_KEY", 7],
      ['["\\ud83d\\ude00","\\ud800"]', "ERR_INVALID_UTF8", 16],
      ['{"\\udc00x":1}', "ERR_INVALID_UTF8", 1],
      ["[1,", "ERR_TRUNCATED", 3],
      ['"é', "ERR_TRUNCATED", 3],
      ['"\\u00', "ERR_TRUNCATED", 5],
      ["[1,]", "ERR_INVALID_BYTE", 3],
      ["{,}", "ERR_INVALID_BYTE", 1],
      ['{"a" 1}', "ERR_INVALID_BYTE", 5],
      ["{a:1}", "ERR_INVALID_BYTE", 1],
      ["nul", "ERR_INVALID_BYTE", 0],
      ["NaN", "ERR_INVALID_BYTE", 0],
      ["01", "ERR_TRAILING_BYTES", 1],
      ["1.", "ERR_TRAILING_BYTES", 1],
      [".5", "ERR_INVALID_BYTE", 0],
      ["+1", "ERR_INVALID_BYTE", 0],
      ["-", "ERR_INVALID_BYTE", 0],
      ['"a\nb"', "ERR_INVALID_BYTE", 2],
      ['"\\x41"    ', "ERR_INVALID_BYTE", 1],
      ["[}", "ERR_INVALID_BYTE", 1],
      ["[1}", "ERR_INVALID_BYTE", 2],
      ['{"a":1]', "ERR_INVALID_BYTE", 6],
      ["'a'", "ERR_INVALID_BYTE", 0],
      ["[1 2]", "ERR_INVALID_BYTE", 3],
      ["\u00a01", "ERR_INVALID_BYTE", 0],
      ["]", "ERR_INVALID_BYTE", 0],
      ['["é",9007199254740992]', "ERR_UNSAFE_INTEGER", 6],
      ["-9007199254740993", "ERR_UNSAFE_INTEGER", 0],
      ['"\\q"', "ERR_INVALID_BYTE", 1],
      ['"\\u00"', "ERR_INVALID_BYTE", 1],
      ['"\\u00g', "ERR_INVALID_BYTE", 1],
      ['"\\q', "ERR_INVALID_BYTE", 1],
      ['"\\', "ERR_TRUNCATED", 2],
      ['"\\u', "ERR_TRUNCATED", 3],
      ['"\\u004', "ERR_TRUNCATED", 6],
      // A byte order mark counts.
      ["\ufeff", "ERR_TRUNCATED", 3],
      ['\ufeff{"a":x}', "ERR_INVALID_BYTE", 8],
      ["\ufeff[9007199254740992]", "ERR_UNSAFE_INTEGER", 4],
      ["\ufeff\ufeff1", "ERR_INVALID_BYTE", 3],
      ["1e309", "ERR_OUT_OF_RANGE", 0],
      ["[".repeat(513), "ERR_LIMIT_DEPTH", 512],
      [`${'{"a":'.repeat(513)}`, "ERR_LIMIT_DEPTH", 2560],
    ];
    for (const [text, code, offset] of cases) {
      const error = failure(() => readJson(bytes(text)));
      expect([text, error instanceof DecodeError]).toEqual([text, true]);
      expect([text, error]).toMatchObject([text, { code, offset }]);
      if (
        ![
          "ERR_UNSAFE_INTEGER",
          "ERR_OUT_OF_RANGE",
          "ERR_DUPLICATE_KEY",
          "ERR_INVALID_UTF8",
          "ERR_LIMIT_DEPTH",
        ].includes(code)
      )
        expect(() => JSON.parse(text)).toThrow();
    }
  });

  test("keys that are years or numbers of rows are keys as others, in any number", () => {
    const years = `[${new Array(40_000).fill('{"2023":1.5,"2024":2}').join()}]`;
    expect(readJson(bytes(years))).toHaveLength(40_000);
    const ids = `{${Array.from({ length: 50_000 }, (_, i) => `"${1000 + i}":{"name":"Ada Lovelace","level":7}`).join()}}`;
    expect(Object.keys(readJson(bytes(ids)) as object)).toHaveLength(50_000);
  });

  test("a byte order mark before the value is ignored", () => {
    expect(readJson(bytes('\ufeff {"a":"\ufeff"}'))).toEqual({ a: "\ufeff" });
  });

  test("a number with a fraction or an exponent is a float, which is rounded; one without is exact", () => {
    expect(readJson(bytes("[9007199254740993.0, 9007199254740993e0]"))).toEqual([2 ** 53, 2 ** 53]);
  });

  test("refuses bytes that are not UTF-8, with the offset of the first one", () => {
    const cases: [readonly number[], number][] = [
      [[0xff], 0],
      [[0x5b, 0xff], 1],
      [[0x22, 0xc3, 0xa9, 0x80, 0x22], 3],
      [[0x22, 0xe2, 0x82, 0x22], 1],
      [[0x22, 0xf0, 0x9f, 0x98, 0x80, 0xf0, 0x9f, 0x98], 5],
      [[0x22, 0xed, 0xa0, 0x80, 0x22], 1],
      [[0x22, 0xc0, 0x80, 0x22], 1],
      // A replacement character that was written, and a byte order mark.
      [[0x22, 0xef, 0xbf, 0xbd, 0xef, 0xbf, 0x22], 4],
      [[0xef, 0xbb, 0xbf, 0x22, 0xfe, 0x22], 4],
    ];
    for (const [list, offset] of cases)
      expect([list, failure(() => readJson(new Uint8Array(list)))]).toMatchObject([
        list,
        { code: "ERR_INVALID_UTF8", offset },
      ]);
  });

  test("lines: empty ones are skipped, offsets count from the start of the stream", async () => {
    const values = async (...parts: Uint8Array[]) => {
      const got: unknown[] = [];
      const source = async function* () {
        yield* parts;
      };
      for await (const value of readLines(source(), 1000)) got.push(value);
      return got;
    };
    expect(await values(bytes("1\r\n\r\n2\n\n3\r\n\r"), bytes("\n\r"))).toEqual([1, 2, 3]);
    expect(await values(bytes("\ufeff1\n"), bytes("2"))).toEqual([1, 2]);
    expect(await caught(values(bytes("\r\n\r\n[x]")))).toMatchObject({ code: "ERR_INVALID_BYTE", offset: 5 });
    expect(await caught(values(bytes("\ufeff[x]")))).toMatchObject({ code: "ERR_INVALID_BYTE", offset: 4 });
    expect(await caught(values(bytes("[1]\n["), new Uint8Array([0xff])))).toMatchObject({
      code: "ERR_INVALID_UTF8",
      offset: 5,
    });
  });

  test("agrees with JSON.parse on mutations of a document", () => {
    const text = '{"a":[1,-2.5e3,true,null,"x\\n\\u0041"],"b":{"c":"","d":[[],{}]}}';
    let seed = 1;
    const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
    const alphabet = '{}[],:"\\ 0123-+.eEtfnu\u00e9';
    let valid = 0;
    for (let i = 0; i < 20_000; i++) {
      const at = random(text.length);
      const mutated =
        text.slice(0, at) + (random(3) === 0 ? "" : alphabet[random(alphabet.length)]!) + text.slice(at + random(2));
      const theirs = failure(() => JSON.parse(mutated));
      const ours = failure(() => readJson(bytes(mutated)));
      if (theirs instanceof Error) expect([mutated, ours instanceof DecodeError]).toEqual([mutated, true]);
      else if (!(ours instanceof DecodeError && ours.code === "ERR_OUT_OF_RANGE")) {
        expect([mutated, ours]).toEqual([mutated, theirs]);
        valid++;
      }
    }
    expect(valid).toBeGreaterThan(1000);
  });
});
