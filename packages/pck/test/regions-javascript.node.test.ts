/** Regions of JavaScript and TypeScript: emitted code behaves like a codec, and TypeScript accepts it. */
import { readFileSync } from "node:fs";
import { caughtOurs } from "@moonpack/harness/caught.ts";
import { share } from "@moonpack/harness/effort.ts";
import { fromHex, toHex } from "@moonpack/harness/hex.ts";
import * as pck from "@moonpack/pck";
import { emit, emitRegions, type JavaScriptRegionOptions } from "@moonpack/pck/emit";
import * as runtime from "@moonpack/pck/runtime";
import { describe, expect, test } from "vitest";
import { load } from "./harness/emitted.ts";
import { RANDOM, randomCases } from "./harness/random-cases.ts";
import type { SchemaDocument } from "./harness/shape.ts";
import { complaints } from "./harness/typescript.ts";

const { schema } = pck;
const Position = pck.doc(schema("Position", pck.doc(pck.ivar("x"), "To the east."), pck.ivar("y")), "A place.");
const Square = schema("Square", pck.omitZero(pck.u64("side")), pck.utf8("a b"));

interface Tree {
  name: string;
  children: Tree[];
  next: Tree | null;
}
const Tree: pck.Schema<Tree> = schema(
  "Tree",
  pck.utf8("name"),
  pck.omitEmpty(
    pck.array(
      "children",
      pck.REF(() => Tree),
    ),
  ),
  pck.omitNull(pck.ref("next", () => Tree)),
) as never;

/** A field of every type. */
const World = schema(
  "World",
  [pck.bool("on"), pck.u8("a8"), pck.u16("a16"), pck.u32("a32"), pck.u64("a64")],
  [pck.i8("b8"), pck.i16("b16"), pck.i32("b32"), pck.i64("b64"), pck.f32("f"), pck.f64("g")],
  [pck.uvar("v"), pck.ivar("w"), pck.uvar64("v64"), pck.ivar64("w64"), pck.enumeration("color", "red", "green")],
  [pck.bytes("data"), pck.bytes("four", 4), pck.utf8("text"), pck.ascii("code", 3), pck.ascii("more")],
  [pck.ref("position", Position), pck.ref("inner", schema(pck.omitZero(pck.i64("id")), pck.u8("n")))],
  [
    pck.union("shape", { circle: Position, square: Square }),
    pck.array("list", pck.U32),
    pck.array("three", pck.U16, 3),
  ],
  [
    pck.map("scores", pck.UTF8, pck.REF(Square)),
    pck.array("maybe", pck.nullable(pck.UNION({ one: Position }, "which"))),
  ],
  [
    pck.omitNull(pck.omitZero(pck.ivar64("zero"))),
    pck.omitEmpty(pck.omitNull(pck.utf8("note"))),
    pck.omitZero(pck.f32("z")),
  ],
  pck.ref("tree", Tree),
);
type World = pck.Infer<typeof World>;

const WORLD: World = {
  ...{
    on: true,
    a8: 1,
    a16: 2,
    a32: 3,
    a64: 4n,
    b8: -1,
    b16: -2,
    b32: -3,
    b64: -4n,
    f: 0.5,
    g: 1e300,
    v: 300,
    w: -300,
  },
  ...{ v64: 2n ** 60n, w64: -(2n ** 60n), color: "green", data: Uint8Array.of(1), four: Uint8Array.of(1, 2, 3, 4) },
  ...{ text: "é", code: "abc", more: "", position: { x: 1, y: -1 }, inner: { id: 5n, n: 6 } },
  ...{ shape: { kind: "square", side: 7n, "a b": "side" }, list: [1, 2], three: [1, 2, 3], scores: new Map() },
  ...{ maybe: [null, { which: "one", x: 8, y: 9 }], zero: 10n, note: null, z: 0 },
  tree: { name: "root", children: [{ name: "leaf", children: [], next: null }], next: null },
};

const region = (...given: string[]) =>
  `// pck:emit(${given.map((text) => JSON.stringify(text)).join(", ")})\n// pck:end\n`;

