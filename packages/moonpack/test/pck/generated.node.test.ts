/** Generated codecs do as closures do: with every option, and for values that are wrong in one place. */
import type { CodecOptions } from "moonpack/pck";
import { describe, test } from "vitest";
import { fault } from "../harness/caught.ts";
import { each, equal } from "../harness/each.ts";
import { fromHex, toHex } from "../harness/hex.ts";
import { both, same } from "../harness/pck/both.ts";
import { named } from "../harness/pck/cases.ts";
import { randomCases } from "../harness/pck/random-cases.ts";
import { randomSource } from "../harness/random.ts";

const schemas = [...randomCases({ seed: 6, schemas: 150, values: 3, mutations: 4, names: "any" })];

const OPTIONS: readonly CodecOptions[] = [
  { int64: "number" },
  { maps: "object" },
  { typedArrays: true },
  { typedArrays: true, int64: "number", maps: "object" },
  { binary: "view" },
  { maxDepth: 2 },
  { maxDepth: 4 },
  { validate: false },
];

describe("as closures", () => {
  for (const options of OPTIONS) {
    test(JSON.stringify(options), () => {
      each(named(schemas, "schema"), ({ doc, cases }) => {
        const [fast, plain] = both(doc, options);
        for (const { bytes } of cases) {
          const input = fromHex(bytes);
          same(
            () => fast.decode(input),
            () => plain.decode(input),
            bytes,
          );
          let value: unknown;
          try {
            value = plain.decode(input);
          } catch {
            continue;
          }
          same(
            () => fast.encode(value),
            () => plain.encode(value),
            `encode ${bytes}`,
          );
        }
      });
    });
  }
});

const WRONG: readonly unknown[] = [
  undefined,
  null,
  "x",
  "\ud800",
  "é",
  -1,
  0.5,
  300,
  2 ** 60,
  NaN,
  5n,
  2n ** 70n,
  true,
  [],
  {},
  new Map(),
  new Map([["a", 1]]),
  new Uint8Array(2),
  [1, "a"],
  new Date(0),
  () => 1,
  Symbol("s"),
];

/** The same value, wrong in one place. */
function spoiled(random: (below: number) => number, value: unknown): unknown {
  const isLeaf = typeof value !== "object" || value === null || value instanceof Uint8Array;
  if (isLeaf || random(4) === 0) return WRONG[random(WRONG.length)];
  if (value instanceof Map) {
    const entries = [...value];
    if (entries.length === 0) return new Map([[WRONG[random(WRONG.length)], 1]]);
    const i = random(entries.length);
    const [key, item] = entries[i]!;
    entries[i] = random(3) === 0 ? [WRONG[random(WRONG.length)], item] : [key, spoiled(random, item)];
    return new Map(entries);
  }
  if (Array.isArray(value)) {
    const i = random(value.length + 1);
    return i === value.length ? [...value, WRONG[random(WRONG.length)]] : value.with(i, spoiled(random, value[i]));
  }
  const keys = Object.keys(value);
  if (keys.length === 0) return WRONG[random(WRONG.length)];
  const key = keys[random(keys.length)]!;
  return Object.fromEntries(Object.entries(value).map(([k, item]) => [k, k === key ? spoiled(random, item) : item]));
}

test("values that are wrong in one place: the same code, the same path", () => {
  const random = randomSource(7);
  each(named(schemas, "schema"), ({ doc, cases }) => {
    const [fast, plain] = both(doc);
    for (const { bytes, kind } of cases) {
      if (kind !== "value") continue;
      for (let i = 0; i < 8; i++) {
        const value = spoiled(random, plain.decode(fromHex(bytes)));
        same(
          () => fast.encode(value),
          () => plain.encode(value),
          JSON.stringify(doc).slice(0, 400),
        );
      }
    }
  });
});

test("trusting: whatever the value is, what is written is a message", () => {
  const random = randomSource(8);
  each(named(schemas, "schema"), ({ doc, cases }) => {
    const [fast] = both(doc, { validate: false });
    for (const { bytes, kind } of cases) {
      if (kind !== "value") continue;
      for (let i = 0; i < 8; i++) {
        const value = spoiled(random, fast.decode(fromHex(bytes)));
        let written: Uint8Array;
        try {
          written = fast.encode(value);
        } catch {
          fault(() => fast.encode(value));
          continue;
        }
        equal(toHex(fast.encode(fast.decode(written))), toHex(written));
      }
    }
  });
});
