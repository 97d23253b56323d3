/**
 * V8's internal representation of decoded values, queried by V8's native functions (vitest.config.ts enables them).
 * Arrays are packed. Objects of one shape share one hidden class from the first object on. None is in dictionary mode.
 */

import { Session } from "node:inspector";
import { inspect } from "node:util";
import { Decoder, decode, encode } from "moonpack";
import { describe, expect, test } from "vitest";

type Ask<A extends unknown[]> = (...args: A) => boolean;
const native = <A extends unknown[]>(parameters: string, body: string): Ask<A> =>
  new Function(...parameters.split(","), `return ${body}`) as Ask<A>;
const isFast = native<[object]>("o", "%HasFastProperties(o)");
const sameClass = native<[object, object]>("a,b", "%HaveSameMap(a, b)");
const isHoley = native<[object]>("a", "%HasHoleyElements(a)");
const isDouble = native<[object]>("a", "%HasDoubleElements(a)");
const isDictionary = native<[object]>("a", "%HasDictionaryElements(a)");

/** Returns an object's class name and description as developer tools show them. */
function inspected(object: object): string {
  const session = new Session();
  session.connect();
  const name = `inspected${Math.random()}`;
  (globalThis as Record<string, unknown>)[name] = object;
  let description = "";
  session.post("Runtime.evaluate", { expression: `globalThis[${JSON.stringify(name)}]` }, (error, answer) => {
    description = error === null ? `${answer.result.className}, ${answer.result.description}` : String(error);
  });
  session.disconnect();
  delete (globalThis as Record<string, unknown>)[name];
  return description;
}

const modes = [true, false].map(
  (codeGeneration) => [codeGeneration ? "code generation on" : "code generation off", { codeGeneration }] as const,
);
/** Returns a key as in real data: of varying length, and one that is too long for a fixstr. */
const name = (i: number, n: number) =>
  i === n - 1 && n > 3 ? "the last one has a name of more than thirty-one bytes" : `field${"x".repeat(i % 7)}${i}`;
const record = (n: number, value: (i: number) => unknown): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => [name(i, n), value(i)]));

