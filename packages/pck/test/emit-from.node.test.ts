/** The output of `emit` for older schemas: names, valid TypeScript, deterministic text, errors. */

import { caughtOurs } from "@moonpack/harness/caught.ts";
import {
  array,
  bundle,
  codec,
  ENUMERATION,
  enumeration,
  f32,
  ivar,
  map,
  nullable,
  omitEmpty,
  omitNull,
  omitZero,
  REF,
  ref,
  renamed,
  type Schema,
  schema,
  toDocument,
  U8,
  U16,
  UNION,
  UTF8,
  u8,
  u16,
  u64,
  union,
  utf8,
  withDefault,
} from "@moonpack/pck";
import { emit, emitGo, type JavaScriptOptions, type OlderSchemas } from "@moonpack/pck/emit";
import { describe, expect, test } from "vitest";
import { load } from "./harness/emitted.ts";
import { evolvedPairs } from "./harness/evolved-pairs.ts";
import { withPlainNames } from "./harness/plain-names.ts";
import { complaints } from "./harness/typescript.ts";

const Position = schema("Position", ivar("x"), ivar("y"));
const PlayerV1 = schema(
  "Player",
  utf8("nick"),
  u8("score"),
  enumeration("color", "red", "blue", "pink"),
  union("shape", { circle: Position, square: schema("Square", u8("side")) }),
  map("keys", ENUMERATION("b", "a"), U8),
  omitNull(ref("at", Position)),
  array("grid", nullable(UTF8)),
);
const Circle = schema("Circle", withDefault(f32("radius"), 0), omitNull(ivar("x")));
const Player = schema(
  "Player",
  renamed(utf8("name"), "nick"),
  u16("score"),
  withDefault(u8("lives"), 3),
  withDefault(enumeration("color", "blue", "red"), "red"),
  withDefault(union("shape", { circle: Circle }), { kind: "circle", radius: Number.NaN }),
  map("keys", ENUMERATION("a", "b"), U16),
  omitNull(ref("at", Position)),
  withDefault(array("grid", nullable(UTF8)), ["a", null]),
  ref("box", schema("Box", omitZero(u8("width")), omitEmpty(map("of", U8, UNION({ one: Position }))))),
);
const OLD = {
  nick: "é",
  score: 7,
  color: "pink",
  shape: { kind: "square", side: 2 },
  keys: new Map<"a" | "b", number>([
    ["a", 1],
    ["b", 2],
  ]),
  at: null,
  grid: ["b"],
} as const;

type Functions = Record<string, (argument: unknown) => unknown>;

/** Returns the exports of a module besides the functions of the new schemas. */
function addedBy(older: OlderSchemas, options: Partial<JavaScriptOptions> = {}): string[] {
  return Object.keys(load(emit(Player, { target: "js", ...options, older }))).filter((name) => name.includes("From"));
}

test("a value with defaults, absent fields and another order of keys", () => {
  const { decodePlayerFromV1 } = load(emit(Player, { target: "js", older: { V1: PlayerV1 } })) as Functions;
  const value = decodePlayerFromV1!(codec(PlayerV1).encode(OLD)) as { keys: Map<string, number> };
  expect(value).toEqual({
    name: "é",
    score: 7,
    lives: 3,
    color: "red",
    shape: { kind: "circle", radius: Number.NaN, x: null },
    keys: new Map([
      ["a", 1],
      ["b", 2],
    ]),
    at: null,
    grid: ["b"],
    box: { width: 0, of: new Map() },
  });
  expect([...value.keys.keys()]).toEqual(["a", "b"]);
});

test("Go's methods reject a nil receiver, also those for older schemas", () => {
  const text = emitGo(Player, { package: "game", older: PlayerV1 })[0]!.text;
  for (const name of ["UnmarshalBinary", "UnmarshalBinaryFromOld"]) {
    const refused = `func (v *Player) ${name}(b []byte) error {\n\tif v == nil {\n\t\treturn pckWriteError("ERR_INVALID_ARGUMENT", "$")\n`;
    expect(text).toContain(refused);
  }
});

