/**
 * Code that ts-proto 2 generates, on `moonpack/protobuf/wire`: by the hook in plain Node, and by an alias in a bundler. Each way
 * runs in a process of its own and prints what it encodes and decodes; all have to print the same.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generate } from "@moonpack/ts-proto";
import { build } from "esbuild";
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

const root = fileURLToPath(new URL("../../../..", import.meta.url));
mkdirSync(join(root, "node_modules/.cache/moonpack"), { recursive: true });
// Inside the project, so that packages are found as users find them.
const folder = mkdtempSync(join(root, "node_modules/.cache/moonpack/ts-proto-"));
const run = (file: string, ...options: string[]) =>
  execFileSync(process.execPath, [...options, join(folder, file)], { encoding: "utf8", cwd: folder });
let original = "";

beforeAll(async () => {
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "item.js"), await generate(SOURCE, "esModuleInterop=true"));
  writeFileSync(join(folder, "main.js"), MAIN);
  original = run("main.js");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("code of ts-proto", () => {
  test("runs on the original", () => {
    expect(original.split("\n").length).toBe(18);
  });

  test("node --import moonpack/protobuf/register", () => {
    const traced = `${MAIN}\nimport { BinaryWriter } from "@bufbuild/protobuf/wire";\nconsole.log("reset" in BinaryWriter.prototype);`;
    writeFileSync(join(folder, "traced.js"), traced);
    expect(run("traced.js")).toBe(`${original}false\n`);
    expect(run("traced.js", "--import", "moonpack/protobuf/register")).toBe(`${original}true\n`);
  });

  test("an alias in a bundler", async () => {
    const { metafile } = await build({
      entryPoints: [join(folder, "main.js")],
      outfile: join(folder, "bundle.js"),
      bundle: true,
      format: "esm",
      platform: "node",
      metafile: true,
      alias: { "@bufbuild/protobuf/wire": "moonpack/protobuf/wire" },
    });
    expect(Object.keys(metafile.inputs).filter((name) => name.includes("bufbuild"))).toEqual([]);
    expect(run("bundle.js")).toBe(original);
  });
});
