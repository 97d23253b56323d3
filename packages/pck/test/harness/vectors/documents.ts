/** Invalid documents, for each rule of the page's list, and similar valid ones. */
import type { SchemaCase } from "../cases.ts";
import { fingerprintReference } from "../fingerprint.ts";
import { Layout } from "../layout.ts";
import type { SchemaDocument } from "../shape.ts";

type Fields = readonly unknown[];

function root(fields: Fields, more: { readonly [name: string]: Fields } = {}): unknown {
  const structs = Object.entries({ Root: fields, ...more }).map(([name, list]) => [name, { fields: list }] as const);
  return { pck: 1, root: "Root", structs: Object.fromEntries(structs) };
}

const one = (type: unknown, more: object = {}, structs: { readonly [name: string]: Fields } = {}) =>
  root([{ name: "v", type, ...more }], structs);

/** Returns `u8` within `depth` lists. */
function nested(lists: number): unknown {
  let type: unknown = "u8";
  for (let i = 0; i < lists; i++) type = { array: type };
  return type;
}

const EMPTY = { Empty: [] };
const SELF = { name: "s", type: { ref: "S" } };

/** Invalid documents, with the cause. */
const REFUSED: readonly (readonly [string, unknown])[] = [
  [
    "two fields of a name",
    root([
      { name: "a", type: "u8" },
      { name: "a", type: "u8" },
    ]),
  ],
  ["a field with an empty name", root([{ name: "", type: "u8" }])],
  ["a field without a name", root([{ type: "u8" }])],
  ["a field without a type", root([{ name: "a" }])],
  ["a struct with an empty name", { pck: 1, root: "", structs: { "": { fields: [] } } }],
  ["a struct with an empty name that the root does not reach", root([], { "": [] })],
  ["two values of a name", one({ enumeration: ["a", "b", "a"] })],
  ["a value with an empty name", one({ enumeration: ["a", ""] })],
  ["no values", one({ enumeration: [] })],
  ["a value that is a number", one({ enumeration: [1] })],
  ["no arms", one({ union: [] })],
  [
    "two arms of a name",
    one({
      union: [
        ["a", "Root"],
        ["a", "Root"],
      ],
    }),
  ],
  ["an arm with an empty name", one({ union: [["", "Empty"]] }, {}, EMPTY)],
  ["an arm of three", one({ union: [["a", "Empty", "b"]] }, {}, EMPTY)],
  ["an empty discriminator", one({ union: [["a", "Empty"]], discriminator: "" }, {}, EMPTY)],
  ["a discriminator that is null", one({ union: [["a", "Empty"]], discriminator: null }, {}, EMPTY)],
  [
    "an arm's field that is named as the discriminator",
    one({ union: [["a", "A"]] }, {}, { A: [{ name: "kind", type: "u8" }] }),
  ],
  [
    "the same, with a discriminator of its own",
    one({ union: [["a", "A"]], discriminator: "x" }, {}, { A: [{ name: "x", type: "u8" }] }),
  ],
  ["a lone surrogate in a field's name", root([{ name: "\ud800", type: "u8" }])],
  ["a lone surrogate in a struct's name", root([], { "a\udc00": [] })],
  ["a lone surrogate in a value", one({ enumeration: ["\ud800"] })],
  ["a lone surrogate in an arm", one({ union: [["\udfff", "Empty"]] }, {}, EMPTY)],
  ["a lone surrogate in a discriminator", one({ union: [["a", "Empty"]], discriminator: "\ud800" }, {}, EMPTY)],
  ["a lone surrogate in an old name", one("u8", { renamed: ["\ud800"] })],
  ["a lone surrogate in a default", one("utf8", { default: "\ud800" })],
  ["a lone surrogate deep in a default", one({ array: "utf8" }, { default: ["a", "\udc00"] })],
  ...[0, -1, 1.5, 65_536, null, "4", true, 2 ** 32].flatMap((n) => [
    [`bytes(${String(n)})`, one({ bytes: n })] as const,
    [`ascii(${String(n)})`, one({ ascii: n })] as const,
    [`array of ${String(n)}`, one({ array: "u8", length: n })] as const,
  ]),
  ...["u24", "U8", "", "string", "nullable", "array", "ref", "toString", "__proto__", "constructor"].map(
    (type) => [`unknown type ${JSON.stringify(type)}`, one(type)] as const,
  ),
  ...[null, 5, true, [], {}, ["u8"], { length: 3 }, { u8: 1 }, { bool: true }, { toString: 1 }].map(
    (type) => [`unknown type ${JSON.stringify(type)}`, one(type)] as const,
  ),
  ["two kinds in one type", one({ bytes: 4, ascii: 4 })],
  ["a length where none belongs", one({ bytes: 4, length: 4 })],
  ["a discriminator where none belongs", one({ array: "u8", discriminator: "x" })],
  ["an unknown key of a type", one({ array: "u8", max: 4 })],
  ["an unknown struct", one({ ref: "Nobody" })],
  ["an unknown struct of an arm", one({ union: [["a", "Nobody"]] })],
  ["a struct of Object.prototype", one({ ref: "toString" })],
  [
    "an unknown struct in a struct that the root does not reach",
    root([], { A: [{ name: "a", type: { ref: "Nobody" } }] }),
  ],
  ["an unknown root", { pck: 1, root: "Nobody", structs: { Root: { fields: [] } } }],
  ["a root that is a number", { pck: 1, root: 1, structs: { 1: { fields: [] } } }],
  ["no structs", { pck: 1, root: "Root" }],
  ["structs that are a list", { pck: 1, root: "0", structs: [{ fields: [] }] }],
  ["pck as text", { pck: "1", root: "Root", structs: { Root: { fields: [] } } }],
  ["version 2", { pck: 2, root: "Root", structs: { Root: { fields: [] } } }],
  ["an unknown key of the document", { pck: 1, root: "Root", structs: { Root: { fields: [] } }, version: 1 }],
  ["an unknown key of a struct", { pck: 1, root: "Root", structs: { Root: { fields: [], name: "Root" } } }],
  ["a struct without fields", { pck: 1, root: "Root", structs: { Root: {} } }],
  ["fields that are an object", { pck: 1, root: "Root", structs: { Root: { fields: {} } } }],
  ["an unknown key of a field", one("u8", { optional: true })],
  ["a doc that is a number", one("u8", { doc: 5 })],
  ["a struct's doc that is null", { pck: 1, root: "Root", structs: { Root: { doc: null, fields: [] } } }],
  ["omit that is text", one("u8", { omit: "zero" })],
  ["an unknown flag", one("u8", { omit: ["none"] })],
  ["a repeated flag", one("u8", { omit: ["zero", "zero"] })],
  ...["bool", { nullable: "u8" }].map(
    (type) => [`omit null on ${JSON.stringify(type)}`, one(type, { omit: ["null"] })] as const,
  ),
  ...[
    "u8",
    "f64",
    { bytes: 2 },
    { ascii: 2 },
    { array: "u8", length: 2 },
    { enumeration: ["a"] },
    { ref: "Empty" },
    "bool",
  ].map((type) => [`omit empty on ${JSON.stringify(type)}`, one(type, { omit: ["empty"] }, EMPTY)] as const),
  ...["bool", "utf8", "bytes", { enumeration: ["a"] }, { array: "u8" }, { ref: "Empty" }].map(
    (type) => [`omit zero on ${JSON.stringify(type)}`, one(type, { omit: ["zero"] }, EMPTY)] as const,
  ),
  ...[
    "bool",
    "f32",
    "f64",
    "bytes",
    { bytes: 2 },
    { ref: "Empty" },
    { array: "u8" },
    { nullable: "u8" },
    { map: ["u8", "u8"] },
    { union: [["a", "Empty"]] },
  ].map((key) => [`keys of ${JSON.stringify(key)}`, one({ map: [key, "u8"] }, {}, EMPTY)] as const),
  ["a map of one type", one({ map: ["u8"] })],
  ["a map of three types", one({ map: ["u8", "u8", "u8"] })],
  ["a map that is text", one({ map: "u8" })],
  ["nullable in nullable", one({ array: { nullable: { nullable: "u8" } } })],
  ["nullable in nullable, as a map's value", one({ map: ["u8", { nullable: { nullable: "u8" } }] })],
  ["a nullable field", one({ nullable: "u8" })],
  ["an array of empty structs", one({ array: { ref: "Empty" } }, {}, EMPTY)],
  ["an array of 3 empty structs", one({ array: { ref: "Empty" }, length: 3 }, { omit: ["null"] }, EMPTY)],
  ["an array of arrays of empty structs", one({ array: { array: { ref: "Empty" }, length: 2 } }, {}, EMPTY)],
  ["an array of empty structs as a map's value", one({ map: ["u8", { array: { ref: "Empty" } }] }, {}, EMPTY)],
  ["an array of empty structs in nullable", one({ array: { nullable: { array: { ref: "Empty" } } } }, {}, EMPTY)],
  ["a required ref to an empty struct", one({ ref: "Empty" }, {}, EMPTY)],
  ["a struct that holds itself", root([{ name: "r", type: { ref: "Root" } }])],
  ["two structs that hold each other", root([SELF], { S: [{ name: "r", type: { ref: "Root" } }] })],
  ["a struct that holds itself and that the root does not reach", root([], { S: [SELF] })],
  ["a union whose only arm holds it", root([{ name: "u", type: { union: [["a", "Root"]] } }])],
  [
    "a union whose arms all hold it",
    root(
      [
        {
          name: "u",
          type: {
            union: [
              ["a", "Root"],
              ["b", "S"],
            ],
          },
        },
      ],
      { S: [{ name: "r", type: { ref: "Root" } }] },
    ),
  ],
  ["a list of two of itself", root([{ name: "l", type: { array: { ref: "Root" }, length: 2 } }])],
  [
    "a list of a list of itself",
    root([{ name: "l", type: { array: { array: { ref: "Root" }, length: 1 }, length: 1 } }]),
  ],
  ["a default that is too large", one("u8", { default: 256 })],
  ["a default that is a fraction", one("uvar", { default: 0.5 })],
  ["a default of another type", one("u8", { default: "5" })],
  ["null as default", one("u8", { default: null })],
  ["null as default of omit zero", one("u8", { default: null, omit: ["zero"] })],
  ["a number as default of 64 bits", one("u64", { default: 5 })],
  ["a default with leading zeros", one("i64", { default: "05" })],
  ["a default of -0", one("i64", { default: "-0" })],
  ["a default beyond 64 bits", one("u64", { default: "18446744073709551616" })],
  ["-0 as default of an integer", one("i8", { default: "-0" })],
  ["NaN as default of an integer", one("u8", { default: "NaN" })],
  ["a default that overflows an f32", one("f32", { default: 3.5e38 })],
  ["an unknown name as default", one({ enumeration: ["a"] }, { default: "b" })],
  ["an unknown arm as default", one({ union: [["a", "Empty"]] }, { default: { kind: "b" } }, EMPTY)],
  ["an arm as default without its name", one({ union: [["a", "Empty"]] }, { default: {} }, EMPTY)],
  ["a default that is no base64", one("bytes", { default: "A" })],
  ["a default of base64 without padding", one("bytes", { default: "AA" })],
  ["a default of base64 with bits that are lost", one("bytes", { default: "AB==" })],
  ["a default of base64 with a line's end", one("bytes", { default: "AAAA\n" })],
  ["a default of base64url", one("bytes", { default: "-_8=" })],
  ["a default of a wrong length", one({ bytes: 3 }, { default: "AA==" })],
  ["a default of a wrong count", one({ array: "u8", length: 2 }, { default: [1] })],
  ["a default that is not ASCII", one("ascii", { default: "é" })],
  [
    "a default with equal keys",
    one(
      { map: ["u8", "u8"] },
      {
        default: [
          [1, 2],
          [1, 3],
        ],
      },
    ),
  ],
  ["a map as object as default", one({ map: ["utf8", "u8"] }, { default: { a: 1 } })],
  ["a default that lacks a field", one({ ref: "A" }, { default: {} }, { A: [{ name: "a", type: "u8" }] })],
  [
    "a default deep in a default of a wrong type",
    one({ array: { ref: "A" } }, { default: [{ a: 1 }, { a: -1 }] }, { A: [{ name: "a", type: "u8" }] }),
  ],
  ["a default of a bool that is a number", one("bool", { default: 1 })],
  ["an old name that is the field's", one("u8", { renamed: ["v"] })],
  [
    "an old name that is another field's",
    root([
      { name: "a", type: "u8" },
      { name: "b", type: "u8", renamed: ["a"] },
    ]),
  ],
  ["an old name twice", one("u8", { renamed: ["a", "a"] })],
  [
    "an old name of two fields",
    root([
      { name: "a", type: "u8", renamed: ["o"] },
      { name: "b", type: "u8", renamed: ["o"] },
    ]),
  ],
  ["an empty old name", one("u8", { renamed: [""] })],
  ["an old name that is a number", one("u8", { renamed: [1] })],
  ["types nested 65 deep", one(nested(64))],
  ...[null, 1, "text", [], {}].map((doc) => [`${JSON.stringify(doc)} as document`, doc] as const),
];

