/**
 * The claims of UPGRADING.md about msgpackr and json-pack: each row of "What differs", by both libraries. Its rows on @msgpack/msgpack
 * are tested in compat, those on cls-rtracer in @moonpack/trace.
 */
import { readFileSync } from "node:fs";
import { MsgPackDecoder } from "@jsonjoy.com/json-pack/lib/msgpack/MsgPackDecoder.js";
import { MsgPackEncoder } from "@jsonjoy.com/json-pack/lib/msgpack/MsgPackEncoder.js";
import { caughtOurs } from "@moonpack/harness/caught.ts";
import { fromHex, toHex } from "@moonpack/harness/hex.ts";
import { Decoder, decode, Encoder, Extension, encode, Timestamp } from "moonpack";
import { Packr, pack, unpack } from "msgpackr";
import { describe, expect, test } from "vitest";

const page = readFileSync(new URL("../../../UPGRADING.md", import.meta.url), "utf8");
const jsonPack = { encoder: new MsgPackEncoder(), decoder: new MsgPackDecoder() };
const jsonPackRead = (hex: string): unknown => jsonPack.decoder.decode(fromHex(hex));
const jsonPackTrip = (value: unknown): unknown => jsonPack.decoder.decode(jsonPack.encoder.encode(value));
const unpackHex = (hex: string): unknown => unpack(Buffer.from(hex, "hex"));
const codeOf = (call: () => unknown): string => caughtOurs(call).code;
const kept = new Decoder({ unknownExtensions: "keep" });
class Point {
  x = 1;
}

const MSGPACKR: Record<string, () => void> = {
  "Records (`new Packr()` without options)": () => {
    const bytes = new Packr().pack({ a: 1 });
    expect(toHex(bytes)).toMatch(/^d472/);
    expect(codeOf(() => decode(bytes))).toBe("ERR_UNKNOWN_EXTENSION");
  },
  "`undefined`, functions": () => {
    expect([toHex(pack(undefined)), toHex(pack(() => 1))]).toEqual(["d40000", "d40000"]);
    expect(encode({ a: undefined })).toEqual(encode({}));
    expect(kept.decode(pack(undefined))).toEqual(new Extension(0, fromHex("00")));
  },
  Objects: () => {
    expect([toHex(pack({ a: 1 })), toHex(encode({ a: 1 }))]).toEqual(["de0001a16101", "81a16101"]);
    expect(toHex(new Packr({ useRecords: false, variableMapSize: true }).pack({ a: 1 }))).toBe("81a16101");
  },
  "Class instances": () => {
    expect(unpack(pack(new Point()))).toEqual({ x: 1 });
    expect(codeOf(() => encode(new Point()))).toBe("ERR_UNSUPPORTED_TYPE");
  },
  "Set, RegExp, Error without `moreTypes`": () => {
    for (const value of [new Set([1]), /a/, new Error("a")]) {
      expect(unpack(pack(value))).toBeInstanceOf(Array);
      expect(codeOf(() => encode(value))).toBe("ERR_UNSUPPORTED_TYPE");
    }
  },
  Map: () => {
    expect(unpack(pack(new Map([[1, 2]])))).toEqual({ 1: 2 });
    expect(decode(encode(new Map([[1, 2]])))).toEqual(new Map([[1, 2]]));
    expect(decode(encode(new Map([["a", 2]])))).toEqual({ a: 2 });
  },
  "Float32Array and other typed arrays without `moreTypes`": () => {
    const floats = new Float32Array([1, 2]);
    expect((unpack(pack(floats)) as Uint8Array).length).not.toBe(2);
    expect(decode(encode(floats))).toEqual(new Uint8Array(floats.buffer));
  },
  "64-bit integers in input": () => {
    const one = "d30000000000000001";
    expect([unpackHex(one), decode(fromHex(one))]).toEqual([1n, 1]);
    expect(decode(fromHex(one), { int64: "bigint" })).toBe(1n);
  },
  "0xc1": () => {
    expect((unpackHex("c1") as object).constructor.name).toBe("C1Type");
    expect(codeOf(() => decode(fromHex("c1")))).toBe("ERR_INVALID_BYTE");
  },
  "Nanoseconds of timestamps": () => {
    const hex = "d7ff0000000400000001"; // a second and a nanosecond
    expect(unpackHex(hex)).toEqual(new Date(1000));
    expect(decode(fromHex(hex))).toEqual(new Timestamp(1, 1));
    expect(decode(fromHex(hex), { timestamps: "date" })).toEqual(new Date(1000));
  },
  "The key `__proto__`": () => {
    const hex = "81a95f5f70726f746f5f5f01";
    expect(Object.keys(unpackHex(hex) as object)).toEqual(["__proto_"]);
    expect(Object.keys(decode(fromHex(hex)) as object)).toEqual(["__proto__"]);
  },
  Results: () => {
    expect(Buffer.isBuffer(pack([1]))).toBe(true);
    expect(pack([1]).buffer.byteLength).toBeGreaterThanOrEqual(8192);
    expect(Object.getPrototypeOf(encode([1]))).toBe(Uint8Array.prototype);
  },
};

