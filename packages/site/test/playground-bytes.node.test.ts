// The first tab without its page: what texts are, items and rows, what is broken, and the forms that are copied.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codec, encodeContainer, schema, u8, utf8 } from "@moonpack/pck";
import { Writer } from "@moonpack/protobuf";
import { diagnose, Extension, encode, Timestamp } from "moonpack";
import { describe, expect, it } from "vitest";
import { detectFormat } from "../src/playground/bytes/formats.ts";
import { fromHex, toHex } from "../src/playground/bytes/hex.ts";
import { type Inspector, inspect } from "../src/playground/bytes/inspector.ts";
import { ItemStore } from "../src/playground/bytes/item-store.ts";
import { MsgpackTexts } from "../src/playground/bytes/msgpack-texts.ts";
import { DEFAULT_SETTINGS, type ReadSettings } from "../src/playground/bytes/settings.ts";
import { bytesOf, MAX_BYTES, tooLarge } from "../src/playground/bytes/source.ts";
import { bytesOfText } from "../src/playground/bytes/text-input.ts";
import { jsonText } from "../src/playground/bytes/typed-json.ts";
import { fromBase64, toBase64 } from "../src/playground/shared/base64.ts";
import { root } from "../src/repository.ts";

function read(bytes: Uint8Array<ArrayBuffer>, settings: Partial<ReadSettings> = {}): Promise<Inspector> {
  const all = { ...DEFAULT_SETTINGS, ...settings };
  return inspect({ bytes, from: "bytes" }, all, () => {}, new AbortController().signal);
}

const WITH_ALL = new Map<unknown, unknown>([
  ["name", "Ada"],
  ["list", [1, -1, 2.5, null, true]],
  ["big", 2n ** 63n],
  ["bytes", Uint8Array.of(1, 2, 255)],
  ["when", new Timestamp(1_700_000_000, 123_000_000)],
  ["extension", new Extension(7, Uint8Array.of(9))],
  [
    "odd",
    new Map<unknown, unknown>([
      [1, "one"],
      [[2], "list as key"],
    ]),
  ],
  ["form", new Map([["$bin", 1]])],
  ["a b", { "": [] }],
]);

describe("text", () => {
  it("is JSON, hexadecimal or base64, as it looks", () => {
    expect(bytesOfText('{"a":1}', undefined)).toEqual({ form: "json", bytes: encode({ a: 1 }) });
    expect(bytesOfText("82 a1 61 01", undefined)).toEqual({ form: "hex", bytes: Uint8Array.of(0x82, 0xa1, 0x61, 1) });
    expect(bytesOfText("0x82, 0xA1", undefined).bytes).toEqual(Uint8Array.of(0x82, 0xa1));
    expect(bytesOfText("\\x82\\xa1", undefined).bytes).toEqual(Uint8Array.of(0x82, 0xa1));
    expect(bytesOfText("gaFhAQ==", undefined)).toEqual({ form: "base64", bytes: Uint8Array.of(0x81, 0xa1, 0x61, 1) });
    expect(bytesOfText("gaFh_-8", undefined).bytes).toEqual(Uint8Array.of(0x81, 0xa1, 0x61, 0xff, 0xef));
    expect(bytesOfText("true", undefined).form).toBe("json");
    expect(bytesOfText("12", "json").bytes).toEqual(Uint8Array.of(12));
  });

  it("says what is wrong", () => {
    expect(() => bytesOfText("  ", undefined)).toThrow("The input is empty");
    expect(() => bytesOfText("8", "hex")).toThrow("even number");
    expect(() => bytesOfText("a", "base64")).toThrow("not base64");
    expect(() => bytesOfText('{"a":', undefined)).toThrow();
    expect(() => bytesOfText("[18446744073709551616]", undefined)).toThrow("does not fit in 64 bits");
  });

  it("keeps integers of 64 bits", () => {
    expect(bytesOfText("[9007199254740993]", undefined).bytes).toEqual(encode([9007199254740993n]));
  });

  it("is read back from what is copied", () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7) & 255);
    expect(fromHex(toHex(bytes))).toEqual(bytes);
    expect(fromBase64(toBase64(bytes))).toEqual(bytes);
    expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
  });
});

