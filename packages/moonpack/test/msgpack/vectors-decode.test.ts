/**
 * Decodes every vector with every function, truncated at each byte, and followed by one more byte. Rejected vectors
 * have the expected code and offset.
 */

import { caughtOurs, fault } from "@moonpack/harness/caught.ts";
import { each, equal, none } from "@moonpack/harness/each.ts";
import { thinned } from "@moonpack/harness/effort.ts";
import { concat } from "@moonpack/harness/hex.ts";
import { differ } from "@moonpack/harness/same.ts";
import { rejected, smallVectors, vectors, vectorsAgain } from "@moonpack/harness/vectors.ts";
import { Decoder, type DecoderOptions, decode, decodeAt, decodeMulti } from "moonpack";
import { complete } from "moonpack/msgpack/features";
import { describe, expect, test } from "vitest";

const KEEP = { unknownExtensions: "keep" } as const;

/** Returns a decoder that already knows the shapes of the vectors, so that it uses predicted and generated reading. */
function warm(options: DecoderOptions): Decoder {
  const decoder = new Decoder({ ...KEEP, ...options });
  for (const { group, bytes } of vectors) {
    if (group === "maps" && bytes.length < 300) for (let i = 0; i < 260; i++) decoder.decode(bytes);
  }
  return decoder;
}

const modes: readonly [string, DecoderOptions][] = [
  ["code generation on", { codeGeneration: true }],
  ["code generation off", { codeGeneration: false }],
];

for (const [mode, options] of modes) {
  describe(`decode the vectors, ${mode}`, () => {
    const decoder = warm(options);

    test("a warm decoder", () => {
      each(options.codeGeneration ? vectors : vectorsAgain, ({ bytes, value }) => {
        none(differ(decoder.decode(bytes), value()));
        if (bytes.length < 4096) none(differ(decoder.decode(bytes), value()), "a second time");
      });
    });

    test("a new decoder for each", () => {
      each(smallVectors, ({ bytes, value }) =>
        none(differ(new Decoder({ ...KEEP, ...options }).decode(bytes), value())),
      );
    });

    test("decode and decodeAt, alone and between other bytes", () => {
      each(smallVectors, ({ bytes, value }) => {
        none(differ(decode(bytes, { ...KEEP, ...options }), value()), "decode");
        const inside = concat(new Uint8Array([0xc1, 0xff, 0x93]), bytes, new Uint8Array([0xc1, 0xa5]));
        for (const at of [decodeAt(inside, 3, { ...KEEP, ...options }), decoder.decodeAt(inside, 3)]) {
          equal(at.end, 3 + bytes.length, "end");
          none(differ(at.value, value()), "decodeAt");
        }
      });
    });

    test("from every kind of input", () => {
      each(smallVectors, ({ bytes, value }) => {
        const roomy = concat(new Uint8Array(5), bytes, new Uint8Array(5));
        const part = roomy.subarray(5, 5 + bytes.length);
        for (const input of [
          part,
          bytes.buffer,
          new DataView(roomy.buffer, 5, bytes.length),
          new Int8Array(bytes.buffer),
        ]) {
          none(differ(decoder.decode(input), value()), Object.prototype.toString.call(input));
        }
      });
    });

    test("a sequence of all vectors", () => {
      const all = concat(...smallVectors.map((v) => v.bytes));
      let i = 0;
      for (const value of decoder.decodeMulti(all)) {
        const vector = smallVectors[i++]!;
        none(differ(value, vector.value()), vector.name);
      }
      expect(i).toBe(smallVectors.length);
      expect([...decodeMulti(all, { ...KEEP, ...options })].length).toBe(smallVectors.length);
    });

    test("a value in an array, in a map, and as a Map's value", () => {
      each(smallVectors, ({ bytes, value }) => {
        const list = concat(new Uint8Array([0x92]), bytes, bytes);
        // 512 levels are the default limit, so such a value cannot be nested.
        if (/512 deep/.test(String(value)) || bytes.length > 500) return;
        none(differ(decoder.decode(list), [value(), value()]), "array");
        none(differ(decoder.decode(concat(new Uint8Array([0x81, 0xa1, 0x6b]), bytes)), { k: value() }), "map");
        none(differ(decoder.decode(concat(new Uint8Array([0x81, 0x07]), bytes)), new Map([[7, value()]])), "Map");
      });
    });

    test("every strict prefix: ERR_TRUNCATED, and needMore is at most the number of missing bytes", () => {
      each(thinned(smallVectors), ({ bytes }) => {
        for (let n = 0; n < bytes.length; n++) {
          const prefix = bytes.slice(0, n);
          const { code, offset, needMore } = fault(() => decoder.decode(prefix));
          if (code !== "ERR_TRUNCATED") throw new Error(`${n} bytes: ${String(code)}`);
          if (!(Number(offset) >= 0 && Number(offset) <= n)) throw new Error(`${n} bytes: offset ${String(offset)}`);
          const missing = Number(needMore);
          if (!(missing >= 1)) throw new Error(`${n} bytes: needMore ${missing}`);
          if (n + missing > bytes.length)
            throw new Error(`${n} bytes: needMore ${missing}, but ${bytes.length - n} were enough`);
          // With fewer than needMore bytes added, decoding still throws.
          if (missing > 1 && missing < 300) fault(() => decoder.decode(concat(prefix, new Uint8Array(missing - 1))));
          equal(
            fault(() => decoder.decodeAt(prefix, 0)),
            { code, offset, needMore },
            "decodeAt",
          );
        }
      });
    });

    test("prefixes of the large vectors, around their headers and at other offsets", () => {
      each(
        vectors.filter((v) => v.bytes.length >= 4096),
        ({ bytes }) => {
          for (const n of [
            0,
            1,
            2,
            3,
            4,
            5,
            6,
            7,
            8,
            1000,
            4095,
            bytes.length >> 1,
            bytes.length - 2,
            bytes.length - 1,
          ]) {
            const { code, needMore } = fault(() => decoder.decode(bytes.slice(0, n)));
            equal(code, "ERR_TRUNCATED", `${n} bytes`);
            if (!(Number(needMore) >= 1 && n + Number(needMore) <= bytes.length))
              throw new Error(`${n} bytes: needMore ${String(needMore)}`);
          }
        },
      );
    });

    test("one additional byte: ERR_TRAILING_BYTES at that byte", () => {
      each(vectorsAgain, ({ bytes }) => {
        for (const extra of bytes.length < 4096 ? [0x00, 0xc0, 0xc1, 0x81, 0xff] : [0xc1]) {
          equal(
            fault(() => decoder.decode(concat(bytes, new Uint8Array([extra])))),
            {
              code: "ERR_TRAILING_BYTES",
              offset: bytes.length,
              needMore: 0,
            },
          );
        }
      });
    });

    test("rejected vectors: code, offset, needMore", () => {
      const plain = new Decoder(options);
      const strict = new Decoder({ ...options, strict: true, engine: complete });
      each(rejected, ({ bytes, code, offset, needMore, strict: onlyStrict, value }) => {
        const want = { code, offset, needMore };
        // A strict decoder may first report a form that is not the shortest, or too many nested keys.
        const seen = fault(() => strict.decode(bytes));
        const isNested = code === "ERR_LIMIT_DEPTH" && seen.code === code && (seen.offset as number) < offset;
        if (!isNested && (seen.code !== "ERR_NOT_SHORTEST" || seen.offset !== offset)) equal(seen, want, "strict");
        if (onlyStrict) {
          none(differ(plain.decode(bytes), value()), "not strict");
          return;
        }
        equal(
          fault(() => plain.decode(bytes)),
          want,
          "Decoder",
        );
        equal(
          fault(() => plain.decode(bytes)),
          want,
          "Decoder, a second time",
        );
        if (code === "ERR_TRAILING_BYTES") equal(plain.decodeAt(bytes, 0).end, offset, "decodeAt's end");
        else {
          equal(
            fault(() => plain.decodeAt(bytes, 0)),
            want,
            "decodeAt",
          );
          const later = concat(new Uint8Array([0xc0, 0xc0, 0xc0]), bytes);
          equal(
            fault(() => plain.decodeAt(later, 3)),
            { code, offset: offset + 3, needMore },
            "decodeAt 3",
          );
        }
      });
    });

    test("strict: the shortest form decodes, any other form throws ERR_NOT_SHORTEST", () => {
      const strict = new Decoder({ ...KEEP, ...options, strict: true, engine: complete });
      each(vectorsAgain, ({ name, bytes, shortest, value }) => {
        if (shortest) none(differ(strict.decode(bytes), value()));
        else {
          const offset = name === "maps: a key as str8" ? 1 : 0;
          equal(
            fault(() => strict.decode(bytes)),
            { code: "ERR_NOT_SHORTEST", offset, needMore: 0 },
          );
        }
      });
    });
  });
}

