/** When walks are generated, and how many. */
import { encode } from "moonpack";
import { Picker } from "moonpack/pick";
import { afterEach, beforeEach, expect, test } from "vitest";

const NativeFunction = globalThis.Function;
let generated = 0;

beforeEach(() => {
  generated = 0;
  globalThis.Function = new Proxy(NativeFunction, {
    construct(target, texts: string[]) {
      generated++;
      return Reflect.construct(target, texts) as object;
    },
  });
});

afterEach(() => {
  globalThis.Function = NativeFunction;
});

const line = (prefix: string): Uint8Array => encode({ [`${prefix}a`]: 1, [`${prefix}b`]: "text", level: "info" });

test("keys that recur get one function", () => {
  const picker = new Picker(["/level"]);
  for (let i = 0; i < 150; i++) picker.decode(line("x"));
  expect(generated).toBe(0);
  for (let i = 0; i < 10_000; i++) picker.decode(line("x"));
  expect(generated).toBe(1);
});

test("none without code generation, and where equal keys have rules", () => {
  for (const options of [{ codeGeneration: false }, { duplicates: "error" }, { rest: "ignore" }] as const) {
    const picker = new Picker(["/level"], options);
    for (let i = 0; i < 2000; i++) picker.decode(line("x"));
    expect(generated).toBe(0);
  }
});

test("none for keys that change, for repeated keys and for long maps", () => {
  const picker = new Picker(["/level"]);
  const twice = new Uint8Array([0x82, 0xa1, 0x61, 1, 0xa1, 0x61, 2]);
  const long = encode(Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`k${i}`, i])));
  for (let i = 0; i < 3000; i++) for (const bytes of [line(`k${i}`), twice, long]) picker.decode(bytes);
  expect(generated).toBe(0);
});

test("keys that change again and again get few functions", () => {
  const picker = new Picker(["/level"]);
  for (let i = 0; i < 60; i++) for (let j = 0; j < 1000; j++) picker.decode(line(`${i}`));
  expect(generated).toBeGreaterThan(1);
  expect(generated).toBeLessThan(10);
});

test("a runtime that forbids it is asked once", () => {
  globalThis.Function = new Proxy(NativeFunction, {
    construct() {
      generated++;
      throw new EvalError("forbidden");
    },
  });
  const picker = new Picker(["/level"]);
  for (let i = 0; i < 5000; i++) expect(picker.decode(line("x"))).toEqual(["info"]);
  expect(generated).toBe(1);
});