/** A file with classes for some structs. The other structs are plain objects. */
const FILE = `/* mine */
${region("imports")}
${region("class", "World")}
export class Position {
    // pck:start
    // pck:assign({"schema": "Position"})
    // pck:emit("properties")
    // pck:end

    // pck:emit("constructor")
    // pck:end

    length(): number {
      return Math.hypot(this.x, this.y);
    }

    // pck:emit("pck")
    // pck:end
    // pck:end
}
${region("unpck", "Position")}
${region("class", "Tree")}
${region("messages", "World")}${region("messages", "Square")}${region("tagged-readers", "World")}${region("rest")}`;

type Exports = Record<string, (...args: readonly unknown[]) => unknown>;

function moduleOf(text: string, target: "ts" | "js" = "ts"): Exports {
  return load([{ path: `file.${target}`, text }]) as Exports;
}

describe("a file of classes", () => {
  const text = emitRegions(FILE, World, { target: "ts" });
  const module = moduleOf(text);
  const worlds = pck.codec(World);

  test("writes the bytes of a codec from instances, and reads instances", () => {
    const expected = worlds.encode(WORLD);
    const world = module["decodeWorld"]!(expected) as World & { pck(w: runtime.PackWriter): void };
    expect(worlds.toJSON(world)).toEqual(worlds.toJSON(WORLD));
    expect(world).toBeInstanceOf(module["World"]);
    expect(world.position).toBeInstanceOf(module["Position"]);
    expect(world.tree.children[0]).toBeInstanceOf(module["Tree"]);
    expect(world.maybe[1]).toBeInstanceOf(module["Position"]);
    expect(Object.getPrototypeOf(world.shape)).toBe(Object.prototype);
    expect((world.position as unknown as { length(): number }).length()).toBe(Math.SQRT2);
    for (const name of ["encodeWorld", "encodeWorldShared"])
      expect(toHex(module[name]!(world) as Uint8Array)).toBe(toHex(expected));
    expect(module["sizeWorld"]!(world)).toBe(expected.length);
    const target = new Uint8Array(expected.length + 1);
    expect(module["encodeWorldInto"]!(world, target, 1)).toBe(target.length);
    expect(toHex(target.subarray(1))).toBe(toHex(expected));
  });

  test("rejects what a codec rejects, with the same path", () => {
    const whole = worlds.encode(WORLD);
    for (let end = 0; end < whole.length; end++) {
      const cut = whole.slice(0, end);
      const { code, offset, needMore } = caughtOurs(() => worlds.decode(cut)) as runtime.DecodeError;
      expect(caughtOurs(() => module["decodeWorld"]!(cut))).toMatchObject({ code, offset, needMore });
    }
    const wrong = (change: object) => Object.assign(module["decodeWorld"]!(whole) as World, change);
    const refused = (value: unknown) => caughtOurs(() => module["encodeWorld"]!(value));
    expect(refused(wrong({ a8: 256 }))).toMatchObject({ code: "ERR_OUT_OF_RANGE", path: "$.a8" });
    expect(refused(wrong({ inner: { id: "0", n: 1 } }))).toMatchObject({
      code: "ERR_UNSUPPORTED_TYPE",
      path: "$.inner.id",
    });
    expect(refused(wrong({ tree: null }))).toMatchObject({ code: "ERR_UNSUPPORTED_TYPE", path: "$.tree" });
    expect(refused(null)).toMatchObject({ code: "ERR_UNSUPPORTED_TYPE", path: "$" });
    const cyclic = wrong({});
    cyclic.tree.next = cyclic.tree;
    expect(refused(cyclic)).toMatchObject({ code: "ERR_LIMIT_DEPTH" });
  });

  test("0 and 0n both mean absent", () => {
    const plain = { ...WORLD, inner: { id: 0, n: 6 } };
    const instance = Object.assign(module["decodeWorld"]!(worlds.encode(WORLD)) as object, {
      inner: { id: 0, n: 6 },
      zero: 0,
    });
    expect(toHex(module["encodeWorld"]!(instance) as Uint8Array)).toBe(toHex(worlds.encode({ ...plain, zero: 0 })));
  });

  test("has tagged readers in the order of the arms", () => {
    const readers = module["WORLD_SHAPE_READERS"] as unknown as readonly ((r: runtime.PackReader) => unknown)[];
    expect(readers).toHaveLength(2);
    const reader = (hex: string) => new runtime.PackReader(fromHex(hex), 0, 512);
    const circle = readers[0]!(reader("0201"));
    expect(circle).toBeInstanceOf(module["Position"]);
    expect(circle).toEqual({ kind: "circle", x: 1, y: -1 });
    expect(readers[1]!(reader("00026869"))).toEqual({ kind: "square", side: 0n, "a b": "hi" });
  });

  test("does not change the second time, in TypeScript and JavaScript, with any line endings", () => {
    for (const target of ["ts", "js"] as const) {
      for (const file of [FILE, FILE.replaceAll("\n", "\r\n")]) {
        const once = emitRegions(file, World, { target });
        expect(emitRegions(once, World, { target })).toBe(once);
        expect(once.split("\n").every((line) => line === "" || line.endsWith("\r") === file.includes("\r"))).toBe(true);
        const own = (lines: string) => lines.replace(/(pck:emit\(.*\)\r?\n)[\s\S]*?([ \t]*\/\/ pck:end)/g, "$1$2");
        expect(own(once)).toBe(own(file));
      }
    }
    expect(text).toContain("    /** To the east. */\n    x: number;\n    y: number;\n    // pck:end");
    expect(text).toContain("/* mine */\n");
  });

  test("works in JavaScript, as an ES module and as CommonJS", () => {
    const file = FILE.replaceAll(": number {", " {");
    const given = worlds.encode(WORLD);
    const js = moduleOf(emitRegions(file, World, { target: "js" }), "js");
    expect(toHex(js["encodeWorld"]!(js["decodeWorld"]!(given)) as Uint8Array)).toBe(toHex(given));
    const common = emitRegions(file.replace("export class", "class"), World, { target: "js", module: "commonjs" });
    expect(common).toMatch(/const \{\n {2}PackMessages,\n[^}]*\} = require\("@moonpack\/pck\/runtime"\);/);
    expect(common).not.toMatch(/^(?:import|export)/m);
    const run = new Function("require", `${common}\nreturn encodeWorld(decodeWorld(require.given));`);
    expect(toHex(run(Object.assign(() => runtime, { given })))).toBe(toHex(given));
  });
});

