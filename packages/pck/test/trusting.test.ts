/**
 * `validate: false`: for values that are known to be valid. They give the same bytes. An invalid value throws or gives
 * other bytes, but always a valid message: it can be decoded, and encodes to the same bytes again.
 */

import { fault } from "@moonpack/harness/caught.ts";
import { each, none } from "@moonpack/harness/each.ts";
import { isWhole, share } from "@moonpack/harness/effort.ts";
import { bytesDiffer, fromHex, toHex } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import {
  ARRAY,
  array,
  type Codec,
  codec,
  type DocumentType,
  type Field,
  MoonpackError,
  map,
  nullable,
  omitNull,
  REF,
  ref,
  type Schema,
  type SchemaDocument,
  schema,
  type Type,
  UNION,
  UTF8,
  u8,
  utf8,
} from "@moonpack/pck";
import { codeGeneration } from "@moonpack/pck/codegen";
import { describe, expect, test } from "vitest";
import { named } from "./harness/cases.ts";
import { randomCases } from "./harness/random-cases.ts";
import { spoiled } from "./harness/spoil.ts";
import { valueOfJson } from "./harness/values.ts";

type Any = Codec<unknown, unknown>;

const WAYS = [
  ["closures", false],
  ["generated", codeGeneration],
] as const;
const schemas = [...randomCases({ seed: 31, schemas: 80, values: 3, mutations: 0, names: "any" })];

/** Fails unless the value throws an error of the library or gives a valid message. Returns whether it was written. */
function isWritten(trusting: Any, checking: Any, value: unknown): boolean {
  let bytes: Uint8Array;
  try {
    bytes = trusting.encode(value);
  } catch (error) {
    if (error instanceof MoonpackError) return false;
    throw new Error("not one of our errors", { cause: error });
  }
  none(bytesDiffer(checking.encode(checking.decode(bytes)), bytes), "no message");
  return true;
}

/**
 * An array whose length differs at the second read. It has its own `valueOf` and `toString`: an engine that joins it
 * would read as many elements as its length claims.
 */
function changing(lengths: readonly number[]): unknown {
  let asked = 0;
  return new Proxy([1, 2, 3], {
    get(list, key) {
      if (key === "length") return lengths[Math.min(asked++, lengths.length - 1)];
      return key === Symbol.toPrimitive ? () => "1,2,3" : Reflect.get(list, key);
    },
  });
}

class LyingMap extends Map<unknown, unknown> {
  override get size(): number {
    return 1000;
  }
}

/** Values that are unusual for one type or for all. */
const ODD: readonly (() => unknown)[] = [
  ...[undefined, null, true, 0, -0, -1, 0.5, 255, 256, 2 ** 31, 2 ** 32, 2 ** 53, 1e300, Number.NaN, Infinity].map(
    (value) => () => value,
  ),
  ...[0n, -1n, 2n ** 63n, 2n ** 64n, -(2n ** 63n) - 1n, 2n ** 200n].map((value) => () => value),
  ...["", "a", "é", "\ud800", "😀".repeat(50), "x".repeat(300), "a\udc00b"].map((value) => () => value),
  () => [],
  () => {
    const holes = [1, 2, 3];
    delete holes[1];
    return holes;
  },
  () => ["a", 1, null, undefined, {}, 300, -1],
  () => ({}),
  () => ({ length: 5 }),
  () => ({ length: 2 ** 32, 0: 1 }),
  () => ({ kind: "a" }),
  () => ({ kind: "none" }),
  () => ({ kind: 0 }),
  () => Object.create(null),
  () => new Map(),
  () =>
    new Map<unknown, unknown>([
      [1, 1],
      ["1", 1],
      [1n, 1],
      [null, 1],
    ]),
  () =>
    new Map<unknown, unknown>([
      ["b", 1],
      ["a", undefined],
      ["\ud800", {}],
    ]),
  () => new LyingMap([["a", 1]]),
  () => new Uint8Array(3),
  () => new Float64Array([1.5, -1, 1e300]),
  () => new BigInt64Array([-1n]),
  () => new Uint8Array(structuredClone(new ArrayBuffer(4), {})).subarray(1),
  () => {
    const bytes = new Uint8Array(4);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    return bytes;
  },
  () => new DataView(new ArrayBuffer(2)),
  () => new Set([1]),
  () => new Date(0),
  () => Symbol("s"),
  () => () => 1,
  () => changing([3, 1]),
  () => changing([1, 3]),
  () => changing([0, 3]),
  () => changing([1, 2 ** 32]),
  () => changing([-1]),
  () => changing([1.5]),
  () => Object(5),
  () => Object("text"),
];

