/** Functions that make fields. Each has the name of a type, in lower case. */
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

/** A function that makes fields of one type. */
export type FieldMaker<Out, In> = <const Name extends string>(name: Name) => Field<Name, Out, In, false>;

function maker<Out, In>(type: Type<Out, In>): FieldMaker<Out, In> {
  return (name) => field(name, type);
}

/** Makes a field that holds a boolean, one bit. */
export const bool = /* @__PURE__ */ maker(BOOL);
/** Makes a field that holds an unsigned integer of 1 byte. */
export const u8 = /* @__PURE__ */ maker(U8);
/** Makes a field that holds an unsigned integer of 2 bytes. */
export const u16 = /* @__PURE__ */ maker(U16);
/** Makes a field that holds an unsigned integer of 4 bytes. */
export const u32 = /* @__PURE__ */ maker(U32);
/** Makes a field that holds an unsigned integer of 8 bytes, decoded as a bigint. */
export const u64 = /* @__PURE__ */ maker(U64);
/** Makes a field that holds a signed integer of 1 byte. */
export const i8 = /* @__PURE__ */ maker(I8);
/** Makes a field that holds a signed integer of 2 bytes. */
export const i16 = /* @__PURE__ */ maker(I16);
/** Makes a field that holds a signed integer of 4 bytes. */
export const i32 = /* @__PURE__ */ maker(I32);
/** Makes a field that holds a signed integer of 8 bytes, decoded as a bigint. */
export const i64 = /* @__PURE__ */ maker(I64);
/** Makes a field that holds a float of 4 bytes (IEEE 754). */
export const f32 = /* @__PURE__ */ maker(F32);
/** Makes a field that holds a float of 8 bytes (IEEE 754). */
export const f64 = /* @__PURE__ */ maker(F64);
/** Makes a field that holds an unsigned 32-bit varint of 1 to 5 bytes. */
export const uvar = /* @__PURE__ */ maker(UVAR);
/** Makes a field that holds a signed 32-bit zigzag varint of 1 to 5 bytes. */
export const ivar = /* @__PURE__ */ maker(IVAR);
/** Makes a field that holds an unsigned 64-bit varint of 1 to 10 bytes, decoded as a bigint. */
export const uvar64 = /* @__PURE__ */ maker(UVAR64);
/** Makes a field that holds a signed 64-bit zigzag varint of 1 to 10 bytes, decoded as a bigint. */
export const ivar64 = /* @__PURE__ */ maker(IVAR64);
/** Makes a field that holds text (UTF-8). */
export const utf8 = /* @__PURE__ */ maker(UTF8);

/** Makes a field that holds bytes; with `length`, exactly that many. */
export function bytes<const Name extends string>(name: Name, length?: number) {
  return field(name, BYTES(length));
}

/** Makes a field that holds ASCII text; with `length`, of exactly that many characters. */
export function ascii<const Name extends string>(name: Name, length?: number) {
  return field(name, ASCII(length));
}

/** Makes a field that holds one of the given strings. */
export function enumeration<const Name extends string, const Values extends readonly string[]>(
  name: Name,
  ...values: Values
) {
  return field(name, ENUMERATION(...values));
}

/** Makes a field that holds a struct. Takes a schema, or a function that returns one (for recursion). */
export function ref<const Name extends string, Out, In>(
  name: Name,
  schema: SchemaSource<Out, In>,
): Field<Name, Out, In, false> {
  return field(name, REF(schema));
}

/** Makes a field that holds one of several structs; see {@link UNION}. */
export function union<const Name extends string, const A extends Arms, const D extends string = "kind">(
  name: Name,
  arms: A,
  discriminator?: D,
) {
  return field(name, UNION(arms, discriminator));
}

/** Makes a field that holds a list; with `length`, of exactly that many elements. */
export function array<const Name extends string, Out, In>(name: Name, element: Type<Out, In>, length?: number) {
  return field(name, ARRAY(element, length));
}

/** Makes a field that holds a map. Keys are integers, text or enumerations. */
export function map<const Name extends string, KeyOut extends string | number | bigint, KeyIn, Out, In>(
  name: Name,
  key: Type<KeyOut, KeyIn>,
  value: Type<Out, In>,
) {
  return field(name, MAP(key, value));
}
