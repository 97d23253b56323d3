/**
 * The types of fields (docs/pck-format.md, "Types"). A type is a plain frozen object; the TypeScript types of its
 * values do not exist at run time.
 */
import { MoonpackError } from "moonpack/bytes";
import type { Infer, InferInput, Typed } from "./infer.js";
import type { Schema } from "./schema.js";

/** The name of a number type: of fixed width, or a varint. */
export type NumberKind = (typeof NUMBER_KINDS)[number];
/** The number types, in the order of their rank in the layout. */
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

/** A schema, or a function that returns it: for recursion, and for schemas that are declared later. */
export type SchemaSource<Out = unknown, In = never> = Schema<Out, In> | (() => Schema<Out, In>);

/** A type at run time. */
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

/** A type whose values decode to `Out` and are encoded from `In`. */
export type Type<Out = unknown, In = never> = TypeShape & Typed<Out, In>;

/** A 64-bit integer to encode: a bigint or a safe integer. */
export type Wide = bigint | number;

function simple<Out, In = Out>(kind: "bool" | "utf8" | NumberKind): Type<Out, In> {
  return Object.freeze({ kind });
}

/** A boolean: one bit of the bit store. */
export const BOOL = /* @__PURE__ */ simple<boolean>("bool");
/** An unsigned integer of 1 byte. */
export const U8 = /* @__PURE__ */ simple<number>("u8");
/** An unsigned integer of 2 bytes. */
export const U16 = /* @__PURE__ */ simple<number>("u16");
/** An unsigned integer of 4 bytes. */
export const U32 = /* @__PURE__ */ simple<number>("u32");
/** An unsigned integer of 8 bytes, decoded as a bigint. */
export const U64 = /* @__PURE__ */ simple<bigint, Wide>("u64");
/** A signed integer of 1 byte. */
export const I8 = /* @__PURE__ */ simple<number>("i8");
/** A signed integer of 2 bytes. */
export const I16 = /* @__PURE__ */ simple<number>("i16");
/** A signed integer of 4 bytes. */
export const I32 = /* @__PURE__ */ simple<number>("i32");
/** A signed integer of 8 bytes, decoded as a bigint. */
export const I64 = /* @__PURE__ */ simple<bigint, Wide>("i64");
/** A float of 4 bytes (IEEE 754). */
export const F32 = /* @__PURE__ */ simple<number>("f32");
/** A float of 8 bytes (IEEE 754). */
export const F64 = /* @__PURE__ */ simple<number>("f64");
/** An unsigned 32-bit varint of 1 to 5 bytes. */
export const UVAR = /* @__PURE__ */ simple<number>("uvar");
/** A signed 32-bit zigzag varint of 1 to 5 bytes. */
export const IVAR = /* @__PURE__ */ simple<number>("ivar");
/** An unsigned 64-bit varint of 1 to 10 bytes, decoded as a bigint. */
export const UVAR64 = /* @__PURE__ */ simple<bigint, Wide>("uvar64");
/** A signed 64-bit zigzag varint of 1 to 10 bytes, decoded as a bigint. */
export const IVAR64 = /* @__PURE__ */ simple<bigint, Wide>("ivar64");
/** Text (UTF-8). */
export const UTF8 = /* @__PURE__ */ simple<string>("utf8");

/** Describes one of the given strings: its index, as a varint. */
export function ENUMERATION<const Values extends readonly string[]>(
  ...values: Values
): Type<Values[number], Values[number]> {
  return Object.freeze({ kind: "enumeration", values: Object.freeze([...values]) });
}

/** Describes bytes; with `length`, exactly that many, without a count before them. */
export function BYTES(length?: number): Type<Uint8Array<ArrayBuffer>, Uint8Array> {
  return Object.freeze({ kind: "bytes", length });
}

/** Describes ASCII text; with `length`, of exactly that many characters, without a count before them. */
export function ASCII(length?: number): Type<string, string> {
  return Object.freeze({ kind: "ascii", length });
}

/** Describes a struct. Takes a schema, or a function that returns one (for recursion). */
export function REF<Out, In>(schema: SchemaSource<Out, In>): Type<Out, In> {
  return Object.freeze({ kind: "ref", schema: schema as SchemaSource });
}

/** The arms of a union, by name. */
export interface Arms {
  readonly [arm: string]: SchemaSource;
}

/** The type of a decoded union: one object type for each arm, with its name as the property `D`. */
export type UnionOut<A extends Arms, D extends string> = {
  [Arm in keyof A & string]: { [K in D]: Arm } & Infer<A[Arm] extends () => infer S ? S : A[Arm]> extends infer T
    ? { [K in keyof T]: T[K] }
    : never;
}[keyof A & string];

/** The type of a union to encode: one object type for each arm, with its name as the property `D`. */
export type UnionIn<A extends Arms, D extends string> = {
  [Arm in keyof A & string]: {
    readonly [K in D]: Arm;
  } & InferInput<A[Arm] extends () => infer S ? S : A[Arm]> extends infer T
    ? { [K in keyof T]: T[K] }
    : never;
}[keyof A & string];

/** Describes one of several structs. The property `discriminator` (default `kind`) holds the name of the arm. */
export function UNION<const A extends Arms, const D extends string = "kind">(
  arms: A,
  discriminator: D = "kind" as D,
): Type<UnionOut<A, D>, UnionIn<A, D>> {
  if (typeof arms !== "object" || arms === null)
    throw new MoonpackError("ERR_SCHEMA", "the arms of a union must be an object");
  const entries = Object.entries(arms);
  const index = entries.length > 1 ? entries.find(([name]) => isArrayIndex(name)) : undefined;
  if (index !== undefined) throw new MoonpackError("ERR_SCHEMA", orderLost(index[0]));
  return Object.freeze({ kind: "union", arms: Object.freeze(entries.map((arm) => Object.freeze(arm))), discriminator });
}

/** True for names that are array indices. JavaScript sorts such properties before all others. */
function isArrayIndex(name: string): boolean {
  return /^(?:0|[1-9]\d{0,9})$/.test(name) && Number(name) < 2 ** 32 - 1;
}

function orderLost(arm: string): string {
  const why = "JavaScript sorts names that are integers, and the bytes depend on the order of the arms";
  return `a union's arm ${JSON.stringify(arm)}: ${why}; rename it (\`v${arm}\`), or use a schema document`;
}

/** The type of a list to encode: an array, or for numbers a typed array. */
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

/** Describes a list; with `length`, of exactly that many elements, without a count before them. */
export function ARRAY<Out, In>(element: Type<Out, In>, length?: number): Type<Out[], ListOf<In>> {
  return Object.freeze({ kind: "array", element, length });
}

/** Describes a map: entries, written in ascending order of their keys. Keys are integers, text or enumerations. */
export function MAP<KeyOut extends string | number | bigint, KeyIn, Out, In>(
  key: Type<KeyOut, KeyIn>,
  value: Type<Out, In>,
): Type<Map<KeyOut, Out>, ReadonlyMap<KeyIn, In>> {
  return Object.freeze({ kind: "map", key, value });
}

/** Describes a value or null. Only for elements of arrays and values of maps; a field has `omitNull` instead. */
export function nullable<Out, In>(value: Type<Out, In>): Type<Out | null, In | null | undefined> {
  return Object.freeze({ kind: "nullable", value });
}