describe("TypeScript accepts the code in strict mode", () => {
  /** A file with regions of many types for every struct of a document. */
  function fileOf({ structs, root }: SchemaDocument): string {
    const names = Object.keys(structs);
    const parts = names.map((name, i) => {
      if (i % 3 === 0 || name === root) return region("class", name);
      if (i % 3 === 1) return "";
      return `export class ${name} {\n${["properties", "constructor"].map((type) => region(type, name)).join("")}}\n${region("unpck", name)}`;
    });
    const unions = JSON.stringify(structs).includes('"union"') ? region("tagged-readers") : "";
    return [region("imports"), ...parts, region("messages", root), unions, region("rest")].join("\n");
  }

  const OPTIONS: readonly Partial<JavaScriptRegionOptions>[] = [
    {},
    { int64: "number" },
    { maps: "object" },
    { typedArrays: true, binary: "view" },
  ];
  const random = [...randomCases({ ...RANDOM, seed: 11, schemas: 24, values: 2, names: "plain" })];

  test("written cases, and random schemas with every option", () => {
    const files = new Map<string, string>();
    for (const { path, text } of emit(Position, { target: "ts", runtime: "beside" })) files.set(`/${path}`, text);
    files.set("/world.ts", emitRegions(FILE, World, { target: "ts", runtime: "/pck-runtime.js" }));
    files.set(
      "/use.ts",
      `import { decodeWorld, encodeWorld, Position, unpckPosition, WORLD_SHAPE_READERS, World } from "./world.js";
const world: World = decodeWorld(new Uint8Array(1));
world.position = new Position(1, 2);
export const bytes: Uint8Array = encodeWorld(world);
export const length: number = world.position.length();
export const reads = [unpckPosition, WORLD_SHAPE_READERS[0]] as const;
// @ts-expect-error: no instance
encodeWorld({ ...world });
`,
    );
    for (const [i, { doc }] of random.slice(0, 12).entries()) {
      const options = { target: "ts", runtime: "/pck-runtime.js", ...OPTIONS[i % OPTIONS.length] } as const;
      files.set(`/random-${i}.ts`, emitRegions(fileOf(doc as SchemaDocument), doc, options));
    }
    expect(complaints(files)).toEqual([]);
  });

  test("random schemas behave like codecs", () => {
    let count = 0;
    for (const { doc, cases } of random) {
      const text = emitRegions(fileOf(doc as SchemaDocument), doc, { target: "ts" });
      const module = Object.entries(moduleOf(text));
      const [, decode] = module.find(([name]) => name.startsWith("decode"))!;
      const [, encode] = module.find(([name]) => name.startsWith("encode"))!;
      const codec = pck.codec(doc);
      for (const { bytes: hex } of cases) {
        const bytes = fromHex(hex);
        count++;
        let expected: unknown;
        try {
          expected = codec.decode(bytes);
        } catch (error) {
          const { code, offset, needMore } = error as runtime.DecodeError;
          expect(caughtOurs(() => decode(bytes))).toMatchObject({ code, offset, needMore });
          continue;
        }
        const value = decode(bytes);
        expect(codec.toJSON(value as never)).toEqual(codec.toJSON(expected as never));
        expect(toHex(encode(value) as Uint8Array)).toBe(toHex(codec.encode(expected as never)));
      }
    }
    expect(count).toBeGreaterThan(share(300));
  });
});

