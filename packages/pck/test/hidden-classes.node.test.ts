/** How V8 represents decoded values: packed lists, one hidden class for each schema, no dictionaries. */
import * as pck from "@moonpack/pck";
import { codec } from "@moonpack/pck";
import { describe, expect, test } from "vitest";

type Ask<A extends unknown[]> = (...args: A) => boolean;
const native = <A extends unknown[]>(parameters: string, body: string): Ask<A> =>
  new Function(...parameters.split(","), `return ${body}`) as Ask<A>;
const isFast = native<[object]>("o", "%HasFastProperties(o)");
const sameClass = native<[object, object]>("a,b", "%HaveSameMap(a, b)");
const isHoley = native<[object]>("a", "%HasHoleyElements(a)");
const isDictionary = native<[object]>("a", "%HasDictionaryElements(a)");

for (const codeGeneration of [true, false]) {
  describe(`code generation ${codeGeneration ? "on" : "off"}`, () => {
    for (const count of [1, 3, 8, 20, 60, 127, 128, 200, 300, 500]) {
      test(`structs of ${count} fields`, () => {
        const fields = Array.from({ length: count }, (_, i) =>
          [pck.u8, pck.utf8, pck.f64, pck.bool, pck.ivar][i % 5]!(`field${i}`),
        );
        const optional = fields.map((field, i) =>
          i % 5 === 3 ? field : pck.omitNull(field as ReturnType<typeof pck.u8>),
        );
        for (const list of [fields, optional]) {
          const Row = pck.schema("Row", ...(list as ReturnType<typeof pck.u8>[]));
          const rows = codec(pck.schema(pck.array("rows", pck.REF(Row))), { codeGeneration });
          const value = (r: number) =>
            Object.fromEntries(fields.map(({ name }, i) => [name, [r % 256, `t${r}`, r / 2, r % 2 === 0, -r][i % 5]]));
          const bytes = rows.encode({ rows: Array.from({ length: 100 }, (_, r) => value(r)) } as never);
          // V8 learns from the first message which fields hold fractions. Later objects share one class.
          rows.decode(bytes);
          const [first, ...others] = [...rows.decode(bytes).rows, ...rows.decode(bytes).rows] as object[];
          expect(isFast(first!)).toBe(true);
          expect(others.findIndex((one) => !sameClass(one, first!))).toBe(-1);
        }
      });
    }

    test("absent or there, null or not, small or large: one class", () => {
      const Row = pck.schema(
        "Row",
        pck.omitNull(pck.f64("a")),
        pck.omitZero(pck.uvar("b")),
        pck.omitEmpty(pck.array("c", pck.U8)),
      );
      const rows = codec(Row, { codeGeneration });
      const values = [{}, { a: 1 }, { a: 0.5 }, { b: 1 }, { b: 2 ** 32 - 1 }, { c: [1] }, { a: null, b: 0, c: [] }];
      const read = () => values.map((value) => rows.decode(rows.encode(value)));
      read();
      const all = read();
      for (const one of all) expect(sameClass(one, all[0]!)).toBe(true);
    });

    test("arms: one class each", () => {
      const Arms = pck.schema(
        "Arms",
        pck.union("u", { a: pck.schema(pck.u8("x")), b: pck.schema(pck.u8("x"), pck.u8("y")) }),
      );
      const arms = codec(Arms, { codeGeneration });
      const a = [1, 2, 3].map((x) => arms.decode(arms.encode({ u: { kind: "a", x } })).u);
      const b = [1, 2, 3].map((x) => arms.decode(arms.encode({ u: { kind: "b", x, y: x } })).u);
      for (const list of [a, b]) for (const one of list) expect(sameClass(one, list[0]!) && isFast(one)).toBe(true);
      expect(sameClass(a[0]!, b[0]!)).toBe(false);
    });

    test("instances of a class are fast, and of one class", () => {
      class Row {}
      const S = pck.schema("Row", pck.u8("a"), pck.utf8("b"));
      const rows = codec(S, { codeGeneration, classes: new Map([[S, Row]]) });
      const all = [1, 2, 3].map((a) => rows.decode(rows.encode({ a, b: "x" })));
      for (const one of all) expect(one instanceof Row && isFast(one) && sameClass(one, all[0]!)).toBe(true);
    });

    test("lists are packed at every length", () => {
      for (const [type, make] of [
        [pck.U8, (i: number) => i % 256],
        [pck.F64, (i: number) => i / 4],
        [pck.UTF8, (i: number) => `t${i}`],
        [pck.BOOL, (i: number) => i % 3 === 0],
        [pck.nullable(pck.U8), (i: number) => (i % 2 === 0 ? null : 1)],
        [pck.REF(pck.schema(pck.u8("x"))), (i: number) => ({ x: i % 256 })],
      ] as const) {
        const lists = codec(pck.schema(pck.array("v", type as pck.Type<unknown, unknown>)), { codeGeneration });
        for (const n of [0, 1, 2, 3, 4, 5, 8, 16, 17, 100, 1000, 40_000]) {
          const { v } = lists.decode(lists.encode({ v: Array.from({ length: n }, (_, i) => make(i)) }));
          if (isHoley(v) || isDictionary(v)) throw new Error(`${JSON.stringify(type.kind)} of ${n}`);
          expect(v.length).toBe(n);
        }
      }
    });
  });
}