const NUMBERS: readonly DocumentType[] = "u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 uvar ivar uvar64 ivar64".split(" ");
const POINT = { ref: "Point" };
const NAMES = { enumeration: ["a", "b"] };
const TYPES: readonly DocumentType[] = [
  ...NUMBERS,
  ...["bool", "utf8", "ascii", { ascii: 2 }, "bytes", { bytes: 2 }, NAMES, POINT],
  {
    union: [
      ["a", "Point"],
      ["none", "None"],
    ],
  },
  ...["u8", "u64", "f32", "ivar64", "bool", "utf8", POINT, { nullable: "u8" }].map((array) => ({ array })),
  ...["u16", "f64", "bool", { nullable: "utf8" }].map((array) => ({ array, length: 3 })),
  { map: ["utf8", "u8"] },
  { map: ["u8", "utf8"] },
  { map: ["u64", "u8"] },
  { map: [NAMES, { nullable: "bool" }] },
  { map: [{ ascii: 1 }, POINT] },
];

/** Returns a schema with one field between two others. */
function between(field: object): SchemaDocument {
  const u8 = (name: string) => ({ name, type: "u8" });
  const fields = [u8("before"), { name: "v", ...field }, { name: "after", type: "utf8" }];
  const Point = { fields: [u8("x"), { name: "y", type: "uvar", omit: ["zero"] }] };
  const structs = { R: { fields }, Point, None: { fields: [] } };
  return { pck: 1, root: "R", structs } as unknown as SchemaDocument;
}

/** The places where a value of a type can be, and how to put it there. */
function placesOf(type: DocumentType): readonly (readonly [field: object, wrap: (value: unknown) => unknown])[] {
  const isBool = type === "bool";
  return [
    [{ type }, (v) => v],
    ...(isBool ? [] : [[{ type, omit: ["null"] }, (v: unknown) => v] as const]),
    ...(NUMBERS.includes(type) ? [[{ type, omit: ["zero"] }, (v: unknown) => v] as const] : []),
    [{ type: { array: type } }, (v) => [v]],
    [{ type: { array: type, length: 2 } }, (v) => [v, v]],
    [{ type: { map: ["utf8", type] } }, (v) => new Map([["k", v]])],
  ];
}

for (const [name, way] of WAYS) {
  describe(name, () => {
    test("valid values give the same bytes", () => {
      each(named(schemas, "schema"), ({ doc, cases }) => {
        const trusting = codec(doc, { validate: false, codeGeneration: way }) as Any;
        for (const { bytes: hex, ...rest } of cases) {
          if (rest.kind !== "value") continue;
          const value = valueOfJson(doc, rest.value);
          none(bytesDiffer(trusting.encode(value), fromHex(hex)), "encode");
          if (trusting.size(value) !== hex.length / 2) throw new Error("size");
          const target = new Uint8Array(hex.length / 2 + 2).fill(0xee);
          trusting.encodeInto(value, target, 1);
          if (toHex(target) !== `ee${hex}ee`) throw new Error("encodeInto writes beside");
        }
      });
    });

    test("values with one invalid place, with every option", () => {
      const random = randomSource(32);
      const options = [{}, { int64: "number" }, { maps: "object" }, { typedArrays: true }] as const;
      let written = 0;
      let refused = 0;
      each(named(schemas, "schema"), ({ doc, cases, name: label }) => {
        const how = options[label.length % options.length]!;
        const trusting = codec(doc, { ...how, validate: false, codeGeneration: way }) as Any;
        const checking = codec(doc, { codeGeneration: false }) as Any;
        for (const { bytes, kind } of cases) {
          if (kind !== "value") continue;
          const right = checking.decode(fromHex(bytes));
          for (let i = 0; i < 6; i++) {
            if (isWritten(trusting, checking, spoiled(random, right))) written++;
            else refused++;
          }
          // An error leaves no trace in the codec.
          none(bytesDiffer(trusting.encode(right), fromHex(bytes)), "afterwards");
        }
      });
      expect(written).toBeGreaterThan(share(50));
      expect(refused).toBeGreaterThan(share(200));
    });

    test("every unusual value for every type: as a field, an optional field, an element, a map value", () => {
      const places = TYPES.flatMap(placesOf);
      const first = places[0]![0];
      // A third of them covers each type in at least one place.
      for (const [field, wrap] of isWhole ? places : places.filter((_, i) => i % 3 === 0)) {
        const one = between(field);
        const trusting = codec(one, { validate: false, codeGeneration: way }) as Any;
        const checking = codec(one, { codeGeneration: false }) as Any;
        for (const make of ODD) {
          isWritten(trusting, checking, { before: 1, v: wrap(make()), after: "z" });
          if (field === first) isWritten(trusting, checking, make());
        }
      }
    });
  });
}

