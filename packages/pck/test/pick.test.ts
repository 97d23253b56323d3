/** `pick`: forms of paths and results, absent parts, wrong paths and options, limits, older schemas. */

import { fault } from "@moonpack/harness/caught.ts";
import * as pck from "@moonpack/pck";
import { codec, fromDocument, resolve, schema } from "@moonpack/pck";
import { codeGeneration } from "@moonpack/pck/codegen";
import { pick } from "@moonpack/pck/pick";
import { describe, expect, test } from "vitest";

const Header = schema("Header", pck.utf8("tenant"), pck.omitNull(pck.utf8("user")), pck.bool("urgent"));
const Item = schema("Item", pck.utf8("sku"), pck.uvar("count"), pck.array("tags", pck.UTF8));
const Order = schema(
  "Order",
  pck.u32("id"),
  pck.ref("header", Header),
  pck.omitNull(pck.ref("parent", Header)),
  pck.array("items", pck.REF(Item)),
  pck.union("pay", { card: schema(pck.utf8("number"), pck.u8("tries")), cash: schema(pck.u8("tries")) }),
  pck.map("prices", pck.UTF8, pck.F64),
  pck.omitEmpty(pck.array("flags", pck.BOOL)),
  pck.omitZero(pck.u16("rank")),
  pck.omitEmpty(pck.utf8("note")),
);
const order: pck.InferInput<typeof Order> = {
  id: 7,
  header: { tenant: "eu", user: null, urgent: true },
  items: [
    { sku: "A1", count: 300, tags: ["x", "y"] },
    { sku: "B2", count: 1, tags: [] },
  ],
  pay: { kind: "cash", tries: 3 },
  prices: new Map([["A1", 2.5]]),
};
describe.each([
  ["closures", false],
  ["generated", codeGeneration],
] as const)("%s", (_, generator) => {
  const orders = codec(Order, { codeGeneration: generator });
  const bytes = orders.encode(order);

  test("a path gives a value, a list a list, an object an object", () => {
    expect(pick(orders, "header.tenant").decode(bytes)).toBe("eu");
    expect(pick(orders, ["id", ["header", "urgent"]]).decode(bytes)).toEqual([7, true]);
    expect(pick(orders, { id: "id", skus: "items.*.sku" }).decode(bytes)).toEqual({ id: 7, skus: ["A1", "B2"] });
    expect(pick(orders, []).decode(bytes)).toEqual([]);
    expect(pick(orders, {}).decode(bytes)).toEqual({});
  });

  test("whole structs, lists and maps, beside places in them and equal paths", () => {
    const paths = {
      header: "header",
      tenant: "header.tenant",
      again: "header.tenant",
      prices: "prices",
      tags: "items.*.tags.*",
    };
    expect(pick(orders, paths).decode(bytes)).toEqual({
      header: { tenant: "eu", user: null, urgent: true },
      tenant: "eu",
      again: "eu",
      prices: new Map([["A1", 2.5]]),
      tags: [["x", "y"], []],
    });
  });

  test("absent fields have the values of decode; places in an absent struct or another arm are undefined", () => {
    const paths = {
      ...{
        user: "header.user",
        parent: "parent",
        tenant: "parent.tenant",
        rank: "rank",
        note: "note",
        flags: "flags.*",
      },
      ...{ kind: "pay.kind", tries: "pay.tries", number: "pay.number" },
    };
    const result = pick(orders, paths).decode(bytes);
    expect(result).toEqual({
      ...{ user: null, parent: null, tenant: undefined, rank: 0, note: "", flags: [] },
      ...{ kind: "cash", tries: 3, number: undefined },
    });
    expect(Object.keys(result)).toEqual(Object.keys(paths));
  });

  test("each call returns its own lists and objects", () => {
    const picker = pick(orders, { skus: "items.*.sku", flags: "flags" });
    const first = picker.decode(bytes);
    first.skus.push("C3");
    first.flags.push(true);
    expect(picker.decode(bytes)).toEqual({ skus: ["A1", "B2"], flags: [] });
  });

  test("bytes may be any input that decode takes", () => {
    const picker = pick(orders, "id");
    const buffer = bytes.slice().buffer;
    for (const input of [bytes, buffer, new DataView(buffer)]) expect(picker.decode(input)).toBe(7);
    expect(fault(() => picker.decode("x" as never))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
  });

  test("bytes after the message and missing bytes are errors, unless the rest is ignored", () => {
    const longer = Uint8Array.of(...bytes, 1);
    const shorter = bytes.subarray(0, 12);
    expect(fault(() => pick(orders, "id").decode(longer))).toEqual(fault(() => orders.decode(longer)));
    expect(fault(() => pick(orders, "id").decode(shorter))).toEqual(fault(() => orders.decode(shorter)));
    const hasty = pick(orders, { id: "id", tenant: "header.tenant" }, { rest: "ignore" });
    expect(hasty.decode(longer)).toEqual({ id: 7, tenant: "eu" });
    expect(hasty.decode(shorter)).toEqual({ id: 7, tenant: "eu" });
  });

  test("skipped text is not looked at, picked text is", () => {
    const texts = codec(schema(pck.utf8("a"), pck.utf8("b")), { codeGeneration: generator });
    const broken = Uint8Array.of(1, 0xff, 1, 98);
    expect(pick(texts, "b").decode(broken)).toBe("b");
    expect(fault(() => pick(texts, "a").decode(broken))).toEqual(fault(() => texts.decode(broken)));
  });

  test("long text, long varints and long lists are skipped", () => {
    const long = schema(
      pck.uvar64("wide"),
      pck.ivar("far"),
      pck.enumeration("one", "a"),
      pck.utf8("text"),
      pck.array("list", pck.UVAR),
      pck.array("last", pck.U8),
    );
    const all = codec(long, { codeGeneration: generator });
    for (const n of [0, 1, 127, 128, 16_383, 16_384, 2 ** 21, 2 ** 32 - 1, 2 ** 53 - 1]) {
      const count = Math.min(n, 20_000);
      const list = Array.from({ length: count % 1000 }, (_, i) => (i * 7919) % 2 ** 32);
      const value = {
        wide: BigInt(n),
        far: n % 2 ** 31,
        one: "a" as const,
        text: "é".repeat(count),
        list,
        last: [1, 2, n % 256],
      };
      const message = all.encode(value);
      expect(pick(all, "last").decode(message)).toEqual(value.last);
      expect(pick(all, ["far", "last"]).decode(message)).toEqual([value.far, value.last]);
    }
  });

  test("long text that is cut, and counts that are not valid, are the errors of decode", () => {
    const texts = codec(schema(pck.utf8("a"), pck.bytes("b"), pck.u8("c")), { codeGeneration: generator });
    const picker = pick(texts, "c");
    const message = texts.encode({ a: "x".repeat(200), b: new Uint8Array(130), c: 1 });
    const cuts = Array.from(message, (_, end) => message.subarray(0, end));
    const forged = [
      [0xc8, 0],
      [0xc8, 0x80, 0],
      [0xff, 0x7f],
      [0xff, 0xff, 0x7f],
      [0xff, 0xff, 0xff, 0xff, 0x1f],
    ];
    const others = forged.map((count) => Uint8Array.of(1, ...count, ...new Uint8Array(300)));
    for (const input of [...cuts, ...others])
      expect(fault(() => picker.decode(input))).toEqual(fault(() => texts.decode(input)));
  });

  test("skipped varints are checked: their end, their size, a last byte 00", () => {
    const numbers = codec(schema(pck.uvar("a"), pck.uvar64("b"), pck.u8("c")), { codeGeneration: generator });
    const picker = pick(numbers, "c");
    const tens = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
    const wrong = [
      [1, 0x80, 0],
      [1, 0x80, 0x80, 0],
      [1, 1, 0x81, 0x80, 0],
      [1, 0xff, 0xff, 0xff, 0xff, 0x1f, 1],
      [1, 1, ...tens, 2],
      [1, 1, ...tens],
      [1, 0x80, 0, 1, 1],
      [1, 0x80, 0x80, 0, 1],
      [1, 1, 0x80, 0, 1, 1],
    ];
    for (const bytes of wrong) {
      const input = Uint8Array.from(bytes);
      expect(fault(() => picker.decode(input))).toEqual(fault(() => numbers.decode(input)));
    }
    expect(picker.decode(Uint8Array.of(9, 0xff, 0xff, 0xff, 0xff, 0x0f, ...tens, 1))).toBe(9);
  });

  test("the limit of depth holds in skipped parts; messages may be deeper than the call stack", () => {
    const Node: pck.Schema<Node> = schema("Node", pck.u8("value"), pck.omitNull(pck.ref("next", () => Node)));
    const chain = (length: number) =>
      Uint8Array.from({ length: 2 * length }, (_, i) => (i % 2 === 1 ? 9 : i < 2 * length - 2 ? 1 : 0));
    const deep = codec(Node, { maxDepth: 4096, codeGeneration: generator });
    const paths = { first: "value", third: "next.next.value" };
    expect(pick(deep, paths).decode(chain(4096))).toEqual({ first: 9, third: 9 });
    expect(fault(() => pick(deep, paths).decode(chain(4097)))).toEqual(fault(() => deep.decode(chain(4097))));
    const shallow = codec(Node, { maxDepth: 20, codeGeneration: generator });
    expect(fault(() => pick(shallow, paths).decode(chain(21)))).toEqual({
      code: "ERR_LIMIT_DEPTH",
      offset: 40,
      needMore: 0,
    });
    expect(pick(shallow, paths, { rest: "ignore" }).decode(chain(21))).toEqual({ first: 9, third: 9 });
    const long = Array.from({ length: 256 }, (_, i) => (i < 255 ? "next" : "value"));
    expect(pick(deep, [long, "value"]).decode(chain(300))).toEqual([9, 9]);
  });

  test("values that take no bytes are counted", () => {
    const Row = schema("Row", pck.omitEmpty(pck.map("m", pck.U8, pck.U8)), pck.u8("x"));
    const rows = codec(schema("Rows", pck.array("rows", pck.REF(Row))), {
      maxElements: 1000,
      codeGeneration: generator,
    });
    const message = (count: number) =>
      Uint8Array.from([0x80 | (count & 127), count >> 7, ...new Uint8Array(2 * count)]);
    expect(pick(rows, "rows.*.x").decode(message(900)).length).toBe(900);
    expect(fault(() => pick(rows, "rows.*.x").decode(message(1001)))).toMatchObject({ code: "ERR_LIMIT_ELEMENTS" });
    expect(pick(rows, "rows.*.m").decode(message(150)).length).toBe(150);
    expect(fault(() => pick(rows, "rows.*.m").decode(message(300)))).toMatchObject({ code: "ERR_LIMIT_ELEMENTS" });
  });

  test("present and fixed parts of elements are counted", () => {
    const Row = schema(
      "Row",
      pck.array("bytes", pck.nullable(pck.BYTES())),
      pck.array("pair", pck.U8, 2),
      pck.omitNull(pck.ref("at", schema(pck.omitEmpty(pck.bytes("b"))))),
    );
    const rows = codec(schema("Rows", pck.array("rows", pck.REF(Row))), {
      maxElements: 500,
      codeGeneration: generator,
    });
    const row = { bytes: [new Uint8Array(0), null], pair: [1, 2], at: { b: new Uint8Array(0) } };
    const most = (path: string) => {
      const picker = pick(rows, path);
      for (let count = 1; ; count++) {
        try {
          picker.decode(rows.encode({ rows: Array.from({ length: count }, () => row) }));
        } catch {
          return count - 1;
        }
      }
    };
    // 498 elements by those of a row: the item, the list, the bits and the bytes; the item, the list and both numbers; the item, the
    // struct and its bytes.
    expect([most("rows.*.bytes.*"), most("rows.*.pair.*"), most("rows.*.at")]).toEqual([71, 124, 83]);
  });

  test("every list of a * is counted, and every item of it, before it is made", () => {
    const Five = schema("Five", ...["a", "b", "c", "d", "e"].map((name) => pck.omitEmpty(pck.array(name, pck.U8))));
    const rows = schema(
      "Rows",
      pck.array("rows", pck.REF(Five)),
      pck.array("bits", pck.BOOL),
      pck.array("six", pck.U8, 6),
    );
    const absent = codec(rows).encode({
      rows: Array.from({ length: 10 }, () => ({})),
      bits: [],
      six: [1, 2, 3, 4, 5, 6],
    });
    const present = codec(rows).encode({
      rows: Array.from({ length: 10 }, () => ({ a: [1], b: [2, 3] })),
      bits: Array.from({ length: 20 }, () => true),
      six: [1, 2, 3, 4, 5, 6],
    } as never);
    const expectLeast = (
      elements: number,
      paths: readonly string[],
      bytes: Uint8Array,
      options: pck.CodecOptions = {},
    ) => {
      const limited = (maxElements: number) =>
        pick(codec(rows, { ...options, maxElements, codeGeneration: generator }), paths as never);
      expect(limited(elements).decode(bytes)).toHaveLength(paths.length);
      expect(fault(() => limited(elements - 1).decode(bytes))).toMatchObject({ code: "ERR_LIMIT_ELEMENTS" });
    };
    // The result is 1. An outer list is 1 and its items, an inner one too.
    for (const options of [{}, { absent: "shared" }, { typedArrays: true }] as const) {
      expectLeast(1 + 11 + 10, ["rows.*.a.*"], absent, options);
      expectLeast(1 + 3 * (11 + 10), ["rows.*.a.*", "rows.*.b.*", "rows.*.c.*"], absent, options);
      expectLeast(1 + 3 * (11 + 10) + 10 + 20, ["rows.*.a.*", "rows.*.b.*", "rows.*.c.*"], present, options);
      expectLeast(1 + 1 + 3, ["bits.*"], present, options);
      expectLeast(1 + 3 * (1 + 3), ["bits.*", "bits.*", "bits.*"], present, options);
      expectLeast(1 + 3 * (1 + 6), ["six.*", "six.*", "six.*"], absent, options);
    }
    // Beside a whole value, which counts as in decode.
    expectLeast(1 + 7 + 2 * 7, ["six", "six.*", "six.*"], absent);
    expectLeast(1 + 2 + 10 * (6 + 3) + 10 + 10 * (1 + 1), ["rows.*", "rows.*.a.*"], present);
  });

  test("a path goes by the schema, not by how a value looks", () => {
    const Text = schema("Text", pck.map("x", pck.UTF8, pck.U8), pck.bytes("y"));
    const Data = schema("Data", pck.ref("x", schema(pck.u8("role"))), pck.array("y", pck.U8));
    const Both = schema(
      "Both",
      pck.union("u", { text: Text, data: Data }),
      pck.array("list", pck.UNION({ text: Text, data: Data })),
    );
    const both = codec(Both, { maps: "object", codeGeneration: generator });
    const text = { kind: "text", x: { role: 9 }, y: Uint8Array.of(7, 8) } as never;
    const data = { kind: "data", x: { role: 3 }, y: [5] } as const;
    const bytes = both.encode({ u: text, list: [text, data] });
    const paths = ["u.kind", "u.x.role", "u.y.*", "list.*.x.role", "list.*.y.*"] as const;
    const values = ["text", undefined, undefined, [undefined, 3], [undefined, [5]]];
    expect(pick(both, paths).decode(bytes)).toEqual(values);
    // Beside whole values, from which the others are taken.
    expect(
      pick(both, [...paths, "u", "u.x", "u.y", "list", "list.*.x"])
        .decode(bytes)
        .slice(0, 5),
    ).toEqual(values);
  });

  test("the limit of depth holds in lists of structs of known size, and in chains of them", () => {
    const Pair = schema("Pair", pck.u8("x"), pck.ref("in", schema(pck.u8("y"))));
    const Lists = schema(
      pck.u8("a"),
      pck.array("list", pck.REF(Pair)),
      pck.map("map", pck.U8, pck.REF(Pair)),
      pck.utf8("z"),
    );
    const value = { a: 1, list: [{ x: 1, in: { y: 2 } }], map: new Map<number, never>(), z: "z" };
    const bytes = codec(Lists).encode(value);
    for (const maxDepth of [1, 2, 3, 4]) {
      const lists = codec(Lists, { maxDepth, codeGeneration: generator });
      if (maxDepth === 4) expect(pick(lists, "z").decode(bytes)).toBe("z");
      else expect(fault(() => pick(lists, "z").decode(bytes))).toEqual(fault(() => lists.decode(bytes)));
    }
    let chain = schema(pck.u8("x")) as pck.Schema<unknown, never>;
    for (let i = 0; i < 700; i++) chain = schema(pck.ref("in", chain));
    const Long = schema(pck.u8("a"), pck.ref("chain", chain), pck.utf8("z"));
    const message = Uint8Array.of(1, 9, 1, 122);
    const long = codec(Long, { maxDepth: 1000, codeGeneration: generator });
    expect(pick(long, ["a", "z"]).decode(message)).toEqual([1, "z"]);
    const short = codec(Long, { codeGeneration: generator });
    expect(fault(() => pick(short, "z").decode(message))).toEqual(fault(() => short.decode(message)));
  });

  test("values of gigabytes are not there", () => {
    const huge = codec(schema(pck.u8("a"), pck.array("b", pck.ARRAY(pck.U8, 65_535), 65_535), pck.utf8("c")), {
      maxElements: Infinity,
      codeGeneration: generator,
    });
    const bytes = new Uint8Array(100_000);
    expect(fault(() => pick(huge, "c").decode(bytes))).toEqual(fault(() => huge.decode(bytes)));
    expect(pick(huge, "a", { rest: "ignore" }).decode(bytes)).toBe(0);
  });

  test("a forged count is refused before anything is made", () => {
    const lists = codec(schema(pck.array("a", pck.array("", pck.U8).type), pck.array("b", pck.UTF8), pck.u8("c")), {
      codeGeneration: generator,
    });
    const forged = Uint8Array.of(9, 0xff, 0xff, 0xff, 0xff, 0x0f, 1, 2, 3);
    for (const path of ["c", "a.*.*"])
      expect(fault(() => pick(lists, path).decode(forged))).toEqual(fault(() => lists.decode(forged)));
  });
});

describe("names", () => {
  const Odd = schema(
    "Odd",
    pck.u8("__proto__"),
    pck.u8("a.b"),
    pck.ref("*", schema(pck.u8("constructor"))),
    pck.array("list", pck.REF(schema(pck.u8("*")))),
  );
  const odd = codec(Odd);
  const bytes = odd.encode(JSON.parse('{"__proto__": 1, "a.b": 2, "*": {"constructor": 3}, "list": [{"*": 4}]}'));

  test("fields may have any name: lists of names are for dots, and * is a name where there is no list", () => {
    expect(pick(odd, ["__proto__", ["a.b"], "*.constructor", "list.*.*"]).decode(bytes)).toEqual([1, 2, 3, [4]]);
    expect(fault(() => pick(odd, "a.b"))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
  });

  test("results have own properties whatever their names", () => {
    const paths = JSON.parse('{"__proto__": "__proto__", "4294967294": "*.constructor", "toString": "__proto__"}');
    const result = pick(odd, paths).decode(bytes) as object;
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(Object.entries(result)).toEqual([
      ["4294967294", 3],
      ["__proto__", 1],
      ["toString", 1],
    ]);
  });
});

describe("options of the codec", () => {
  test("hold for picked values", () => {
    const All = schema(
      "All",
      pck.u64("wide"),
      pck.bytes("data"),
      pck.map("map", pck.UTF8, pck.U8),
      pck.array("list", pck.U16),
      pck.ref("at", Header),
    );
    class Place {}
    const options = {
      int64: "number",
      binary: "view",
      maps: "object",
      typedArrays: true,
      classes: new Map([[Header, Place]]),
    } as const;
    const all = codec(All, options);
    const at = { tenant: "t", user: null, urgent: false };
    const bytes = all.encode({ wide: 5, data: Uint8Array.of(1), map: { a: 1 } as never, list: [300], at });
    const [wide, data, map, list, elements, place] = pick(all, ["wide", "data", "map", "list", "list.*", "at"]).decode(
      bytes,
    );
    expect([wide, map, list, elements]).toEqual([5, { a: 1 }, Uint16Array.of(300), [300]]);
    expect(data.buffer).toBe(bytes.buffer);
    expect(place).toBeInstanceOf(Place);
  });

  test("a codec of a document gives values of unknown types", () => {
    const orders = codec(fromDocument(pck.toDocument(Order)));
    expect(pick(orders, "header.tenant").decode(codec(Order).encode(order))).toBe("eu");
  });
});

describe("older schemas", () => {
  const V1 = schema(
    "Order",
    pck.u8("number"),
    pck.utf8("old"),
    pck.enumeration("state", "new", "lost"),
    pck.union("pay", { card: schema(pck.u8("n")), coin: schema(pck.u8("n")) }),
    pck.omitNull(pck.utf8("by")),
  );
  const V2 = schema(
    "Order",
    pck.renamed(pck.u32("id"), "number"),
    pck.withDefault(pck.ref("header", schema("Header", pck.utf8("tenant"), pck.u8("version"))), {
      tenant: "none",
      version: 1,
    }),
    pck.withDefault(pck.enumeration("state", "sold", "new"), "sold"),
    pck.withDefault(pck.union("pay", { card: schema(pck.u16("n"), pck.withDefault(pck.u8("more"), 8)) }), {
      kind: "card",
      n: 0,
      more: 1,
    }),
    pck.withDefault(pck.utf8("by"), "someone"),
    pck.omitEmpty(pck.array("list", pck.U8)),
  );
  const paths = {
    id: "id",
    tenant: "header.tenant",
    state: "state",
    n: "pay.n",
    more: "pay.more",
    kind: "pay.kind",
    by: "by",
    list: "list",
  };

  test("the older fields decide what is skipped, the paths what is converted and filled", () => {
    const old = resolve(V1, V2);
    const picker = pick(old, paths);
    const known = codec(V1).encode({ number: 7, old: "x", state: "new", pay: { kind: "card", n: 5 }, by: "me" });
    expect(picker.decode(known)).toEqual({
      id: 7,
      tenant: "none",
      state: "new",
      n: 5,
      more: 8,
      kind: "card",
      by: "me",
      list: [],
    });
    const unknown = codec(V1).encode({ number: 8, old: "x", state: "lost", pay: { kind: "coin", n: 5 } });
    expect(picker.decode(unknown)).toEqual({
      id: 8,
      tenant: "none",
      state: "sold",
      n: 0,
      more: 1,
      kind: "card",
      by: "someone",
      list: [],
    });
    expect(fault(() => pick(old, "old"))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
  });

  test("an unknown name without a default is an error only where it is wanted", () => {
    const Later = schema("Order", pck.enumeration("state", "new"), pck.utf8("old"));
    const old = resolve(V1, Later);
    const bytes = codec(V1).encode({ number: 8, old: "x", state: "lost", pay: { kind: "coin", n: 5 } });
    expect(pick(old, "old").decode(bytes)).toBe("x");
    expect(fault(() => pick(old, "state").decode(bytes))).toEqual(fault(() => old.decode(bytes)));
  });

  test("defaults of picked fields are counted", () => {
    const Old = schema("Row", pck.u8("x"));
    const New = schema(
      "Row",
      pck.u8("x"),
      pck.withDefault(
        pck.array("list", pck.U8),
        Array.from({ length: 50 }, () => 1),
      ),
    );
    const rows = resolve(
      schema("Rows", pck.array("rows", pck.REF(Old))),
      schema("Rows", pck.array("rows", pck.REF(New))),
      { maxElements: 1000 },
    );
    const bytes = Uint8Array.from([100, ...new Uint8Array(100)]);
    expect(pick(rows, "rows.*.x").decode(bytes).length).toBe(100);
    expect(fault(() => pick(rows, "rows.*.list").decode(bytes))).toMatchObject({ code: "ERR_LIMIT_ELEMENTS" });
  });
});

describe("wrong arguments", () => {
  const orders = codec(Order);
  const textOf = (act: () => unknown): string => {
    expect(fault(act)).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    try {
      act();
    } catch (error) {
      return (error as Error).message;
    }
    return "";
  };

  test("paths that the schema does not have", () => {
    const problems = [
      ["tennant", "not a field"],
      ["header.tennant", "did you mean tenant?"],
      ["pay.nummer", "did you mean number?"],
      ["pay.kin", "did you mean kind?"],
      ["items.sku", '"*" is every element'],
      ["items.0", '"*" is every element'],
      ["header.*", "not a field"],
      ["id.x", "type u32, which has no fields"],
      ["prices.A1", "type map, which has no fields"],
      ["pay.kind.x", "which has no fields"],
      ["", "not a field"],
      ["header.", "not a field"],
      [".id", "not a field"],
    ] as const;
    for (const [path, text] of problems) {
      expect(textOf(() => pick(orders, path))).toContain(text);
      expect(textOf(() => pick(orders, { path: path.split(".") }))).toContain(text);
    }
  });

  test("values that are no paths, options, and other inputs", () => {
    for (const paths of [5, null, undefined, [5], [[]], { a: null }, [["id", 5]], { a: { b: "id" } }])
      textOf(() => pick(orders, paths as never));
    textOf(() => pick(orders, [Array.from({ length: 257 }, () => "id")]));
    expect(textOf(() => pick(orders, "id", { rset: "ignore" } as never))).toContain("did you mean rest?");
    textOf(() => pick(orders, "id", { rest: "skip" } as never));
    textOf(() => pick(orders, "id", null as never));
    const parts = { converter: { settings: {} }, root: { to: 1 } };
    for (const input of [
      Order,
      {},
      null,
      5,
      { converter: 1 },
      parts,
      Object.create(orders),
      Object.assign(Object.create(orders) as object, orders),
      new Proxy(orders, {}),
      Object.create(resolve(Order, Order)),
    ])
      textOf(() => pick(input as never, "id"));
  });

  test("paths through unions that refer to each other take no more than linear time", () => {
    const Tree: pck.Schema<unknown, never> = schema(
      "Tree",
      pck.union("a", { one: schema(), two: () => Tree, three: () => Tree, four: () => Tree } as never),
    ) as never;
    const path = Array.from({ length: 250 }, () => "a");
    expect(pick(codec(Tree), [path]).decode(Uint8Array.of(1, 2, 0))).toEqual([undefined]);
  });
});

interface Node {
  value: number;
  next: Node | null;
}
