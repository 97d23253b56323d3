/**
 * Code that ts-proto 2 generates, on `@moonpack/protobuf/wire`: by the hook in Node, and by an alias in a bundler. Each way runs in
 * its own process and prints what it encodes and decodes; all print the same. The other exports of `@bufbuild/protobuf/wire` stay.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generate } from "@moonpack/ts-proto";
import { build, type Plugin, transform } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const SOURCE = `syntax = "proto3";
message Item { int32 id = 1; string name = 2; sint64 price = 3; repeated double sizes = 4; map<string, Item> parts = 5;
  bytes image = 6; oneof kind { bool sold = 7; float discount = 8; } repeated sint32 codes = 9; Item next = 10;
  uint64 big = 11; fixed64 fixed = 12; sfixed32 small = 13; map<int64, bool> flags = 14; fixed32 word = 15; int64 far = 16; }
`;
const MAIN = `
import { Item } from "./item.js";
const deep = (n) => (n === 0 ? undefined : Item.fromPartial({ id: n, next: deep(n - 1) }));
const items = [
  {},
  { id: -7, name: "héllo 🌙", price: -5, sizes: [1.5, -0, 1e300], image: Uint8Array.of(1, 2, 255), sold: false },
  { parts: { a: { id: 1 }, "": { name: "x".repeat(300) } }, discount: 0.25, codes: [0, -1, 2147483647, -2147483648] },
  { big: Number.MAX_SAFE_INTEGER, fixed: 2 ** 40, small: -1, flags: { 5: true, "-9": false }, word: 4294967295, far: -(2 ** 52) },
  deep(90),
  { name: "lone \\ud800 surrogate" },
].map((each) => Item.fromPartial(each));
for (const item of items) {
  const bytes = Item.encode(item).finish();
  console.log(Buffer.from(bytes).toString("hex"), JSON.stringify(Item.toJSON(Item.decode(bytes))));
  const unknown = Uint8Array.of(...bytes, 0xa2, 1, 3, 1, 2, 3, 0xab, 1, 8, 1, 0xac, 1);
  console.log(JSON.stringify(Item.toJSON(Item.decode(unknown))) === JSON.stringify(Item.toJSON(Item.decode(bytes))));
}
for (const bad of [{ id: 2 ** 40 }, { word: -1 }, { id: NaN }, { discount: 1e300 }, { small: 1.5 }]) {
  try {
    Item.encode(Item.fromPartial(bad)).finish();
    console.log("taken");
  } catch {
    console.log("refused");
  }
}
`;
/** Code of other packages: protobuf-es itself, and the other exports of its module. */
const OTHERS = `
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { base64Encode, sizeDelimitedDecodeStream, sizeDelimitedEncode, WireType } from "@bufbuild/protobuf/wire";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
const time = create(TimestampSchema, { seconds: 5n, nanos: 7 });
console.log(base64Encode(toBinary(TimestampSchema, time)), fromBinary(TimestampSchema, toBinary(TimestampSchema, time)).seconds);
const framed = sizeDelimitedEncode(TimestampSchema, time);
for await (const each of sizeDelimitedDecodeStream(TimestampSchema, [framed, framed])) console.log(each.nanos, WireType[2]);
`;
const OTHERS_PRINT = "CAUQBw== 5n\n7 LengthDelimited\n7 LengthDelimited\n";
/** For each export, by import and by require(): ours, theirs, or missing. */
const NAMES = `
import * as imported from "@bufbuild/protobuf/wire";
import { createRequire } from "node:module";
const required = createRequire(import.meta.url)("@bufbuild/protobuf/wire");
const isOurs = (value) => "fork" in value.prototype ? "reset" in value.prototype : !("assertBounds" in value.prototype);
for (const all of [imported, required]) {
  console.log(Object.keys(all).filter((name) => name !== "default").sort().join(), isOurs(all.BinaryWriter), isOurs(all.BinaryReader));
}
console.log(imported.BinaryWriter === required.BinaryWriter, required === createRequire(import.meta.url)("@bufbuild/protobuf/wire"));
`;

const root = fileURLToPath(new URL("../../..", import.meta.url));
mkdirSync(join(root, "node_modules/.cache/moonpack"), { recursive: true });
// Inside the project, so that packages are resolved as for users.
const folder = mkdtempSync(join(root, "node_modules/.cache/moonpack/ts-proto-"));
const run = (file: string, ...options: string[]) =>
  execFileSync(process.execPath, [...options, join(folder, file)], { encoding: "utf8", cwd: folder });
const HOOK = ["--import", "@moonpack/protobuf/register"];
let original = "";

