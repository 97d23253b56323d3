/** Invalid values: each type, at each place where it may be, and too deep nesting. */
import type { RefusedCase } from "../refusals.ts";
import { refusals } from "../refusals.ts";
import type { DocumentType, Json, SchemaDocument } from "../shape.ts";
import { RECURSIVE } from "./limits.ts";
import { documentOf, type OwnCase, oneField } from "./make.ts";

const STRUCTS = {
  Text: [{ name: "a b", type: "utf8" }],
  Code: [{ name: "code", type: { ascii: 2 } }],
} as const;

/** Types with invalid values, each with a valid value. */
const TYPES: readonly (readonly [DocumentType, Json])[] = [
  ["utf8", "é"],
  ["ascii", "a"],
  [{ ascii: 2 }, "ab"],
  [{ enumeration: ["x", "y"] }, "y"],
  [{ ref: "Text" }, { "a b": "" }],
  [
    {
      union: [
        ["text", "Text"],
        ["code", "Code"],
      ],
    },
    { kind: "code", code: "ab" },
  ],
];

/** Places around a type. */
const AROUND: readonly ((type: DocumentType, value: Json) => readonly [DocumentType, Json])[] = [
  (type, value) => [type, value],
  (type, value) => [{ array: type }, [value, value]],
  (type, value) => [{ array: type, length: 2 }, [value, value]],
  (type, value) => [{ array: { nullable: type } }, [null, value]],
  (type, value) => [{ map: ["utf8", type] }, [['"\u2028\n', value]]],
  (type, value) => [{ map: ["i64", { nullable: type }] }, [["-9007199254740993", value]]],
  (type, value) => [{ map: ["u8", { array: type }] }, [[7, [value]]]],
];

/** Types of keys with invalid values. */
const KEYS: readonly (readonly [DocumentType, Json])[] = TYPES.slice(0, 4);

/** Returns all cases of invalid values. */
export function refusedCases(): readonly OwnCase[] {
  const cases: OwnCase[] = [];
  const add = (cause: string, doc: SchemaDocument, value: Json) => {
    for (const make of refusals(doc, value)) {
      const one = make();
      cases.push({ ...one, cause: `${cause}: ${one.error.code} at ${one.error.path}` });
    }
  };
  for (const [type, value] of TYPES) {
    for (const around of AROUND) {
      const [whole, v] = around(type, value);
      add(JSON.stringify(whole), oneField(whole, [], STRUCTS), { v });
    }
    add(`optional ${JSON.stringify(type)}`, oneField(type, ["null"], STRUCTS), { v: value });
  }
  for (const [type, key] of KEYS) {
    add(`a key of ${JSON.stringify(type)}`, oneField({ map: [type, "bool"] }), { v: [[key, true]] });
  }
  return [...cases, ...tooDeep()];
}

/** 513 levels, by each kind of container. */
function tooDeep(): readonly OwnCase[] {
  return RECURSIVE.map(({ name, field, hold, end, levels }) => {
    const doc = documentOf({ Root: [field], End: [] });
    let value = end;
    for (let depth = 1; depth <= 513; depth += levels) value = hold(value);
    // Each struct has two levels; the level of the list or map is even.
    const step = levels === 1 ? ".v" : name === "a map" ? ".v[7]" : ".v[0]";
    const path = `$${step.repeat(512 / levels)}`;
    const error = { code: "ERR_LIMIT_DEPTH", path } as const;
    return { kind: "refused", doc, value, error, cause: `${name}: one too deep` } satisfies RefusedCase & {
      cause: string;
    };
  });
}