describe("an error names the line, and nothing changes", () => {
  const Pck = schema("Pck", pck.u8("pck"));
  test.each([
    [region("clas", "World"), /^line 1: unknown type of region "clas"; known are class, properties/],
    [region("class"), /^line 1: the region needs a schema/],
    [`\n${region("class", "Wrld")}`, /^line 2: no schema is named "Wrld"/],
    [region("class", "World"), /^line 1: the file needs pck:emit\("rest"\) for /],
    [region("properties", "World"), /^line 1: .* for .*WorldInner/],
    [region("class", "Position"), /^line 1: the file needs pck:emit\("imports"\)/],
    [region("imports") + region("imports"), /^line 3: the file already has pck:emit\("imports"\)/],
    [region("class", "Position") + region("pck", "Position"), /^line 3: the file already has pck of Position/],
    [region("messages", "World") + region("messages", "World"), /^line 3: the file already has messages of World/],
    [region("tagged-readers", "Position"), /^line 1: there is no union in "Position"/],
    [
      `// pck:assign({"schema": "World", "field": "on"})\n${region("tagged-readers")}`,
      /^line 2: there is no union in "on"/,
    ],
    [`// pck:assign({"imported": "Position"})\n${region("rest")}`, /^line 2: "imported" must be a list/],
    [`// pck:assign({"indent": "x"})\n${region("rest")}`, /^line 2: "indent" must be 1 to 8 spaces/],
  ])("%j", (text, message) => {
    const error = caughtOurs(() => emitRegions(text, World, { target: "ts" }));
    expect(error.code).toBe("ERR_INVALID_ARGUMENT");
    expect(error.message).toMatch(message);
  });

  test("a missing region is named with the declarations that need it, not with local names", () => {
    const act = () => emitRegions(region("class", "World"), World, { target: "ts" });
    const { message } = caughtOurs(act);
    const names = /needs pck:emit\(.*?\) for (.*)$/.exec(message)![1]!.split(", ");
    expect(names).toContain("WorldInner");
    expect(names).toContain("readTree");
    for (const name of names) expect(name).toMatch(/^(?:[A-Z]|read[A-Z]|write[A-Z])/);
    expect(new Set(names).size).toBe(names.length);
  });

  test("names of fields that a class cannot have", () => {
    const text = region("imports") + region("class", "Pck");
    expect(caughtOurs(() => emitRegions(text, Pck, { target: "ts" }))).toMatchObject({
      code: "ERR_SCHEMA",
      message: expect.stringMatching(/^line 3: .*cannot have a field named pck/),
    });
    expect(emitRegions(region("properties", "Pck"), Pck, { target: "ts" })).toContain("pck: number;");
    const Odd = schema("Odd", pck.u8("constructor"));
    expect(caughtOurs(() => emitRegions(region("properties", "Odd"), Odd, { target: "ts" })).code).toBe("ERR_SCHEMA");
  });

  test("options", () => {
    const code = (options: object) => caughtOurs(() => emitRegions("", World, options as JavaScriptRegionOptions)).code;
    expect(code({ target: "rust" })).toBe("ERR_INVALID_ARGUMENT");
    expect(code({ target: "ts", module: "commonjs" })).toBe("ERR_INVALID_ARGUMENT");
    expect(code({ target: "js", module: "amd" })).toBe("ERR_INVALID_ARGUMENT");
    expect(emitRegions("nothing of ours", World, { target: "js" })).toBe("nothing of ours");
  });
});

