/** Makers of fields, each the lower-case twin of a type value. */
import { Field } from "./field.js";
import {
  ARRAY,
  type Arms,
  ASCII,
  BOOL,
  BYTES,
  ENUMERATION,
  F32,
  F64,
  I8,
  I16,
  I32,
  I64,
  IVAR,
  IVAR64,
  MAP,
  REF,
  type SchemaSource,
  type Type,
  U8,
  U16,
  U32,
  U64,
  UNION,
  UTF8,
  UVAR,
  UVAR64,
} from "./types.js";

function field<const Name extends string, Out, In>(name: Name, type: Type<Out, In>): Field<Name, Out, In, false> {
  return new Field(name, type);
}

/** A maker of fields of one type. */
export type FieldMaker<Out, In> = <const Name extends string>(name: Name) => Field<Name, Out, In, false>;

function maker<Out, In>(type: Type<Out, In>): FieldMaker<Out, In> {
  return (name) => field(name, type);
}

export const bool = /* @__PURE__ */ maker(BOOL);
export const u8 = /* @__PURE__ */ maker(U8);
export const u16 = /* @__PURE__ */ maker(U16);
export const u32 = /* @__PURE__ */ maker(U32);
export const u64 = /* @__PURE__ */ maker(U64);
export const i8 = /* @__PURE__ */ maker(I8);
export const i16 = /* @__PURE__ */ maker(I16);
export const i32 = /* @__PURE__ */ maker(I32);
export const i64 = /* @__PURE__ */ maker(I64);
export const f32 = /* @__PURE__ */ maker(F32);
export const f64 = /* @__PURE__ */ maker(F64);
export const uvar = /* @__PURE__ */ maker(UVAR);
export const ivar = /* @__PURE__ */ maker(IVAR);
export const uvar64 = /* @__PURE__ */ maker(UVAR64);
export const ivar64 = /* @__PURE__ */ maker(IVAR64);
export const utf8 = /* @__PURE__ */ maker(UTF8);

/** A field of bytes, or of exactly `length` bytes. */
export function bytes<const Name extends string>(name: Name, length?: number) {
  return field(name, BYTES(length));
}

/** A field of ASCII text, or of exactly `length` characters of it. */
export function ascii<const Name extends string>(name: Name, length?: number) {
  return field(name, ASCII(length));
}

/** A field that is one of a few strings. */
export function enumeration<const Name extends string, const Values extends readonly string[]>(
  name: Name,
  ...values: Values
) {
  return field(name, ENUMERATION(...values));
}

/** A field that holds a struct. */
export function ref<const Name extends string, Out, In>(
  name: Name,
  schema: SchemaSource<Out, In>,
): Field<Name, Out, In, false> {
  return field(name, REF(schema));
}

/** A field that holds one of several structs. */
export function union<const Name extends string, const A extends Arms, const D extends string = "kind">(
  name: Name,
  arms: A,
  discriminator?: D,
) {
  return field(name, UNION(arms, discriminator));
}

/** A field that holds a list, or a list of exactly `length` elements. */
export function array<const Name extends string, Out, In>(name: Name, element: Type<Out, In>, length?: number) {
  return field(name, ARRAY(element, length));
}

/** A field that holds a map. */
export function map<const Name extends string, KeyOut extends string | number | bigint, KeyIn, Out, In>(
  name: Name,
  key: Type<KeyOut, KeyIn>,
  value: Type<Out, In>,
) {
  return field(name, MAP(key, value));
}
