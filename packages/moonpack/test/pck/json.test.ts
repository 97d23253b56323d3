/** The JSON form: both directions, and its errors. */
import * as pck from "moonpack/pck";
import { codec, type SchemaDocument } from "moonpack/pck";
import { expect, test } from "vitest";
import { fault } from "../harness/caught.ts";
import { each, equal, none } from "../harness/each.ts";
import { bytesDiffer, fromHex } from "../harness/hex.ts";
import { named } from "../harness/pck/cases.ts";
import { RANDOM, randomCases } from "../harness/pck/random-cases.ts";
import { valueOfJson } from "../harness/pck/values.ts";
import { differ } from "../harness/same.ts";

test("random values: as in the reference model, and back", () => {
  const schemas = [...randomCases({ ...RANDOM, seed: 3, schemas: 200, mutations: 0 })];
  each(named(schemas, "schema"), ({ doc, cases }) => {
    const one = codec<unknown, unknown>(doc as SchemaDocument, { codeGeneration: false });
    for (const vector of cases) {
      if (vector.kind !== "value") continue;
      const { value, bytes, given = value } = vector;
      const js = valueOfJson(doc, value);
      equal(one.toJSON(js), value, "toJSON");
      const text = JSON.stringify(one.toJSON(js));
      none(differ(one.fromJSON(JSON.parse(text)), js), "fromJSON");
      none(bytesDiffer(one.encode(one.fromJSON(given)), fromHex(bytes)), "fromJSON of another order");
    }
  });
});

const Point = pck.schema("Point", pck.u8("x"));
const All = pck.schema(
  "All",
  pck.omitZero(pck.u64("wide")),
  pck.omitZero(pck.i64("signed")),
  pck.omitZero(pck.u8("byte")),
  pck.omitZero(pck.f64("real")),
  pck.omitEmpty(pck.bytes("data")),
  pck.omitEmpty(pck.utf8("text")),
  pck.omitEmpty(pck.array("list", pck.nullable(pck.U8))),
  pck.omitEmpty(pck.map("map", pck.U64, pck.U8)),
  pck.omitNull(pck.ref("point", Point)),
  pck.omitNull(pck.union("arm", { point: Point })),
);

test("every form", () => {
  const all = codec(All);
  const json = {
    wide: "18446744073709551615",
    signed: "-1",
    byte: 255,
    real: "-0",
    data: "AAE=",
    text: "é",
    list: [1, null],
    map: [
      ["2", 0],
      ["10", 1],
    ],
    point: { x: 1 },
    arm: { kind: "point", x: 2 },
  };
  expect(all.toJSON(all.fromJSON(json))).toEqual(json);
  const { map } = all.fromJSON({
    map: [
      ["10", 1],
      ["2", 0],
    ],
  });
  expect(JSON.stringify(all.toJSON({ map }))).toContain('"map":[["2",0],["10",1]]');
  for (const [text, value] of [
    ["NaN", Number.NaN],
    ["Infinity", Infinity],
    ["-Infinity", -Infinity],
  ] as const) {
    expect(all.fromJSON({ real: text }).real).toBe(value);
    expect((all.toJSON({ real: value }) as { real: unknown }).real).toBe(text);
  }
  expect(JSON.stringify(all.toJSON({}))).toBe(
    '{"wide":"0","signed":"0","byte":0,"real":0,"data":"","text":"","list":[],"map":[],"point":null,"arm":null}',
  );
  expect(all.fromJSON({ unknown: 1 })).toEqual(all.fromJSON({}));
});

test("integers of 64 bits may be numbers and bigints, for parsers that lose nothing", () => {
  const all = codec(All);
  const any = { int64: "any" } as const;
  for (const wide of [5, 5n, "5"]) expect(all.fromJSON({ wide }, any).wide).toBe(5n);
  expect(all.fromJSON({ wide: 2n ** 64n - 1n, real: 2n ** 60n }, any).real).toBe(2 ** 60);
  expect([...all.fromJSON({ map: [[7, 1]] }, any).map.keys()]).toEqual([7n]);
  for (const [json, code] of [
    [{ wide: 2 ** 53 }, "ERR_UNSAFE_INTEGER"],
    [{ wide: 5.5 }, "ERR_OUT_OF_RANGE"],
    [{ wide: -1 }, "ERR_OUT_OF_RANGE"],
    [{ wide: true }, "ERR_UNSUPPORTED_TYPE"],
    [{ byte: 2n ** 60n }, "ERR_OUT_OF_RANGE"],
    [{ real: 2n ** 60n + 1n }, "ERR_UNSUPPORTED_TYPE"],
    [{ map: [...Object.entries({ 1: 2 }), [1, 3]] }, "ERR_DUPLICATE_KEY"],
  ] as const)
    expect(fault(() => all.fromJSON(json, any)).code).toBe(code);
  expect(fault(() => all.fromJSON({}, { int64: "number" as never })).code).toBe("ERR_INVALID_ARGUMENT");
});

