// Bytes explained to the bit, names of bytes, and text that hides nothing. The oracle is the library that has written the bytes.
import { diagnose, Extension, encode, Timestamp } from "moonpack";
import { describe, expect, it } from "vitest";
import { inspect } from "../src/playground/bytes/inspector.ts";
import { partsOf } from "../src/playground/bytes/parts.ts";
import { protobufParts } from "../src/playground/bytes/protobuf-parts.ts";
import { DEFAULT_SETTINGS } from "../src/playground/bytes/settings.ts";
import { shownText } from "../src/playground/shared/shown.ts";

const of = (...bytes: number[]) => Uint8Array.from(bytes);
const shown = (parts: ReturnType<typeof partsOf>) => parts.map(({ digits, text }) => `${digits}: ${text}`);
const texts = (bytes: Uint8Array) => shown(partsOf(bytes, 0, bytes.length));
const malformed = (bytes: Uint8Array) => shown(partsOf(bytes, 0, bytes.length, true));

async function read(bytes: Uint8Array<ArrayBuffer>) {
  return inspect({ bytes, from: "bytes" }, DEFAULT_SETTINGS, () => {}, new AbortController().signal);
}

describe("the bytes of an item", () => {
  it("are explained to the bit", () => {
    expect(texts(of(0xcd, 0x12, 0x67))).toEqual(["cd: uint 16", "12 67: 0x1267 = 18 × 256 + 103 = 4,711"]);
    expect(texts(of(7))).toEqual(["0 0000111: positive fixint: 7"]);
    expect(texts(of(0xfd))).toEqual(["111 11101: negative fixint: 29 − 32 = −3"]);
    expect(texts(of(0x82))).toEqual(["1000 0010: fixmap: 2 pairs"]);
    expect(texts(of(0xa1, 0x61))).toEqual(["101 00001: fixstr: text of 1 byte", "61: its text in UTF-8"]);
    expect(texts(of(0xd1, 0xff, 0x85))).toEqual([
      "d1: int 16",
      "ff 85: 255 × 256 + 133 = 65,413; its first bit is 1, so 2^16 is taken off: −123",
    ]);
    expect(texts(encode(0.1))).toEqual([
      "cb: float 64",
      "3f b9 99 99 99 99 99 9a: sign 0 (+), exponent 01111111011 = 1,019 − 1,023 = −4, fraction 1.6: 1.6 × 2^−4 = 0.1",
    ]);
    expect(texts(of(0xc0))).toEqual(["c0: nil"]);
    expect(texts(of(0xd6, 0xff, 0, 0, 0, 9))).toEqual([
      "d6: fixext 4",
      "ff: type −1: timestamp",
      "00 00 00 09: 9 seconds since 1970",
    ]);
    expect(texts(encode(new Timestamp(1_700_000_000, 5)))[2]).toMatch(/30 bits: 5 nanoseconds.*1,700,000,000 seconds/);
    expect(texts(encode(new Timestamp(-1, 5))).slice(2)).toEqual([
      "ff: type −1: timestamp",
      "00 00 00 05: 5 nanoseconds",
      "ff ff ff ff ff ff ff ff: −1 seconds since 1970",
    ]);
  });

  it("of malformed text are the well-formed ones, the malformed character, and the rest", () => {
    const cut = "the start of a character of 2 bytes, but the text ends here";
    expect(malformed(of(0xa3, 0x5a, 0x6f, 0xc3))).toEqual([
      "101 00011: fixstr: text of 3 bytes",
      "5a 6f: its text in UTF-8",
      `c3: ${cut}`,
    ]);
    expect(malformed(of(0xa2, 0xe2, 0x82))[1]).toBe(`e2 82: ${cut.replace("2", "3")}`);
    expect(malformed(of(0xa4, 0x5a, 0xe2, 0x82, 0x28)).slice(1)).toEqual([
      "5a: its text in UTF-8",
      "e2 82: the start of a character, but the next byte does not continue it",
      "28: the rest of its text",
    ]);
    for (const byte of [0x80, 0xff, 0xc0]) {
      const [, one, rest] = malformed(of(0xa2, byte, 0x61));
      expect([one, rest]).toEqual([
        `${byte.toString(16)}: malformed: no character begins here`,
        "61: the rest of its text",
      ]);
    }
  });

  it("of long malformed text are found wherever the malformed character is", () => {
    for (const at of [0, 65_535, 65_536, 65_537, 100_000, 199_999]) {
      const bytes = new Uint8Array(200_005).fill(0x61);
      bytes.set([0xdb, 0, 3, 0x0d, 0x40]);
      for (let i = 5; i + 1 < at; i += 2) bytes.set([0xc3, 0xab], i);
      bytes[5 + at] = 0xff;
      const parts = partsOf(bytes, 0, bytes.length, true);
      expect(parts.map(({ from }) => from)).toContain(5 + at);
      expect(parts.at(-1)!.to).toBe(bytes.length);
    }
  });

  it("of malformed text are explained in the tree, too", async () => {
    const inspector = await read(of(0xa3, 0x5a, 0x6f, 0xc3));
    expect(inspector.row(0).parts).toHaveLength(3);
  });

  it("of floats end with the float, whatever it is", () => {
    for (const value of [1.5, -2.25, 5e-324, -0, Infinity, -Infinity, 1e300, 2 ** -1022, 0.1 + 0.2]) {
      const bytes = of(0xcb, ...new Uint8Array(8));
      new DataView(bytes.buffer).setFloat64(1, value);
      const said = String(Object.is(value, -0) ? "-0" : value).replaceAll("-", "−");
      expect(texts(bytes)[1]!.endsWith(` ${said}`), texts(bytes)[1]).toBe(true);
    }
    expect(texts(of(0xca, 0x7f, 0xc0, 0, 0))[1]).toContain("not a number");
  });

  it("are all explained, each once, with the value that the library reads", () => {
    const values: unknown[] = [null, true, false, new Extension(5, of(1, 2, 3)), new Extension(-3, of(1))];
    for (let bits = 0; bits < 63; bits++) values.push(2n ** BigInt(bits), -(2n ** BigInt(bits)), 2 ** bits + 0.5);
    for (const n of [0, 15, 16, 31, 32, 255, 256, 65_536])
      values.push("x".repeat(n), new Uint8Array(n), Array(n).fill(0));
    for (const value of values) {
      const bytes = encode(value);
      const [item] = diagnose(bytes);
      const parts = partsOf(bytes, 0, item!.end);
      expect(parts[0]!.from).toBe(0);
      expect(parts.at(-1)!.to).toBe(item!.end);
      for (const [index, part] of parts.entries()) expect(part.from).toBe(parts[index - 1]?.to ?? 0);
      if (typeof value === "bigint") {
        const [number] = /[−\d,]+$/.exec(parts.at(-1)!.text) ?? [];
        expect(BigInt(number!.replaceAll(",", "").replace("−", "-"))).toBe(value);
      }
      if (Array.isArray(value) && value.length > 15)
        expect(parts[1]!.text.endsWith(value.length.toLocaleString("en"))).toBe(true);
    }
  });

  it("of a field of Protobuf are its tag and its number", () => {
    const field = (...bytes: number[]) =>
      protobufParts(of(...bytes), 0, bytes.length).map(({ digits, text }) => `${digits}: ${text}`);
    expect(field(0x08, 0x96, 0x01)).toEqual([
      "00001 000: tag: field 1, wire type 0, a varint",
      "96 01: 22 + 1 × 2^7 = 150",
    ]);
    expect(field(0x12, 1, 0x61)).toEqual([
      "00010 010: tag: field 2, wire type 2, bytes with a length",
      "01: length: 1",
      "61: its content",
    ]);
    expect(field()).toEqual([]);
  });

  it("belong to the row, after the bytes of its key", async () => {
    const inspector = await read(encode({ a: 4711 }));
    expect(inspector.rows(1, 2)[0]!.parts.map(({ from, digits }) => [from, digits])).toEqual([
      [1, "101 00001"],
      [2, "61"],
      [3, "cd"],
      [4, "12 67"],
    ]);
    const broken = await read(of(0x91, 0xc1));
    expect(broken.rows(1, 2)[0]!.parts).toEqual([]);
  });
});