/** Valid documents. */
const ACCEPTED: readonly (readonly [string, unknown])[] = [
  ["types nested 64 deep", one(nested(63))],
  ["an optional ref to an empty struct", one({ ref: "Empty" }, { omit: ["null"] }, EMPTY)],
  ["a map of empty structs", one({ map: ["u8", { ref: "Empty" }] }, {}, EMPTY)],
  ["a nullable of an empty struct, in a map", one({ map: ["u8", { nullable: { ref: "Empty" } }] }, {}, EMPTY)],
  ["nullables of empty structs, in an array", one({ array: { nullable: { ref: "Empty" } } }, {}, EMPTY)],
  ["an array of unions of empty structs", one({ array: { union: [["a", "Empty"]] } }, {}, EMPTY)],
  ["an array of arrays of bool", one({ array: { array: "bool", length: 1 } })],
  ["an optional struct that holds itself", root([{ name: "r", type: { ref: "Root" }, omit: ["null"] }])],
  ["a list of itself", root([{ name: "l", type: { array: { ref: "Root" } } }])],
  ["a map of itself", root([{ name: "m", type: { map: ["u8", { ref: "Root" }] } }])],
  ["two nullables of itself", root([{ name: "l", type: { array: { nullable: { ref: "Root" } }, length: 2 } }])],
  [
    "a union with an arm that ends",
    root(
      [
        {
          name: "u",
          type: {
            union: [
              ["a", "Root"],
              ["b", "Empty"],
            ],
          },
        },
      ],
      EMPTY,
    ),
  ],
  [
    "a name of Object.prototype",
    root([
      { name: "__proto__", type: "u8" },
      { name: "toString", type: "utf8" },
    ]),
  ],
  [
    "a default of each flag",
    root([
      { name: "a", type: "u8", omit: ["zero"], default: 0 },
      { name: "b", type: "utf8", omit: ["empty", "null"], default: null },
    ]),
  ],
  ["a default that is rounded", one("f32", { default: 0.1 })],
  [
    "a default with an unknown property",
    one({ ref: "A" }, { default: { a: 1, b: 2 } }, { A: [{ name: "a", type: "u8" }] }),
  ],
  [
    "a default without an optional field",
    one({ ref: "A" }, { default: {} }, { A: [{ name: "a", type: "u8", omit: ["zero"] }] }),
  ],
  [
    "a default with keys in any order",
    one(
      { map: ["u8", "u8"] },
      {
        default: [
          [2, 0],
          [1, 0],
        ],
      },
    ),
  ],
  [
    "lengths of 1 and 65,535",
    root([
      { name: "a", type: { bytes: 1 } },
      { name: "b", type: { ascii: 65_535 } },
      { name: "c", type: { array: "u8", length: 65_535 } },
    ]),
  ],
  ["flags in any order", one("utf8", { omit: ["empty", "null"] })],
  ["no flags, no old names", one("u8", { omit: [], renamed: [], doc: "" })],
  ["a discriminator of __proto__", one({ union: [["a", "Empty"]], discriminator: "__proto__" }, {}, EMPTY)],
];

/** Both. */
export function documentCases(): readonly SchemaCase[] {
  return [
    ...REFUSED.map(([cause, doc]) => ({ kind: "schema", doc, cause, error: { code: "ERR_SCHEMA" } }) as const),
    ...ACCEPTED.map(
      ([cause, doc]) =>
        ({ kind: "schema", doc, cause, fingerprint: fingerprintReference(new Layout(doc as SchemaDocument)) }) as const,
    ),
  ];
}
