/** The emitter for Go: names, errors, options. The emitted code itself is tested in Go: scripts/go.mjs. */
import * as pck from "@moonpack/pck";
import { describe, expect, test } from "vitest";
import { emitGo, type GoPlace } from "../build/emit/go/index.js";
import { pascal } from "../build/emit/go/names.js";
import { emitRegions } from "../build/emit/regions/index.js";

const options = { package: "game" } as const;

interface Tree {
  readonly marks: Map<number, object>;
  readonly left: Tree | null;
}

/** The text of the first file. */
function textOf(schemas: Parameters<typeof emitGo>[0], more: Partial<Parameters<typeof emitGo>[1]> = {}): string {
  return emitGo(schemas, { ...options, ...more })[0]!.text;
}

test("a map of empty structs declares no unused variable, also below a recursion", () => {
  const Tree: pck.Schema<Tree> = pck.schema(
    "Tree",
    pck.map("marks", pck.U8, pck.REF(pck.schema("Mark"))),
    pck.omitNull(pck.ref("left", () => Tree)),
  );
  expect(textOf(Tree)).not.toMatch(/value\d* := /);
});

describe("names", () => {
  test.each([
    ["id", "ID"],
    ["user_id", "UserID"],
    ["userId", "UserID"],
    ["url", "URL"],
    ["httpUrl", "HTTPURL"],
    ["x2", "X2"],
    ["b_0", "B0"],
    ["v1_2", "V1_2"],
    ["id2", "ID2"],
    ["MAX_SIZE", "MAXSIZE"],
    ["Already", "Already"],
    ["grid", "Grid"],
    ["a__b", "A_B"],
    ["_id", "_ID"],
    ["___", "___"],
    ["_a_", "_A_"],
    ["__a_1__2_", "__A1_2_"],
    ["1__2", "1_2"],
    ["1_2_3", "1_2_3"],
    ["straße", "Straße"],
    ["é", "É"],
  ])("%s becomes %s", (name, expected) => expect(pascal(name)).toBe(expected));

  test("a name of underscores takes linear time: these took minutes", () => {
    const many = "_".repeat(200_000);
    expect(pascal(`a${many}b`)).toBe(`A${many.slice(1)}B`);
    expect(pascal(many)).toBe(many);
    expect(pascal("1_".repeat(100_000))).toBe("1_".repeat(100_000));
  });

  test.each(["a b", "", '"', "a-b", "😀", "\0", "\ufeff"])("%j has no name in Go", (name) =>
    expect(pascal(name)).toBeUndefined());

  test.each([
    ["two fields", pck.schema("S", pck.u8("user_id"), pck.u8("userId"))],
    ["a field and a method", pck.schema("S", pck.u8("size"))],
    [
      "two structs",
      pck.schema(
        "S",
        pck.ref("a", pck.schema("user_id", pck.u8("x"))),
        pck.ref("b", pck.schema("UserId", pck.u8("x"))),
      ),
    ],
    [
      "a struct and a constant",
      pck.schema("S", pck.enumeration("e", "a"), pck.ref("b", pck.schema("SEA", pck.u8("x")))),
    ],
    ["a struct and the runtime's error", pck.schema("PCKError", pck.u8("x"))],
  ])("%s with the same name throw", (_, schema) => {
    expect(() => textOf(schema)).toThrow(
      expect.objectContaining({ code: "ERR_SCHEMA", message: expect.stringMatching(/would both be/) }),
    );
  });

  test.each(["a b", "1st", "日本", "a-b"])("a field %j throws unless a name is chosen", (name) => {
    const schema = pck.schema("S", pck.u8(name));
    expect(() => textOf(schema)).toThrow(expect.objectContaining({ code: "ERR_SCHEMA" }));
    const names = (subject: { kind: string }, proposed: string) => (subject.kind === "field" ? "Chosen" : proposed);
    expect(textOf(schema, { names })).toContain("\tChosen uint8\n");
    expect(() => textOf(schema, { names: () => "lower" })).toThrow(/not a valid exported name/);
  });

  test("structs without a name are named after the field that holds them", () => {
    const schema = pck.schema(
      pck.ref("inner_part", pck.schema(pck.u8("x"))),
      pck.array("list", pck.REF(pck.schema(pck.u8("y")))),
    );
    expect([...textOf(schema).matchAll(/^type (\w+)/gm)].map(([, name]) => name)).toEqual([
      "Root",
      "RootInnerPart",
      "RootList",
    ]);
  });

  test("a bundle names its schemas", () => {
    expect(textOf({ Player: pck.schema("other", pck.u8("x")) })).toContain("type Player struct {");
  });

  test("identical enumerations may share a name", () => {
    const schema = pck.schema("S", pck.enumeration("a", "x", "y"), pck.enumeration("b", "x", "y"));
    const names = ({ kind }: { kind: string }, proposed: string) => (kind === "enumeration" ? "Both" : proposed);
    expect(textOf(schema, { names }).match(/^type Both uint32$/gm)).toHaveLength(1);
    const other = pck.schema("S", pck.enumeration("a", "x", "y"), pck.enumeration("b", "x"));
    expect(() => textOf(other, { names })).toThrow(/would both be Both/);
  });
});