beforeAll(async () => {
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "item.js"), await generate(SOURCE, "esModuleInterop=true"));
  writeFileSync(join(folder, "main.js"), MAIN);
  const [item, main] = await Promise.all(
    [await generate(SOURCE, "esModuleInterop=true"), MAIN].map((code) => transform(code, { format: "cjs" })),
  );
  writeFileSync(join(folder, "main.cjs"), main!.code.replace("./item.js", "./item.cjs"));
  writeFileSync(join(folder, "item.cjs"), item!.code);
  writeFileSync(join(folder, "to-cjs.js"), 'import "./main.cjs";');
  writeFileSync(join(folder, "others.js"), OTHERS);
  original = run("main.js");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("code of ts-proto", () => {
  test("runs on the original", () => {
    expect(original.split("\n").length).toBe(18);
  });

  test("node --import @moonpack/protobuf/register", () => {
    const traced = `${MAIN}\nimport { BinaryWriter } from "@bufbuild/protobuf/wire";\nconsole.log("reset" in BinaryWriter.prototype);`;
    writeFileSync(join(folder, "traced.js"), traced);
    expect(run("traced.js")).toBe(`${original}false\n`);
    expect(run("traced.js", ...HOOK)).toBe(`${original}true\n`);
  });

  test("the hook with CommonJS: run, and imported", () => {
    for (const file of ["main.cjs", "to-cjs.js"]) {
      expect(run(file), file).toBe(original);
      expect(run(file, ...HOOK), file).toBe(original);
    }
  });

  test("the hook keeps the other exports of the original, by import and by require", async () => {
    writeFileSync(join(folder, "names.js"), NAMES);
    const [theirs, ours] = [run("names.js"), run("names.js", ...HOOK)].map((text) => text.trim().split("\n"));
    expect(theirs!.map((line) => line.replaceAll("false", "true"))[0]).toBe(ours![0]);
    expect(theirs![0]).toMatch(/base64Encode.* false false$/);
    expect(ours![0]).toMatch(/base64Encode.* true true$/);
    expect(ours![1]).toBe(ours![0]);
    expect([theirs![2], ours![2]]).toEqual(["false true", "true true"]);
    expect(run("others.js")).toBe(OTHERS_PRINT);
    expect(run("others.js", ...HOOK)).toBe(OTHERS_PRINT);
  });

  test("the hook without the original installed", () => {
    const bare = mkdtempSync(join(tmpdir(), "moonpack-ts-proto-"));
    try {
      mkdirSync(join(bare, "node_modules"));
      mkdirSync(join(bare, "node_modules/@moonpack"));
      symlinkSync(join(root, "packages/moonpack"), join(bare, "node_modules/moonpack"), "junction");
      symlinkSync(join(root, "packages/protobuf"), join(bare, "node_modules/@moonpack/protobuf"), "junction");
      writeFileSync(join(bare, "package.json"), '{ "type": "module" }');
      const code = (from: string) => `${from}; console.log(new BinaryWriter().uint32(300).finish().join());`;
      writeFileSync(join(bare, "a.js"), code('import { BinaryWriter } from "@bufbuild/protobuf/wire"'));
      writeFileSync(join(bare, "b.cjs"), code('const { BinaryWriter } = require("@bufbuild/protobuf/wire")'));
      for (const file of ["a.js", "b.cjs"]) {
        const answer = execFileSync(process.execPath, [...HOOK, file], { encoding: "utf8", cwd: bare });
        expect(answer, file).toBe("172,2\n");
      }
    } finally {
      rmSync(bare, { recursive: true, force: true });
    }
  });
});

describe("a bundler", () => {
  const bundle = async (file: string, options: object) => {
    const { metafile } = await build({
      entryPoints: [join(folder, file)],
      outfile: join(folder, "bundle.js"),
      bundle: true,
      format: "esm",
      platform: "node",
      metafile: true,
      logLevel: "silent",
      ...options,
    });
    return Object.keys(metafile.inputs);
  };
  const alias = { "@bufbuild/protobuf/wire": "@moonpack/protobuf/wire" };

  test("an alias bundles only our classes for generated code", async () => {
    const inputs = await bundle("main.js", { alias });
    expect(inputs.filter((name) => name.includes("bufbuild"))).toEqual([]);
    expect(run("bundle.js")).toBe(original);
  });

  test("an alias does not change protobuf-es itself; other imported names are an error of the build", async () => {
    const [own, ...rest] = OTHERS.split("\n").filter((line) => line !== "" && !/wire"|framed/.test(line));
    writeFileSync(join(folder, "es.js"), [own, ...rest].join("\n").replace("base64Encode", "String"));
    await bundle("es.js", { alias });
    expect(run("bundle.js")).toBe("8,5,16,7 5n\n");
    await expect(bundle("others.js", { alias })).rejects.toThrow(/No matching export.*base64Encode/);
  });

  test("the documented plugin replaces the module for generated code only", async () => {
    const forGenerated: Plugin = {
      name: "moonpack",
      setup({ onResolve, resolve }) {
        onResolve({ filter: /^@bufbuild\/protobuf\/wire$/ }, ({ importer, resolveDir, kind }) =>
          /[\\/]item\.js$/.test(importer) ? resolve("@moonpack/protobuf/wire", { resolveDir, kind }) : undefined,
        );
      },
    };
    writeFileSync(join(folder, "all.js"), 'import "./main.js";\nimport "./others.js";');
    const inputs = await bundle("all.js", { plugins: [forGenerated] });
    expect(inputs.filter((name) => name.includes("protobuf/dist/wire")).length).toBeGreaterThan(0);
    expect(run("bundle.js")).toBe(original + OTHERS_PRINT);
  });
});
