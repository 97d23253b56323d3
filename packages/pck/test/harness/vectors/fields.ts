/** Modifiers, and the layout of structs: canonical order, bit store, known sizes. */
import type { DocumentField, DocumentType, Json, SchemaDocument } from "../shape.ts";
import { Cases, documentOf, type OwnCase, oneField, times } from "./make.ts";

type Flag = "null" | "empty" | "zero";

/** Types, each with a value that a flag makes absent, its bytes, and a value that is never absent. */
const OPTIONAL: readonly (readonly [DocumentType, Flag, Json, readonly number[], Json])[] = [
  ...["u8", "i8", "uvar", "ivar"].map((type) => [type, "zero", 0, [0], 1] as const),
  ...["u16", "i16"].map((type) => [type, "zero", 0, [0, 0], 1] as const),
  ...["u32", "i32"].map((type) => [type, "zero", 0, times(4, 0), 1] as const),
  ...["u64", "i64"].map((type) => [type, "zero", "0", times(8, 0), "1"] as const),
  ...["uvar64", "ivar64"].map((type) => [type, "zero", "0", [0], "1"] as const),
  ["f32", "zero", 0, times(4, 0), "-0"],
  ["f64", "zero", 0, times(8, 0), "-0"],
  ["utf8", "empty", "", [0], "é"],
  ["ascii", "empty", "", [0], "a"],
  ["bytes", "empty", "", [0], "AA=="],
  [{ array: "u8" }, "empty", [], [0], [0]],
  [{ array: "bool" }, "empty", [], [0], [false]],
  [{ array: { nullable: "u8" } }, "empty", [], [0], [null]],
  [{ map: ["u8", "u8"] }, "empty", [], [0], [[0, 0]]],
];

const NULLABLE_ONLY: readonly (readonly [DocumentType, Json])[] = [
  [{ bytes: 2 }, "AAA="],
  [{ ascii: 2 }, "\0\0"],
  [{ enumeration: ["a", "b"] }, "a"],
  [{ array: "u8", length: 2 }, [0, 0]],
  [{ ref: "Empty" }, {}],
  [{ union: [["empty", "Empty"]] }, { kind: "empty" }],
];

/** Every modifier on every type that allows it. */
export function modifierCases(): readonly OwnCase[] {
  const cases = new Cases();
  for (const [type, flag, absent, bytes, other] of OPTIONAL) {
    for (const omit of [["null"], [flag], ["null", flag]] as const) {
      const name = `${JSON.stringify(type)} ${omit.join(" ")}`;
      const doc = oneField(type, omit);
      cases.value(`${name}: left out`, doc, {});
      cases.value(`${name}: the value that may mean absent`, doc, { v: absent });
      cases.value(`${name}: another value`, doc, { v: other });
      if (omit[0] === "null") cases.value(`${name}: null`, doc, { v: null });
      if (omit.at(-1) === flag) cases.refused(`${name}: present, but absent`, doc, "ERR_NOT_CANONICAL", [1, ...bytes]);
      else cases.bytes(`${name}: present`, doc, [1, ...bytes]);
    }
  }
  for (const [type, value] of NULLABLE_ONLY) {
    const doc = oneField(type, ["null"], { Empty: [] });
    for (const given of [{ v: value }, { v: null }, {}]) {
      cases.value(`${JSON.stringify(type)} null: ${JSON.stringify(given)}`, doc, given);
    }
  }
  for (const type of ["f32", "f64"]) {
    cases.value(`${type} zero: what becomes 0 in an f32`, oneField(type, ["zero"]), { v: 1e-50 });
    cases.value(`${type} zero: NaN`, oneField(type, ["zero"]), { v: "NaN" });
  }
  cases.refused(
    "an error in a value comes before that it means absent",
    oneField("uvar", ["zero"]),
    "ERR_NOT_SHORTEST",
    [1, 0x80, 0],
  );
  return cases.list;
}

function fieldsOf(types: readonly DocumentType[], omit?: readonly Flag[]): DocumentField[] {
  return types.map((type, i) => ({ name: `f${i}`, type, ...(omit === undefined ? {} : { omit }) }));
}

const ALL_KINDS: readonly (readonly [DocumentType, Json])[] = [
  [{ map: ["u8", "u8"] }, [[1, 2]]],
  [{ array: "u8" }, [3]],
  [{ union: [["empty", "Empty"]] }, { kind: "empty" }],
  [{ ref: "Text" }, { t: "r" }],
  [{ ref: "Fixed" }, { a: 4, b: true }],
  ["ascii", "a"],
  ["utf8", "u"],
  ["bytes", "BQ=="],
  [{ enumeration: ["x", "y"] }, "y"],
  ["ivar64", "-6"],
  ["ivar", -7],
  ["uvar64", "8"],
  ["uvar", 9],
  ["f32", 10],
  ["f64", 11],
  ["i8", -12],
  ["i16", -13],
  ["i32", -14],
  ["i64", "-15"],
  ["u8", 16],
  ["u16", 17],
  ["u32", 18],
  ["u64", "19"],
  ["bool", true],
  [{ bytes: 2 }, "FBU="],
  [{ ascii: 2 }, "!!"],
  [{ array: "u16", length: 2 }, [22, 23]],
  [{ array: "bool", length: 2 }, [true, true]],
  [{ array: { ref: "Fixed" }, length: 1 }, [{ a: 24, b: false }]],
  [{ array: { nullable: "u8" }, length: 1 }, [25]],
];

