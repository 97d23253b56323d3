/** Picked values are the values of decode, at their paths. */
import { caughtOurs, fault } from "@moonpack/harness/caught.ts";
import { share } from "@moonpack/harness/effort.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { differ } from "@moonpack/harness/same.ts";
import { decode, Extensions, encode, MoonpackError } from "moonpack";
import { each, type Path, Picker, pick } from "moonpack/pick";
import { describe, expect, test } from "vitest";
import { document, path, walk } from "./documents.ts";

describe("agrees with decode", () => {
  test("random documents and paths", () => {
    for (let seed = 0; seed < share(3000); seed++) {
      const random = randomSource(seed);
      const bytes = document(random);
      const paths = distinct(Array.from({ length: 1 + random(5) }, () => path(random)));
      const value = decode(bytes);
      const expected = paths.map((one) => walk(value, one));
      expect(differ(new Picker(paths).decode(bytes), expected), `seed ${seed}`).toBeNull();
      const names = Object.fromEntries(paths.map((one, i) => [`n${i}`, one]));
      expect(differ(Object.values(pick(bytes, names) as object), expected), `seed ${seed}`).toBeNull();
    }
  });

  test("every truncation", () => {
    for (let seed = 0; seed < share(200); seed++) {
      const random = randomSource(seed);
      const bytes = document(random);
      const picker = new Picker(distinct([path(random), path(random)]));
      for (let n = 0; n < bytes.length; n++)
        expect(fault(() => picker.decode(bytes.subarray(0, n))).code, `seed ${seed}, ${n} bytes`).toBe("ERR_TRUNCATED");
    }
  });

  test("flipped bytes: what decode reads, a picker reads alike, and it skips only text, extensions and numbers", () => {
    const unchecked = ["ERR_INVALID_UTF8", "ERR_UNKNOWN_EXTENSION", "ERR_OUT_OF_RANGE", "ERR_LIMIT_ELEMENTS"];
    for (let seed = 0; seed < share(2000); seed++) {
      const random = randomSource(seed);
      const bytes = document(random);
      bytes[random(bytes.length)] = random(256);
      const one = path(random);
      const picked = attempt(() => pick(bytes, [one]));
      const decoded = attempt(() => decode(bytes));
      if (decoded instanceof MoonpackError) {
        if (!(picked instanceof MoonpackError)) expect(unchecked, `seed ${seed}`).toContain(decoded.code);
      } else expect(differ(picked, [walk(decoded, one)]), `seed ${seed}`).toBeNull();
    }
  });

  test("many messages, one after the other", () => {
    const random = randomSource(9);
    const all = Array.from({ length: 50 }, () => document(random));
    const bytes = new Uint8Array(all.flatMap((one) => [...one]));
    const picker = new Picker({ a: "/a", id: "/items/*/id" });
    expect(
      differ(
        [...picker.decodeMulti(bytes)],
        all.map((one) => picker.decode(one)),
      ),
    ).toBeNull();
    let offset = 0;
    for (const one of all) {
      const { value, end } = picker.decodeAt(bytes, offset);
      expect(differ(value, picker.decode(one))).toBeNull();
      expect(end).toBe(offset + one.length);
      offset = end;
    }
  });
});

