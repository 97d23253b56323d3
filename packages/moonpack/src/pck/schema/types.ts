/**
 * The types of fields, as the format's page has them (docs/pck-format.md, "Types"). A type is a plain frozen object;
 * what TypeScript infers from it is a phantom that never exists at run time.
 */
import { MoonpackError } from "../../bytes/errors.js";
import type { InOf, OutOf, Typed } from "./infer.js";
import type { Schema } from "./schema.js";

/** Fixed-width numbers, varints. */
export type NumberKind = (typeof NUMBER_KINDS)[number];
/** Numbers in the order of their rank in the layout. */
export const NUMBER_KINDS = [
  "u64",
  "u32",
  "u16",
  "u8",
  "i64",
  "i32",
  "i16",
  "i8",
  "f64",
  "f32",
  "uvar",
  "uvar64",
  "ivar",
  "ivar64",
] as const;

/** A struct, or a function that answers it: for recursion, and for structs that are declared further down. */
export type SchemaSource<Out = unknown, In = never> = Schema<Out, In> | (() => Schema<Out, In>);

/** What a type is at run time. */
export type TypeShape =
  | { readonly kind: "bool" | "utf8" | NumberKind }
  | { readonly kind: "bytes" | "ascii"; readonly length: number | undefined }
  | { readonly kind: "enumeration"; readonly values: readonly string[] }
  | { readonly kind: "ref"; readonly schema: SchemaSource }
  | {
      readonly kind: "union";
      readonly arms: readonly (readonly [string, SchemaSource])[];
      readonly discriminator: string;
    }
  | { readonly kind: "array"; readonly element: TypeShape; readonly length: number | undefined }
  | { readonly kind: "map"; readonly key: TypeShape; readonly value: TypeShape }
  | { readonly kind: "nullable"; readonly value: TypeShape };

/** A type whose values read as `Out`, and are written from `In`. */
export type Type<Out = unknown, In = never> = TypeShape & Typed<Out, In>;

/** 64-bit integers are written from bigints and from safe numbers. */
export type Wide = bigint | number;

function simple<Out, In = Out>(kind: "bool" | "utf8" | NumberKind): Type<Out, In> {
  return Object.freeze({ kind });
}

/** true or false: one bit of the bit store. */
export const BOOL = /* @__PURE__ */ simple<boolean>("bool");
/** Unsigned, 1 byte. */
export const U8 = /* @__PURE__ */ simple<number>("u8");
/** Unsigned, 2 bytes. */
export const U16 = /* @__PURE__ */ simple<number>("u16");
/** Unsigned, 4 bytes. */
export const U32 = /* @__PURE__ */ simple<number>("u32");
/** Unsigned, 8 bytes; read as bigint. */
export const U64 = /* @__PURE__ */ simple<bigint, Wide>("u64");
/** Signed, 1 byte. */
export const I8 = /* @__PURE__ */ simple<number>("i8");
/** Signed, 2 bytes. */
export const I16 = /* @__PURE__ */ simple<number>("i16");
/** Signed, 4 bytes. */
export const I32 = /* @__PURE__ */ simple<number>("i32");
/** Signed, 8 bytes; read as bigint. */
export const I64 = /* @__PURE__ */ simple<bigint, Wide>("i64");
/** IEEE 754, 4 bytes. */
export const F32 = /* @__PURE__ */ simple<number>("f32");
/** IEEE 754, 8 bytes. */
export const F64 = /* @__PURE__ */ simple<number>("f64");
/** Unsigned 32-bit varint, 1 to 5 bytes. */
export const UVAR = /* @__PURE__ */ simple<number>("uvar");
/** Signed 32-bit zigzag varint, 1 to 5 bytes. */
export const IVAR = /* @__PURE__ */ simple<number>("ivar");
/** Unsigned 64-bit varint, 1 to 10 bytes; read as bigint. */
export const UVAR64 = /* @__PURE__ */ simple<bigint, Wide>("uvar64");
/** Signed 64-bit zigzag varint, 1 to 10 bytes; read as bigint. */
export const IVAR64 = /* @__PURE__ */ simple<bigint, Wide>("ivar64");
/** Text. */
export const UTF8 = /* @__PURE__ */ simple<string>("utf8");

