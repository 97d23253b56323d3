/**
 * Fast objects and dictionaries. Objects whose keys recur are fast objects, up to V8's limit on their number of keys.
 * Objects whose keys never recur become dictionaries after a while. This is a separate file, because thousands of new
 * keys change the state of V8 for later tests.
 */
import { Decoder, encode } from "moonpack";
import { expect, test } from "vitest";
import { sizedConstructor } from "../../src/msgpack/read/objects.ts";

const isFast = new Function("o", "return %HasFastProperties(o)") as (object: object) => boolean;
const sameClass = new Function("a,b", "return %HaveSameMap(a, b)") as (a: object, b: object) => boolean;
const named = (prefix: string, n: number) => new Map(Array.from({ length: n }, (_, i) => [`${prefix}${i}`, i]));

for (const codeGeneration of [true, false]) {
  const mode = `code generation ${codeGeneration ? "on" : "off"}`;

  test.each([17, 64, 65, 300, 507])(`${mode}: objects of %i keys that never recur become dictionaries`, (n) => {
    const decoder = new Decoder({ codeGeneration });
    const next = (prefix: string) => decoder.decode<Record<string, number>>(encode(named(prefix, n)));
    const kinds: boolean[] = [];
    for (let i = 0; kinds.length < 2000 && kinds.filter((fast) => !fast).length < 10; i++) {
      const one = next(`${mode} ${n} ${i} `);
      expect(new Map(Object.entries(one))).toEqual(named(`${mode} ${n} ${i} `, n));
      expect(Object.getPrototypeOf(one)).toBe(Object.prototype);
      kinds.push(isFast(one));
    }
    // The first objects are fast: their keys are expected to recur.
    expect(kinds[0]).toBe(true);
    expect(kinds.indexOf(false)).toBe(Math.floor(32_768 / Math.max(n, 32)));
    expect(kinds.slice(-10)).toEqual(Array(10).fill(false));

    next("record");
    const record = next("record");
    expect(isFast(record)).toBe(true);
    for (let i = 0; i < 200; i++) if (!sameClass(record, next("record"))) throw new Error(`record ${i}`);
  });

  test(`${mode}: 300 alternating shapes of 100 keys stay fast`, () => {
    const decoder = new Decoder({ codeGeneration });
    const bytes = encode(Array.from({ length: 300 }, (_, shape) => named(`shape${shape}.`, 100)));
    const first = decoder.decode<object[]>(bytes);
    const second = decoder.decode<object[]>(bytes);
    expect(first.slice(0, 300).every((one, i) => isFast(one) && sameClass(one, second[i]!))).toBe(true);
  });
}

test("two alternating shapes stay fast, also in strict mode", () => {
  // The hashes of these two lists of keys share a slot.
  const pair = [named("s72_", 20), named("s141_", 20)].map((each) => encode(each));
  for (const options of [{ maps: "object" }, { strict: true }] as const) {
    const decoder = new Decoder(options);
    for (let i = 0; i < 5000; i++) {
      if (!isFast(decoder.decode<object>(pair[i % 2]!))) throw new Error(`${JSON.stringify(options)}: ${i}`);
    }
  }
});

test("new keys become dictionaries if a known record follows each, and if only the ends of long keys differ", () => {
  const record = encode(named("record", 20));
  const beginning = "https://example.com/articles/by-id/0000";
  for (const prefix of ["", beginning]) {
    const decoder = new Decoder({ maps: "object" });
    let dictionaries = 0;
    for (let i = 0; i < 2000; i++) {
      const keys = new Map(Array.from({ length: 20 }, (_, k) => [`${prefix}${1_000_000 + 20 * i + k}x`, k]));
      // The credit is spent after 1,200 objects. From then on eight known records pay for one new fast object.
      if (!isFast(decoder.decode<object>(encode(keys))) && i >= 1200) dictionaries++;
      if (!isFast(decoder.decode<object>(record))) throw new Error(`record ${i}`);
    }
    expect(dictionaries).toBe(700);
  }
});

test("dictionaries contain all keys, also long, empty and inherited ones", () => {
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

test("an object with 508 assigned keys is a dictionary, also from a sized constructor", () => {
  const object = new (sizedConstructor(508))(false);
  for (let i = 0; i < 507; i++) object[`k${i}`] = i;
  expect(isFast(object)).toBe(true);
  object[["k", 507].join("")] = 0;
  expect(isFast(object)).toBe(false);
  expect(isFast(new Decoder().decode<object>(encode(named("other", 508))))).toBe(false);
});