const JSON_PACK: Record<string, () => void> = {
  "`undefined`": () => {
    expect(toHex(jsonPack.encoder.encode(undefined))).toBe("c1");
    expect(encode({ a: undefined })).toEqual(encode({}));
    expect(codeOf(() => encode([undefined]))).toBe("ERR_UNSUPPORTED_TYPE");
    expect(codeOf(() => decode(fromHex("c1")))).toBe("ERR_INVALID_BYTE");
  },
  "Functions, symbols, bigint": () => {
    for (const value of [() => 1, Symbol("a"), 1n]) expect(toHex(jsonPack.encoder.encode([value]))).toBe("91");
    for (const value of [() => 1, Symbol("a")]) expect(codeOf(() => encode([value]))).toBe("ERR_UNSUPPORTED_TYPE");
    expect(toHex(encode([1n]))).toBe("9101");
  },
  Date: () => {
    expect([jsonPackTrip(new Date(5)), decode(encode(new Date(5)))]).toEqual([{}, new Date(5)]);
  },
  Map: () => {
    const map = new Map([[1, 2]]);
    expect([jsonPackTrip(map), decode(encode(map))]).toEqual([{}, map]);
  },
  Set: () => {
    expect(jsonPackTrip(new Set([1]))).toEqual({});
    expect(codeOf(() => encode(new Set([1])))).toBe("ERR_UNSUPPORTED_TYPE");
  },
  ArrayBuffer: () => {
    expect([jsonPackTrip(new ArrayBuffer(1)), decode(encode(new ArrayBuffer(1)))]).toEqual([{}, new Uint8Array(1)]);
  },
  "Typed arrays other than Uint8Array": () => {
    const shorts = new Uint16Array(1);
    expect([jsonPackTrip(shorts), decode(encode(shorts))]).toEqual([{ 0: 0 }, new Uint8Array(2)]);
  },
  "Input that ends early": () => {
    expect([jsonPackRead("9201"), jsonPackRead("a361")]).toEqual([[1, undefined], "a\0\0"]);
    for (const hex of ["9201", "a361"]) expect(codeOf(() => decode(fromHex(hex)))).toBe("ERR_TRUNCATED");
  },
  "Bytes left over": () => {
    expect(jsonPackRead("0102")).toBe(1);
    expect(codeOf(() => decode(fromHex("0102")))).toBe("ERR_TRAILING_BYTES");
  },
  // json-pack itself would take half a gigabyte here.
  "`dd 01 ff ff ff`": () => {
    expect(codeOf(() => decode(fromHex("dd01ffffff")))).toBe("ERR_TRUNCATED");
  },
  "Keys that are not strings": () => {
    expect([jsonPackRead("810102"), decode(fromHex("810102"))]).toEqual([{ "": 2 }, new Map([[1, 2]])]);
  },
  Timestamps: () => {
    expect(jsonPackRead("d6ff00000001")).toMatchObject({ tag: 255 });
    expect(decode(fromHex("d6ff00000001"))).toEqual(new Date(1000));
  },
  "Unknown extensions": () => {
    expect((jsonPackRead("d40500") as object).constructor.name).toBe("JsonPackExtension");
    expect(codeOf(() => decode(fromHex("d40500")))).toBe("ERR_UNKNOWN_EXTENSION");
    expect(kept.decode(fromHex("d40500"))).toEqual(new Extension(5, fromHex("00")));
  },
  "64-bit integers in input": () => {
    const hex = "cf0020000000000001";
    expect([jsonPackRead(hex), decode(fromHex(hex))]).toEqual([2 ** 53, 2n ** 53n + 1n]);
  },
};

for (const [library, packageName, checks] of [
  ["msgpackr", "msgpackr", MSGPACKR],
  ["json-pack", "@jsonjoy.com/json-pack", JSON_PACK],
] as const)
  describe(library, () => {
    const section = page.slice(page.indexOf(`## From ${library}`)).split("\n## ")[0]!;
    for (const [row, check] of Object.entries(checks)) test(row, check);

    test("these are the rows of UPGRADING.md", () => {
      const [, table = ""] = section.split(/^\| What differs .*\n.*\n/m);
      const rows = [...table.split("\n\n")[0]!.matchAll(/^\| (.+?) \|/gm)].map(([, row]) => row);
      expect(rows).toEqual(Object.keys(checks));
    });

    test("it is the version that the page names", () => {
      const path = new URL(`../../../node_modules/${packageName}/package.json`, import.meta.url);
      const { version } = JSON.parse(readFileSync(path, "utf8")) as { version: string };
      expect(/^Compared with .*/m.exec(section)?.[0]).toContain(` ${version}`);
    });
  });

test("msgpackr: options that have a counterpart", () => {
  const map = new Map([["a", 1]]);
  expect(new Packr({ useRecords: false, mapsAsObjects: false }).unpack(pack({ a: 1 }))).toEqual(map);
  expect(decode(encode({ a: 1 }), { maps: "map" })).toEqual(map);
  expect(codeOf(() => decode(encode(2n ** 60n), { int64: "number" }))).toBe("ERR_UNSAFE_INTEGER");
  const set = new Set([1]);
  expect(decode(new Encoder({ fidelity: "js" }).encode(set), { fidelity: "js" })).toEqual(set);
});
