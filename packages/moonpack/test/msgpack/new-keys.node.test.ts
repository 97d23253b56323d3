/**
 * Records and dictionaries: objects whose keys come again are fast whatever their number, as long as V8 can; those with
 * ever new keys are given up after a while. In a file of its own: thousands of new keys leave their mark on V8.
 */
import { Decoder, encode } from "moonpack";
import { expect, test } from "vitest";
import { roomFor } from "../../src/msgpack/objects.ts";

const isFast = new Function("o", "return %HasFastProperties(o)") as (object: object) => boolean;
const sameClass = new Function("a,b", "return %HaveSameMap(a, b)") as (a: object, b: object) => boolean;
const named = (prefix: string, n: number) => new Map(Array.from({ length: n }, (_, i) => [`${prefix}${i}`, i]));

for (const codeGeneration of [true, false]) {
  const mode = `code generation ${codeGeneration ? "on" : "off"}`;

  test.each([17, 64, 65, 300, 507])(`${mode}: objects of %i keys that never come again end as dictionaries`, (n) => {
    const decoder = new Decoder({ codeGeneration });
    const next = (prefix: string) => decoder.decode<Record<string, number>>(encode(named(prefix, n)));
    const kinds: boolean[] = [];
    for (let i = 0; kinds.length < 2000 && kinds.filter((fast) => !fast).length < 10; i++) {
      const one = next(`${mode} ${n} ${i} `);
      expect(new Map(Object.entries(one))).toEqual(named(`${mode} ${n} ${i} `, n));
      expect(Object.getPrototypeOf(one)).toBe(Object.prototype);
      kinds.push(isFast(one));
    }
    // The first ones are taken for records: nothing yet says otherwise.
    expect(kinds[0]).toBe(true);
    expect(kinds.indexOf(false)).toBe(Math.floor(32_768 / Math.max(n, 32)));
    expect(kinds.slice(-10)).toEqual(Array(10).fill(false));

    next("record");
    const record = next("record");
    expect(isFast(record)).toBe(true);
    for (let i = 0; i < 200; i++) if (!sameClass(record, next("record"))) throw new Error(`record ${i}`);
  });

  test(`${mode}: many shapes of many keys, by turns`, () => {
    const decoder = new Decoder({ codeGeneration });
    const bytes = encode(Array.from({ length: 300 }, (_, shape) => named(`shape${shape}.`, 100)));
    const first = decoder.decode<object[]>(bytes);
    const second = decoder.decode<object[]>(bytes);
    expect(first.slice(0, 300).every((one, i) => isFast(one) && sameClass(one, second[i]!))).toBe(true);
  });
}

test("keys that are long, empty, inherited or repeated are all kept in dictionaries too", () => {
  const decoder = new Decoder();
  const long = "x".repeat(100);
  const make = (i: number) =>
    new Map([...named(`long ${i} ${long}`, 40), ["", 1], ["__proto__", 2], ["toString", 3], ["7", 4]]);
  let last: Record<string, number> = {};
  for (let i = 0; i < 1000; i++) last = decoder.decode<Record<string, number>>(encode(make(i)));
  expect(isFast(last)).toBe(false);
  expect(Object.keys(last).length).toBe(44);
  expect(Object.getOwnPropertyDescriptor(last, "__proto__")?.value).toBe(2);
  for (const [key, value] of make(999)) expect(Object.getOwnPropertyDescriptor(last, key)?.value).toBe(value);
});

test("assigning 508 keys makes a dictionary, wherever the object began", () => {
  const object = new (roomFor(508))(false);
  for (let i = 0; i < 507; i++) object[`k${i}`] = i;
  expect(isFast(object)).toBe(true);
  object[["k", 507].join("")] = 0;
  expect(isFast(object)).toBe(false);
  expect(isFast(new Decoder().decode<object>(encode(named("other", 508))))).toBe(false);
});