describe("values that are not objects", () => {
  const leaf = schema("Leaf", u8("a"), omitNull(utf8("b")));
  const own = schema("Own", u8("toString"));
  const middle = schema("Middle", ref("leaf", leaf), ref("odd name", own));
  const node: Schema = schema("Node", ref("leaf", leaf), omitNull(ref("next", () => node))) as Schema;
  const types: readonly Type[] = [
    ...[leaf, own, middle, node].map((one) => REF(one as Schema) as Type),
    UNION({ leaf, middle }) as Type,
  ];

  /** Returns the outcome of both codecs, which must be the same. */
  function said(one: Schema, value: unknown): unknown {
    const [closures, generated] = WAYS.map(([, way]) =>
      fault(() => codec(one, { validate: false, codeGeneration: way }).encode(value)),
    );
    expect(generated).toEqual(closures);
    return closures;
  }

  test.each([null, undefined])("%s is of no type, and named itself, in generated code too", (nothing) => {
    for (const type of types) {
      const wrapped: readonly (readonly [Field, unknown, string])[] = [
        [array("x", type), [nothing], "$.x[0]"],
        [array("x", ARRAY(type, 1)), [[nothing]], "$.x[0][0]"],
        [map("x", UTF8, type), new Map([["k", nothing]]), '$.x["k"]'],
        [map("x", UTF8, ARRAY(nullable(ARRAY(type)))), new Map([["k", [null, [nothing]]]]), '$.x["k"][1][0]'],
      ];
      for (const [field, x, path] of wrapped) {
        expect(said(schema("S", field) as Schema, { x })).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path });
      }
    }
    for (const struct of [leaf, own, middle, node]) {
      const S = schema("S", ref("x", struct as Schema));
      expect(said(S as Schema, { x: nothing })).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$.x" });
      expect(said(struct as Schema, nothing)).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$" });
    }
    const S = schema("S", ref("before", leaf), ref("x", middle)) as Schema;
    const right = { a: 1, b: "" };
    const named = (value: unknown) => (said(S, value) as { path: string }).path;
    expect(named({ before: nothing, x: { leaf: right, "odd name": { toString: 1 } } })).toBe("$.before");
    expect(named({ before: right, x: { leaf: nothing, "odd name": { toString: 1 } } })).toBe("$.x.leaf");
    expect(named({ before: right, x: { leaf: right, "odd name": nothing } })).toBe('$.x["odd name"]');
  });

  test("a getter that throws is reported with its path", () => {
    const S = schema("S", ref("x", middle)) as Schema;
    const throwing = {
      get a(): number {
        throw new Error("mine");
      },
    };
    expect(said(S, { x: { leaf: throwing, "odd name": { toString: 1 } } })).toEqual({
      code: "ERR_USER_CODE",
      path: "$.x.leaf.a",
    });
  });
});