describe("results", () => {
  const bytes = encode({ id: 7, user: { name: "Ada" }, items: [{ sku: "a", n: 1 }, { n: 2 }] });

  test("one path: a value; a list: a list; an object: an object", () => {
    expect(pick(bytes, "/user/name")).toBe("Ada");
    expect(pick(bytes, ["user", "name"])).toBe("Ada");
    expect(pick(bytes, ["/id", "/user/name", "/none"])).toEqual([7, "Ada", undefined]);
    expect(pick(bytes, [["id"], "/items/1/n"])).toEqual([7, 2]);
    const picked = pick(bytes, { id: "/id", none: "/none", first: ["items", 0, "sku"] });
    expect(Object.entries(picked)).toEqual([
      ["id", 7],
      ["none", undefined],
      ["first", "a"],
    ]);
    expect(pick(bytes, "")).toEqual(decode(bytes));
  });

  test("every element: a list with an item for each, undefined where it is missing", () => {
    expect(pick(bytes, "/items/*/sku")).toEqual(["a", undefined]);
    expect(pick(bytes, ["items", each, "n"])).toEqual([1, 2]);
    expect(pick(encode([[1, 2], [], [3]]), "/*/*")).toEqual([[1, 2], [], [3]]);
    expect(pick(bytes, "/user/*")).toBeUndefined();
  });

  test("a name of a prototype is a key like any other", () => {
    const names = encode(
      new Map([
        ["__proto__", 1],
        ["constructor", 2],
      ]),
    );
    const picked = pick(names, { ["__proto__"]: "/__proto__", constructor: "/constructor", toString: "/toString" });
    expect(Object.getPrototypeOf(picked)).toBe(Object.prototype);
    expect(Object.entries(picked)).toEqual([
      ["__proto__", 1],
      ["constructor", 2],
      ["toString", undefined],
    ]);
  });

  test("a place and a place in it", () => {
    expect(pick(bytes, ["/user", "/user/name"])).toEqual([{ name: "Ada" }, "Ada"]);
  });

  test("the same digits are a key of a map and the index of an element", () => {
    expect(pick(encode([["x"]]), "/0/0")).toBe("x");
    expect(pick(encode({ 0: { 0: "y" } }), "/0/0")).toBe("y");
    expect(pick(encode(new Map([[0, "z"]])), "/0")).toBeUndefined();
    expect(pick(encode(new Map([[0, "z"]])), [0])).toBe("z");
    expect(pick(encode({ 0: "z" }), [0])).toBeUndefined();
    expect(pick(encode(["x"]), ["/0", ["0"], [0]])).toEqual(["x", undefined, "x"]);
  });
});

describe("equal keys", () => {
  const twice = new Uint8Array([0x82, 0xa1, 0x61, 0x81, 0xa1, 0x78, 1, 0xa1, 0x61, 0x81, 0xa1, 0x79, 2]);

  test("the last one counts, and what the first one held is forgotten", () => {
    expect(pick(twice, ["/a/x", "/a/y", "/a"])).toEqual([undefined, 2, { y: 2 }]);
  });

  test("the first one counts if the rest is ignored", () => {
    expect(pick(twice, ["/a/x", "/a/y"], { rest: "ignore" })).toEqual([1, undefined]);
  });

  test("they can be refused", () => {
    expect(fault(() => pick(twice, "/a/x", { duplicates: "error" }))).toMatchObject({
      code: "ERR_DUPLICATE_KEY",
      offset: 7,
    });
    expect(pick(twice, "/b", { duplicates: "error" })).toBeUndefined();
  });
});

describe("the rest ignored", () => {
  test("stops when all is found", () => {
    const bytes = encode({ id: 1, user: { name: "Ada", more: 2 }, list: [1, 2], tail: "x" });
    const picker = new Picker({ id: "/id", name: "/user/name", all: "/list/*" }, { rest: "ignore" });
    const expected = { id: 1, name: "Ada", all: [1, 2] };
    expect(picker.decode(bytes)).toEqual(expected);
    const cut = bytes.subarray(0, bytes.length - 3);
    expect(picker.decode(cut)).toEqual(expected);
    expect(caughtOurs(() => picker.decode(bytes.subarray(0, 4))).code).toBe("ERR_TRUNCATED");
    expect(picker.decodeAt(bytes, 0)).toEqual({ value: expected, end: bytes.length });
    expect(caughtOurs(() => picker.decodeAt(cut, 0)).code).toBe("ERR_TRUNCATED");
  });
});

