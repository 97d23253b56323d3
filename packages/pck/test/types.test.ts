/**
 * The types that TypeScript infers from schemas. Checked by tsc, which fails for a wrong type and for a missing
 * expected error.
 */
import * as pck from "@moonpack/pck";
import { codec, fromDocument, type Infer, type InferInput, type Schema, schema } from "@moonpack/pck";
import { type Picker, pick } from "@moonpack/pck/pick";
import { expect, test } from "vitest";

/** True for equal types, including readonly and optional properties. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_: Same<A, B>): void {}
/** True for equal types once intersections are resolved. */
type Flat<T> = { [K in keyof T]: T[K] };

const Point = schema("Point", pck.ivar("x"), pck.ivar("y"));
const All = schema(
  "All",
  pck.bool("flag"),
  pck.u8("byte"),
  pck.u64("wide"),
  pck.f64("real"),
  pck.enumeration("color", "red", "green"),
  pck.bytes("data"),
  pck.utf8("text"),
  pck.ascii("code", 3),
  pck.ref("point", Point),
  pck.array("list", pck.ARRAY(pck.UTF8)),
  pck.map("map", pck.UTF8, pck.nullable(pck.U64)),
  pck.omitZero(pck.u8("zero")),
  pck.omitEmpty(pck.utf8("empty")),
  pck.omitNull(pck.ref("none", Point)),
  [pck.u8("nested"), null, [pck.u8("deeper")]],
);

type AllOut = {
  flag: boolean;
  byte: number;
  wide: bigint;
  real: number;
  color: "red" | "green";
  data: Uint8Array<ArrayBuffer>;
  text: string;
  code: string;
  point: { x: number; y: number };
  list: string[][];
  map: Map<string, bigint | null>;
  zero: number;
  empty: string;
  none: { x: number; y: number } | null;
  nested: number;
  deeper: number;
};

test("Infer: every field is there", () => {
  same<Flat<Infer<typeof All>>, AllOut>(true);
  const value = codec(All).decode(
    codec(All).encode({
      flag: true,
      byte: 1,
      wide: 2,
      real: 3,
      color: "red",
      data: new Uint8Array(1),
      text: "t",
      code: "abc",
      point: { x: 1, y: 2 },
      list: [["a"]],
      map: new Map([
        ["k", 5],
        ["l", null],
      ]),
      nested: 1,
      deeper: 2,
    }),
  );
  same<typeof value.color, "red" | "green">(true);
  expect(value.wide).toBe(2n);
  expect(value.none).toBe(null);
});

test("InferInput: optional fields may be missing, 64-bit integers may be numbers, lists may be typed arrays", () => {
  type Input = InferInput<typeof All>;
  same<Input["wide"], bigint | number>(true);
  same<Input["zero"], number | undefined>(true);
  same<Input["none"], { readonly x: number; readonly y: number } | null | undefined>(true);
  same<Input["data"], Uint8Array>(true);
  const points = codec(schema("List", pck.array("v", pck.U16)));
  expect(points.encode({ v: new Uint16Array([1, 2]) }).length).toBe(5);
  expect(points.encode({ v: [1, 2] } as const).length).toBe(5);
  const one = codec(Point);
  // @ts-expect-error: y is missing
  expect(() => one.encode({ x: 1 })).toThrow();
  // @ts-expect-error: x is text
  expect(() => one.encode({ x: "1", y: 2 })).toThrow();
  // @ts-expect-error: the field z does not exist
  expect(one.encode({ x: 1, y: 2, z: 3 }).length).toBe(2);
  // @ts-expect-error: a typed array is not a list of text
  expect(() => codec(schema(pck.array("v", pck.UTF8))).encode({ v: new Uint8Array(1) })).toThrow();
  // @ts-expect-error: null is allowed only with omitNull
  expect(() => codec(schema(pck.omitZero(pck.u8("v")))).encode({ v: null })).toThrow();
});

test("modifiers take fields of certain types only", () => {
  const codecOf = (field: pck.Field) => codec(schema(field) as pck.AnySchema);
  // @ts-expect-error: text cannot be 0
  expect(() => codecOf(pck.omitZero(pck.utf8("x")))).toThrow();
  // @ts-expect-error: a number has no length
  expect(() => codecOf(pck.omitEmpty(pck.u8("x")))).toThrow();
  // @ts-expect-error: a struct has no length
  expect(() => codecOf(pck.omitEmpty(pck.ref("x", Point)))).toThrow();
  // @ts-expect-error: a bool is never absent
  expect(() => codecOf(pck.omitNull(pck.bool("x")))).toThrow();
  // @ts-expect-error: a key must be a number or text
  expect(() => codecOf(pck.map("x", pck.BOOL, pck.U8))).toThrow();
  for (const field of [
    pck.omitZero(pck.omitNull(pck.u64("x"))),
    pck.omitEmpty(pck.omitNull(pck.bytes("x"))),
    pck.omitNull(pck.omitEmpty(pck.map("x", pck.ENUMERATION("a", "b"), pck.BOOL))),
    pck.omitNull(pck.omitEmpty(pck.array("x", pck.REF(Point)))),
    pck.omitNull(pck.ref("x", Point)),
  ]) {
    expect(codecOf(field).decode(codecOf(field).encode({ x: null } as never))).toEqual({ x: null });
  }
});

