/** Values that MessagePack cannot represent throw errors with a path. They are not omitted or replaced. */

import { caughtOurs } from "@moonpack/harness/caught.ts";
import { toHex } from "@moonpack/harness/hex.ts";
import { refused } from "@moonpack/harness/refused.ts";
import { decode, encode } from "moonpack";
import { describe, expect, test } from "vitest";

describe("values without a MessagePack form", () => {
  class Unregistered {
    x = 1;
  }
  const unsupported: [string, () => unknown][] = [
    ["a function", () => () => 1],
    ["a class", () => Unregistered],
    ["a symbol", () => Symbol("s")],
    ["undefined", () => undefined],
    ["a Set", () => new Set([1])],
    ["a WeakMap", () => new WeakMap()],
    ["a RegExp", () => /x/g],
    ["an Error", () => new Error("e")],
    ["a Promise", () => Promise.resolve(1)],
    ["an instance of an unregistered class", () => new Unregistered()],
    ["an object that inherits from a plain one", () => Object.create({ inherited: 1 }) as unknown],
    ["a boxed number", () => Object(5) as unknown],
    ["a boxed string", () => Object("s") as unknown],
    ["a boxed symbol", () => Object(Symbol("s")) as unknown],
    ["a generator", () => (function* () {})()],
    ["a Map's iterator", () => new Map().entries()],
    ["a built-in class instance: a URL", () => new URL("http://x/")],
    ["an invalid Date", () => new Date(Number.NaN)],
  ];
  for (const [name, make] of unsupported) {
    test(`${name}: ERR_UNSUPPORTED_TYPE, at every position`, () => {
      expect(refused(make())).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$" });
      expect(refused([1, make()])).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$[1]" });
      expect(refused(new Map([["k", make()]]))).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$.k" });
      expect(refused({ a: [0, 0, 0, { cb: [make()] }] })).toEqual({
        code: "ERR_UNSUPPORTED_TYPE",
        path: "$.a[3].cb[0]",
      });
      if (make() !== undefined)
        expect(refused({ "a b": make() })).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: '$["a b"]' });
    });
  }

  test("the error text names the value", () => {
    expect(caughtOurs(() => encode({ a: () => 1 })).message).toMatch(/function/);
    expect(caughtOurs(() => encode([Symbol("s")])).message).toMatch(/symbol/);
    expect(caughtOurs(() => encode(new Set())).message).toMatch(/Set/);
    expect(caughtOurs(() => encode(new Unregistered())).message).toMatch(`an instance of ${Unregistered.name} `);
    expect(caughtOurs(() => encode(new Date(Number.NaN))).message).toMatch(/Date/);
    expect(caughtOurs(() => encode({ a: [undefined] })).message).toMatch(/undefined/);
  });

  test("only undefined properties are omitted", () => {
    expect(decode(encode({ a: undefined, b: 1, c: undefined }))).toEqual({ b: 1 });
    expect(decode(encode({ a: undefined }))).toEqual({});
    expect(refused([undefined])).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$[0]" });
    expect(refused(new Map([[1, undefined]])).code).toBe("ERR_UNSUPPORTED_TYPE");
    expect(refused(new Map([[undefined, 1]])).code).toBe("ERR_UNSUPPORTED_TYPE");
  });

  test("sparse arrays and holes are detected fast, at any length", () => {
    // biome-ignore lint/suspicious/noSparseArray: this test needs holes
    expect(refused([1, , 3])).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$[1]" });
    expect(refused(new Array(3))).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$[0]" });
    const long: unknown[] = [];
    long.length = 4294967295;
    expect(refused({ long })).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$.long[0]" });
  });

  test("bigint beyond 64 bits: ERR_OUT_OF_RANGE", () => {
    for (const n of [2n ** 64n, -(2n ** 63n) - 1n, 2n ** 10_000n, -(2n ** 10_000n)]) {
      expect(refused({ a: [n] })).toEqual({ code: "ERR_OUT_OF_RANGE", path: "$.a[0]" });
    }
    expect(toHex(encode(2n ** 64n - 1n))).toBe("cfffffffffffffffff");
    expect(toHex(encode(-(2n ** 63n)))).toBe("d38000000000000000");
  });
});
