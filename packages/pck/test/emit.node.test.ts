/** The output of `emit`: names, valid TypeScript, deterministic text, hostile schemas. */

import { caughtOurs } from "@moonpack/harness/caught.ts";
import { toHex } from "@moonpack/harness/hex.ts";
import {
  array,
  bool,
  bundle,
  doc,
  enumeration,
  F64,
  ivar,
  map,
  nullable,
  omitEmpty,
  omitNull,
  omitZero,
  REF,
  ref,
  type Schema,
  schema,
  U8,
  U64,
  UNION,
  UTF8,
  u8,
  union,
  utf8,
  uvar,
} from "@moonpack/pck";
import { emit, type JavaScriptOptions } from "@moonpack/pck/emit";
import * as runtime from "@moonpack/pck/runtime";
import { describe, expect, test } from "vitest";
import { load } from "./harness/emitted.ts";
import { RANDOM, randomCases } from "./harness/random-cases.ts";
import { complaints } from "./harness/typescript.ts";

const Position = doc(schema("Position", doc(ivar("x"), "To the east."), ivar("y")), "Where something is.\nIn metres.");
const Player = schema(
  "Player",
  ivar("health"),
  bool("jumping"),
  ref("position", Position),
  ref("attributes", schema(u8("str"), u8("agi"), u8("int"))),
);
const PLAYER = { health: 100, jumping: true, position: { x: 10, y: 20 }, attributes: { str: 100, agi: 50, int: 10 } };

interface Tree {
  children: Tree[];
}
const Tree: Schema<Tree, never> = schema(
  "Tree",
  omitEmpty(
    array(
      "children",
      REF(() => Tree),
    ),
  ),
  union("shape", { circle: Position, square: schema("Square", omitZero(uvar("a b"))) }, "type"),
  map("scores", UTF8, U64),
  map("maybe", U8, nullable(UNION({ one: Position }))),
  enumeration("color", "red", "green", 'it\'s "blue"'),
  omitNull(omitEmpty(utf8("note"))),
  array("grid", nullable(F64)),
  array("flags", nullable(UTF8), 3),
) as never;

test("TypeScript accepts the code in strict mode: written cases, and random schemas with every option", () => {
  const files = new Map<string, string>();
  const add = (folder: string, emitted: ReturnType<typeof emit>) => {
    for (const { path, text } of emitted)
      files.set(
        `/${path.startsWith("pck-runtime") ? "" : folder}${path}`,
        text.replace('"./pck-runtime.js"', '"/pck-runtime.js"'),
      );
  };
  add("", emit(bundle({ Player, Tree }), { target: "ts", runtime: "beside" }));
  files.set(
    "/use.ts",
    `import { decodePlayer, encodePlayer, encodeTree, sizePlayer, type Player } from "./player.js";
const player: Player = decodePlayer(encodePlayer({ health: 1, jumping: false, position: { x: 1, y: 2 }, attributes: { str: 1, agi: 2, int: 3 } }));
export const size: number = sizePlayer(player) + player.position.x;
// @ts-expect-error: health is missing
encodePlayer({ jumping: false, position: { x: 1, y: 2 }, attributes: { str: 1, agi: 2, int: 3 } });
encodeTree({ shape: { type: "square" }, scores: new Map<string, bigint | number>([["a", 1n], ["b", 2]]), maybe: new Map(), color: "red", grid: [1, null], flags: ["", null, undefined] });
`,
  );
  const options: Partial<JavaScriptOptions>[] = [
    {},
    { int64: "number" },
    { maps: "object" },
    { typedArrays: true, binary: "view" },
  ];
  const schemas = [...randomCases({ ...RANDOM, seed: 3, schemas: 24, values: 0, names: "plain" })];
  for (const [i, { doc: document }] of schemas.entries()) {
    add(`random-${i}-`, emit(document, { target: "ts", runtime: "beside", ...options[i % options.length] }));
  }
  expect(complaints(files)).toEqual([]);
});

test("the declarations for JavaScript have the same types", () => {
  const files = emit(Player, { target: "js", runtime: "beside" });
  expect(files.map(({ path }) => path)).toEqual(["player.js", "player.d.ts", "pck-runtime.js", "pck-runtime.d.ts"]);
  const declarations = new Map(
    files.filter(({ path }) => path.endsWith(".d.ts")).map(({ path, text }) => [`/${path}`, text]),
  );
  declarations.set(
    "/use.ts",
    `import { decodePlayer } from "./player.js";\nexport const x: number = decodePlayer(new Uint8Array(8)).position.x;\n`,
  );
  expect(complaints(declarations)).toEqual([]);
});

