/** Generated codecs behave like closures: with every option, and for values with one invalid part. */

import { fault } from "@moonpack/harness/caught.ts";
import { each, equal } from "@moonpack/harness/each.ts";
import { fromHex, toHex } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import type { CodecOptions } from "@moonpack/pck";
import { describe, test } from "vitest";
import { named } from "./harness/cases.ts";
import { both, same } from "./harness/codec-pair.ts";
import { randomCases } from "./harness/random-cases.ts";
import { spoiled } from "./harness/spoil.ts";

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

describe("the same results as closures", () => {
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

test("values with one invalid part give the same code and path", () => {
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

test("validate: false: any value gives a valid message or an error", () => {
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