test("unions are distinguished by their discriminator", () => {
  const Shape = schema(
    "Shape",
    pck.union("at", { point: Point, nowhere: schema() }),
    pck.union("is", { p: Point }, "type"),
  );
  type Shape = Infer<typeof Shape>;
  same<Shape["at"], { kind: "point"; x: number; y: number } | { kind: "nowhere" }>(true);
  same<Shape["is"], { type: "p"; x: number; y: number }>(true);
  const { at } = codec(Shape).decode(
    codec(Shape).encode({ at: { kind: "point", x: 1, y: 2 }, is: { type: "p", x: 3, y: 4 } }),
  );
  expect(at.kind === "point" ? at.x : 0).toBe(1);
  // @ts-expect-error: an unknown arm
  expect(() => codec(Shape).encode({ at: { kind: "line" }, is: { type: "p", x: 3, y: 4 } })).toThrow();
});

test("the type of a recursive schema is declared, and checked", () => {
  interface Node {
    value: number;
    next: Node | null;
  }
  const Node: Schema<Node> = schema("Node", pck.ivar("value"), pck.omitNull(pck.ref("next", () => Node)));
  same<Infer<typeof Node>, Node>(true);
  interface Wrong {
    value: string;
    next: Wrong | null;
  }
  // @ts-expect-error: value must be a number
  const Wrong: Schema<Wrong> = schema("Wrong", pck.ivar("value"), pck.omitNull(pck.ref("next", () => Wrong)));
  expect(codec(Node).decode(codec(Node).encode({ value: 1, next: { value: 2, next: null } })).next?.value).toBe(2);
  expect(Wrong.fields.length).toBe(2);
});

test("defaults are of the field's type", () => {
  expect(pck.withDefault(pck.u8("v"), 5).fallback).toBe(5);
  // @ts-expect-error: text is not a valid u8
  expect(pck.withDefault(pck.u8("v"), "5").hasDefault).toBe(true);
  // @ts-expect-error: an unknown name
  expect(pck.withDefault(pck.enumeration("v", "a", "b"), "c").hasDefault).toBe(true);
  // The default does not narrow the type: every name can still be written.
  const Seen = schema("Seen", pck.withDefault(pck.enumeration("by", "person", "sensor"), "person"));
  same<Flat<InferInput<typeof Seen>>, { readonly by: "person" | "sensor" }>(true);
  expect(codec(Seen).encode({ by: "sensor" }).join()).toBe("1");
});

test("picked values have the types of their paths", () => {
  const Shape = schema("Shape", pck.union("at", { point: Point, nowhere: schema() }), pck.utf8("a.b"));
  const Row = schema("Row", pck.ref("all", All), pck.array("shapes", pck.nullable(pck.REF(Shape))));
  interface Node {
    value: number;
    next: Node | null;
  }
  const Node: Schema<Node> = schema("Node", pck.ivar("value"), pck.omitNull(pck.ref("next", () => Node)));
  const rows = codec(Row);
  const one = pick(rows, "all.none.x");
  same<typeof one, Picker<number | undefined>>(true);
  const list = pick(rows, ["all.color", ["all", "wide"], "shapes.*.at.kind", "all.list.*"]);
  same<typeof list, Picker<["red" | "green", bigint, ("point" | "nowhere" | undefined)[], string[][]]>>(true);
  const named = pick(rows, { x: "shapes.*.at.x", text: ["shapes", "*", "a.b"], map: "all.map", at: "all.point" });
  same<
    typeof named,
    Picker<{
      x: (number | undefined)[];
      text: (string | undefined)[];
      map: Map<string, bigint | null>;
      at: { x: number; y: number };
    }>
  >(true);
  const node = pick(codec(Node), "next.next.value");
  same<typeof node, Picker<number | undefined>>(true);
  const older = pick(pck.resolve(Node, Node), { value: "value", next: "next" });
  same<typeof older, Picker<{ value: number; next: Node | null }>>(true);
  const path: string = "all.flag";
  const some = pick(rows, { path, flag: "all.flag" });
  same<typeof some, Picker<{ path: unknown; flag: boolean }>>(true);
  const anything = pick(codec(fromDocument(pck.toDocument(Node))), "value");
  same<typeof anything, Picker<unknown>>(true);
  // @ts-expect-error: not a path
  expect(() => pick(rows, { id: 5 })).toThrow();
  expect(node.decode(codec(Node).encode({ value: 1, next: { value: 2, next: { value: 3, next: null } } }))).toBe(3);
});