describe("picks", () => {
  const Item = pck.schema("Item", pck.u8("weight"), pck.utf8("sku"));
  const Order = pck.schema(
    "Order",
    pck.u32("user_id"),
    pck.omitNull(pck.ref("item", Item)),
    pck.array("items", pck.REF(Item)),
    pck.union("from", { item: Item, shop: pck.schema("Shop", pck.u16("weight")) }),
  );
  const picked = (paths: Record<string, string>, name = "Route") => textOf(Order, { picks: { [name]: { paths } } });

  test("a field that a message may lack is a pointer; lists are slices", () => {
    const text = picked({
      user_id: "user_id",
      sku: "item.sku",
      skus: "items.*.sku",
      kind: "from.kind",
      from_sku: "from.sku",
    });
    expect(text).toContain(`type Route struct {
\tUserID  uint32
\tSku     *string
\tSkus    []string
\tKind    string
\tFromSku *string
}
`);
    expect(text).toContain("func (v *Route) UnmarshalBinary(b []byte) error {");
  });

  test("names are chosen by the hook", () => {
    const names = ({ struct, name }: { struct: string; name: string }, proposed: string) =>
      struct === "Route" && name === "a b" ? "Chosen" : proposed;
    expect(textOf(Order, { names, picks: { Route: { paths: { "a b": "user_id" } } } })).toContain("\tChosen uint32\n");
  });

  test.each([
    [{ a: "user_id" }, "Item", "ERR_SCHEMA", /would both be Item in Go/],
    [{ a: "user_id", A: "item" }, "Route", "ERR_SCHEMA", /would both be A in Go/],
    [{ unmarshal_binary: "user_id" }, "Route", "ERR_SCHEMA", /a method would both be UnmarshalBinary/],
    [{ "a b": "user_id" }, "Route", "ERR_SCHEMA", /no valid name in Go/],
    [{ a: "from.weight" }, "Route", "ERR_INVALID_ARGUMENT", /Route\.a has values of several types, .*: uint8, uint16$/],
    [{ a: "item", b: "item.sku" }, "Route", "ERR_INVALID_ARGUMENT", /a path to a value and a path into it/],
    [{ a: "itm" }, "Route", "ERR_INVALID_ARGUMENT", /did you mean item\?$/],
  ])("%j as %s throws", (paths, name, code, message) => {
    const act = () => picked(paths as never, name);
    expect(act).toThrow(message);
    expect(act).toThrow(expect.objectContaining({ code }));
  });
});