describe("files", () => {
  const file = (name: string, content: Uint8Array<ArrayBuffer> | string) => ({
    kind: "file" as const,
    file: new File([content], name),
  });

  it("are read by their names, and by what begins like JSON", async () => {
    expect((await bytesOf(file("a.json", '{"a":1}'))).bytes).toEqual(encode({ a: 1 }));
    expect(await bytesOf(file("a.ndjson", '{"a":1}\n\n2\n'))).toEqual({
      from: "ndjson",
      bytes: Uint8Array.of(...encode({ a: 1 }), 2),
    });
    expect((await bytesOf(file("a.txt", "82a1"))).from).toBe("hex");
    expect((await bytesOf(file("a", "[1]"))).from).toBe("json");
    expect((await bytesOf(file("a", Uint8Array.of(0x7b, 1)))).from).toBe("bytes");
    await expect(bytesOf(file("a", ""))).rejects.toThrow("empty");
  });

  it("that are too large lead to the command line", () => {
    expect(tooLarge({ name: "a.msgpack", size: MAX_BYTES })).toBeUndefined();
    const text = tooLarge({ name: "it's.bin", size: MAX_BYTES + 1 });
    expect(text).toContain("npx @moonpack/cli inspect 'it'\\''s.bin'");
    expect(text).toContain("npx @moonpack/cli convert");
  });
});

describe("items of MessagePack", () => {
  it("have the texts of the library's dump, made again from their bytes", () => {
    const bytes = encode(WITH_ALL);
    const store = new ItemStore(false);
    const dump = [...diagnose(bytes)];
    for (const item of dump) store.add(item);
    store.finish();
    const texts = new MsgpackTexts(store, bytes, false);
    for (const [item, { path, format, meaning }] of dump.entries())
      expect(texts.of(item)).toEqual({ path, format, meaning });
  });

  it("of a sequence have the number of their message", async () => {
    const inspector = await read(Uint8Array.of(1, 0x91, 2, 3), { sequence: true });
    expect(inspector.rows(0, 9).map(({ path }) => path)).toEqual(["$[0]", "$[1]", "$[1][0]", "$[2]"]);
  });

  it("are rows with their keys, and bytes lead to them", async () => {
    const inspector = await read(encode({ a: [1, { b: 2 }], c: "x" }));
    const rows = inspector.rows(0, 99);
    expect(rows.map(({ label, meaning, level }) => [level, label, meaning])).toEqual([
      [1, "", "map of 2"],
      [2, "a", "array of 2"],
      [3, "[0]", "1"],
      [3, "[1]", "map of 1"],
      [4, "b", "2"],
      [2, "c", '"x"'],
    ]);
    expect(rows[1]).toMatchObject({ from: 1, offset: 3, end: 4, spanEnd: 9, isOpen: true });
    // The key of `c` belongs to the row of its value.
    expect(inspector.at(9)).toMatchObject({ index: 5, row: { path: "$.c" } });
    expect(inspector.at(8)).toMatchObject({ row: { path: "$.a[1].b" } });
    expect(inspector.at(99)).toBeUndefined();
    expect(inspector.around(inspector.at(8)!.row.item)).toMatchObject({ row: { path: "$.a[1]" } });
  });

  it("are hidden and shown with what is around them", async () => {
    const inspector = await read(encode({ a: [1, [2]], c: 3 }));
    const list = inspector.rows(1, 2)[0]!;
    expect(inspector.open(list.item, false)).toBe(3);
    const at = inspector.at(5)!;
    expect(at.row.path).toBe("$.a[1]");
    expect(at.index).toBe(1);
    expect(inspector.reveal(at.row.item)).toEqual({ index: 3, rows: 6 });
  });

  it("are many: a level that is too long is closed at first", async () => {
    const inspector = await read(encode(Array.from({ length: 100 }, (_, index) => Array(100).fill(index))));
    expect(inspector.summary.rows).toBe(101);
    expect(inspector.summary.items).toBe(10_101);
  });
});

