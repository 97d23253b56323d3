/** One suite for every variant of UTF-8. Variants differ in speed, never in results. */
import { describe, expect, test } from "vitest";
import { isWhole, share, stride } from "./effort.ts";
import { randomSource } from "./random.ts";
import { fail, LENGTHS, MALFORMED, oracle, texts, unitsByTable } from "./utf8-cases.ts";

export interface Utf8Variant {
  readUtf8(bytes: Uint8Array, view: DataView, start: number, end: number): string | null;
  readUtf8Lossy(bytes: Uint8Array, start: number, end: number): string;
  writeUtf8(bytes: Uint8Array, pos: number, text: string): number;
  utf8Length(text: string): number;
  toWellFormed(text: string): string;
}

const lossy = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** Registers the tests of one variant. `exhaustive` adds all sequences of three bytes, if this run tries all cases. */
export function utf8Suite(name: string, variant: Utf8Variant, exhaustive: boolean): void {
  const { readUtf8, readUtf8Lossy, writeUtf8, utf8Length, toWellFormed } = variant;

  // Two settings: alone in a buffer, and at an odd offset between other bytes, which must not be read.
  const room = new Uint8Array(400_000 + 64).fill(0xff);
  const roomy = room.subarray(5);
  const roomyView = new DataView(room.buffer, 5);
  const readBoth = (bytes: Uint8Array): string | null => {
    const alone = readUtf8(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length);
    roomy.set(bytes, 3);
    const inside = readUtf8(roomy, roomyView, 3, 3 + bytes.length);
    roomy.fill(0xff, 3, 3 + bytes.length);
    if (alone !== inside) fail("the neighbours' bytes change the result", bytes);
    return alone;
  };

  describe(`UTF-8, ${name}`, () => {
    test("reads what TextDecoder reads, at every length", () => {
      let compared = 0;
      for (const n of LENGTHS) {
        for (const text of texts(n)) {
          const bytes = encoder.encode(text);
          if (bytes.length > 400_000) continue;
          const got = readBoth(bytes);
          if (got !== text) fail(`length ${n}: read ${got === null ? "null" : "another text"}`, bytes);
          if (readUtf8Lossy(bytes, 0, bytes.length) !== text) fail("lossy read differs", bytes);
          compared++;
        }
      }
      expect(compared).toBeGreaterThan(share(8000));
    });

    test("rejects every kind of ill-formed sequence, at every length and offset", () => {
      let refused = 0;
      for (const n of LENGTHS) {
        if (n === 0) continue;
        for (const [unit, sequences] of [
          ["a", MALFORMED],
          ["日", n % 7 === 0 || n > 300 ? MALFORMED : []],
        ] as const) {
          const filler = encoder
            .encode(unit.repeat(Math.ceil(n / unit.length)))
            .subarray(0, n - (n % encoder.encode(unit).length));
          for (const sequence of sequences) {
            const places = n > 5000 ? [filler.length] : [0, filler.length];
            for (const place of places) {
              const bytes = new Uint8Array(filler.length + sequence.length);
              bytes.set(filler.subarray(0, place));
              bytes.set(sequence, place);
              bytes.set(filler.subarray(place), place + sequence.length);
              if (readBoth(bytes) !== null) fail("accepted", bytes);
              refused++;
            }
          }
        }
      }
      expect(refused).toBeGreaterThan(share(15_000));
    });

    test("rejects a character that is cut by the end, though its remaining bytes follow in memory", () => {
      for (const n of [1, 5, 22, 23, 24, 25, 100, 143, 144, 145, 200, 1000, 1023, 1024, 1025, 5000]) {
        for (const char of ["é", "日", "😀"]) {
          const bytes = encoder.encode("a".repeat(n) + char);
          const view = new DataView(bytes.buffer);
          for (let end = n + 1; end < bytes.length; end++) {
            if (readUtf8(bytes, view, 0, end) !== null) fail(`accepted ${end} of`, bytes);
          }
          if (readUtf8(bytes, view, 0, bytes.length) !== "a".repeat(n) + char) fail("refused", bytes);
        }
      }
      expect(readUtf8(new Uint8Array([0xe6, 0x97, 0xa5]), new DataView(new ArrayBuffer(3)), 0, 2)).toBe(null);
    });

    test("keeps U+FEFF at every position", () => {
      for (const n of [0, 1, 20, 24, 25, 150, 300, 1024, 5000]) {
        for (const text of ["\ufeff" + "a".repeat(n), "a".repeat(n) + "\ufeff", "\ufeff\ufeff" + "日".repeat(n)]) {
          expect(readBoth(encoder.encode(text)) === text).toBe(true);
        }
      }
    });

    test("random bytes: rejected or decoded as by TextDecoder", () => {
      const random = randomSource(20_26);
      const leads = [
        0x20, 0x61, 0x7f, 0x80, 0xbf, 0xc2, 0xc3, 0xdf, 0xe0, 0xe6, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0x9f, 0xa0, 0x8f,
        0x90,
      ];
      const counts = { good: 0, bad: 0 };
      for (let i = 0; i < share(20_000); i++) {
        const bytes = new Uint8Array(random(i % 50 === 0 ? 2000 : 40));
        for (let k = 0; k < bytes.length; k++)
          bytes[k] = random(3) === 0 ? leads[random(leads.length)]! : random(8) === 0 ? random(256) : 0x61;
        const want = oracle(bytes);
        if (readBoth(bytes) !== want) fail("differs from TextDecoder", bytes);
        if (readUtf8Lossy(bytes, 0, bytes.length) !== lossy.decode(bytes)) fail("lossy read differs", bytes);
        if (want === null) counts.bad++;
        else counts.good++;
      }
      expect(counts.good).toBeGreaterThan(share(500));
      expect(counts.bad).toBeGreaterThan(share(500));
    });

    test("all sequences of one and two bytes against TextDecoder", () => {
      for (let a = 0; a < 256; a++) {
        const one = new Uint8Array([a]);
        if (readBoth(one) !== oracle(one)) fail("differs", one);
        for (let b = 0; b < 256; b += stride(1)) {
          const two = new Uint8Array([a, b]);
          const want = oracle(two);
          if (readBoth(two) !== want) fail("differs", two);
          if (unitsByTable(two) !== (want === null ? -1 : want.length)) fail("the table differs", two);
        }
      }
      expect(readBoth(new Uint8Array([0xc3, 0xa9]))).toBe("é");
    });

    test("sampled sequences of three and four bytes, short and at the end of a long text", () => {
      const random = randomSource(7);
      const fillers = [0, 21, 30, 150, 1100].map((n) => "a".repeat(n));
      for (let i = 0; i < share(40_000); i++) {
        const size = 3 + (i & 1);
        // Half of the sequences start with a lead byte of this size, which random bytes rarely produce.
        const first = random(2) === 0 ? random(256) : size === 3 ? 0xe0 + random(16) : 0xf0 + random(8);
        const tail = [
          first,
          ...Array.from({ length: size - 1 }, () => (random(3) === 0 ? random(256) : 0x80 + random(64))),
        ];
        const filler = fillers[i % 20 === 0 ? random(fillers.length) : 0]!;
        const bytes = new Uint8Array([...encoder.encode(filler), ...tail]);
        const want = oracle(bytes);
        if (readBoth(bytes) !== want) fail("differs from TextDecoder", bytes);
        if (unitsByTable(bytes) !== (want === null ? -1 : want.length)) fail("the table differs", bytes);
      }
      expect(unitsByTable([0xe6, 0x97, 0xa5])).toBe(1);
    });

    if (exhaustive && isWhole) {
      test("all sequences of three bytes against the table", () => {
        const bytes = new Uint8Array(3);
        const view = new DataView(bytes.buffer);
        let good = 0;
        for (let n = 0; n < 1 << 24; n++) {
          bytes[0] = n >> 16;
          bytes[1] = (n >> 8) & 255;
          bytes[2] = n & 255;
          const got = readUtf8(bytes, view, 0, 3);
          if ((got === null ? -1 : got.length) !== unitsByTable(bytes)) fail("differs", bytes);
          if (got !== null) good++;
        }
        // 128^3 ASCII; a two-byte character before or after an ASCII one; three-byte characters except surrogates.
        expect(good).toBe(128 ** 3 + 2 * 128 * (0x800 - 0x80) + (0x10000 - 0x800 - 0x800));
      });
    }

    test("every code point, decoded and encoded", () => {
      const bytes = new Uint8Array(12);
      const view = new DataView(bytes.buffer);
      for (let c = 0; c <= 0x10ffff; c += stride(1)) {
        const text = String.fromCodePoint(c);
        const end = writeUtf8(bytes, 0, text);
        if (c >= 0xd800 && c <= 0xdfff) {
          if (end !== -1) fail("a lone surrogate was written", text);
          continue;
        }
        const size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
        if (end !== size || utf8Length(text) !== size) fail(`size of U+${c.toString(16)}`, text);
        if (readUtf8(bytes, view, 0, end) !== text) fail(`U+${c.toString(16)} does not come back`, text);
      }
      expect(writeUtf8(bytes, 0, "\u{10ffff}")).toBe(4);
    });

    test("writes what TextEncoder writes, at every length, into no more than 3 bytes a unit", () => {
      let compared = 0;
      for (const n of LENGTHS) {
        for (const text of texts(n)) {
          const want = encoder.encode(text);
          const pos = n % 4;
          const target = new Uint8Array(pos + text.length * 3 + 8).fill(0xee);
          const end = writeUtf8(target, pos, text);
          if (end !== pos + want.length) fail(`end is ${end}, wanted ${pos + want.length}`, text);
          if (utf8Length(text) !== want.length) fail("utf8Length", text);
          for (let i = 0; i < want.length; i++) if (target[pos + i] !== want[i]) fail(`byte ${i}`, text);
          for (let i = 0; i < pos; i++) if (target[i] !== 0xee) fail("wrote before its place", text);
          for (let i = pos + text.length * 3; i < target.length; i++)
            if (target[i] !== 0xee) fail("wrote beyond its room", text);
          compared++;
        }
      }
      expect(compared).toBeGreaterThan(share(8000));
    });

    test("a buffer of exactly 3 bytes a unit is enough", () => {
      for (const n of [0, 1, 27, 28, 29, 40, 41, 100, 4096, 4097, 5000]) {
        for (const text of ["日".repeat(n), "a".repeat(n), "😀".repeat(n >> 1), "aé日".repeat(n / 3)]) {
          const target = new Uint8Array(text.length * 3);
          expect(writeUtf8(target, 0, text)).toBe(encoder.encode(text).length);
        }
      }
    });

    test("rejects lone surrogates at every position", () => {
      const lone = ["\ud800", "\udbff", "\udc00", "\udfff", "\udc00\ud800", "\ud800\ud800", "\ud83d\ud83d\ude00"];
      let refused = 0;
      for (const n of [0, 1, 2, 5, 26, 27, 28, 29, 30, 39, 40, 41, 42, 64, 200, 4094, 4095, 4096, 4097, 4100, 9000]) {
        for (const unit of ["a", "é", "日", "😀", "a日"]) {
          const filler = unit.repeat(Math.ceil(n / unit.length));
          const target = new Uint8Array((filler.length + 3) * 3);
          const places =
            n < 45
              ? Array.from({ length: Math.ceil(n / unit.length) + 1 }, (_, i) => i * unit.length)
              : [0, unit.length, filler.length];
          for (const place of places) {
            for (const bad of lone) {
              const text = filler.slice(0, place) + bad + filler.slice(place);
              if (writeUtf8(target, 0, text) !== -1) fail(`accepted at ${place}`, text);
              if (utf8Length(text) !== encoder.encode(text).length) fail("utf8Length", text);
              if (toWellFormed(text) !== text.toWellFormed()) fail("toWellFormed", text);
              refused++;
            }
          }
          if (writeUtf8(target, 0, filler) !== encoder.encode(filler).length) fail("refused a good one", filler);
        }
      }
      expect(refused).toBeGreaterThan(5000);
    });

    test("toWellFormed returns well-formed text unchanged", () => {
      for (const text of ["", "a", "日", "😀", "😀😀", "a😀b"]) expect(toWellFormed(text)).toBe(text);
      expect(toWellFormed("\ud83d\ud83d\ude00\ude00")).toBe("\ufffd😀\ufffd");
    });
  });
}