describe("options", () => {
  const schema = pck.schema("S", pck.utf8("text"));

  test.each([
    { package: "" },
    { package: "func" },
    { package: "a;b" },
    { package: "_" },
    { package: "1a" },
    { file: "../x.go" },
    { file: "pck_runtime.go" },
    { runtime: 'x"' },
    { strings: "shared" as "view" },
    { names: 1 as never },
    { factories: {} as never },
    { receivers: "p" as never },
  ])("%j throws", (wrong) => {
    expect(() => textOf(schema, wrong)).toThrow(expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }));
  });

  test.each(["main", "Game", "_game", "game_test2"])("package %s", (name) => {
    for (const { text } of emitGo(schema, { package: name }))
      expect(text).toMatch(new RegExp(`^package ${name}$`, "m"));
    const file = `package ${name}\n\n// pck:emit("rest")\n// pck:end\n`;
    expect(emitRegions(file, schema, { target: "go" })).toContain("func (v *S) UnmarshalBinary");
  });

  test("the runtime is written beside the code, or imported", () => {
    const beside = emitGo(schema, options);
    expect(beside.map(({ path }) => path)).toEqual(["pck.go", "pck_runtime.go"]);
    for (const { text } of beside)
      expect(text).toMatch(/^\/\/ Code generated by moonpack.*DO NOT EDIT\.\n\npackage game\n/);
    const imported = emitGo(schema, { ...options, runtime: "example.com/x/codec" });
    expect(imported.map(({ path }) => path)).toEqual(["pck.go"]);
    expect(imported[0]!.text).toContain('import pck "example.com/x/codec"\n');
  });

  test("strings are copies or views", () => {
    expect(textOf(schema)).toContain("pckText(b, i)");
    expect(textOf(schema, { strings: "view" })).toContain("pckTextView(b, i)");
  });

  test("chosen types", () => {
    const own = pck.schema("S", pck.u64("id"), pck.omitNull(pck.utf8("name")));
    const text = textOf(own, {
      types: ({ name }) => ({ type: `ids.${name.toUpperCase()}`, import: "example.com/ids" }),
    });
    expect(text).toContain('\t"example.com/ids"\n');
    expect(text).toContain("\tID   ids.ID\n\tName *ids.NAME\n");
    expect(() => textOf(own, { types: () => ({ type: "x; y" }) })).toThrow(/not a valid name in Go for a type/);
  });

  test("chosen types within lists and maps, and for lists and maps", () => {
    const own = pck.schema(
      "S",
      pck.array("tags", pck.UTF8),
      pck.map("scores", pck.U32, pck.ARRAY(pck.nullable(pck.F64), 2)),
      pck.bytes("hash", 4),
    );
    const asked: string[] = [];
    const types = ({ struct, name, part }: GoPlace, go: string) => {
      asked.push(`${struct}.${name} ${part}: ${go}`);
      return { type: `My${name}${part.replace(".", "")}` };
    };
    const text = textOf(own, { types });
    expect(asked).toEqual([
      "S.tags element: string",
      "S.tags : []Mytagselement",
      "S.scores key: uint32",
      "S.scores value.element: float64",
      "S.scores value: [2]*Myscoresvalueelement",
      "S.scores : map[Myscoreskey]Myscoresvalue",
      "S.hash : [4]byte",
    ]);
    expect(text).toContain("\tTags   Mytags\n\tScores Myscores\n\tHash   Myhash\n");
    expect(text).toContain("make(map[Myscoreskey]Myscoresvalue, ");
    // Go's compiler rejects a type of another kind, which would lose values.
    expect(text).toContain("\t_ = (*string)((*Mytagselement)(nil))\n\t_ = (*uint32)((*Myscoreskey)(nil))\n");
    // Choosing Go's own type changes nothing.
    expect(textOf(own, { types: (_, go) => ({ type: go }) })).toBe(textOf(own));
    for (const type of ["uint64", "string", ""]) {
      expect(() => textOf(own, { types: ({ part }) => (part === "key" ? { type } : undefined) })).toThrow(
        /whose underlying type is uint32/,
      );
    }
  });

  test("chosen pointers, also in lists and maps", () => {
    const Inner = pck.schema("Inner", pck.u8("x"));
    const own = pck.schema(
      "S",
      pck.ref("inner", Inner),
      pck.array("list", pck.REF(Inner)),
      pck.map("map", pck.U8, pck.REF(Inner)),
      pck.omitNull(pck.ref("maybe", Inner)),
    );
    expect(textOf(own)).toContain("\tInner Inner\n\tList  []Inner\n\tMap   map[uint8]Inner\n\tMaybe *Inner\n");
    const all = "\tInner *Inner\n\tList  []*Inner\n\tMap   map[uint8]*Inner\n\tMaybe *Inner\n";
    expect(textOf(own, { pointers: () => true })).toContain(all);
    const some = textOf(own, { pointers: ({ name, part }) => name === "list" && part === "element" });
    expect(some).toContain("\tInner Inner\n\tList  []*Inner\n\tMap   map[uint8]Inner\n");
  });

  describe("factories", () => {
    const Item = pck.schema("Item", pck.utf8("x"));
    const own = pck.schema("S", pck.omitNull(pck.ref("item", Item)), pck.union("u", { item: Item }));

    test("make every value that a pointer needs", () => {
      const asked: string[] = [];
      const text = textOf(own, {
        factories: ({ kind, name }, go) => {
          asked.push(`${kind} ${name}: ${go}`);
          if (kind === "arm") return { make: "takeArm()" };
          return name === "Item" ? { make: "pools.Items.Get().(*Item)", import: "example.com/pools" } : undefined;
        },
      });
      expect(asked).toEqual(["struct S: new(S)", "arm item: new(SUItem)", "struct Item: new(Item)"]);
      expect(text).toContain("\t\tv.Item = pools.Items.Get().(*Item)\n");
      expect(text).toContain("\tarm := takeArm()\n");
      expect(text).toContain('import "example.com/pools"\n');
    });

    test("are not imported if they are not used", () => {
      const text = textOf(Item, { factories: () => ({ make: "pools.Get()", import: "example.com/pools" }) });
      expect(text).not.toContain("pools");
    });

    test.each([
      "",
      "x; y",
      "f()\n",
      'f("x")',
      "`",
      "b.Get()",
      "err",
      "func() *Item { return nil }()",
    ])("%j is not a valid expression", (make) => {
      expect(() => textOf(own, { factories: () => ({ make }) })).toThrow(
        expect.objectContaining({ code: "ERR_SCHEMA" }),
      );
    });
  });

  describe("receivers", () => {
    const own = pck.schema("Player", pck.bool("on"), pck.u16("p"), pck.array("list", pck.UTF8));

    test("are named by the hook, and variables get other names", () => {
      for (const receiver of ["p", "list", "n", "k", "self"]) {
        const text = textOf(own, { receivers: ({ name }) => (name === "Player" ? receiver : "v") });
        expect(text.match(new RegExp(`^func \\(${receiver} \\*Player\\)`, "gm"))).toHaveLength(7);
        expect(text).not.toMatch(new RegExp(`^\\s*(?:var |for )?${receiver}\\b(?!\\.)`, "m"));
        expect(text).not.toMatch(/\bv\b/);
      }
    });

    test.each([
      "",
      "P",
      "1",
      "b",
      "i",
      "err",
      "func",
      "len",
      "binary",
      "_",
      "encodeShape",
      "a b",
      1 as never,
    ])("%j is refused", (receiver) => {
      expect(() => textOf(own, { receivers: () => receiver })).toThrow(expect.objectContaining({ code: "ERR_SCHEMA" }));
    });

    test("must not hide other names", () => {
      const types = () => ({ type: "ids.ID", import: "example.com/ids" });
      expect(() => textOf(own, { receivers: () => "ids", types })).toThrow(/the receiver ids would hide/);
      expect(textOf(own, { receivers: () => "other", types })).toContain("func (other *Player)");
    });
  });
});