for (const [mode, options] of modes) {
  describe(`hidden classes, ${mode}`, () => {
    // V8 puts objects with more keys into dictionary mode in any case: new-keys.node.test.ts.
    for (const n of [
      1, 2, 3, 8, 15, 16, 17, 24, 25, 26, 32, 64, 65, 100, 127, 128, 200, 252, 253, 300, 505, 506, 507,
    ]) {
      test(`records of ${n} keys share one class and are not in dictionary mode`, () => {
        const count = n > 100 ? 60 : 1000;
        const kinds: unknown[] = [1, "text", 1.5, null, true, [1], { a: 1 }, -5, 70_000];
        const rows = Array.from({ length: count }, (_, r) =>
          record(n, (i) => kinds[(i + (r % 4 === 3 ? r : 0)) % kinds.length]),
        );
        const decoder = new Decoder(options);
        const bytes = encode(rows);
        for (let round = 0; round < 3; round++) {
          const back = decoder.decode<object[]>(bytes);
          const first = back[0]!;
          const odd = back.findIndex((one) => !sameClass(one, first));
          expect(`row ${odd}`).toBe("row -1");
          expect(back.every((one) => isFast(one))).toBe(true);
          expect(Object.keys(first).length).toBe(n);
        }
      });
    }

    test("the first object and the objects of the next 999 messages share a class", () => {
      const decoder = new Decoder(options);
      const one = (i: number) =>
        encode({ id: i, name: `n${i}`, at: 1.5 * i, tags: ["a"], nested: { deep: { er: i } } });
      const first = decoder.decode<Record<string, object>>(one(0));
      for (let i = 1; i < 1000; i++) {
        const next = decoder.decode<Record<string, object>>(one(i));
        if (!sameClass(first, next)) throw new Error(`message ${i} has another class`);
        if (!sameClass(first.nested!, next.nested!)) throw new Error(`message ${i}: nested`);
      }
      expect(isFast(first)).toBe(true);
    });

    test("objects share a class though the type of a field varies", () => {
      const decoder = new Decoder(options);
      const values = [1, 1.5, "x", null, true, [], {}, -1, 2 ** 40, "y".repeat(50)];
      const back = decoder.decode<object[]>(encode(values.concat(values).map((v) => ({ id: 1, v, w: 2 }))));
      expect(back.every((one) => sameClass(one, back[0]!))).toBe(true);
      for (let i = 0; i < 300; i++) {
        const later = decoder.decode<object>(encode({ id: i, v: values[i % values.length], w: i }));
        if (!sameClass(later, back[0]!)) throw new Error(`message ${i}`);
      }
    });

    test("300 objects of one message share one class", () => {
      const decoder = new Decoder(options);
      const back = decoder.decode<object[]>(encode(Array.from({ length: 300 }, (_, i) => ({ x: i, y: "t" }))));
      expect(back.every((one) => sameClass(one, back[299]!))).toBe(true);
      expect(isFast(back[0]!)).toBe(true);
    });

    test("objects look like literals to property descriptors, util.inspect and developer tools", () => {
      const decoder = new Decoder(options);
      for (const n of [1, 4, 5, 16, 17, 64, 252, 253, 254, 507, 508]) {
        const literal = record(n, (i) => i);
        const bytes = encode(Array.from({ length: 300 }, () => literal));
        const back = decoder.decode<Record<string, unknown>[]>(bytes);
        for (const one of [back[0]!, back[299]!]) {
          expect(Object.getPrototypeOf(one)).toBe(Object.prototype);
          expect(Object.getOwnPropertyDescriptors(one)).toEqual(Object.getOwnPropertyDescriptors(literal));
          expect(inspect(one)).toBe(inspect(literal));
          expect(inspected(one)).toBe(inspected(literal));
        }
      }
    });

    test("alternating shapes each keep one class", () => {
      const decoder = new Decoder(options);
      const shapes = [
        (i: number) => ({ a: i, b: 1 }),
        (i: number) => ({ a: i, b: 1, c: "x" }),
        (i: number) => ({ b: i, a: 1 }),
        (i: number) => ({ a: i }),
        () => ({}),
      ];
      const back = decoder.decode<object[]>(encode(Array.from({ length: 1000 }, (_, i) => shapes[i % 5]!(i))));
      expect(back.every((one, i) => sameClass(one, back[i % 5]!) && isFast(one))).toBe(true);
      expect(sameClass(back[0]!, back[1]!)).toBe(false);
    });

    test("objects stay fast with keys such as constructor and toString", () => {
      const decoder = new Decoder(options);
      const back = decoder.decode<object[]>(
        encode(Array.from({ length: 300 }, () => ({ constructor: 1, toString: 2, "": 3, valueOf: null }))),
      );
      expect(back.every((one) => sameClass(one, back[0]!) && isFast(one))).toBe(true);
    });
  });

  describe(`arrays, ${mode}`, () => {
    const lengths = [...Array.from({ length: 41 }, (_, i) => i), 1000, 100_000];
    const fillings: [string, (i: number) => unknown, (array: object) => boolean][] = [
      ["small integers", (i) => i % 100, () => true],
      ["fractions", (i) => i + 0.25, isDouble],
      ["text", (i) => `t${i % 50}`, () => true],
      ["objects", (i) => ({ i }), () => true],
      ["null", () => null, () => true],
      ["mixed", (i) => [1, "x", 1.5, null, { a: 1 }][i % 5], () => true],
      ["integers, then a fraction at the end", (i) => (i % 41 === 39 ? 0.5 : i), () => true],
      ["arrays", (i) => [i, i + 0.5], () => true],
    ];
    for (const [what, make, kind] of fillings) {
      test(`packed at every length: ${what}`, () => {
        const decoder = new Decoder(options);
        for (const n of lengths) {
          const bytes = encode(Array.from({ length: n }, (_, i) => make(i)));
          for (const array of [decoder.decode<object[]>(bytes), decode<object[]>(bytes, options)]) {
            if (isHoley(array)) throw new Error(`length ${n}: holey`);
            if (isDictionary(array)) throw new Error(`length ${n}: a dictionary`);
            if (n > 4 && !kind(array)) throw new Error(`length ${n}: of another kind`);
            if (n > 0 && Array.isArray(array[0]) && isHoley(array[0])) throw new Error(`length ${n}: holey inside`);
          }
        }
        expect(lengths.length).toBe(43);
      });
    }
  });
}
