/** The rules of `npm run lint` that are our own: each refuses its faults and says how to fix them. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { faultsOf } from "../src/main.mjs";

const folders: string[] = [];

/** A repository with these files. */
function repository(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "moonpack-lint-"));
  folders.push(folder);
  execFileSync("git", ["init", "-q"], { cwd: folder });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const faults = (files: Record<string, string>): string[] => faultsOf(repository(files));
const library = (files: Record<string, string>): string[] =>
  faults(Object.fromEntries(Object.entries(files).map(([path, text]) => [`packages/moonpack/src/${path}`, text])));

/** The library, with a package.json that names the files of these tests. */
const withManifest = (files: Record<string, string>): string[] =>
  faults({
    "packages/moonpack/package.json": JSON.stringify({
      name: "moonpack",
      exports: {
        ".": "./dist/index.js",
        "./pck": { types: "./dist/pck/index.d.ts", default: "./dist/pck/index.js" },
        "./b": "./dist/pck/b.js",
        "./codec": "./dist/pck/codec.js",
        "./all/*": "./dist/*.js",
        "./none": null,
      },
      imports: {
        "#engine": { browser: "./dist/pck/generate/off.js", default: "./dist/pck/generate/on.js" },
        "#either": { browser: "./dist/msgpack/off.js", default: "./dist/pck/on.js" },
        "#b": ["./dist/pck/b.js"],
        "#codec": { node: { import: "./dist/pck/codec.js" }, default: null },
        "#tools": "@moonpack/tools/setup",
        "#stream": { node: "node:stream", default: "./dist/stream/none.js" },
      },
    }),
    ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`packages/moonpack/src/${path}`, text])),
  });

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe("circles", () => {
  test("among files at run time", () => {
    const [fault, ...others] = library({
      "pck/a.ts": 'import { b } from "./b.js";\nexport const a = () => b;\n',
      "pck/b.ts": 'import { c } from "./c.js";\nexport const b = () => c;\n',
      "pck/c.ts": 'import { a } from "./a.js";\nexport const c = () => a;\n',
    });
    expect(others).toEqual([]);
    expect(fault).toContain("pck/a.ts -> packages/moonpack/src/pck/b.ts -> packages/moonpack/src/pck/c.ts");
    expect(fault).toContain("Move what both need");
  });

  test("among files that load each other by import() outside of functions, by #names or by the package's own name", () => {
    const circle = (first: string, second: string): string[] => withManifest({ "pck/a.ts": first, "pck/b.ts": second });
    for (const first of [
      'export const a = await import("./b.js");\n',
      "export const a = await import(`./b.js`);\n",
      'export class A {\n  static b = import("./b.js");\n}\n',
      'import { b } from "#b";\nexport const a = () => b;\n',
      'import { b } from "moonpack/b";\nexport const a = () => b;\n',
      // TypeScript leaves `import {} from` here, which loads the file.
      'import { type B } from "./b.js";\nexport type A = B;\n',
      'import {} from "./b.js";\n',
      'import b = require("./b.js");\nexport const a = () => b;\n',
      'export const a = require("./b.js");\n',
    ]) {
      const found = circle(first, 'import * as a from "./a.js";\nexport const b = () => a;\n');
      expect(found.filter((fault) => fault.includes("load each other in a circle"))).toEqual([
        expect.stringMatching(/pck\/a\.ts -> packages\/moonpack\/src\/pck\/b\.ts -> .*Move what both need/),
      ]);
    }
  });

  test("files of one folder may import each other later, by import() in a function", () => {
    for (const first of [
      'export const a = async () => import("./b.js");\n',
      'export class A {\n  b = import("./b.js");\n}\n',
      'export type A = typeof import("./b.js");\n',
    ]) {
      expect(
        library({ "pck/a.ts": first, "pck/b.ts": 'import * as a from "./a.js";\nexport const b = () => a;\n' }),
      ).toEqual([]);
    }
  });

  test("among tests too, whatever the kind of file", () => {
    const found = faults({
      "packages/cli/test/a.mts": 'import "./b.cjs";\n',
      "packages/cli/test/b.cts": 'import "./c.jsx";\n',
      "packages/cli/test/c.tsx": 'import "./a.mjs";\n',
    });
    expect(found).toEqual([
      expect.stringContaining("test/a.mts -> packages/cli/test/b.cts -> packages/cli/test/c.tsx"),
    ]);
  });

  test("types of one folder may refer to each other", () => {
    const found = library({
      "pck/a.ts": 'import type { B } from "./b.js";\nexport interface A {\n  readonly b: B;\n}\n',
      "pck/b.ts": 'import type { A } from "./a.js";\nexport interface B {\n  readonly a: A;\n}\n',
    });
    expect(found).toEqual([]);
  });

  test("among the children of a folder, types included", () => {
    const [fault, ...others] = library({
      "pck/codec.ts": 'import type { R } from "./read/read.js";\nexport type C = R;\n',
      "pck/read/read.ts": 'export type { C as R } from "../codec.js";\n',
    });
    expect(others).toEqual([]);
    expect(fault).toContain("pck/codec.ts -> packages/moonpack/src/pck/read/read.ts; ");
    expect(fault).toContain("Move what both need");
  });

  test("among the children of a folder, by imports of any kind", () => {
    for (const back of [
      'export const read = async () => import("../codec.js");\n',
      'export type R = import("../codec.js").C;\n',
      'export { C } from "#codec";\n',
      'export { C } from "moonpack/codec";\n',
    ]) {
      const found = withManifest({
        "pck/codec.ts": 'import type { R } from "./read/read.js";\nexport type C = R;\n',
        "pck/read/read.ts": back,
      });
      expect(found).toEqual([
        expect.stringMatching(/folders use each other in a circle .*pck\/codec\.ts -> .*Move what both need/),
      ]);
    }
  });

  test("a folder may use its own subfolder, which uses another file of it", () => {
    const found = library({
      "pck/codec.ts": 'import { read } from "./read/read.js";\nexport const codec = () => read;\n',
      "pck/read/read.ts": 'import { limit } from "../limits.js";\nexport const read = () => limit;\n',
      "pck/limits.ts": "export const limit = 1;\n",
    });
    expect(found).toEqual([]);
  });
});

