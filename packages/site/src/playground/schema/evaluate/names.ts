// Exports of `@moonpack/pck`: functions and types that make schemas, and the rest, which uses them.
import {
  ARRAY,
  ASCII,
  array,
  ascii,
  BOOL,
  BYTES,
  bool,
  bundle,
  bytes,
  doc,
  ENUMERATION,
  enumeration,
  F32,
  F64,
  f32,
  f64,
  fromDocument,
  I8,
  I16,
  I32,
  I64,
  IVAR,
  IVAR64,
  i8,
  i16,
  i32,
  i64,
  ivar,
  ivar64,
  MAP,
  map,
  nullable,
  omitEmpty,
  omitNull,
  omitZero,
  REF,
  ref,
  renamed,
  schema,
  U8,
  U16,
  U32,
  U64,
  UNION,
  UTF8,
  UVAR,
  UVAR64,
  u8,
  u16,
  u32,
  u64,
  union,
  utf8,
  uvar,
  uvar64,
  withDefault,
} from "@moonpack/pck";

/** A function that makes a part of a schema. All are pure. */
export type Builder = (...parts: readonly unknown[]) => unknown;

const FIELDS = {
  ...{ ascii, array, bool, bytes, enumeration, f32, f64, i8, i16, i32, i64, ivar, ivar64, map, ref },
  ...{ u8, u16, u32, u64, union, utf8, uvar, uvar64 },
};
const TYPES = {
  ...{ ARRAY, ASCII, BOOL, BYTES, ENUMERATION, F32, F64, I8, I16, I32, I64, IVAR, IVAR64, MAP },
  ...{ nullable, REF, U8, U16, U32, U64, UNION, UTF8, UVAR, UVAR64 },
};
const REST = { bundle, doc, fromDocument, omitEmpty, omitNull, omitZero, renamed, schema, withDefault };

/** The functions and constants that make schemas, by name. */
export const PARTS: ReadonlyMap<string, unknown> = new Map<string, unknown>(
  Object.entries({ ...FIELDS, ...TYPES, ...REST }),
);

/** Functions whose first argument is one of the text's schemas. */
export const TAKES_SCHEMA: ReadonlySet<string> = new Set(["codec", "standard"]);

/** Exports that do not make schemas. */
const USERS: ReadonlySet<string> = new Set([
  ...["codec", "compare", "ContainerReader", "ContainerWriter", "decodeContainer", "decodeFramed", "DecodeError"],
  ...["diagnose", "diagnoseContainer", "encodeContainer", "encodeFramed", "EncodeError", "ERROR_CODES", "fingerprint"],
  ...["MoonpackError", "NUMBER_KINDS", "resolve", "Schema", "standard", "toDocument"],
]);

/** Types of TypeScript that modules with schemas import without the word `type`. */
const TYPE_NAMES: ReadonlySet<string> = new Set([
  ...[
    "AnySchema",
    "Bundle",
    "BytesInput",
    "Codec",
    "CodecOptions",
    "Field",
    "FieldList",
    "Infer",
    "InferInput",
    "ListOf",
  ],
  ...["SchemaChange", "SchemaDocument", "SchemaInput", "SchemaSource", "Type", "Typed"],
]);

/** True for a name that the module exports, and that makes no schema. */
export function isUser(name: string): boolean {
  return USERS.has(name) || TYPE_NAMES.has(name);
}

/** An export that differs from a name only in its letters' case, such as `U8` for `u8`. */
export function similar(name: string): string | undefined {
  const lower = name.toLowerCase();
  return [...PARTS.keys()].find((known) => known.toLowerCase() === lower);
}
