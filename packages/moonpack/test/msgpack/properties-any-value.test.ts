/** Any JavaScript value encodes to valid bytes, or throws a coded error with a path. */

import { FIDELITY_JS } from "@moonpack/harness/fidelity.ts";
import fc from "fast-check";
import { type DecoderOptions, decode, Encoder, MoonpackError } from "moonpack";
import { complete } from "moonpack/msgpack/features";
import { describe, test } from "vitest";

const keep: DecoderOptions = { unknownExtensions: "keep" };

describe("any value: valid bytes, or a coded error", () => {
  const encoders = [
    new Encoder(),
    new Encoder({ fidelity: "json", engine: complete }),
    new Encoder({ fidelity: FIDELITY_JS }),
    new Encoder({ canonical: true, engine: complete }),
    new Encoder({ utf8: "replace" }),
    new Encoder({ maxBytes: 50 }),
    new Encoder({ maxDepth: 2 }),
  ];

  test("values of all JavaScript types", () => {
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withObjectString: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
      withUnicodeString: true,
      maxDepth: 4,
    });
    const odd = fc.oneof(
      anything,
      fc.constantFrom<unknown>(
        () => 1,
        Symbol("s"),
        /x/g,
        new Error("e"),
        new WeakMap(),
        Promise.resolve(1),
        new Proxy({}, {}),
        new Proxy([], {}),
        Object.create({ inherited: 1 }),
        new (class Own {
          x = 1;
        })(),
        new Date(Number.NaN),
        "\ud800",
        2n ** 64n,
        globalThis.Math,
        new URL("http://x/"),
        new (class extends Array<number> {})(3),
        new (class extends Map {})(),
        new (class extends Uint8Array {})(3),
      ),
    );
    fc.assert(
      fc.property(fc.oneof(odd, fc.array(odd), fc.dictionary(fc.string(), odd)), (value) => {
        encoders.forEach((encoder, i) => {
          let bytes: Uint8Array<ArrayBuffer>;
          try {
            bytes = encoder.encode(value);
          } catch (error) {
            if (!(error instanceof MoonpackError)) throw error;
            if (
              error.code !== "ERR_LIMIT_BYTES" &&
              typeof (error as MoonpackError & { path?: unknown }).path !== "string"
            ) {
              throw new Error(`encoder ${i}: ${error.code} without a path`);
            }
            return;
          }
          // The encoded bytes decode.
          decode(bytes, { ...keep, fidelity: i === 2 ? FIDELITY_JS : "standard" });
        });
      }),
      { numRuns: 1500 },
    );
  });
});
