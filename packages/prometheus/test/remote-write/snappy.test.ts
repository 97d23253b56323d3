/** Snappy's block format: vectors by hand from its description, damaged blocks, random ones. */
import { fault } from "@moonpack/harness/caught.ts";
import { share } from "@moonpack/harness/effort.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { describe, expect, test } from "vitest";
import { unpackSnappy } from "../../src/remote-write/snappy.ts";
import { copy, literal, pack, varint } from "./encode.ts";

const MAX = 2 ** 20;
const ABCD = [0x61, 0x62, 0x63, 0x64];
const of = (...parts: readonly number[][]): Uint8Array => Uint8Array.from(parts.flat());
const text = (packed: Uint8Array): string => new TextDecoder().decode(unpackSnappy(packed, MAX));

test("vectors", () => {
  const cases: readonly (readonly [Uint8Array, string])[] = [
    [of([0]), ""],
    [of([4, 0x0c], ABCD), "abcd"],
    [of([4], [60 << 2, 3], ABCD), "abcd"],
    [of([4], [61 << 2, 3, 0], ABCD), "abcd"],
    [of([4], [62 << 2, 3, 0, 0], ABCD), "abcd"],
    [of([4], [63 << 2, 3, 0, 0, 0], ABCD), "abcd"],
    [of([8, 0x0c], ABCD, [0x01, 4]), "abcdabcd"],
    [of([8, 0x0c], ABCD, [0x0e, 4, 0]), "abcdabcd"],
    [of([8, 0x0c], ABCD, [0x0f, 4, 0, 0, 0]), "abcdabcd"],
    // A copy that reads what it writes repeats its pattern.
    [of([11, 0x0c], ABCD, [((7 - 4) << 2) | 1, 2]), "abcdcdcdcdc"],
    [of([68, 0x0c], ABCD, [0xfe, 1, 0]), `abcd${"d".repeat(64)}`],
    // A size that is not in its shortest form, as Go reads it.
    [of([0x84, 0], literal(ABCD)), "abcd"],
  ];
  for (const [packed, raw] of cases) expect(text(packed), `${packed}`).toBe(raw);
  const far = "x".repeat(300) + "abcd".repeat(200);
  expect(text(pack(new TextEncoder().encode(far)))).toBe(far);
});

test("an offset with high bits", () => {
  const raw = Uint8Array.from({ length: 2000 }, (_, i) => (i * 7) & 0xff);
  const packed = of(varint(2011), literal(raw), copy(11, 1999, 0));
  expect([...unpackSnappy(packed, MAX).subarray(2000)]).toEqual([...raw.subarray(1, 12)]);
});

describe("blocks that are not valid", () => {
  const cases: readonly (readonly [string, Uint8Array, string, number])[] = [
    ["nothing", of(), "ERR_TRUNCATED", 0],
    ["a size that is cut", of([0x80]), "ERR_TRUNCATED", 0],
    ["2^32 bytes", of([0x80, 0x80, 0x80, 0x80, 0x10]), "ERR_OUT_OF_RANGE", 0],
    ["a size of six bytes", of([0x80, 0x80, 0x80, 0x80, 0x80, 0]), "ERR_OUT_OF_RANGE", 0],
    ["2^32 - 1 bytes", of([0xff, 0xff, 0xff, 0xff, 0x0f]), "ERR_LIMIT_BYTES", 0],
    ["one byte above the limit", of(varint(MAX + 1)), "ERR_LIMIT_BYTES", 0],
    ["the limit in few bytes", of(varint(MAX), [0xfe, 1, 0]), "ERR_INVALID_BYTE", 0],
    ["no content", of([4]), "ERR_INVALID_BYTE", 0],
    ["a literal that is cut", of([4, 0x0c], [1, 2, 3]), "ERR_TRUNCATED", 1],
    ["the length of a literal that is cut", of([4, 61 << 2, 3]), "ERR_TRUNCATED", 1],
    ["a literal of 2^32 bytes", of([4, 63 << 2, 0xff, 0xff, 0xff, 0xff], ABCD), "ERR_INVALID_BYTE", 1],
    ["a literal that is too long", of([3, 0x0c], ABCD), "ERR_INVALID_BYTE", 1],
    ["a copy that is cut", of([8, 0x0c], ABCD, [0x0e, 4]), "ERR_TRUNCATED", 6],
    ["a copy that is too long", of([7, 0x0c], ABCD, [0x01, 4]), "ERR_INVALID_BYTE", 6],
    ["offset 0", of([8, 0x0c], ABCD, [0x01, 0]), "ERR_INVALID_BYTE", 6],
    ["offset 0 of two bytes", of([8, 0x0c], ABCD, [0x0e, 0, 0]), "ERR_INVALID_BYTE", 6],
    ["an offset beyond the start", of([8, 0x0c], ABCD, [0x01, 5]), "ERR_INVALID_BYTE", 6],
    ["an offset of 2^32 - 1", of([8, 0x0c], ABCD, [0x0f, 0xff, 0xff, 0xff, 0xff]), "ERR_INVALID_BYTE", 6],
    ["a copy at the start", of([4, 0x01, 1]), "ERR_INVALID_BYTE", 1],
    ["fewer bytes than declared", of([5, 0x0c], ABCD), "ERR_TRUNCATED", 6],
    ["bytes after the end", of([4, 0x0c], ABCD, [0x00, 0x61]), "ERR_INVALID_BYTE", 6],
  ];
  test.each(cases)("%s", (_, packed, code, offset) => {
    expect(fault(() => unpackSnappy(packed, MAX))).toMatchObject({ code, offset });
  });
});

test("random bytes are read back; cut and damaged blocks give errors of the library, or other bytes of the declared size", () => {
  const next = randomSource(5);
  for (let round = 0; round < share(100); round++) {
    const size = next(round % 20 === 0 ? 80_000 : 600);
    const raw = Uint8Array.from({ length: size }, () => next(next(2) === 0 ? 2 : 256));
    const packed = pack(raw, next);
    expect(unpackSnappy(packed, size)).toEqual(raw);
    for (let i = 0; i < 20; i++) {
      const cut = packed.slice(0, next(packed.length));
      expect(fault(() => unpackSnappy(cut, size)).code).toMatch(/^ERR_(?:TRUNCATED|INVALID_BYTE)$/);
      const damaged = packed.slice();
      damaged[next(damaged.length)] = next(256);
      try {
        expect(unpackSnappy(damaged, MAX).length).toBeLessThanOrEqual(MAX);
      } catch (error) {
        expect((error as { code?: string }).code).toMatch(/^ERR_(?:TRUNCATED|INVALID_BYTE|LIMIT_BYTES|OUT_OF_RANGE)$/);
      }
    }
  }
});