describe("borders", () => {
  test("a format imports itself and bytes", () => {
    const found = library({
      "bytes/a.ts": "export const a = 1;\n",
      "msgpack/m.ts": 'export { a as m } from "../bytes/a.js";\n',
      "pck/p.ts": 'export { m as p } from "../msgpack/m.js";\n',
      "stream/s.ts": 'export { m } from "../msgpack/m.js";\n',
    });
    expect(found).toEqual([
      expect.stringMatching(
        /pck\/p\.ts: imports \.\.\/msgpack\/m\.js from msgpack\. pck imports only itself and bytes/,
      ),
    ]);
  });

  test.each([
    ["a #name", 'import { e } from "#engine";\nexport const m = () => e;\n', "#engine"],
    ["a #name of one runtime", 'import "#either";\n', "#either"],
    ["the package's own name", 'import { e } from "moonpack/pck";\nexport const m = () => e;\n', "moonpack/pck"],
    ["a pattern of exports", 'export { e } from "moonpack/all/pck/codec";\n', "moonpack/all/pck/codec"],
    ["a type", 'export type M = import("../pck/codec.js").B;\n', "../pck/codec.js"],
    ["import()", 'export const m = async () => import("../pck/codec.js");\n', "../pck/codec.js"],
    ["require()", 'export const m = () => require("../pck/codec.js");\n', "../pck/codec.js"],
    [
      "createRequire()",
      'import { createRequire } from "../bytes/a.js";\nexport const m = () => createRequire("")("../pck/codec.js");\n',
      "../pck/codec.js",
    ],
    ["a reference", '/// <reference path="../pck/codec.ts" />\n', "../pck/codec.ts"],
    ["what is built", 'export { e } from "../../dist/pck/codec.js";\n', "../../dist/pck/codec.js"],
  ])("a format imports no other format by %s", (_what, text, name) => {
    expect(withManifest({ "msgpack/m.ts": text })).toEqual([
      `packages/moonpack/src/msgpack/m.ts: imports ${name} from pck. ` +
        "msgpack imports only itself and bytes: move what two formats need into bytes.",
    ]);
  });

  test("a name that cannot be checked is refused", () => {
    for (const name of ['"../p" + "ck/codec.js"', "path", "`../$" + "{room}/codec.js`"])
      expect(library({ "msgpack/m.ts": `export const m = async () => import(${name});\n` })).toEqual([
        expect.stringMatching(/m\.ts: imports a name that is not a literal, .*Write the name itself/),
      ]);
  });

  test("a format does not import the whole library", () => {
    expect(withManifest({ "msgpack/m.ts": 'import "moonpack";\n' })).toEqual([
      expect.stringContaining("imports moonpack from index.ts. msgpack imports only itself and bytes"),
    ]);
  });

  test("a format may import itself by any name, and other rooms may import formats", () => {
    const found = withManifest({
      "pck/p.ts": 'import { e } from "#engine";\nexport const p = () => e;\n',
      "stream/s.ts": 'import { e } from "moonpack/pck";\nexport const s = () => e;\n',
      "stream/n.ts": 'import "moonpack/none";\n',
    });
    expect(found).toEqual([]);
  });

  test("names of the package are in its package.json", () => {
    const found = withManifest({ "stream/a.ts": 'import "#gone";\n', "stream/b.ts": 'import "moonpack/gone";\n' });
    expect(found).toEqual([
      expect.stringMatching(/stream\/a\.ts: imports #gone, .*Add it to imports or exports there/),
      expect.stringMatching(/stream\/b\.ts: imports moonpack\/gone, .*Add it to imports or exports there/),
    ]);
  });

  test("a #name does not hide what is not shipped", () => {
    expect(withManifest({ "stream/a.ts": 'import "#tools";\n' })).toEqual([
      expect.stringMatching(/imports #tools, which is not shipped with it.* move what you need/),
    ]);
  });

  test("bytes imports only itself", () => {
    const found = library({
      "bytes/a.ts": 'export { m } from "../msgpack/m.js";\n',
      "msgpack/m.ts": "export const m = 1;\n",
    });
    expect(found).toEqual([expect.stringContaining("bytes imports only itself")]);
  });

  test("packages import each other by name, and what is shipped only what is shipped", () => {
    const found = faults({
      "packages/cli/src/a.ts": 'import "@moonpack/tools/setup";\n',
      "packages/cli/src/b.ts": 'import "@moonpack/done/drivers";\n',
      "packages/cli/src/c.ts": 'import "@moonpack/begun";\n',
      "packages/cli/src/d.ts": 'import "picocolors";\nimport "long/index.js";\nimport "classic-level";\nimport "fs";\n',
      "packages/cli/src/e.ts": 'export type E = import("fast-check").E;\n',
      "packages/cli/bin/f.js": 'import "@moonpack/undeclared";\n',
      "packages/cli/package.json": JSON.stringify({
        dependencies: {
          picocolors: "1.1.1",
          "@moonpack/tools": "0.1.0",
          "@moonpack/done": "1",
          "@moonpack/begun": "1",
        },
        peerDependencies: { long: "5" },
        optionalDependencies: { "classic-level": "3" },
        devDependencies: { "fast-check": "4.0.0", "@moonpack/undeclared": "1" },
      }),
      "packages/undeclared/package.json": '{ "name": "@moonpack/undeclared" }',
      "packages/done/package.json": '{ "name": "@moonpack/done" }',
      "packages/begun/package.json": '{ "name": "@moonpack/begun", "private": true }',
      "testing/fuzz/src/a.mjs": 'import "../../../tools/src/setup.mjs";\nimport "@moonpack/tools/setup";\n',
      "testing/fuzz/src/b.mjs": 'await import("../../../scripts/go.mjs");\n',
      "scripts/go.mjs": 'import "../tools/src/setup.mjs";\n',
      "tools/src/setup.mjs": "export const root = 1;\n",
    });
    expect(found).toEqual([
      expect.stringMatching(/cli\/bin\/f\.js: imports @moonpack\/undeclared, .*Add it to dependencies/),
      expect.stringMatching(/cli\/src\/a\.ts: imports @moonpack\/tools\/setup, which is not shipped/),
      expect.stringMatching(/cli\/src\/c\.ts: imports @moonpack\/begun, which is not shipped/),
      expect.stringMatching(/cli\/src\/e\.ts: imports fast-check, which is not shipped/),
      expect.stringMatching(/fuzz\/src\/a\.mjs: .*Import another package by its name/),
      expect.stringMatching(/fuzz\/src\/b\.mjs: .*Import another package by its name/),
    ]);
  });

  test("a package that bundles ships what its devDependencies are", () => {
    const files = {
      "packages/cli/src/a.ts": 'import "picocolors";\nimport "undeclared";\n',
      "packages/cli/package.json": JSON.stringify({ devDependencies: { picocolors: "1.1.1" } }),
    };
    const undeclared = expect.stringMatching(/a\.ts: imports undeclared, which is not shipped/);
    expect(faults(files)).toEqual([expect.stringMatching(/imports picocolors, which is not shipped/), undeclared]);
    expect(faults({ ...files, "packages/cli/bundle.json": '{ "bundles": true }' })).toEqual([undeclared]);
  });

  test("a test that imports a Node module is named after it", () => {
    const text = 'import { join } from "node:path";\nexport const a = join;\n';
    expect(faults({ "packages/http/test/a.node.test.ts": text, "packages/http/test/b.test.ts": text })).toEqual([
      expect.stringMatching(/^packages\/http\/test\/b\.test\.ts: imports a Node module/),
    ]);
  });

  test("only src/node knows Node", () => {
    const found = library({
      "node/a.ts": 'import { Readable } from "node:stream";\nexport const a = () => Readable;\n',
      "stream/a.ts": 'import { Readable } from "node:stream";\nexport const a = () => Readable;\n',
      "stream/b.ts": "export const b = () => Buffer.alloc(1);\n",
      "stream/c.ts": 'export const c = async () => import("node:stream");\n',
      "stream/d.ts": 'import { Readable } from "stream";\nexport const d = () => Readable;\n',
      "stream/e.ts": "export const e = () => globalThis.Buffer.alloc(1);\n",
      "stream/f.ts": 'export const f = () => globalThis["process"];\n',
      "stream/g.ts": "export const g = ({ env } = process) => env;\n",
      "stream/h.ts": "export type H = Buffer;\n",
      "stream/i.ts": "// Buffer and process.env\nexport const i = (util: { Buffer?: null }) => util.Buffer;\n",
    });
    expect(found.map((fault) => fault.split(":")[0])).toEqual([
      "packages/moonpack/src/stream/a.ts",
      "packages/moonpack/src/stream/b.ts",
      "packages/moonpack/src/stream/c.ts",
      "packages/moonpack/src/stream/d.ts",
      "packages/moonpack/src/stream/e.ts",
      "packages/moonpack/src/stream/f.ts",
      "packages/moonpack/src/stream/g.ts",
      "packages/moonpack/src/stream/h.ts",
    ]);
    expect(withManifest({ "stream/d.ts": 'import "#stream";\n' })).toEqual([
      expect.stringContaining("pass in what you need"),
    ]);
  });
});

describe("modules", () => {
  /** The faults of a module of the library; `make` and `decorated` are functions of it. */
  const refused = (text: string) =>
    library({ "pck/a.ts": `${text}function make(): any {}\nfunction decorated() {}\n` });

  test.each([
    ["a call", "export const list = make();\n", "Calls make"],
    ["memory", "export const memory = /* @__PURE__ */ new Uint8Array(1024);\n", "Makes memory"],
    ["a probe", 'export const has = typeof Symbol.dispose === "symbol";\n', "Probes a global"],
    ["a statement", 'if (globalThis.name) throw new Error("no");\n', "This runs when the module is imported"],
    ["a static field", "export class A {\n  static a = make();\n}\n", "Calls make"],
    ["a field of a class expression", "export const A = class {\n  static a = [make()];\n};\n", "Calls make"],
    ["a name in brackets", "export const a = {\n  [make()]() {},\n};\n", "Calls make"],
    ["a class to extend", "export class A extends make() {}\n", "Calls make"],
    ["a decorator", "@decorated\nexport class A {}\n", "This runs"],
    ["a default", "export const { a = make() } = {};\n", "Calls make"],
    ["a template's tag", "export const a = /* @__PURE__ */ [String.raw`a`];\n", "Calls a template's tag"],
    ["a default export", "export default make();\n", "Calls make"],
    ["a loop", "for (;;) break;\n", "This runs"],
    ["a try", "try {\n} catch {}\n", "This runs"],
    ["a block", "{\n  make();\n}\n", "This runs"],
    ["an assignment", "let a = 0;\nexport const b = (a = 1);\n", "This runs"],
    ["a counter", "let a = 0;\nexport const b = [a++];\n", "This runs"],
    ["await", "export const a = await null;\n", "This runs"],
    ["a global", "export const clock = performance;\n", "Reads the global performance"],
    ["a global's property", "export const { hasOwn } = globalThis.Object;\n", "Reads the global globalThis"],
    [
      "memory that pages may lack",
      "export const shared = [SharedArrayBuffer];\n",
      "Reads the global SharedArrayBuffer",
    ],
  ])("do no work when they are imported: %s", (_what, text, fault) => {
    expect(refused(text)).toEqual([expect.stringContaining(fault)]);
  });

  test.each([
    ["literals", 'export const list = [1, "two", { three: 3 }, /four/] as const;\n'],
    ["symbols", 'export const CUT = Symbol("cut");\n'],
    ["functions", "export const f = () => typeof setImmediate;\n"],
    ["small tables", "export const names = /* @__PURE__ */ new Set([1]);\n"],
    ["scratch cells", "export const cell = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(8));\n"],
    ["nothing", "export const none = new Uint8Array(0);\n"],
    ["what the language has", "export const { hasOwn } = Object;\nexport const max = Number.MAX_SAFE_INTEGER;\n"],
    ["other names of the file", "const a = 1;\nexport const b = { a, c: [a, -a], d: (x: number) => (x = a) };\n"],
    [
      "classes",
      "export class A<T> extends Error implements Iterable<T> {\n  a = make();\n  b() {\n    make();\n  }\n}\n",
    ],
    [
      "types",
      "declare const a: typeof performance;\nexport type A = typeof a;\nexport const b = 1 as unknown as Blob;\n",
    ],
  ])("may hold %s", (_what, text) => {
    expect(refused(text)).toEqual([]);
  });

  test("hide their members by #, not by private", () => {
    expect(refused("export class A {\n  private a = 1;\n}\n")).toEqual([
      expect.stringMatching(/a\.ts:2: .*Use a #field/),
    ]);
  });

  test("hide their members so in every package that is shipped", () => {
    const text = "export class A {\n  private constructor() {\n    run();\n  }\n  private a = 1;\n}\nrun();\n";
    const found = faults({ "packages/cli/src/a.ts": text, "testing/fuzz/src/a.ts": text });
    expect(found).toEqual([
      expect.stringMatching(/^packages\/cli\/src\/a\.ts:2: .*Mark the constructor @internal/),
      expect.stringMatching(/^packages\/cli\/src\/a\.ts:5: .*Use a #field/),
    ]);
  });
});

test("pages run the command line by npx @moonpack/cli", () => {
  const npx = "npx";
  const page = [
    `Or \`${npx} moonpack emit\`; \`moonpack emit\` is a name.`,
    "```sh",
    "moonpack convert a.json a.mp",
    "npx @moonpack/cli convert a.json a.mp",
    "npm install moonpack",
    "```",
    "moonpack is a library.",
    "```text",
    "moonpack: cannot read",
    "```",
  ];
  expect(
    faults({
      "README.md": page.join("\n"),
      "UPGRADING.md": `${npx} moonpack emit`,
      "examples/a/package.json": `{ "scripts": { "emit": "${npx} --yes moonpack emit" } }`,
    }),
  ).toEqual([
    expect.stringMatching(/^README\.md:1: .*npx @moonpack\/cli/),
    expect.stringMatching(/^README\.md:3: /),
    expect.stringMatching(/^examples\/a\/package\.json:1: /),
  ]);
});

test("names are in kebab-case", () => {
  const found = faults({
    "packages/cli/src/jsonText.ts": "",
    "packages/cli/src/json-text.node.test.ts": "",
    "packages/cli/README.md": "",
    "go/pck/write_number.go": "",
    "packages/hazelcast/java/MessagePackToJson.java": "",
    "packages/hazelcast/java/message-pack_.java": "",
    "testing/Fuzz/src/a.mjs": "",
    "scripts/größe.mjs": "",
    "vectors/Old/a.json": "",
  });
  expect(found.map((fault) => fault.split(". ")[0])).toEqual([
    "packages/cli/src/jsonText.ts: jsonText.ts is not in kebab-case",
    "packages/hazelcast/java/message-pack_.java: message-pack_.java is not in kebab-case",
    "scripts/größe.mjs: größe.mjs is not in kebab-case",
    "testing/Fuzz/src/a.mjs: Fuzz is not in kebab-case",
    "vectors/Old/a.json: Old is not in kebab-case",
  ]);
});

test("the map in CONTRIBUTING.md has the folders that there are", () => {
  const map = "```\npackages/   shipped\n  gone/\nold/\n```\n";
  const found = faults({ "CONTRIBUTING.md": map, "packages/cli/src/a.ts": "", "packages/cli/src/deep/b.ts": "" });
  expect(found).toEqual([
    "CONTRIBUTING.md: the map lacks packages/cli/. Add a line.",
    "CONTRIBUTING.md: the map has packages/gone/, which does not exist. Remove the line.",
    "CONTRIBUTING.md: the map has old/, which does not exist. Remove the line.",
  ]);
});

test("entries that pages name exist", () => {
  const manifest = (name: string, ...paths: string[]) =>
    JSON.stringify({ name, exports: Object.fromEntries([".", ...paths].map((path) => [path, "./a.js"])) });
  const found = faults({
    "packages/moonpack/package.json": manifest("moonpack", "./stream"),
    "packages/pck/package.json": manifest("@moonpack/pck"),
    "README.md":
      'See `moonpack/stream`, `moonpack/pck`, packages/moonpack/src.\n```js\nimport "@moonpack/pck/gone";\n```\nnpm install @moonpack/pck',
    "docs/README.md": "[a](a.md)",
    "docs/a.md": '[all](README.md) `runtime: "moonpack/pck"` is of Go, "@moonpack/lost" of no language\n',
  });
  expect(found).toEqual([
    "README.md:1: no package has the entry moonpack/pck. Correct its name.",
    "README.md:3: no package has the entry @moonpack/pck/gone. Correct its name.",
    "docs/a.md:1: no package has the entry @moonpack/lost. Correct its name.",
  ]);
});

describe("links", () => {
  test("lead to files, folders and headings", () => {
    const found = faults({
      "README.md": [
        "# One `page` & more",
        "[file](docs/a.md), [heading](docs/a.md#what-a-result-is), [folder](docs/) and [here](#one-page--more).",
        "[over",
        "two lines](docs/a.md#gone) and ![picture](docs/none.svg)",
        "[again](docs/a.md#twice-1), [thrice](docs/a.md#twice-2), [elsewhere](https://example.org/none.md)",
        "[line of code](docs/b.ts#L1) and <a href='x' href=\"docs/gone.md\">HTML</a>",
        "`[code](none.md)` <!-- [comment](none.md) -->",
        "```md",
        "[code](none.md)",
        "```",
        "[reference]: ../outside.md",
        "[inline](#code)",
      ].join("\n"),
      "docs/a.md": "## What a [result](../README.md) is\n\n## Twice\n\n## Twice\n\n```sh\n# code\n```\n",
      "docs/b.ts": "",
    });
    expect(found).toEqual([
      "README.md:4: the link to docs/a.md#gone is dead: docs/a.md has no heading #gone. Correct it.",
      "README.md:4: the link to docs/none.svg is dead: docs/none.svg does not exist. Correct it.",
      "README.md:5: the link to docs/a.md#twice-2 is dead: docs/a.md has no heading #twice-2. Correct it.",
      "README.md:6: the link to docs/b.ts#L1 is dead: docs/b.ts is not a page, so it has no anchors. Correct it.",
      "README.md:6: the link to docs/gone.md is dead: docs/gone.md does not exist. Correct it.",
      "README.md:11: the link to ../outside.md is dead: ../outside.md does not exist. Correct it.",
      "README.md:12: the link to #code is dead: README.md has no heading #code. Correct it.",
    ]);
  });

  test("of READMEs that npm shows are not relative, and none leads to what is not published", () => {
    const found = faults({
      "packages/pck/README.md": "# A\n[here](#a) [guide](../../docs/a.md) [rfc](https://example.org)\n",
      "packages/site/README.md": "[guide](../../docs/a.md)",
      "docs/README.md": "[a](a.md) https://www.npmjs.com/package/@moonpack/pck",
      "docs/a.md": "[all](README.md)",
    });
    expect(found).toEqual([
      "docs/README.md: https://www.npmjs.com/package/@moonpack/pck does not exist yet. Remove it.",
      "packages/pck/README.md:2: the link to ../../docs/a.md is dead on npm. Name a page of the package's guide instead.",
    ]);
  });

  test("reach every page of docs", () => {
    const found = faults({
      "docs/README.md": "[b](b.md) [a](a.md)",
      "docs/a.md": "[a](#a)\n# A",
      "docs/b.md": "",
      "docs/c.md": "",
    });
    expect(found).toEqual([
      "docs/README.md: no page links to it. Add a row to docs/README.md.",
      "docs/c.md: no page links to it. Add a row to docs/README.md.",
    ]);
  });
});

test("sources that are hard to read are refused, with the list of turns of phrase", () => {
  const lines = (count: number, line: string) => `${line}\n`.repeat(count);
  const found = faults({
    "packages/cli/src/a.ts": lines(3, "// What is no number is told to nobody."),
    "packages/pck/src/a.ts": `${lines(1, "// A tell-tale of the first kind.")}${lines(1000, "const a = 1;")}`,
    "packages/trpc/src/a.ts": lines(9, "const told = tells(nobody);"),
    "packages/trpc/test/a.test.ts": lines(2, 'test("nobody is told");'),
    "README.md": lines(2, "nobody is told"),
    "examples/a/a.mjs": lines(2, "// nobody is told"),
    "scripts/a.mjs": lines(2, "// nobody is told"),
  });
  expect(found).toEqual([
    expect.stringMatching(/^pages: 4 turns of phrase in 3 lines .*README\.md:1/),
    expect.stringMatching(/^examples: 4 turns of phrase in 3 lines .*examples\/a\/a\.mjs:1/),
    expect.stringMatching(/^packages\/cli: 12 turns of phrase in 4 lines .*packages\/cli\/src\/a\.ts:1/),
    expect.stringMatching(/^packages\/trpc\/test: 4 turns of phrase in 3 lines .*packages\/trpc\/test\/a\.test\.ts:1/),
    expect.stringMatching(/^scripts: 4 turns of phrase in 3 lines .*scripts\/a\.mjs:1/),
  ]);
});

test("types may be shared by three files in a circle, not by four", () => {
  const ring = (folder: string, count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        `packages/cli/src/${folder}/f${i}.ts`,
        `import type { T${(i + 1) % count} } from "./f${(i + 1) % count}.js";\nexport type T${i} = 1;\n`,
      ]),
    );
  expect(faults({ ...ring("three", 3), ...ring("four", 4) })).toEqual([
    expect.stringMatching(/^packages\/cli\/src\/four\/f\d\.ts: 4 files import each other in circles, types included/),
  ]);
});

test("doc comments of public functions begin with a verb", () => {
  const comment = (text: string, name: string) => `/** ${text} */\nexport function ${name}(): void {}\n`;
  const found = faults({
    "packages/cli/api/index.md": "export function a(): void;\nexport function b(): void;\nexport function c(): void;\n",
    "packages/cli/src/a.ts": `${comment("Writes a file.", "a")}${comment("The size of a file.", "b")}${comment("A private one.", "d")}`,
    "packages/cli/src/c.ts": `/**\n * Bytes of a file.\n *\n * @example c();\n */\nexport async function c(): Promise<void> {}\n`,
  });
  expect(found).toEqual([
    'packages/cli/src/a.ts:4: the doc comment of b begins "The size of a file.". Begin with a verb: "Returns ..", "Writes ..".',
    'packages/cli/src/c.ts:6: the doc comment of c begins "Bytes of a file.". Begin with a verb: "Returns ..", "Writes ..".',
  ]);
});

test("doc comments of public methods begin with a verb; options and methods of interfaces have one", () => {
  const found = faults({
    "packages/cli/api/index.md":
      "export class A {\nexport interface AOptions {\nexport interface B {\nexport interface CLike {\n",
    "packages/cli/src/a.ts": [
      "export class A {",
      "  /** The size. */",
      "  size(): void {}",
      "  /** Returns the name. */",
      "  name(): void {}",
      "  /** The field. */",
      "  field = 1;",
      "  /** @internal The part. */",
      "  part(): void {}",
      "  /** The secret. */",
      "  protected secret(): void {}",
      "}",
      "export interface AOptions {",
      "  readonly a?: number;",
      "}",
      "export interface B {",
      "  readonly b: number;",
      "  get(): void;",
      "}",
      "export interface CLike {",
      "  get(): void;",
      "}",
      "export interface Unknown {",
      "  get(): void;",
      "}",
    ].join("\n"),
  });
  expect(found).toEqual([
    'packages/cli/src/a.ts:3: the doc comment of A.size begins "The size.". Begin with a verb: "Returns ..", "Writes ..".',
    "packages/cli/src/a.ts:14: AOptions.a has no doc comment. Say what it is for.",
    "packages/cli/src/a.ts:18: B.get has no doc comment. Say what it is for.",
  ]);
});

test("an install line names each package that a page's examples import", () => {
  const example =
    '```js\nimport a from "@moonpack/a/b";\nconst c = require("c");\nimport { d } from "node:d";\nimport "./e.js";\n```\n';
  const found = faults({
    "docs/README.md": "[x](x.md) [y](y.md)",
    "README.md": "[all](docs/README.md)",
    "docs/x.md": `npm install @moonpack/a\n${example}`,
    "docs/y.md": `${example}Type \`npm install @moonpack/a c@1\`.`,
  });
  expect(found).toEqual(['docs/x.md: an example imports c, which no install line names. Add it to "npm install ..".']);
});