test("a document gives the same text as its schema, every time", () => {
  const schema = pck.schema(
    "S",
    pck.map("m", pck.UTF8, pck.nullable(pck.U8)),
    pck.union("u", { a: pck.schema("A", pck.u8("x")) }),
  );
  expect(textOf(pck.toDocument(schema))).toBe(textOf(schema));
  expect(textOf(schema)).toBe(textOf(schema));
});

test("docs of any content stay comments", () => {
  const schema = pck.schema("S", pck.doc(pck.u8("x"), "one\r\n*/ two\u2028}\n\n\0three \ufeff"));
  expect(textOf(schema)).toContain("type S struct {\n\t// one\n\t// \\*/ two\n\t// }\n\t// three\n\tX uint8\n}\n");
});

test("types that are too large for Go throw", () => {
  const wide = pck.schema("S", pck.array("a", pck.ARRAY(pck.U64, 65_535), 65_535));
  expect(() => textOf(wide)).toThrow(expect.objectContaining({ code: "ERR_SCHEMA" }));
  expect(() => textOf(pck.schema("S", pck.omitNull(wide.fields[0]!)))).toThrow(/larger than/);
});

describe("memory", () => {
  const text = (name: string) => pck.omitEmpty(pck.array(name, pck.UTF8));
  const Row = pck.schema("Row", ..."abcd".split("").map(text));
  const sparse = pck.schema("S", pck.array("rows", pck.REF(Row)));

  test("nothing is counted if the bytes of each value pay for its memory", () => {
    const Point = pck.schema("Point", pck.uvar("x"), pck.omitZero(pck.f64("y")), pck.omitNull(pck.utf8("name")));
    const dense = pck.schema(
      "S",
      pck.array("points", pck.REF(Point)),
      pck.array("bits", pck.BOOL),
      pck.array("levels", pck.nullable(pck.U64)),
      pck.map("scores", pck.UVAR, pck.F64),
      pck.array("fixed", pck.ARRAY(pck.U64, 100)),
      pck.omitNull(pck.array("grid", pck.ARRAY(pck.UVAR, 100), 100)),
    );
    expect(textOf(dense)).not.toContain("room");
  });

  test.each([
    ["memory of structs with absent fields", sparse, "pckCountWithRoom(b, i, reserved, 1, room, 0, 96)"],
    [
      "memory of maps of text",
      pck.schema("S", pck.map("m", pck.UTF8, pck.UTF8)),
      "pckCountWithRoom(b, i, reserved, 2, room, 320, 64)",
    ],
    [
      "memory of nullable unions",
      pck.schema("S", pck.array("u", pck.nullable(pck.UNION({ a: pck.schema("A", pck.u8("x")) })))),
      "pckBitCountWithRoom(b, i, reserved, room, 16)",
    ],
    ["memory behind a pointer", pck.schema("S", pck.omitNull(pck.ref("row", Row))), "pckTakeRoom(room, i, 96)"],
    [
      "memory of an arm",
      pck.schema("S", pck.union("u", { a: Row, b: pck.schema("B", ..."abcdefgh".split("").map(text)) })),
      "pckTakeRoom(room, i, 192)",
    ],
    [
      "memory of a large value before its bytes are checked",
      pck.schema("S", pck.omitNull(pck.array("grid", pck.ARRAY(pck.UVAR, 1000), 1000))),
      "pckTakeRoom(room, i, 4000000)",
    ],
  ])("%s is counted", (_, schema, call) => {
    const file = textOf(schema);
    expect(file).toContain(call);
    expect(file).toContain("room := pckRoomFor(b)");
    expect(textOf(schema, { maxElements: Infinity })).not.toContain("room");
  });

  test("chosen pointers are counted", () => {
    const file = textOf(sparse, { pointers: () => true });
    expect(file).toContain("pckCount(b, i, reserved, 1)");
    expect(file).toContain("pckTakeRoom(room, i, 96)");
  });

  test("for bytes of an older schema the new values are counted, including defaults", () => {
    const root = (...fields: pck.Field[]) =>
      pck.schema("S", pck.array("list", pck.REF(pck.schema("Item", pck.u8("x"), ...fields))));
    const older = { V1: root() };
    const filled = pck.withDefault(pck.array("f", pck.U32), Array<number>(100).fill(7));
    expect(textOf(root(filled), { older })).toContain("pckTakeRoom(room, i, 400)");
    expect(textOf(root(text("a"), text("b"), text("c")), { older })).toContain(
      "pckCountWithRoom(b, i, reserved, 1, room, 0, 80)",
    );
    const bools = { V1: pck.schema("S", pck.array("list", pck.BOOL)) };
    const nullable = pck.schema("S", pck.array("list", pck.nullable(pck.BOOL)));
    expect(textOf(nullable, { older: bools })).toContain("pckBitCountWithRoom(b, i, reserved, room, 16)");
  });

  test("with maxElements everything is counted, at 32 bytes for each element", () => {
    expect(textOf(sparse, { maxElements: 1000 })).toContain("room := int64(32000)");
    const dense = pck.schema("S", pck.array("list", pck.U32));
    expect(textOf(dense)).not.toContain("room");
    expect(textOf(dense, { maxElements: 1000 })).toContain("pckCountWithRoom(b, i, reserved, 4, room, 0, 4)");
    for (const maxElements of [-1, 0, 0.5, NaN, -Infinity, "1" as unknown as number]) {
      expect(() => textOf(sparse, { maxElements })).toThrow(/maxElements must be/);
    }
  });
});