describe("names", () => {
  test("a single schema, a document, and several schemas", () => {
    expect(addedBy(PlayerV1)).toEqual(["decodePlayerFromOld"]);
    expect(addedBy(toDocument(PlayerV1))).toEqual(["decodePlayerFromOld"]);
    expect(addedBy({ V1: PlayerV1, v2: toDocument(Player) })).toEqual(["decodePlayerFromV1", "decodePlayerFromV2"]);
  });

  test("in bundles, schemas with the same name; a single one maps to a single one", () => {
    const now = bundle({ Player, Position });
    const emitted = load(emit(now, { target: "js", older: { V1: bundle({ Player: PlayerV1, Other: Position }) } }));
    expect(Object.keys(emitted).filter((name) => name.includes("From"))).toEqual(["decodePlayerFromV1"]);
    expect(addedBy({ V1: bundle({ Gamer: PlayerV1 }) })).toEqual(["decodePlayerFromV1"]);
    const older = { V1: bundle({ Gamer: PlayerV1 }) };
    expect(caughtOurs(() => emit(now, { target: "js", older })).code).toBe("ERR_INVALID_ARGUMENT");
  });

  test("a name that is in use is ERR_SCHEMA", () => {
    const older = { V1: PlayerV1, v1: PlayerV1 };
    expect(caughtOurs(() => emit(Player, { target: "js", older })).code).toBe("ERR_SCHEMA");
    expect(caughtOurs(() => emitGo(Player, { package: "game", older })).code).toBe("ERR_SCHEMA");
    const T = schema("T", u8("UnmarshalBinaryFromOld"));
    expect(caughtOurs(() => emitGo(T, { package: "game", older: T })).message).toMatch(/declared twice/);
  });

  test("fields whose names are literals or reserved words in JavaScript", () => {
    const names = ["null", "0", "false", "__proto__", "constructor", "r", "bits"];
    const fields = names.map((name, i) => (i % 2 === 0 ? omitNull(u8(name)) : withDefault(u8(name), i)));
    const { decodeTFromOld } = load(emit(schema("T", ...fields), { target: "js", older: schema() })) as Functions;
    const value = decodeTFromOld!(new Uint8Array(0)) as object;
    expect(Object.getOwnPropertyNames(value).sort()).toEqual([...names].sort());
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

test.each([
  [
    "ERR_SCHEMA",
    schema("Player", utf8("nick"), utf8("score"), ...PlayerV1.fields.slice(2)),
    /score.*cannot be read as/,
  ],
  ["ERR_INVALID_ARGUMENT", 1, /older must be/],
  ["ERR_INVALID_ARGUMENT", { "V 1": PlayerV1 }, /not a valid name/],
  ["ERR_INVALID_ARGUMENT", { V1: 1 }, /V1 is not a schema/],
  ["ERR_INVALID_ARGUMENT", { V1: {} }, /a bundle must contain a schema/],
])("%s: %#", (code, older, text) => {
  const given = older as OlderSchemas;
  for (const act of [
    () => emit(Player, { target: "ts", older: given }),
    () => emitGo(Player, { package: "game", older: given }),
  ]) {
    const error = caughtOurs(act);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(text);
  }
});

test("a default beyond 2^53 is ERR_UNSAFE_INTEGER with int64: number, as in resolve", () => {
  const inner = schema("Inner", withDefault(u64("big"), 2n ** 60n));
  const now = schema("T", u8("a"), ref("inner", inner));
  const older = schema("T", u8("a"));
  const { decodeTFromOld } = load(emit(now, { target: "js", int64: "number", older })) as Functions;
  expect(caughtOurs(() => decodeTFromOld!(Uint8Array.of(1)))).toMatchObject({ code: "ERR_UNSAFE_INTEGER", offset: 1 });
});

test("defaults are new for each value; the text for recursive structs is not longer than for the schema", () => {
  const { decodePlayerFromOld } = load(
    emit(Player, { target: "js", older: schema("Player", ...PlayerV1.fields.slice(0, 6)) }),
  ) as Functions;
  const bytes = codec(schema("Player", ...PlayerV1.fields.slice(0, 6))).encode(OLD as never);
  const [a, b] = [decodePlayerFromOld!(bytes), decodePlayerFromOld!(bytes)] as { grid: unknown[] }[];
  expect(a!.grid).toEqual(["a", null]);
  expect(a!.grid).not.toBe(b!.grid);
  let last: Schema<unknown, never> = schema("S0", withDefault(u8("a"), 1)) as never;
  for (let i = 1; i < 18; i++) last = schema(`S${i}`, ref("a", last), ref("b", last)) as never;
  const [file] = emit(schema("T", ref("s", last)), { target: "js", older: schema("T") });
  expect(file!.text.length).toBeLessThan(50_000);
});

test("the depth of a recursive schema is limited as in the older schema", () => {
  interface Tree {
    readonly children: readonly Tree[];
  }
  const tree = (...more: Parameters<typeof schema>): Schema<unknown, never> => {
    const one: Schema<unknown, never> = schema(
      "Tree",
      omitEmpty(
        array(
          "children",
          REF(() => one),
        ),
      ),
      ...(more as []),
    ) as never;
    return one;
  };
  const older = tree() as Schema<Tree, never>;
  const { decodeTreeFromOld } = load(emit(tree(omitNull(u8("x"))), { target: "js", maxDepth: 6, older })) as Functions;
  expect(decodeTreeFromOld!(Uint8Array.of(1, 1, 1, 1, 0))).toEqual({
    children: [{ children: [{ children: [], x: null }], x: null }],
    x: null,
  });
  const error = caughtOurs(() => decodeTreeFromOld!(Uint8Array.of(1, 1, 1, 1, 1, 1, 0)));
  expect(error).toMatchObject({ code: "ERR_LIMIT_DEPTH", offset: 6 });
});

test("TypeScript accepts the code in strict mode: written cases, and random pairs with every option", () => {
  const files = new Map<string, string>();
  const add = (folder: string, emitted: ReturnType<typeof emit>) => {
    for (const { path, text } of emitted)
      files.set(
        `/${path.startsWith("pck-runtime") ? "" : folder}${path}`,
        text.replace('"./pck-runtime.js"', '"/pck-runtime.js"'),
      );
  };
  add("", emit(Player, { target: "ts", runtime: "beside", older: { V1: PlayerV1 } }));
  files.set(
    "/use.ts",
    `import { decodePlayerFromV1, encodePlayer, type Player } from "./player.js";
const player: Player = decodePlayerFromV1(new Uint8Array(8));
export const bytes: Uint8Array = encodePlayer(player);
`,
  );
  const options: Partial<JavaScriptOptions>[] = [
    {},
    { int64: "number" },
    { maps: "object" },
    { typedArrays: true, binary: "view" },
  ];
  let emitted = 0;
  for (const [i, { writer, reader }] of [...evolvedPairs(20270103, 7)].entries()) {
    try {
      const settings = { target: "ts", runtime: "beside", ...options[i % options.length], older: writer } as const;
      add(`random-${i}-`, emit(withPlainNames(reader), settings));
      emitted++;
    } catch (error) {
      expect(error).toMatchObject({ code: "ERR_SCHEMA" });
    }
  }
  expect(emitted).toBeGreaterThan(4);
  expect(complaints(files)).toEqual([]);
});

test("the declarations for JavaScript have the functions; the same schemas give the same text", () => {
  const files = emit(Player, { target: "js", older: { V1: PlayerV1 } });
  expect(files[1]!.text).toMatch(/export declare function decodePlayerFromV1\(bytes: BytesInput\): Player;/);
  expect(emit(Player, { target: "js", older: { V1: PlayerV1 } })).toEqual(files);
});