test("options change values, but not their JSON form", () => {
  const numbers = codec(All, { int64: "number" });
  const json = { ...(codec(All).toJSON({}) as object), wide: "5", map: [["7", 1]] };
  const value = numbers.fromJSON(json) as unknown as { wide: unknown; map: Map<unknown, unknown> };
  expect(value.wide).toBe(5);
  expect([...value.map.keys()]).toEqual([7n]);
  expect(numbers.toJSON(value as never)).toEqual(json);
  expect(fault(() => numbers.fromJSON({ wide: "9007199254740992" })).code).toBe("ERR_UNSAFE_INTEGER");
});

test("errors, with their paths", () => {
  const all = codec(All);
  for (const [json, code, path] of [
    [null, "ERR_UNSUPPORTED_TYPE", "$"],
    [[], "ERR_UNSUPPORTED_TYPE", "$"],
    [{ wide: 5 }, "ERR_UNSUPPORTED_TYPE", "$.wide"],
    ...["", "05", "-0", "+5", "5.0", "1e3", " 5", "0x5", "5n", "00"].map(
      (text) => [{ wide: text }, "ERR_UNSUPPORTED_TYPE", "$.wide"] as const,
    ),
    [{ wide: "-1" }, "ERR_OUT_OF_RANGE", "$.wide"],
    [{ wide: "18446744073709551616" }, "ERR_OUT_OF_RANGE", "$.wide"],
    [{ byte: "5" }, "ERR_UNSUPPORTED_TYPE", "$.byte"],
    [{ byte: "NaN" }, "ERR_UNSUPPORTED_TYPE", "$.byte"],
    [{ byte: null }, "ERR_UNSUPPORTED_TYPE", "$.byte"],
    [{ real: "nan" }, "ERR_UNSUPPORTED_TYPE", "$.real"],
    [{ real: "1" }, "ERR_UNSUPPORTED_TYPE", "$.real"],
    ...["A", "AA", "AB==", "A===", "AA==\n", "-_8=", "AAA=AAA=", "é==="].map(
      (text) => [{ data: text }, "ERR_UNSUPPORTED_TYPE", "$.data"] as const,
    ),
    [{ list: {} }, "ERR_UNSUPPORTED_TYPE", "$.list"],
    [{ list: [1, 300] }, "ERR_OUT_OF_RANGE", "$.list[1]"],
    [{ map: { 1: 2 } }, "ERR_UNSUPPORTED_TYPE", "$.map"],
    [
      {
        map: [
          ["1", 2],
          ["1", 3],
        ],
      },
      "ERR_DUPLICATE_KEY",
      '$.map["1"]',
    ],
    [{ map: [["1", 2], ["2"]] }, "ERR_UNSUPPORTED_TYPE", "$.map[1]"],
    [{ map: [[1, 2]] }, "ERR_UNSUPPORTED_TYPE", "$.map[0]"],
    [{ map: [["1", -2]] }, "ERR_OUT_OF_RANGE", '$.map["1"]'],
    [{ point: {} }, "ERR_UNSUPPORTED_TYPE", "$.point.x"],
    [{ point: [1] }, "ERR_UNSUPPORTED_TYPE", "$.point"],
    [{ arm: { x: 1 } }, "ERR_UNSUPPORTED_TYPE", "$.arm.kind"],
    [{ arm: { kind: "line" } }, "ERR_OUT_OF_RANGE", "$.arm.kind"],
    [{ arm: { kind: "toString" } }, "ERR_OUT_OF_RANGE", "$.arm.kind"],
    [{ arm: { kind: "point", x: -1 } }, "ERR_OUT_OF_RANGE", "$.arm.x"],
  ] as readonly (readonly [unknown, string, string])[]) {
    equal(
      fault(() => all.fromJSON(json)),
      { code, path },
      JSON.stringify(json),
    );
  }
});

test("a large schema does not look for each of its fields in small objects", () => {
  const wide = codec(pck.schema("Wide", ...Array.from({ length: 400 }, (_, i) => pck.omitEmpty(pck.utf8(`f${i}`)))));
  let looks = 0;
  const counted = (json: object): object =>
    new Proxy(json, {
      getOwnPropertyDescriptor(target, name) {
        looks++;
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    });
  for (const json of [{}, { f399: "z", f7: "a", unknown: 1 }] as { readonly [name: string]: string }[]) {
    const value = wide.fromJSON(counted(json));
    expect([value["f0"], value["f7"], value["f399"]]).toEqual(["", json["f7"] ?? "", json["f399"] ?? ""]);
  }
  expect(looks < 20).toBe(true);
  // The first error is that of the field that is declared first, whatever the order in the JSON.
  expect(fault(() => wide.fromJSON({ f399: 1, f7: 2 })).path).toBe("$.f7");
});