/** One of a few strings: a varint of its place in the list. */
export function ENUMERATION<const Values extends readonly string[]>(
  ...values: Values
): Type<Values[number], Values[number]> {
  return Object.freeze({ kind: "enumeration", values: Object.freeze([...values]) });
}

/** Bytes; with `length`, exactly so many and no count before them. */
export function BYTES(length?: number): Type<Uint8Array<ArrayBuffer>, Uint8Array> {
  return Object.freeze({ kind: "bytes", length });
}

/** Text of ASCII characters; with `length`, exactly so many and no count before them. */
export function ASCII(length?: number): Type<string, string> {
  return Object.freeze({ kind: "ascii", length });
}

/** A struct inline. */
export function REF<Out, In>(schema: SchemaSource<Out, In>): Type<Out, In> {
  return Object.freeze({ kind: "ref", schema: schema as SchemaSource });
}

/** The arms of a union, by name. */
export interface Arms {
  readonly [arm: string]: SchemaSource;
}

type SchemaOf<S> = S extends () => infer T ? T : S;
type Flat<T> = { [K in keyof T]: T[K] };
type UnionOut<A extends Arms, D extends string> = {
  [Arm in keyof A & string]: Flat<{ [K in D]: Arm } & OutOf<SchemaOf<A[Arm]>>>;
}[keyof A & string];
type UnionIn<A extends Arms, D extends string> = {
  [Arm in keyof A & string]: Flat<{ readonly [K in D]: Arm } & InOf<SchemaOf<A[Arm]>>>;
}[keyof A & string];

/** One of several structs; its arm's name is the property `kind`, or what `discriminator` says. */
export function UNION<const A extends Arms, const D extends string = "kind">(
  arms: A,
  discriminator: D = "kind" as D,
): Type<UnionOut<A, D>, UnionIn<A, D>> {
  if (typeof arms !== "object" || arms === null) throw new MoonpackError("ERR_SCHEMA", "a union's arms are an object");
  const entries = Object.entries(arms);
  const index = entries.length > 1 ? entries.find(([name]) => isArrayIndex(name)) : undefined;
  if (index !== undefined) throw new MoonpackError("ERR_SCHEMA", orderLost(index[0]));
  return Object.freeze({ kind: "union", arms: Object.freeze(entries), discriminator });
}

/** Objects have properties of such names first and sorted, wherever they were declared. */
function isArrayIndex(name: string): boolean {
  return /^(?:0|[1-9]\d{0,9})$/.test(name) && Number(name) < 2 ** 32 - 1;
}

function orderLost(arm: string): string {
  const why = "JavaScript sorts names that are integers, and the order of a union's arms is what bytes are written by";
  return `a union's arm ${JSON.stringify(arm)}: ${why}; rename it (\`v${arm}\`), or take a schema document`;
}

/** What a list is written from: an array, or a typed array of numbers. */
export type ListOf<In> =
  | readonly In[]
  | (number extends In
      ?
          | Int8Array
          | Uint8Array
          | Uint8ClampedArray
          | Int16Array
          | Uint16Array
          | Int32Array
          | Uint32Array
          | Float32Array
          | Float64Array
      : never)
  | (bigint extends In ? BigInt64Array | BigUint64Array : never);

/** A list; with `length`, of exactly so many elements and without a count. */
export function ARRAY<Out, In>(element: Type<Out, In>, length?: number): Type<Out[], ListOf<In>> {
  return Object.freeze({ kind: "array", element, length });
}

/** Pairs, written in ascending order of their keys. */
export function MAP<KeyOut extends string | number | bigint, KeyIn, Out, In>(
  key: Type<KeyOut, KeyIn>,
  value: Type<Out, In>,
): Type<Map<KeyOut, Out>, ReadonlyMap<KeyIn, In>> {
  return Object.freeze({ kind: "map", key, value });
}

/** A value or null; only as element of an array or value of a map. */
export function nullable<Out, In>(value: Type<Out, In>): Type<Out | null, In | null | undefined> {
  return Object.freeze({ kind: "nullable", value });
}