describe("options", () => {
  test("the options of a decoder apply to the values", () => {
    const bytes = encode(
      new Map<unknown, unknown>([
        ["a", new Map([["x", 1]])],
        ["b", 2n ** 60n],
      ]),
    );
    expect(pick(bytes, ["/a", "/b"], { maps: "map", int64: "bigint" })).toEqual([new Map([["x", 1]]), 2n ** 60n]);
    expect(caughtOurs(() => pick(bytes, "/b", { int64: "number" })).code).toBe("ERR_UNSAFE_INTEGER");
    expect(pick(bytes, "/a/x", { int64: "number" })).toBe(1);
  });

  test("maxDepth counts from the whole message, also in what is skipped", () => {
    const bytes = encode({ a: { b: { c: 1 } }, z: [[[[]]]] });
    expect(pick(bytes, "/a/b", { maxDepth: 5 })).toEqual({ c: 1 });
    for (const wanted of ["/a/b", "/z", "/z/0", "/none"])
      expect(caughtOurs(() => pick(bytes, wanted, { maxDepth: 4 })).code).toBe("ERR_LIMIT_DEPTH");
  });

  test("maxElements counts all values of a message", () => {
    const bytes = encode({ a: [1, 2, 3], b: [4, 5, 6], c: [7, 8, 9] });
    expect(pick(bytes, ["/a", "/b"], { maxElements: 6 })).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    expect(caughtOurs(() => pick(bytes, ["/a", "/b", "/c"], { maxElements: 6 })).code).toBe("ERR_LIMIT_ELEMENTS");
  });

  test("maxBytes", () => {
    const bytes = encode({ a: 1, b: "x".repeat(100) });
    expect(caughtOurs(() => pick(bytes, "/a", { maxBytes: 50 })).code).toBe("ERR_LIMIT_BYTES");
    expect(pick(bytes, "/a", { maxBytes: bytes.length })).toBe(1);
  });
});

describe("wrong arguments", () => {
  const wrong: [string, unknown][] = [
    ["a path without /", "a"],
    ["a number", 5],
    ["null", null],
    ["a wrong escape", ["/a~2"]],
    ["an object step", [["a", {}]]],
    ["a lone surrogate", ["/\ud800"]],
    ["the same path twice", ["/a", ["a"]]],
    ["too many steps", ["/a".repeat(257)]],
    ["a boolean path", { a: true }],
    ["NaN", [["a", NaN]]],
  ];
  test.each(wrong)("%s", (_name, paths) => {
    expect(fault(() => new Picker(paths as Path)).code).toBe("ERR_INVALID_ARGUMENT");
  });

  test("options", () => {
    for (const options of [
      { rest: "skip" },
      { duplicates: "first" },
      { raw: ["b"] },
      { raw: 5 },
      { maxDept: 5 },
      5,
      { rest: "ignore", duplicates: "error" },
    ])
      expect(fault(() => new Picker({ a: "/a" }, options as never)).code).toBe("ERR_INVALID_ARGUMENT");
    expect(() => new Picker("/a", { rst: "ignore" } as never)).toThrow("rst");
  });

  test("input", () => {
    const picker = new Picker("/a");
    for (const input of [undefined, "text", {}, 5])
      expect(fault(() => picker.decode(input as never)).code).toBe("ERR_INVALID_ARGUMENT");
    for (const offset of [-1, 1.5, 3])
      expect(fault(() => picker.decodeAt(new Uint8Array(2), offset)).code).toBe("ERR_INVALID_ARGUMENT");
    expect(fault(() => picker.decode(new Uint8Array(0)))).toMatchObject({ code: "ERR_TRUNCATED", needMore: 1 });
    expect(fault(() => picker.decode(new Uint8Array([1, 2])))).toMatchObject({ code: "ERR_TRAILING_BYTES", offset: 1 });
  });
});

test("without paths a message is still checked", () => {
  const none = new Picker({});
  const bytes = encode({ a: [1, 2] });
  expect(none.decode(bytes)).toEqual({});
  expect(none.decodeAt(bytes, 0)).toEqual({ value: {}, end: bytes.length });
  expect([...none.decodeMulti(bytes)]).toEqual([{}]);
  expect(fault(() => none.decode(bytes.subarray(0, 3))).code).toBe("ERR_TRUNCATED");
});

test("a number and a bigint of the same rounded value are different keys", () => {
  const bytes = encode(
    new Map<unknown, unknown>([
      [2n ** 60n, "exact"],
      [2n ** 60n + 1n, "next"],
    ]),
  );
  expect(pick(bytes, [[2n ** 60n], [2n ** 60n + 1n]])).toEqual(["exact", "next"]);
});