test("the example file of the page is what the page shows", () => {
  const page = readFileSync(new URL("../../../docs/pck.md", import.meta.url), "utf8");
  const [, file] = /^```ts regions\n([\s\S]*?)^```$/m.exec(page)!;
  const Player = schema("Player", pck.ivar("health"), pck.ref("position", Position));
  const module = moduleOf(emitRegions(file!, Player, { target: "ts" }));
  const player = module["decodePlayer"]!(Uint8Array.of(2, 4, 6)) as { isAlive: boolean };
  expect(player).toEqual({ health: 1, position: { x: 2, y: 3 } });
  expect(player.isAlive).toBe(true);
  expect(toHex(module["encodePlayer"]!(player) as Uint8Array)).toBe("020406");
});

test("Object.prototype is never read", () => {
  const go = `package p\n${region("imports")}${region("methods", "Tree")}${region("lib")}${region("rest")}`;
  const emitted = () => [emitRegions(FILE, World, { target: "ts" }), emitRegions(go, Tree, { target: "go" })];
  const before = emitted();
  const prototype = Object.prototype as Record<string, unknown>;
  for (const name of [
    "schema",
    "field",
    "names",
    "types",
    "pointers",
    "imported",
    "indent",
    "module",
    "runtime",
    "import",
  ]) {
    prototype[name] = "evil";
    try {
      expect(emitted()).toEqual(before);
    } finally {
      delete prototype[name];
    }
  }
});

test("imports of the file are not repeated", () => {
  const own = `import { PackWriter, type PackReader, within as inside } from "@moonpack/pck/runtime";
import type { DecodeError, objectOf } from '@moonpack/pck/runtime';
import { asI32 } from "elsewhere";
`;
  const file = own + region("imports") + region("class", "Position");
  const text = emitRegions(file, Position, { target: "ts" });
  const [, imports] = /pck:emit\("imports"\)\nimport \{([^}]*)\}/.exec(text)!;
  expect(imports!.match(/[\w ]+(?=,)/g)?.map((name) => name.trim())).toEqual([
    ...["asI32", "putUvar32", "readLongUvar", "unzigzag32", "within", "zigzag32"],
  ]);
  expect(emitRegions(text, Position, { target: "ts" })).toBe(text);
});

test("classes of other files are imported by the file itself", () => {
  const file = `import { Position, unpckPosition } from "./position.js";
// pck:assign({"imported": ["Position"]})
${region("imports")}${region("class", "Line")}`;
  const Line = schema("Line", pck.array("points", pck.REF(Position)));
  const text = emitRegions(file, Line, { target: "ts" });
  expect(text).toContain("objectOf(list[i]!).pck(w);");
  expect(text).toContain("points[i] = unpckPosition(r);");
});

test("the indentation is the file's", () => {
  const text = emitRegions(
    `{\n\t// pck:assign({"indent": "\\t"})\n\t// pck:emit("constructor", "Position")\n\t// pck:end\n}`,
    Position,
    {
      target: "js",
    },
  );
  expect(text).toContain("\n\tconstructor(x, y) {\n\t\tthis.x = x;\n\t\tthis.y = y;\n\t}\n\t// pck:end\n}");
});
