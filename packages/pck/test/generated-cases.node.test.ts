/** Generated codecs, case by case: depth, getters, transferred memory, classes, names, long lists, large schemas. */

import { fault } from "@moonpack/harness/caught.ts";
import { none } from "@moonpack/harness/each.ts";
import { fromHex, toHex } from "@moonpack/harness/hex.ts";
import { differ } from "@moonpack/harness/same.ts";
import {
  array,
  BYTES,
  bool,
  codec,
  F64,
  ivar,
  map,
  omitEmpty,
  omitNull,
  omitZero,
  REF,
  ref,
  type Schema,
  schema,
  U8,
  UNION,
  UTF8,
  u8,
  union,
  utf8,
  uvar,
} from "@moonpack/pck";
import { describe, expect, test } from "vitest";
import { both, same } from "./harness/codec-pair.ts";
import { generate, generatorOf } from "./harness/generators.ts";

const Point = schema("Point", ivar("x"), ivar("y"));
interface Tree {
  name: string;
  at: { x: number; y: number };
  children: Tree[];
}
const Tree: Schema<Tree> = schema(
  "Tree",
  utf8("name"),
  ref("at", Point),
  omitEmpty(
    array(
      "children",
      REF(() => Tree),
    ),
  ),
);

describe("one by one", () => {
  test("depth: a recursive and a flat schema, at the limit and beyond", () => {
    const nest = (levels: number): Tree => {
      let tree: Tree = { name: "leaf", at: { x: 1, y: 2 }, children: [] };
      for (let i = 1; i < levels; i++) tree = { ...tree, children: [tree] };
      return tree;
    };
    for (const maxDepth of [1, 2, 3, 4, 5, 6, 9]) {
      const [fast, plain] = both(Tree, { maxDepth });
      const [wide] = both(Tree);
      for (const levels of [1, 2, 3, 4]) {
        const bytes = wide.encode(nest(levels));
        same(
          () => fast.encode(nest(levels)),
          () => plain.encode(nest(levels)),
          `write ${levels} of ${maxDepth}`,
        );
        same(
          () => fast.decode(bytes),
          () => plain.decode(bytes),
          `read ${levels} of ${maxDepth}`,
        );
      }
    }
    const cycle = nest(1);
    cycle.children.push(cycle);
    expect(fault(() => both(Tree)[0].encode(cycle))["code"]).toBe("ERR_LIMIT_DEPTH");
  });

  test("getters: an error has the path, and a nested encode is a separate message", () => {
    const [fast, plain] = both(schema(ref("at", Point), omitZero(u8("n")), array("list", U8)));
    const at = { x: 1, y: 2 };
    const list = Object.defineProperty([1, 2, 3], 1, { get: () => raise() });
    const raise = (): never => {
      throw new Error("mine");
    };
    const values = [
      {
        at: {
          x: 1,
          get y() {
            return raise();
          },
        },
        n: 0,
        list: [],
      },
      {
        get at() {
          return raise();
        },
        n: 0,
        list: [],
      },
      {
        at,
        get n() {
          return raise();
        },
        list: [],
      },
      { at, n: 1, list },
    ];
    for (const value of values)
      same(
        () => fast.encode(value),
        () => plain.encode(value),
        "throws",
      );
    const nested = {
      at,
      get n() {
        return fast.encode({ at, n: 9, list: [9] }).length;
      },
      list: [1],
    };
    expect(toHex(fast.encode(nested))).toBe(toHex(plain.encode({ at, n: 6, list: [1] })));
    expect(fault(() => fast.encode(values[0]))).toEqual({ code: "ERR_USER_CODE", path: "$.at.y" });
  });

  test("a getter that transfers the codec's memory causes an error, not a wrong message", () => {
    const [fast] = both(Point);
    const taken = fast.encodeShared({ x: 1, y: 2 });
    const value = {
      x: 1,
      get y() {
        return structuredClone(taken.buffer, { transfer: [taken.buffer] }).byteLength & 1;
      },
    };
    expect(fault(() => fast.encode(value))["code"]).toBe("ERR_CLOSED");
    expect(toHex(fast.encode({ x: 1, y: 2 }))).toBe("0204");
  });

  test("classes: results are instances with own properties in order, also in unions", () => {
    class Place {
      declare x: number;
      get sum(): number {
        return this.x;
      }
      set y(_: number) {
        throw new Error("a setter of the class");
      }
    }
    const Shape = schema(
      union("shape", { point: Point, other: schema(ivar("r")) }),
      ref("at", Point),
      array("all", REF(Point)),
    );
    const classes = new Map([[Point as Schema<unknown, never>, Place]]);
    const [fast, plain] = both(Shape, { classes });
    const value = { shape: { kind: "point", x: 1, y: 2 }, at: { x: 3, y: 4 }, all: [{ x: 5, y: 6 }] };
    const bytes = plain.encode(value);
    const got = fast.decode(bytes) as { at: Place; shape: Place; all: Place[] };
    for (const place of [got.at, got.shape, got.all[0]!]) expect(place).toBeInstanceOf(Place);
    expect(Object.entries(got.shape)).toEqual([
      ["kind", "point"],
      ["x", 1],
      ["y", 2],
    ]);
    expect(got.all[0]!.sum).toBe(5);
    expect(toHex(fast.encode(got))).toBe(toHex(bytes));
  });

  test("names that are not identifiers, and names on Object.prototype", () => {
    const hostile = [
      "__proto__",
      "constructor",
      "a b",
      "`;throw 1;//",
      "\u2028",
      "w",
      "b",
      "p",
      "at",
      "value",
      "error",
      "class",
      "toString",
      "0",
      "readU8",
      "undefined",
      "$" + "{1}",
      "*/",
    ];
    for (const kind of [u8, utf8]) {
      const fields = hostile.map((name) => (kind as typeof u8)(name));
      const [fast, plain] = both(
        schema("`$" + "{x}`", ...fields, ref("deep", schema("a\nb", ...fields)), bool("flag")),
      );
      const part = Object.fromEntries(hostile.map((name, i) => [name, kind === u8 ? i : String(i)]));
      const value = { ...part, ["__proto__"]: kind === u8 ? 99 : "99", deep: part, flag: true };
      const bytes = plain.encode(value);
      expect(toHex(fast.encode(value))).toBe(toHex(bytes));
      none(differ(fast.decode(bytes), plain.decode(bytes)));
      expect(Object.getPrototypeOf(fast.decode(bytes))).toBe(Object.prototype);
      for (const name of hostile) {
        const wrong = Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
        same(
          () => fast.encode(wrong),
          () => plain.encode(wrong),
          name,
        );
      }
    }
  });

  test("recursion through every container", () => {
    interface Any {
      list: Any[];
      named: Map<string, Any | null>;
      one: Any | null;
      many: (Any | null)[];
    }
    const Any: Schema<Any, never> = schema(
      "Any",
      omitEmpty(
        array(
          "list",
          REF(() => Any),
        ),
      ),
      omitEmpty(map("named", UTF8, { kind: "nullable", value: REF(() => Any) } as never)),
      omitNull(ref("one", () => Any)),
      omitEmpty(array("many", { kind: "nullable", value: UNION({ a: () => Any }) } as never)),
    ) as never;
    const [fast, plain] = both(Any as never);
    const leaf = {};
    const value = {
      list: [leaf, leaf],
      named: new Map<string, unknown>([
        ["b", leaf],
        ["a", null],
      ]),
      one: { one: leaf },
      many: [null, { kind: "a", list: [leaf] }],
    };
    const bytes = plain.encode(value);
    expect(toHex(fast.encode(value))).toBe(toHex(bytes));
    for (let i = 0; i < bytes.length; i++) {
      const damaged = bytes.map((byte, j) => (i === j ? byte ^ 5 : byte));
      same(
        () => fast.decode(damaged),
        () => plain.decode(damaged),
        `byte ${i}`,
      );
      same(
        () => fast.decode(bytes.subarray(0, i)),
        () => plain.decode(bytes.subarray(0, i)),
        `cut ${i}`,
      );
    }
  });

  test("long lists: room in many steps, and an invalid element near the end", () => {
    const [fast, plain] = both(schema(array("a", F64), array("b", U8), array("c", BYTES(3))));
    const numbers = Array.from({ length: 5000 }, (_, i) => i / 3);
    const value = {
      a: numbers,
      b: new Uint8Array(3000).fill(7),
      c: Array.from({ length: 9 }, () => new Uint8Array(3)),
    };
    expect(toHex(fast.encode(value))).toBe(toHex(plain.encode(value)));
    none(differ(fast.decode(plain.encode(value)), plain.decode(plain.encode(value))));
    const wrong = { ...value, a: numbers.with(4321, "x" as never) };
    expect(fault(() => fast.encode(wrong))).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$.a[4321]" });
  });

  test("very large schemas use closures", () => {
    const fields = Array.from({ length: 5000 }, (_, i) => uvar(`f${i}`));
    const engines: unknown[] = [];
    const spy = generatorOf((model, settings) => {
      const engine = generate(model, settings);
      engines.push(engine);
      return engine;
    });
    codec(schema(...fields), { codeGeneration: spy });
    let Deep: Schema<unknown, never> = Point;
    for (let i = 0; i < 3000; i++) Deep = schema(ref("inner", Deep)) as never;
    codec(Deep, { codeGeneration: spy });
    expect(engines).toEqual([null, null]);
    let Less: Schema<unknown, never> = Point;
    for (let i = 0; i < 600; i++) Less = schema(ref("inner", Less)) as never;
    const [fast, plain] = both(Less, { maxDepth: 4096 });
    let value: unknown = { x: 1, y: 2 };
    for (let i = 0; i < 600; i++) value = { inner: value };
    expect(toHex(fast.encode(value))).toBe("0204");
    none(differ(fast.decode(fromHex("0204")), plain.decode(fromHex("0204"))));
  });
});