/** The order of fields, bit stores, sections. */
export function layoutCases(): readonly OwnCase[] {
  const cases = new Cases();
  const extra = {
    Empty: [],
    Text: [{ name: "t", type: "utf8" }],
    Fixed: [
      { name: "a", type: "u8" },
      { name: "b", type: "bool" },
    ],
  } as const;
  const types = ALL_KINDS.map(([type]) => type);
  const value = Object.fromEntries(ALL_KINDS.map(([, one], i) => [`f${i}`, one] as const));
  cases.value(
    "every kind, required, declared against the order",
    documentOf({ Root: fieldsOf(types), ...extra }),
    value,
  );
  const optional = types.map((type) => (type === "bool" ? "u8" : type));
  const others = { ...value, f23: 1 };
  const doc = documentOf({ Root: fieldsOf(optional, ["null"]), ...extra });
  cases.value("every kind, optional", doc, others);
  cases.value(
    "every kind, every other one absent",
    doc,
    Object.fromEntries(Object.entries(others).filter((_, i) => i % 2 === 0)),
  );
  const mixed = fieldsOf(types).flatMap((field, i) =>
    field.type === "bool" ? [field] : [field, { ...field, name: `o${i}`, omit: ["null"] as const }],
  );
  cases.value("required and optional ones in turns", documentOf({ Root: mixed, ...extra }), value);
  bitCases(cases);
  knownSizeCases(cases);
  return cases.list;
}

function bitCases(cases: Cases): void {
  for (const count of [1, 7, 8, 9, 16, 17]) {
    const doc = documentOf({ Root: fieldsOf(times(count, "bool")) });
    const last = Object.fromEntries(times(count, 0).map((_, i) => [`f${i}`, i === count - 1] as const));
    const bytes = cases.value(`${count} bools, the last is true`, doc, last);
    if (count % 8 === 0) continue;
    const spare = [...bytes.slice(0, -1), bytes.at(-1)! | (1 << (count % 8))];
    cases.refused(`${count} bools and a spare bit`, doc, "ERR_INVALID_PADDING", spare);
    cases.refused(`${count} bools, a spare bit, and a byte more`, doc, "ERR_INVALID_PADDING", [...spare, 0]);
  }
  for (const [optionals, bools] of [
    [3, 4],
    [4, 4],
    [5, 4],
    [8, 1],
    [9, 8],
  ] as const) {
    const fields = [
      ...fieldsOf(times(bools, "bool")),
      ...fieldsOf(times(optionals, "u8"), ["zero"]).map((field) => ({ ...field, name: `o${field.name}` })),
    ];
    const doc = documentOf({ Root: fields });
    cases.value(
      `${optionals} optional fields and ${bools} bools, all set`,
      doc,
      Object.fromEntries(fields.map(({ name, type }, i) => [name, type === "bool" ? true : i] as const)),
    );
    cases.value(
      `${optionals} optional fields and ${bools} bools, only bools`,
      doc,
      Object.fromEntries(fields.map(({ name, type }) => [name, type === "bool" ? true : 0] as const)),
    );
  }
  const store = documentOf({
    Root: [
      { name: "a", type: "utf8" },
      { name: "b", type: "bool" },
    ],
  });
  cases.refused(
    "a bit store with spare bits, before the text that is malformed",
    store,
    "ERR_INVALID_PADDING",
    [2, 1, 0xff],
  );
  cases.refused("no bit store", store, "ERR_TRUNCATED", []);
}

/**
 * Fields, each declared before a 64-bit varint: a field of known size comes before it in the bytes, others behind it.
 */
function knownSizeCases(cases: Cases): void {
  const extra: { readonly [name: string]: readonly DocumentField[] } = {
    Empty: [],
    Known: [{ name: "a", type: { ref: "Inner" } }],
    Inner: [{ name: "b", type: { ascii: 1 } }],
    Optional: [{ name: "a", type: "u8", omit: ["zero"] }],
    Varint: [{ name: "a", type: "uvar" }],
  };
  const samples: readonly (readonly [DocumentType, Json])[] = [
    [{ ref: "Known" }, { a: { b: "k" } }],
    [{ ref: "Optional" }, { a: 1 }],
    [{ ref: "Varint" }, { a: 1 }],
    [{ array: { ref: "Known" }, length: 1 }, [{ a: { b: "k" } }]],
    [{ array: { array: { bytes: 1 }, length: 1 }, length: 1 }, [["AQ=="]]],
    [
      { array: { array: "bool", length: 3 }, length: 2 },
      [
        [true, false, true],
        [false, true, false],
      ],
    ],
    [{ array: { ref: "Varint" }, length: 1 }, [{ a: 1 }]],
    [{ array: { nullable: "u8" }, length: 2 }, [null, 1]],
    [{ array: "utf8", length: 1 }, ["t"]],
    [{ enumeration: ["only"] }, "only"],
  ];
  for (const [type, value] of samples) {
    const doc: SchemaDocument = documentOf({
      Root: [
        { name: "first", type: "uvar" },
        { name: "v", type },
      ],
      ...extra,
    });
    cases.value(`known size or not: ${JSON.stringify(type)}`, doc, { first: 170, v: value });
  }
}