describe("decode: an empty input", () => {
  test("throws ERR_TRUNCATED at offset 0, with a message that says that the input is empty", () => {
    for (const input of [new Uint8Array(0), new ArrayBuffer(0), new Uint8Array([1, 2]).subarray(1, 1)]) {
      for (const options of [
        {},
        { strict: true, engine: complete },
        { maps: "map" },
        { maxBytes: 1 },
      ] satisfies DecoderOptions[]) {
        const decoder = new Decoder(options);
        for (const way of [() => decode(input), () => decode(input, options), () => decoder.decode(input)]) {
          equal(fault(way), { code: "ERR_TRUNCATED", offset: 0, needMore: 1 });
          expect(caughtOurs(way).message).toMatch("the input is empty");
        }
      }
    }
  });

  test("the message for an input that ends inside its first item does not call it empty", () => {
    for (const input of [new Uint8Array([0x91]), new Uint8Array([0xcc]), new Uint8Array([0xa1])]) {
      expect(caughtOurs(() => decode(input)).message).toMatch("ends inside an item");
    }
    expect(caughtOurs(() => decodeAt(new Uint8Array(3), 3)).message).toMatch("ends inside an item");
  });
});

describe("decode: a decoder still works after any error", () => {
  test("a valid vector after each rejected one", () => {
    const decoder = warm({});
    const some = smallVectors.filter((_, i) => i % 7 === 0);
    each(rejected, ({ bytes, strict }) => {
      if (!strict) fault(() => new Decoder().decode(bytes));
      try {
        decoder.decode(bytes);
      } catch {
        // Another test checks the error.
      }
      const probe = some[bytes.length % some.length]!;
      none(differ(decoder.decode(probe.bytes), probe.value()), probe.name);
    });
  });
});