describe("broken input", () => {
  it("is shown up to the break, with code and offset", async () => {
    const inspector = await read(Uint8Array.of(0x93, 1, 2, 0xc1));
    expect(inspector.summary.fault).toMatchObject({ code: "ERR_INVALID_BYTE", offset: 3 });
    expect(inspector.rows(0, 9).map(({ format }) => format)).toEqual([
      "fixarray",
      "positive fixint",
      "positive fixint",
      "broken",
    ]);
    expect(inspector.rows(3, 4)[0]).toMatchObject({ isFault: true, from: 3 });
  });

  it("that is nested 100,000 deep, or a bomb of arrays, ends at the limit", async () => {
    for (const bytes of [
      new Uint8Array(100_000).fill(0x91),
      new Uint8Array(72 * 1024).map((_, i) => (i % 3 ? 0xff : 0xdc)),
    ]) {
      const { summary } = await read(bytes);
      expect(summary.fault?.code).toBe("ERR_LIMIT_DEPTH");
      expect(summary.refusal?.code).toMatch(/^ERR_(?:LIMIT_DEPTH|TRUNCATED)$/);
      expect(summary.items).toBe(513);
    }
  });

  it("may be refused by the decoder's options alone", async () => {
    const loose = Uint8Array.of(0xcc, 1);
    expect((await read(loose)).summary.refusal).toBeUndefined();
    const { summary } = await read(loose, { decode: { ...DEFAULT_SETTINGS.decode, strict: true } });
    expect(summary.refusal).toMatchObject({ code: "ERR_NOT_SHORTEST", offset: 0 });
    expect(summary.fault).toBeUndefined();
  });

  it("stops when it is cancelled", async () => {
    const controller = new AbortController();
    const bytes = encode(Array(2_000_000).fill(1));
    const source = { bytes, from: "bytes" } as const;
    const reading = inspect(source, DEFAULT_SETTINGS, () => controller.abort(), controller.signal);
    await expect(reading).rejects.toMatchObject({ code: "ERR_ABORTED" });
  });
});

describe("PCK containers", () => {
  it("are known by their beginning, and explain themselves", async () => {
    const Point = schema("Point", u8("x"), utf8("name"));
    const bytes = encodeContainer(Point, [
      { x: 1, name: "a" },
      { x: 2, name: "b" },
    ]);
    const inspector = await read(bytes);
    expect(inspector.summary.format).toBe("pck");
    expect(inspector.rows(0, 99).map(({ label }) => label)).toContain("x");
    expect(JSON.parse(await inspector.copy("json", undefined))).toEqual([
      { x: 1, name: "a" },
      { x: 2, name: "b" },
    ]);
    const broken = await read(bytes.slice(0, -1));
    expect(broken.summary.fault?.code).toBe("ERR_TRUNCATED");
    expect(codec(Point).decode(Uint8Array.of(1, 1, 97))).toEqual({ x: 1, name: "a" });
  });
});

describe("Protobuf without its schema", () => {
  const message = () =>
    new Writer()
      .uint32(8)
      .int32(150)
      .uint32(18)
      .string("testing")
      .uint32(26)
      .fork()
      .uint32(8)
      .int32(-1)
      .uint32(21)
      .float(1.5)
      .ldelim()
      .uint32(34)
      .bytes(Uint8Array.of(3, 0x8e, 2, 0x9e, 0xa7, 5))
      .uint32(41)
      .double(2.5)
      .uint32(18)
      .string("again")
      .finish() as Uint8Array<ArrayBuffer>;

  it("is found, and guesses say that they are guesses", async () => {
    const inspector = await read(message());
    expect(inspector.summary.format).toBe("protobuf");
    expect(inspector.rows(0, 99).map(({ path, format, meaning }) => [path, format, meaning])).toEqual([
      ["$", "message", `${message().length} bytes`],
      ["$.1", "varint", "150, or sint 75"],
      ["$.2", "length", 'perhaps text: "testing"'],
      ["$.3", "length", expect.stringContaining("perhaps a message")],
      ["$.3.1", "varint", "18446744073709551615, or int -1, sint -9223372036854775808"],
      ["$.3.2", "32 bits", expect.stringContaining("float 1.5, or fixed")],
      ["$.4", "length", "6 bytes: 03 8e 02 9e a7 05; perhaps packed numbers: 3, 270, 86942"],
      ["$.5", "64 bits", expect.stringContaining("double 2.5")],
      ["$.2[1]", "length", 'perhaps text: "again"'],
    ]);
    expect(inspector.summary.fault).toBeUndefined();
    await expect(inspector.copy("json", undefined)).rejects.toThrow("without its schema");
  });

  it("shows groups, and where it breaks", async () => {
    const group = await read(Uint8Array.of(0x0b, 0x10, 1, 0x0c), { format: "protobuf" });
    expect(group.rows(0, 9).map(({ format }) => format)).toEqual(["message", "group", "varint", "end of group"]);
    for (const [bytes, code] of [
      [[0x0b, 0x10, 1], "ERR_TRUNCATED"],
      [[0x0c], "ERR_INVALID_BYTE"],
      [[0x0e], "ERR_INVALID_BYTE"],
      [[0x08], "ERR_TRUNCATED"],
      [[0x12, 5, 1], "ERR_TRUNCATED"],
      [[0x00, 1], "ERR_INVALID_BYTE"],
      [Array(1000).fill(0x0b), "ERR_LIMIT_DEPTH"],
    ] as const) {
      const { summary } = await read(Uint8Array.from(bytes), { format: "protobuf" });
      expect(summary.fault?.code, String(bytes.slice(0, 4))).toBe(code);
    }
  });

  it("is not looked into for ever: lengths in lengths in lengths", async () => {
    let bytes = Uint8Array.of(8, 1);
    for (let level = 0; level < 2000; level++) bytes = new Writer().uint32(10).bytes(bytes).finish() as typeof bytes;
    const { summary } = await read(bytes, { format: "protobuf" });
    expect(summary.fault).toBeUndefined();
    expect(summary.items).toBeLessThan(70);
  });

  it("is not what plain MessagePack is", () => {
    for (const value of [{ a: 1 }, [1, 2], "text", 5, null]) expect(detectFormat(encode(value))).toBe("msgpack");
    expect(detectFormat(new Uint8Array(0))).toBe("msgpack");
  });
});

