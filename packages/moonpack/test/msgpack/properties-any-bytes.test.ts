/** Any bytes decode to a value that round-trips, or throw a coded error with a valid offset. */

import { anyValue } from "@moonpack/harness/arbitrary.ts";
import { none } from "@moonpack/harness/each.ts";
import { share } from "@moonpack/harness/effort.ts";
import { FIDELITY_JS } from "@moonpack/harness/fidelity.ts";
import { bytesDiffer, concat } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { differ } from "@moonpack/harness/same.ts";
import { rejected, vectors } from "@moonpack/harness/vectors.ts";
import fc from "fast-check";
import { Decoder, type DecoderOptions, diagnose, Encoder, encodeOwned, MoonpackError } from "moonpack";
import { complete } from "moonpack/msgpack/features";
import { describe, expect, test } from "vitest";

const keep: DecoderOptions = { unknownExtensions: "keep" };

describe("any bytes: a value, or a coded error", () => {
  const modes: DecoderOptions[] = [
    {},
    keep,
    { ...keep, codeGeneration: false },
    { ...keep, strict: true, engine: complete },
    { ...keep, maps: "map" },
    { maps: "object" },
    { ...keep, int64: "bigint", timestamps: "timestamp", binary: "view", utf8: "replace" },
    { ...keep, int64: "number", timestamps: "date" },
    { ...keep, fidelity: FIDELITY_JS },
    { ...keep, maxDepth: 3 },
    { ...keep, maxDepth: 4096 },
    { ...keep, maxBytes: 20 },
  ];
  const decoders = modes.map((options) => new Decoder(options));

  /** Decodes the bytes in every mode. Asserts that the result is a value that round-trips, or a coded error. */
  function check(bytes: Uint8Array<ArrayBuffer>): void {
    decoders.forEach((decoder, i) => {
      let value: unknown;
      try {
        value = decoder.decode(bytes);
      } catch (error) {
        if (!(error instanceof MoonpackError)) throw error;
        const { code, offset, needMore } = error as MoonpackError & { offset?: number; needMore?: number };
        if (offset === undefined || !(offset >= 0 && offset <= bytes.length))
          throw new Error(`${code} without a good offset: ${offset}`);
        if ((needMore !== 0) !== (code === "ERR_TRUNCATED")) throw new Error(`${code} with needMore ${needMore}`);
        return;
      }
      // The decoded value must round-trip.
      const options = modes[i]!;
      const encoder = new Encoder({ fidelity: options.fidelity ?? "standard", maxDepth: 4096 });
      const again = new Decoder({ ...options, maxBytes: 1_000_000, strict: false }).decode(encoder.encode(value));
      // With int64: "bigint", small integers in 64-bit form decode to bigint, and in their shortest form to number.
      if (options.int64 === "bigint") none(bytesDiffer(encoder.encode(again), encoder.encodeOwned(value)), `mode ${i}`);
      else none(differ(again, value), `mode ${i}`);
    });
    // diagnose never throws either, and its last item ends with the bytes.
    let last = 0;
    for (const { end } of diagnose(bytes)) last = end;
    if (last !== bytes.length) throw new Error(`the dump ends at ${last} of ${bytes.length}`);
  }

  test("random bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (list) => check(new Uint8Array(list))),
      { numRuns: 2500 },
    );
  });

  test("random bytes, mostly headers", () => {
    const mostlyHeaders = fc.oneof(
      fc.integer({ min: 0x80, max: 0x93 }),
      fc.integer({ min: 0xa0, max: 0xa5 }),
      fc.integer({ min: 0xc0, max: 0xdf }),
      fc.constantFrom(0, 1, 2, 4, 8, 12, 0xff),
      fc.nat(255),
    );
    fc.assert(
      fc.property(fc.array(mostlyHeaders, { maxLength: 60 }), (list) => check(new Uint8Array(list))),
      { numRuns: 3500 },
    );
  });

  test("vectors with changed, removed and inserted bytes", () => {
    const random = randomSource(2026);
    const seeds = [...vectors, ...rejected].map((v) => v.bytes).filter((bytes) => bytes.length < 600);
    for (let i = 0; i < share(3000); i++) {
      let bytes = seeds[random(seeds.length)]!.slice();
      for (let n = random(3); n >= 0; n--) {
        const at = random(bytes.length + 1);
        const way = random(5);
        if (way === 0) bytes[at] = random(256);
        else if (way === 1) bytes = concat(bytes.slice(0, at), bytes.slice(at + 1 + random(4)));
        else if (way === 2) bytes = concat(bytes.slice(0, at), new Uint8Array([random(256)]), bytes.slice(at));
        else if (way === 3) bytes = concat(bytes.slice(0, at), seeds[random(seeds.length)]!, bytes.slice(at));
        else if (at < bytes.length) bytes[at] = bytes[at]! ^ (1 << random(8));
      }
      check(bytes);
    }
    expect(seeds.length).toBeGreaterThan(500);
  });

  test("encoded values with changed bytes", () => {
    fc.assert(
      fc.property(
        anyValue,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        (value, changes) => {
          const bytes = encodeOwned(value);
          for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
          check(bytes);
        },
      ),
      { numRuns: 300 },
    );
  });
});
