// Texts that readers paste: bytes as programs print them. The oracle is the program that prints, or the bytes themselves.
import { spawnSync } from "node:child_process";
import { inspect } from "node:util";
import { encode } from "moonpack";
import { describe, expect, it } from "vitest";
import { inspect as inspectBytes } from "../src/playground/bytes/inspector.ts";
import { DEFAULT_SETTINGS } from "../src/playground/bytes/settings.ts";
import { bytesOf } from "../src/playground/bytes/source.ts";
import { bytesOfText, type TextForm } from "../src/playground/bytes/text-input.ts";

const read = (text: string, form?: TextForm) => bytesOfText(text, form);

/** Bytes of a simple generator with a seed. */
function randomBytes(seed: number, length: number): Uint8Array<ArrayBuffer> {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
}

const hex = (byte: number) => byte.toString(16).padStart(2, "0");
const characters = (bytes: readonly number[]) =>
  bytes.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".")).join("");

function lines(bytes: Uint8Array, make: (offset: string, part: number[]) => string): string {
  const all: string[] = [];
  for (let at = 0; at < bytes.length; at += 16)
    all.push(make(at.toString(16).padStart(8, "0"), [...bytes.subarray(at, at + 16)]));
  return all.join("\n");
}

const xxd = (bytes: Uint8Array) =>
  lines(bytes, (offset, part) => {
    const digits = part.map((byte, index) => hex(byte) + (index % 2 === 1 ? " " : "")).join("");
    return `${offset}: ${digits.trimEnd().padEnd(39)}  ${characters(part)}`;
  });

const hexdump = (bytes: Uint8Array) =>
  `${lines(bytes, (offset, part) => {
    const digits = part.map((byte, index) => hex(byte) + (index === 7 ? "  " : " ")).join("");
    return `${offset}  ${digits.padEnd(50)}|${characters(part)}|`;
  })}\n${bytes.length.toString(16).padStart(8, "0")}\n`;

const python = (bytes: Uint8Array) =>
  `b'${[...bytes].map((byte) => (byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c ? String.fromCharCode(byte) : `\\x${hex(byte)}`)).join("")}'`;

describe("printed bytes", () => {
  it("of every form are read, whatever is in them", () => {
    for (let seed = 1; seed <= 200; seed++) {
      const bytes = randomBytes(seed, 1 + (seed % 45));
      const array = [...bytes];
      const forms: readonly (readonly [TextForm, string])[] = [
        ["buffer", inspect(Buffer.from(bytes))],
        ["decimals", inspect(bytes, { maxArrayLength: null })],
        ["decimals", `new Uint8Array([${array.join(", ")}])`],
        ["decimals", `Buffer.from([${array.join(",")}]);`],
        ["decimals", `Uint8Array.of(${array.map((byte) => `0x${hex(byte)}`).join(", ")})`],
        [
          "decimals",
          `Uint8Array(${array.length}) [${array.join(", ")}, buffer: ArrayBuffer(${array.length}), byteLength: 9]`,
        ],
        ["decimals", inspect(Int8Array.from(bytes))],
        ["dump", xxd(bytes)],
        ["dump", hexdump(bytes)],
        ["python", python(bytes)],
        ["python", `bytearray(${python(bytes)})`],
        ["url", `data:application/octet-stream;base64,${Buffer.from(bytes).toString("base64")}`],
        ["url", `data:,${array.map((byte) => `%${hex(byte)}`).join("")}`],
      ];
      for (const [form, text] of forms) expect(read(text), text).toEqual({ form, bytes });
    }
  });

  it("of xxd and Python themselves are read, where they are installed", () => {
    const bytes = randomBytes(9, 300);
    const xxdText = spawnSync("xxd", [], { input: bytes, encoding: "utf8" }).stdout;
    const hexdumpText = spawnSync("hexdump", ["-C"], { input: bytes, encoding: "utf8" }).stdout;
    const pythonText = spawnSync("python3", ["-c", "import sys; print(sys.stdin.buffer.read())"], {
      input: bytes,
      encoding: "utf8",
    }).stdout;
    for (const text of [xxdText, hexdumpText, pythonText]) if (text) expect(read(`\n${text}`).bytes).toEqual(bytes);
  });

  it("that the program has shortened say how many are missing", () => {
    const bytes = randomBytes(3, 150);
    expect(read(inspect(Buffer.from(bytes)))).toEqual({ form: "buffer", bytes: bytes.subarray(0, 50), missing: 100 });
    expect(read(inspect(bytes))).toEqual({ form: "decimals", bytes: bytes.subarray(0, 100), missing: 50 });
    expect(read("Uint8Array(300) [ 1, 2, … ]")).toEqual({
      form: "decimals",
      bytes: Uint8Array.of(1, 2),
      missing: "some",
    });
  });

  it("are decimals if a number cannot be two hexadecimal digits, else hexadecimal unless a form is chosen", () => {
    expect(read("130, 162, 97, 1")).toEqual({ form: "decimals", bytes: Uint8Array.of(130, 162, 97, 1) });
    expect(read("-126 -94 97 1").bytes).toEqual(Uint8Array.of(130, 162, 97, 1));
    expect(read("12 34")).toEqual({ form: "hex", bytes: Uint8Array.of(0x12, 0x34) });
    expect(read("12 34", "decimals").bytes).toEqual(Uint8Array.of(12, 34));
    expect(read("12 345 1").form).not.toBe("decimals");
    expect(read("[130, 162]").form).toBe("json");
    expect(read("[130, 162]", "decimals").bytes).toEqual(Uint8Array.of(130, 162));
    expect(read("5").form).toBe("json");
  });

  it("of Python have its escapes", () => {
    expect(read(String.raw`b"\n\r\t\a\b\f\v\\\'\"\0\101\q"`).bytes).toEqual(
      Uint8Array.of(10, 13, 9, 7, 8, 12, 11, 0x5c, 0x27, 0x22, 0, 65, 0x5c, 0x71),
    );
    expect(read("(b'\\x82'\n b'\\xa2id')").bytes).toEqual(Uint8Array.of(0x82, 0xa2, 0x69, 0x64));
    expect(read("rb'\\x'").bytes).toEqual(Uint8Array.of(0x5c, 0x78));
  });

  it("of a dump may leave out repeated lines", () => {
    const bytes = new Uint8Array(1024).fill(7);
    const first = hexdump(bytes).split("\n", 1)[0]!;
    expect(read(`${first}\n*\n00000400\n`).bytes).toEqual(bytes);
    expect(read("00000100: 82a2 6964                                ..id").bytes).toEqual(
      Uint8Array.of(0x82, 0xa2, 0x69, 0x64),
    );
  });
});

