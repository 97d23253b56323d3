/** What msgpackr writes with its options, random values, is read here as msgpackr reads it. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Decoder, type DecoderOptions, decode, decodeMulti } from "@moonpack/compat/msgpackr";
import { caughtOurs } from "@moonpack/harness/caught.ts";
import { share } from "@moonpack/harness/effort.ts";
import { toHex } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { DecodeError } from "moonpack/bytes";
import { type Options, Packr, PackrStream, pack, roundFloat32, Unpackr } from "msgpackr";
import { describe, expect, it } from "vitest";
import { comparable, type Kinds, randomValues } from "./values.ts";

/** msgpackr without its native part, and without generated code. */
const pure = createRequire(import.meta.url)("msgpackr/index-no-eval") as typeof import("msgpackr");
const ROUNDS = share(400);
const MAPS: DecoderOptions = { maps: "map", int64: "bigint", trusted: true };
const OBJECTS: DecoderOptions = { ...MAPS, maps: "object" };

/** Options of a Packr, the options that read its messages here, and what its values may contain. */
const CASES: readonly [name: string, writer: Options, reader: DecoderOptions, kinds: Kinds][] = [
  ["records", {}, MAPS, { keys: true }],
  ["no records", { useRecords: false }, OBJECTS, {}],
  ["no records, Maps", { useRecords: false, mapsAsObjects: false }, MAPS, {}],
  ["some records", { useRecords: ((value: object) => "id" in value) as unknown as boolean }, MAPS, {}],
  ["records, maps as objects", { mapsAsObjects: true }, OBJECTS, {}],
  ["few structures of a message", { maxOwnStructures: 2 } as Options, MAPS, {}],
  ["many structures of a message", { maxOwnStructures: 300 } as Options, MAPS, {}],
  ["variableMapSize", { useRecords: false, variableMapSize: true }, OBJECTS, {}],
  ["bundleStrings", { bundleStrings: true }, MAPS, {}],
  ["bundleStrings without records", { bundleStrings: true, useRecords: false }, OBJECTS, {}],
  ["moreTypes", { moreTypes: true }, MAPS, { more: true }],
  ["structuredClone", { structuredClone: true }, MAPS, { more: true, references: true }],
  ["structuredClone, bundleStrings", { structuredClone: true, bundleStrings: true }, MAPS, { references: true }],
  ["useFloat32 ALWAYS", { useFloat32: 1 }, MAPS, {}],
  ["useFloat32 DECIMAL_ROUND", { useFloat32: 3 }, { ...MAPS, float32: "decimal" }, {}],
  ["useFloat32 DECIMAL_FIT", { useFloat32: 4 }, { ...MAPS, float32: "decimal" }, {}],
  ["copyBuffers", { copyBuffers: true }, MAPS, {}],
  ["useTimestamp32", { useTimestamp32: true }, MAPS, {}],
  ["encodeUndefinedAsNil", { encodeUndefinedAsNil: true }, MAPS, {}],
  ["largeBigIntToFloat", { largeBigIntToFloat: true }, MAPS, { large: true }],
  ["largeBigIntToString", { largeBigIntToString: true } as Options, MAPS, { large: true }],
  ["useBigIntExtension", { useBigIntExtension: true }, MAPS, { large: true }],
  ["int64AsType auto", { int64AsType: "auto" } as unknown as Options, { ...MAPS, int64: "auto" }, {}],
];

function same(ours: unknown, theirs: unknown, bytes: Uint8Array): void {
  try {
    assert.deepEqual(comparable(ours), comparable(theirs));
  } catch (error) {
    throw new Error(`${toHex(bytes).slice(0, 400)}: ${(error as Error).message.slice(0, 2000)}`);
  }
}

describe.each([
  ["native", { Packr, Unpackr }],
  ["pure", pure],
] as const)("messages by themselves, msgpackr %s", (part, { Packr, Unpackr }) => {
  it("the pure one has no native part", () => {
    expect(part === "pure" && pure.isNativeAccelerationEnabled).toBe(false);
  });

  it.each(CASES)("%s", (_, writer, reader, kinds) => {
    const packr = new Packr(writer);
    const decoder = new Decoder(reader);
    const next = randomValues(1, kinds);
    for (let i = 0; i < ROUNDS; i++) {
      const bytes = packr.pack(next());
      same(decoder.decode(bytes), new Unpackr(writer).unpack(bytes), bytes);
    }
  });
});