test("a header that is cut is not completed by an earlier message", () => {
  const picker = new Picker("/a");
  picker.decode(encode({ a: "x".repeat(500) }));
  const cut = new Uint8Array([0x81, 0xa1, 0x61, 0xdb]);
  expect(fault(() => picker.decode(cut))).toMatchObject({ code: "ERR_TRUNCATED", needMore: 4 });
});

describe("user code", () => {
  class Box {
    readonly content: unknown;
    constructor(content: unknown) {
      this.content = content;
    }
  }

  test("an extension may use the picker that reads it", () => {
    const extensions = new Extensions();
    const picker = new Picker(["/box", "/id"], { extensions });
    extensions.register({
      type: 1,
      class: Box,
      encode: (box) => encode(box.content, { extensions }),
      decode: (data) => new Box(picker.decode(data)),
    });
    const inner = { box: new Box({ id: 3 }), id: 2 };
    expect(picker.decode(encode({ box: new Box(inner), id: 1 }, { extensions }))).toEqual([
      new Box([new Box([undefined, 3]), 2]),
      1,
    ]);
  });

  test("an extension that transfers the input", () => {
    const extensions = new Extensions();
    const large = (): Uint8Array => encode([new Box(1), "x".repeat(5000), 2], { extensions });
    let input: Uint8Array | undefined;
    extensions.register({
      type: 1,
      class: Box,
      encode: () => new Uint8Array(1),
      decode: () => {
        structuredClone(input!.buffer, { transfer: [input!.buffer as ArrayBuffer] });
        return new Box(1);
      },
    });
    input = Uint8Array.from(large());
    expect(fault(() => pick(input!, ["/0", "/2"], { extensions })).code).toBe("ERR_INVALID_ARGUMENT");
  });

  test("an error leaves nothing for the next message", () => {
    const picker = new Picker({ a: "/a", b: "/b" });
    expect(() => picker.decode(encode({ a: 1 }).subarray(0, 3))).toThrow();
    expect(() => picker.decode(new Uint8Array([0x82, 0xa1, 0x61, 5, 0xa1, 0x62, 0xc1]))).toThrow();
    expect(picker.decode(encode({ b: 2 }))).toEqual({ a: undefined, b: 2 });
  });
});

/** Paths that are not the same place. */
function distinct<P extends Path>(paths: readonly P[]): P[] {
  return [
    ...new Map(
      paths.map((one) => [(one as unknown[]).map((step) => `${typeof step}${String(step)}`).join(), one]),
    ).values(),
  ];
}

function attempt(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    if (error instanceof MoonpackError) return error;
    throw error;
  }
}

describe("memory", () => {
  test("lists of every element count as elements, absent values too", () => {
    const rows = encode(Array.from({ length: 1000 }, () => []));
    expect(fault(() => pick(rows, ["/*/a", "/*/b"], { maxElements: 1500 })).code).toBe("ERR_LIMIT_ELEMENTS");
    expect(pick(rows, ["/*/a", "/*/b"], { maxElements: 2500 })[0]).toHaveLength(1000);
  });

  test("raw values count as elements", () => {
    const list = encode(new Array(1000).fill(null));
    expect(fault(() => pick(list, "/*", { raw: true, maxElements: 5000 })).code).toBe("ERR_LIMIT_ELEMENTS");
    expect(pick(list, "/*", { raw: true, maxElements: 20_000 })).toHaveLength(1000);
  });

  test("hundreds of columns of a message without values are refused by default", () => {
    const paths = Array.from({ length: 200 }, (_, i) => `/*/k${i}`);
    expect(fault(() => pick(encode(new Array(60_000).fill(null)), paths)).code).toBe("ERR_LIMIT_ELEMENTS");
  });
});

test("names of results that Object.prototype has, and array indices", () => {
  const picker = new Picker({ toString: "/a", ["__proto__"]: "/b", 1023: "/c" });
  const result = picker.decode(encode({ a: 1, b: 2, c: 3 })) as Record<string, unknown>;
  expect(Object.keys(result).sort()).toEqual(["1023", "__proto__", "toString"]);
  expect([result.toString, Object.getOwnPropertyDescriptor(result, "__proto__")?.value, result[1023]]).toEqual([
    1, 2, 3,
  ]);
});