describe("lines of JSON", () => {
  it("are messages, also when they are pasted", async () => {
    const text = '{"a":1}\n\n[2]\r\n3\n';
    const bytes = Uint8Array.of(...encode({ a: 1 }), ...encode([2]), 3);
    expect(read(text)).toEqual({ form: "ndjson", bytes });
    const source = await bytesOf({ kind: "text", text });
    const found = await inspectBytes(source, DEFAULT_SETTINGS, () => {}, new AbortController().signal);
    expect(found.summary).toMatchObject({ from: "ndjson", items: 6 });
    expect(found.summary.fault).toBeUndefined();
  });

  it("are not JSON of several lines", () => {
    expect(read('{\n"a": 1\n}')).toEqual({ form: "json", bytes: encode({ a: 1 }) });
    expect(read("[\n1\n]").form).toBe("json");
  });

  it("name the broken line", () => {
    expect(() => read('{"a":1}\n{"a":')).toThrow("Line 2: ");
  });
});

describe("data URLs", () => {
  it("of JSON are values, others are bytes", () => {
    expect(read('data:application/json,{"a":1}').bytes).toEqual(encode({ a: 1 }));
    expect(read("data:application/ld+json;charset=utf-8;base64,eyJhIjoxfQ==").bytes).toEqual(encode({ a: 1 }));
    expect(read("data:image/png;base64,iVBORw0KGgo=").bytes).toEqual(Uint8Array.of(0x89, 80, 78, 71, 13, 10, 26, 10));
    expect(read("data:text/plain,50%%zz%41").bytes).toEqual(Uint8Array.from(Buffer.from("50%%zzA")));
  });
});

describe("files that are no format of ours", () => {
  it("are named, in whichever form they come", async () => {
    const look = async (text: string) => {
      const source = await bytesOf({ kind: "text", text });
      return (await inspectBytes(source, DEFAULT_SETTINGS, () => {}, new AbortController().signal)).summary.look;
    };
    expect(await look("data:image/png;base64,iVBORw0KGgo=")).toBe("a PNG picture");
    expect(await look("<Buffer 1f 8b 08 00 00 00>")).toBe("data in gzip: decompress them first");
    expect(await look("<Buffer 82 a1>")).toBeUndefined();
  });
});

describe("hostile text", () => {
  it("is refused with its reason", () => {
    for (const [text, reason] of [
      ["<Buffer 8", "not a Buffer"],
      ["<Buffer 82 a>", "not a Buffer"],
      ["<Buffer 82 ... >", "not a Buffer"],
      ["Uint8Array(2) [ 1, 256 ]", "256 is none of 0 to 255"],
      ["Uint8Array(2) [ 1, __proto__ ]", "__proto__ is none of 0 to 255"],
      ["b'\\x8'", "needs two digits"],
      ["b'é'", "ASCII alone"],
      ["b'ab", "no ' at its end"],
      ["b'ab' x", "must begin at character 7"],
      ["data:;base64,???", "not base64"],
      ["00000000: 8281\n00000004: 82", "a line is missing"],
      ["00000000: 8281\nx", "Line 2 is not a line"],
      ["00000000: 8281\n*\nffffffff", "more than"],
      ["0000000 a282 6469", "hexdump -C"],
    ] as const)
      expect(() => read(text), text).toThrow(reason);
    expect(() => read("x", "url")).toThrow("not a data URL");
    expect(() => read("*", "dump")).toThrow("begins with *");
  });

  it("takes time linear in its length", () => {
    const many = 200_000;
    const texts = [
      `<Buffer${" ".repeat(many)}`,
      `Uint8Array(${" ".repeat(many)}`,
      `Uint8Array(1) [${"]".repeat(many)}x`,
      `${"1 ".repeat(many)}x`,
      `b'${"\\".repeat(many)}`,
      `${" ".repeat(many)}b`,
      `00000000: ${"82 ".repeat(many)}|`,
      `00000000  ${" ".repeat(many)}`,
      `data:${",".repeat(many)}`,
      `{}\n${" \n".repeat(many)}`,
      `${"(".repeat(many)}b''`,
    ];
    for (const text of texts) {
      const begun = performance.now();
      try {
        read(text);
      } catch {}
      expect(performance.now() - begun, text.slice(0, 20)).toBeLessThan(1000);
    }
  });
});