describe("bytes", () => {
  it("have a name with their meaning", async () => {
    const inspector = await read(encode({ a: [1, "x"] }));
    expect(inspector.names(1, 7)).toEqual([
      { from: 1, to: 3, name: 'key in $, fixstr, "a"' },
      { from: 3, to: 4, name: "$.a, fixarray, array of 2" },
      { from: 4, to: 5, name: "$.a[0], positive fixint, 1" },
      { from: 5, to: 7, name: '$.a[1], fixstr, "x"' },
    ]);
  });
});

describe("bytes in deep input", () => {
  it("have short names", async () => {
    const inspector = await read(Uint8Array.of(...Array<number>(400).fill(0x91), 1));
    const [name] = inspector.names(400, 401);
    expect(name!.name).toMatch(/^\.\.[[\]0]{40}, positive fixint, 1$/);
  });
});

describe("text of others", () => {
  it("shows marks of direction and controls as escapes, and words as they are", () => {
    expect(shownText("a\u202eb\u2066c\u200f\u061c")).toBe("a\\u202eb\\u2066c\\u200f\\u061c");
    expect(shownText("\u0000\u0007\u007f\u0085\u2028\ufeff\u{e0041}\ud800")).toBe(
      "\\u0000\\u0007\\u007f\\u0085\\u2028\\ufeff\\u{e0041}\\ud800",
    );
    for (const plain of ["Zoë", "日本語", "שלום", "👨‍👩‍👧", "می‌خواهم", '"quoted"'])
      expect(shownText(plain)).toBe(plain);
  });

  it("hides nothing in the rows of the tree", async () => {
    const inspector = await read(encode({ "k\u202e": "v\u2067\u009b" }));
    const [, row] = inspector.rows(0, 9);
    expect(JSON.stringify([row, inspector.names(0, 9)])).not.toMatch(/[\u202e\u2067\u009b]/);
    expect(row).toMatchObject({ meaning: '"v\\u2067\\u009b"' });
    expect(row!.label).toContain("k\\u202e");
  });

  it("does not shift the labels below it", async () => {
    const inspector = await read(encode({ "k\u202e": { inner: [7] } }));
    expect(inspector.rows(0, 9).map(({ label }) => label)).toEqual(["", '["k\\u202e"]', "inner", "[0]"]);
  });
});