describe("behaviour", () => {
  test("every function of a message", () => {
    const module = load(emit(Player, { target: "js" })) as Record<string, (...args: unknown[]) => unknown>;
    expect(Object.keys(module)).toEqual([
      "encodePlayer",
      "encodePlayerInto",
      "encodePlayerShared",
      "sizePlayer",
      "decodePlayer",
    ]);
    const bytes = module["encodePlayer"]!(PLAYER) as Uint8Array;
    expect(toHex(bytes)).toBe("0164320ac8011428");
    expect(toHex(module["encodePlayerShared"]!(PLAYER) as Uint8Array)).toBe("0164320ac8011428");
    expect(module["sizePlayer"]!(PLAYER)).toBe(8);
    const target = new Uint8Array(10);
    expect(module["encodePlayerInto"]!(PLAYER, target, 1)).toBe(9);
    expect(toHex(target)).toBe("000164320ac801142800");
    expect(module["decodePlayer"]!(bytes)).toEqual(PLAYER);
    expect(() => module["encodePlayerInto"]!(PLAYER, target, 3)).toThrow(
      expect.objectContaining({ code: "ERR_BUFFER_TOO_SMALL" }),
    );
  });

  test("docs are emitted and cannot end a comment", () => {
    const [file] = emit(doc(schema("S", doc(u8("a"), "*/ evil(); /*\u2028second")), "one\ntwo */"), { target: "ts" });
    expect(file!.text).toContain(" * one\n * two *\\/");
    expect(file!.text).toContain("  /**\n   * *\\/ evil(); /*\n   * second\n   */\n  a: number;");
  });

  test("the same schemas give the same text with a polluted Object.prototype", () => {
    const before = emit(bundle({ Player, Tree }), { target: "ts", runtime: "beside" });
    const prototype = Object.prototype as { health?: unknown };
    prototype.health = 1;
    try {
      expect(emit(bundle({ Player, Tree }), { target: "ts", runtime: "beside" })).toEqual(before);
    } finally {
      delete prototype.health;
    }
  });
});

describe("names", () => {
  const codeOf = (act: () => unknown) => caughtOurs(act).code;

  test("names of structs are written as types; a struct without a name is named after its field", () => {
    const text = emit(
      { "top-stories": schema(ref("first item", schema(u8("a"))), array("more", REF(schema("item", u8("b"))))) },
      { target: "ts" },
    )[0]!;
    expect(text.path).toBe("top-stories.ts");
    for (const name of [
      "interface TopStories ",
      "interface TopStoriesFirstItem ",
      "interface Item ",
      "decodeTopStories(",
    ])
      expect(text.text).toContain(name);
    expect(text.text).toContain('  "first item": TopStoriesFirstItem;');
  });

  test("the functions of a struct have names that the run time does not have", () => {
    const runtimeFunctions = Object.keys(runtime).filter((name) => /^(?:encode|decode|size)[A-Z]/.test(name));
    // Error is a global name, so no struct has it.
    expect(runtimeFunctions).toEqual(["encodeError"]);
    for (const name of ["Message", "Messages", "Short", "Text"]) {
      const [file] = emit(schema(name, u8("a")), { target: "ts", name: "one" });
      expect(file!.text).toContain(`export function encode${name}(`);
      expect(complaints(new Map([[file!.path, file!.text]]))).toEqual([]);
    }
  });

  test("an invalid name, or one that is in use, throws", () => {
    const options = { target: "ts" } as const;
    expect(codeOf(() => emit(schema("1x", u8("a")), options))).toBe("ERR_SCHEMA");
    expect(codeOf(() => emit(schema("\u2600", u8("a")), options))).toBe("ERR_SCHEMA");
    for (const name of ["Map", "Set", "Error", "Record"]) {
      const act = () => emit(schema(name, u8("a")), options);
      expect(codeOf(act)).toBe("ERR_SCHEMA");
      expect(act).toThrow(new RegExp(`^${name}: ${name} is a global name in JavaScript: rename the struct$`));
    }
    for (const [name, taken] of [
      ["BytesInput", "BytesInput"],
      ["PackReader", "PackReader"],
    ] as const) {
      const act = () => emit(schema(name, u8("a")), options);
      expect(act).toThrow(new RegExp(`^${name}: emitted code imports ${taken}: rename the struct$`));
    }
    expect(codeOf(() => emit(schema("packWriter", u8("a")), options))).toBe("ERR_SCHEMA");
    expect(codeOf(() => emit(schema("A", ref("b", schema("a", u8("x")))), options))).toBe("ERR_SCHEMA");
    const Loose = schema("X", omitNull(u8("a")));
    expect(codeOf(() => emit(schema("Y", ref("b", Loose), ref("c", schema("XInput", u8("x")))), options))).toBe(
      "ERR_SCHEMA",
    );
    expect(codeOf(() => emit(bundle({ A: Player, AInto: Position }), options))).toBe("ERR_SCHEMA");
    expect(codeOf(() => emit({} as never, options))).toBe("ERR_INVALID_ARGUMENT");
    // The file of the run time would be written to the same path.
    for (const [name, more] of [
      ["PckRuntime", {}],
      ["Player", { name: "PCK-runtime" }],
      ["Player", { name: "generated/pck-runtime" }],
    ] as const) {
      const beside = { ...options, ...more, runtime: "beside" };
      expect(codeOf(() => emit(schema(name), beside))).toBe("ERR_INVALID_ARGUMENT");
      expect(emit(schema(name), { ...options, ...more })).toHaveLength(1);
    }
    expect(emit(schema("PckRuntime"), { ...options, runtime: "beside", name: "own" })).toHaveLength(2);
    expect(codeOf(() => emit(Player, { target: "go" } as never))).toBe("ERR_INVALID_ARGUMENT");
    expect(codeOf(() => emit(Player, { ...options, runtime: 'x";evil()//' }))).toBe("ERR_INVALID_ARGUMENT");
  });
});
