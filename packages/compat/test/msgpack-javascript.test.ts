/**
 * The same calls on @msgpack/msgpack and on its replacement: bytes, results, and whether there is an error, must be equal. The
 * intended differences are in msgpack-javascript-differences.node.test.ts.
 */

import * as moonpack from "@moonpack/compat/msgpack-javascript";
import { fault } from "@moonpack/harness/caught.ts";
import { each, none } from "@moonpack/harness/each.ts";
import { fromHex, toHex } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  anyValue,
  BYTES,
  DECODE_OPTIONS,
  decodeOptions,
  ENCODE_OPTIONS,
  encodeOptions,
  sized,
  VALUES,
} from "./cases.ts";
import { compare, disagreement, face, original, outcome } from "./libraries.ts";

describe("encoding as @msgpack/msgpack does", () => {
  it.each(
    ENCODE_OPTIONS.map((options) => [JSON.stringify(options), options] as const),
  )("table of values with %s", (_, options) => {
    each(VALUES, ({ value }) => none(compare((library) => library.encode(value, options))));
  });

  it("values at the border of 16-bit lengths", () => {
    each([65535, 65536].flatMap(sized), ({ value }) => none(compare((library) => library.encode(value))));
  });

  it("by a reused Encoder, copied and shared", () => {
    const pairs = [original, face].map((library) => new library.Encoder({ useBigInt64: true }));
    each(VALUES, ({ value }) => {
      const [theirs, ours] = pairs.map((encoder) => outcome(() => encoder.encode(value)));
      none(disagreement(theirs!, ours!));
      const [theirView, ourView] = pairs.map((encoder) => outcome(() => encoder.encodeSharedRef(value)));
      none(disagreement(theirView!, ourView!));
    });
  });

  it("encode returns separate memory, encodeSharedRef a view that the next call overwrites", () => {
    const encoder = new moonpack.Encoder();
    const kept = encoder.encode("aaaa");
    const shared = encoder.encodeSharedRef("aaaa");
    encoder.encode("bbbb");
    expect(toHex(kept)).toBe("a461616161");
    expect(kept.buffer.byteLength).toBe(5);
    expect(toHex(shared)).toBe("a462626262");
    const whole = moonpack.encode("x".repeat(500));
    expect([whole.byteOffset, whole.buffer.byteLength]).toEqual([0, whole.length]);
  });

  it("generated values with generated options", () => {
    fc.assert(
      fc.property(anyValue, encodeOptions, (value, options) =>
        none(compare((library) => library.encode(value, options))),
      ),
      { numRuns: 1500 },
    );
  });

  it("stays usable after an error", () => {
    const encoder = new moonpack.Encoder();
    expect(() => encoder.encode([1, Symbol("a")])).toThrow();
    expect(toHex(encoder.encode([1]))).toBe("9101");
  });
});