describe("shared structures", () => {
  it.each([
    ["32", {}],
    ["5", { maxSharedStructures: 5 }],
    ["33", { maxSharedStructures: 33 }],
    ["8160", { maxSharedStructures: 8160 }],
    ["100, without others", { maxSharedStructures: 100, maxOwnStructures: 0 }],
    ["20, with 64 others", { maxSharedStructures: 20, maxOwnStructures: 64 }],
    ["only some", { maxSharedStructures: 10, shouldShareStructure: (keys: string[]) => keys.length % 2 === 0 }],
    ["with bundleStrings", { bundleStrings: true, maxSharedStructures: 60 }],
    ["with structuredClone", { structuredClone: true, maxSharedStructures: 60 }],
  ] as [string, Options & { maxOwnStructures?: number }][])("%s", (name, options) => {
    const structures: string[][] = [];
    const packr = new Packr({ ...options, structures } as unknown as Options);
    const next = randomValues(2, { references: options.structuredClone ?? false });
    const many = Array.from({ length: 70 }, (_, i) => ({ [`s${i}`]: i }));
    const messages = [many, ...Array.from({ length: ROUNDS }, next)].map((value) => Buffer.from(packr.pack(value)));
    if (name.startsWith("8160")) expect(structures.length).toBeGreaterThan(64);
    const decoder = new Decoder({ ...MAPS, structures: pack(structures) });
    for (const bytes of messages) same(decoder.decode(bytes), packr.unpack(bytes), bytes);
  });

  it("more structures of messages than shared ones, which msgpackr itself does not read", () => {
    const structures = Array.from({ length: 32 }, (_, i) => [`k${i}`]);
    const packr = new Packr({ structures, maxSharedStructures: 100, shouldShareStructure: () => false } as Options);
    const value = [{ z: 1 }, { z: 2 }, { y: 1 }, { k3: 4 }];
    const bytes = packr.pack(value);
    expect(() => packr.unpack(bytes)).toThrow();
    expect(decode(bytes, { structures })).toEqual(value);
  });

  it("structures of a file, written by several processes", async () => {
    const folder = mkdtempSync(join(tmpdir(), "moonpack-"));
    try {
      const path = join(folder, "structures.mp");
      const program = `
        const { existsSync, readFileSync, writeFileSync } = require("node:fs");
        const { Packr, pack, unpack } = require(process.argv[1]);
        const packr = new Packr({
          maxSharedStructures: 100,
          getStructures: () => (existsSync(process.argv[2]) ? unpack(readFileSync(process.argv[2])) : []),
          saveStructures: (structures) => writeFileSync(process.argv[2], pack(structures)),
        });
        const from = Number(process.argv[3]);
        const values = Array.from({ length: 40 }, (_, i) => ({ ["k" + ((i + from) % 60)]: i, both: { v: [64 + i] } }));
        process.stdout.write(JSON.stringify([values, values.map((value) => packr.pack(value).toString("hex"))]));`;
      const library = createRequire(import.meta.url).resolve("msgpackr");
      const runs: [unknown[], string[]][] = [];
      for (const from of ["0", "25"]) {
        const { stdout } = await promisify(execFile)(process.execPath, ["-e", program, library, path, from]);
        runs.push(JSON.parse(stdout) as [unknown[], string[]]);
      }
      const decoder = new Decoder({ structures: readFileSync(path) });
      for (const [values, messages] of runs)
        expect(messages.map((hex) => decoder.decode(Buffer.from(hex, "hex")))).toEqual(values);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("sequences", () => {
  it.each([
    ["sequential", {}],
    ["bundleStrings", { bundleStrings: true }],
    ["structuredClone", { structuredClone: true }],
  ] as [string, Options][])("a Packr with %s", (_, options) => {
    const packr = new Packr({ ...options, sequential: true });
    const next = randomValues(3, { references: options.structuredClone ?? false });
    const messages = Array.from({ length: ROUNDS }, () => Buffer.from(packr.pack(next())));
    const unpackr = new Unpackr({ ...options, sequential: true });
    const decoder = new Decoder({ ...MAPS, sequential: true });
    const theirs = messages.map((bytes) => unpackr.unpack(bytes) as unknown);
    for (const [i, bytes] of messages.entries()) same(decoder.decode(bytes), theirs[i], bytes);
    same([...decodeMulti(Buffer.concat(messages), { ...MAPS, sequential: true })], theirs, messages[0]!);
  });

  it("a PackrStream", () => {
    const stream = new PackrStream();
    const values = Array.from({ length: 50 }, (_, i) => ({ [`k${i % 7}`]: i, at: 64 + i, inner: { n: "text" } }));
    for (const value of values) stream.write(value);
    const bytes = stream.read() as Buffer;
    expect([...decodeMulti(bytes, { sequential: true })]).toEqual(values);
  });

  it("messages without `sequential`, each with its definitions", () => {
    const packr = new Packr();
    const values = Array.from({ length: 20 }, (_, i) => ({ [`k${i % 3}`]: i }));
    expect([...decodeMulti(Buffer.concat(values.map((value) => Buffer.from(packr.pack(value)))))]).toEqual(values);
  });
});

describe("damaged messages", () => {
  it.each(CASES)("%s: cut at every byte, and with changed bytes", (_, writer, reader, kinds) => {
    const packr = new Packr({ ...writer, sequential: false });
    const decoder = new Decoder(reader);
    const next = randomValues(4, kinds);
    const random = randomSource(5);
    for (let i = 0; i < ROUNDS / 20; i++) {
      const bytes = Buffer.from(packr.pack(next()));
      for (let cut = 0; cut < bytes.length; cut++) {
        const { code, needMore } = caughtOurs(() => decoder.decode(bytes.subarray(0, cut))) as DecodeError;
        if (code !== "ERR_TRUNCATED" || needMore < 1 || needMore > bytes.length - cut)
          throw new Error(`${toHex(bytes)} at ${cut}: ${code} ${needMore}`);
      }
      for (let changes = 0; changes < 200; changes++) {
        const changed = new Uint8Array(bytes);
        for (let n = random(3); n >= 0; n--) changed[random(bytes.length)] = random(256);
        try {
          decoder.decode(changed);
        } catch (error) {
          if (!(error instanceof DecodeError)) throw error;
        }
      }
    }
  });
});

describe("values", () => {
  it("a bundle that continues in further ones", () => {
    const value = Array.from({ length: 9000 }, (_, i) => ({ i, text: `string ${i}`, other: `größe 三四 ${i}` }));
    for (const useRecords of [true, false]) {
      const bytes = new Packr({ bundleStrings: true, useRecords }).pack(value);
      expect(decode(bytes)).toEqual(value);
    }
  });

  it("floats of 32 bits, rounded as roundFloat32 does", () => {
    const next = new Float32Array(1);
    const words = new Uint32Array(next.buffer);
    const bytes = new Uint8Array(5).fill(0xca, 0, 1);
    const decoder = new Decoder({ float32: "decimal" });
    for (let i = 0; i < share(40_000); i++) {
      words[0] = (i * 2654435761) >>> 0;
      const n = next[0]!;
      // msgpackr writes larger ones as floats of 64 bits, and of very small ones it gives neighbours of the decimal number.
      if (!(Math.abs(n) >= 1e-9 && Math.abs(n) < 2 ** 31)) continue;
      new DataView(bytes.buffer).setFloat32(1, n);
      expect(decoder.decode(bytes), String(n)).toBe(roundFloat32(n));
    }
  });

  it("what msgpackr writes and does not read: cycles without records", () => {
    const object: Record<string, unknown> = { n: 1 };
    object.inner = { object };
    const read = decode<typeof object>(new Packr({ structuredClone: true, useRecords: false }).pack(object), OBJECTS);
    expect((read.inner as typeof object).object).toBe(read);
  });

  it("an invalid Date, lone surrogates, __proto__ as a key", () => {
    expect(decode<Date>(pack(new Date(Number.NaN))).getTime()).toBe(Number.NaN);
    expect(decode(pack("\ud800"), { utf8: "replace" })).toBe("\ufffd\ufffd\ufffd");
    const value = JSON.parse('{"__proto__":{"a":1}}') as object;
    for (const useRecords of [true, false]) {
      const read = decode<object>(new Packr({ useRecords }).pack(value));
      expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
      expect(JSON.stringify(read)).toBe('{"__proto__":{"a":1}}');
    }
  });
});