describe("sizes", () => {
  it("equal the sizes of the command line", async () => {
    const bytes = encode({ users: [{ name: "Ada", tags: ["a"] }, { name: "Bob" }], odd: new Map([[1, 2]]) });
    const { summary } = await read(bytes);
    const ours: unknown[] = [];
    const visit = ({ path, size, count, parts }: typeof summary.sizes) => {
      ours.push({ path, size, count });
      parts.forEach(visit);
    };
    visit(summary.sizes);
    const theirs = command(["inspect", "--sizes", "--json", "-"], bytes)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    expect(ours).toHaveLength(theirs.length);
    for (const one of theirs) expect(ours).toContainEqual(one);
  });
});

describe("sizes of many paths", () => {
  it("have only the largest paths", async () => {
    const record = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`k${index}`, "x".repeat(index % 150)]),
    );
    const { parts, size } = (await read(encode(record))).summary.sizes;
    expect(parts).toHaveLength(100);
    expect(parts[0]?.size).toBe(parts[1]!.size);
    expect(parts.at(-1)!.size).toBeGreaterThan(100);
    expect(size).toBe(encode(record).length);
  });
});

describe("typed JSON", () => {
  it("equals the output of the command line", () => {
    const bytes = encode(WITH_ALL);
    const ours = jsonText(new Map(WITH_ALL).set("a b", new Map([["", []]])), { typed: true, indent: 0 });
    const theirs = command(["convert", "--from", "msgpack", "--to", "json", "--typed", "-", "-"], bytes).trim();
    expect(ours).toBe(theirs);
  });

  it("is what is copied of a value in the tree", async () => {
    const inspector = await read(encode(WITH_ALL));
    const list = inspector.at(encode("name").length + encode("Ada").length + 1 + encode("list").length)!.row;
    expect(list.path).toBe("$.list");
    expect(JSON.parse(await inspector.copy("json", list.item))).toEqual([1, -1, 2.5, null, true]);
    expect(await inspector.copy("hex", list.item)).toBe("95 01 ff ca 40 20 00 00 c0 c3");
    await expect(inspector.copy("json", undefined)).rejects.toMatchObject({
      code: "ERR_UNSAFE_INTEGER",
      path: '$["big"]',
    });
    const all = await inspector.copy("typed", undefined);
    expect(JSON.parse(all)).toMatchObject({ bytes: { $bin: "AQL/" }, when: { $time: "2023-11-14T22:13:20.123Z" } });
  });
});

function command(args: readonly string[], input: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), "moonpack-playground-"));
  const file = join(folder, "input.msgpack");
  writeFileSync(file, input);
  const named = args.map((arg, index) => (arg === "-" && index === args.indexOf("-") ? file : arg));
  const { stdout, stderr, status } = spawnSync(process.execPath, ["packages/cli/bin/moonpack.js", ...named], {
    cwd: root,
    encoding: "utf8",
  });
  expect(stderr.replace(/^\s*$/, "")).toBe("");
  expect(status).toBe(0);
  expect(readFileSync(file).length).toBe(input.length);
  return stdout;
}