describe("decoding as @msgpack/msgpack does", () => {
  it.each(
    DECODE_OPTIONS.map((one) => [Object.keys(one).join() || "no options", one] as const),
  )("table of bytes, %s", (_, one) => {
    each(
      BYTES.map((hex) => ({ name: hex, bytes: fromHex(hex) })),
      ({ bytes }) => {
        none(compare((library) => library.decode(bytes, one)));
        none(
          compare((library) => [...library.decodeMulti(bytes, one)]),
          "decodeMulti",
        );
      },
    );
  });

  it("bytes of the original, generated options", () => {
    fc.assert(
      fc.property(anyValue, decodeOptions, (value, one) => {
        const bytes = original.encode(value, { useBigInt64: true }).slice();
        none(compare((library) => library.decode(bytes, one)));
      }),
      { numRuns: 1500 },
    );
  });

  it("every input type: bytes, views, buffers, lists of numbers", () => {
    const bytes = fromHex("93010203");
    const padded = fromHex("ff93010203ff");
    const shared = new SharedArrayBuffer(4);
    new Uint8Array(shared).set(bytes);
    const inputs: unknown[] = [
      bytes,
      bytes.buffer,
      shared,
      padded.subarray(1, 5),
      new DataView(padded.buffer, 1, 4),
      new Uint16Array(bytes.buffer),
      [0x93, 1, 2, 3],
      { length: 4, 0: 0x93, 1: 1, 2: 2, 3: 3 },
      new Uint8ClampedArray(bytes),
    ];
    for (const input of inputs) {
      expect(face.decode(input)).toEqual([1, 2, 3]);
      none(compare((library) => library.decode(input)));
      none(compare((library) => new library.Decoder().decode(input)));
    }
  });

  it("every strict prefix of a message is an error of the same class, with the number of missing bytes", () => {
    for (const value of [{ a: [1, "text", new Uint8Array(3), 1.5, new Date(1)] }, [[[]], { b: -40_000, c: 2 ** 40 }]]) {
      const bytes = original.encode(value).slice();
      for (let n = 0; n < bytes.length; n++) {
        const prefix = bytes.subarray(0, n);
        const theirs = outcome(() => original.decode(prefix)).error;
        const ours = outcome(() => face.decode(prefix)).error as InstanceType<typeof moonpack.DecodeError>;
        expect(theirs).toBeInstanceOf(RangeError);
        expect(ours).toBeInstanceOf(RangeError);
        expect(ours.code).toBe("ERR_TRUNCATED");
        expect(ours.needMore).toBeGreaterThan(0);
        expect(ours.needMore).toBeLessThanOrEqual(bytes.length - n);
      }
    }
  });

  it("mutated messages: a value or an error on both, and the same value", () => {
    const random = randomSource(20);
    // Lengths are limited, since the original allocates the sizes in forged headers.
    const bounds = { maxArrayLength: 1000, maxMapLength: 1000 };
    const samples = [
      VALUES[0]!.value,
      { a: [1, 2.5, "text", null, { b: new Uint8Array([1, 2]), c: -5 }], d: new Date(5) },
      [[1, [2]], { k: "v" }],
    ];
    let both = 0;
    for (let i = 0; i < 15_000; i++) {
      const bytes = original.encode(samples[random(samples.length)]).slice();
      for (let flips = random(3) + 1; flips > 0; flips--) bytes[random(bytes.length)] = random(256);
      const theirs = outcome(() => original.decode(bytes, bounds));
      const ours = outcome(() => face.decode(bytes, bounds));
      if (!isOnPurpose(theirs.error, ours)) {
        none(disagreement(theirs, ours), toHex(bytes));
        if ("value" in ours) both++;
      }
    }
    expect(both).toBeGreaterThan(1500);
  });

  it("any bytes: a value, or a DecodeError with code and offset", () => {
    const random = randomSource(7);
    const options = [{}, { rawStrings: true, useBigInt64: true }, { keyDecoder: null, mapKeyConverter: String }];
    const decoders = options.map((one) => new moonpack.Decoder(one));
    for (let i = 0; i < 20_000; i++) {
      const bytes = new Uint8Array(random(40)).map(() => (random(3) === 0 ? 0x80 + random(0x60) : random(256)));
      for (const decoder of decoders) {
        const { error } = outcome(() => [...decoder.decodeMulti(bytes)]);
        if (error === undefined) continue;
        if (!(error instanceof moonpack.DecodeError)) throw new Error(`${toHex(bytes)}: ${String(error)}`);
        expect(error.offset >= 0 && error.offset <= bytes.length && error.code.startsWith("ERR_")).toBe(true);
      }
    }
  });

  it("input that an extension or a converter transfers during decoding is an error", () => {
    const takeAway = (bytes: Uint8Array) => structuredClone(bytes, { transfer: [bytes.buffer] });
    const extensionCodec = new moonpack.ExtensionCodec();
    extensionCodec.register({ type: 1, encode: () => null, decode: takeAway });
    const bytes = new Uint8Array(100).fill(0x01);
    bytes.set([0x92, 0xd4, 0x01, 0x00]);
    expect(outcome(() => face.decode(bytes, { extensionCodec })).error).toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
    const map = new Uint8Array(100).fill(0x01);
    map.set([0x81, 0x01]);
    const mapKeyConverter = () => {
      takeAway(map);
      return "key";
    };
    expect(outcome(() => face.decode(map, { mapKeyConverter })).error).toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
  });

  it("decodeMulti yields the values before an invalid one", () => {
    for (const library of [original, face]) {
      const values = library.decodeMulti(fromHex("01a161c1"));
      expect([values.next().value, values.next().value]).toEqual([1, "a"]);
      expect(() => values.next()).toThrow();
    }
  });

  it("a Decoder supports nested and interleaved calls, and stays usable after an error", () => {
    const decoder = new moonpack.Decoder();
    const first = decoder.decodeMulti([1, 2, 3]);
    expect(first.next().value).toBe(1);
    expect(decoder.decode([0x91, 7])).toEqual([7]);
    expect(() => decoder.decode([0x92, 7])).toThrow();
    expect([...first]).toEqual([2, 3]);
  });
});

/** Intended differences: text that is not UTF-8, and timestamps that the specification or a Date does not allow. */
function isOnPurpose(theirs: unknown, ours: { value?: unknown; error?: unknown }): boolean {
  if (theirs === undefined && ours.error instanceof moonpack.DecodeError) return ours.error.code === "ERR_OUT_OF_RANGE";
  return theirs === undefined && JSON.stringify(ours.value ?? null).includes("\ufffd");
}

describe("names of options", () => {
  it("better: misspelt ones are errors", () => {
    const wrong: [() => unknown, string][] = [
      [() => moonpack.encode(1, { maxDept: 1 } as object), "maxDept"],
      [() => new moonpack.Encoder({ sortKey: true } as object), "sortKey"],
      [() => moonpack.decode(moonpack.encode(1), { useBigInt46: true } as object), "useBigInt46"],
      [() => new moonpack.Decoder({ rawString: true } as object), "rawString"],
    ];
    for (const [act, name] of wrong) {
      expect(fault(act)).toEqual({ code: "ERR_INVALID_ARGUMENT" });
      expect(act).toThrow(`"${name}" is not a known option: did you mean `);
    }
  });

  it("as before: one object for both sides, and other names are ignored", () => {
    const both = { useBigInt64: true, sortKeys: true, rawStrings: false, context: undefined, unrelatedName: 1 };
    expect(moonpack.decode(moonpack.encode(1n, both), both)).toBe(1n);
  });
});
