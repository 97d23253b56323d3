/**
 * The reference model of PCK, 1: types. The model follows docs/pck-format.md alone, shares no code with the library,
 * and is simple rather than fast: schemas are documents, values are in the JSON form, bytes are lists of numbers.
 */
import type { DocumentField, DocumentType, SchemaDocument } from "@moonpack/pck";

/** A value in the JSON form. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export type { DocumentField, DocumentType, SchemaDocument };

/** A type, classified as in the page's table of types. */
export type Shape =
  | { readonly is: "bool" | "utf8" }
  | { readonly is: "fixed" | "varint"; readonly bytes: 1 | 2 | 4 | 8; readonly isSigned: boolean }
  | { readonly is: "float"; readonly bytes: 4 | 8 }
  | { readonly is: "enumeration"; readonly values: readonly string[] }
  | { readonly is: "bytes" | "ascii"; readonly length: number | undefined }
  | { readonly is: "ref"; readonly struct: string }
  | {
      readonly is: "union";
      readonly arms: readonly (readonly [string, string])[];
      readonly discriminator: string;
    }
  | { readonly is: "array"; readonly element: DocumentType; readonly length: number | undefined }
  | { readonly is: "map"; readonly key: DocumentType; readonly value: DocumentType }
  | { readonly is: "nullable"; readonly value: DocumentType };

/** Returns the name of a type: `array` for `{"array": "u8"}`. */
export function kindOf(type: DocumentType): string {
  if (typeof type === "string") return type;
  for (const kind of ["bytes", "ascii", "enumeration", "array", "map", "nullable", "ref", "union"]) {
    if (Object.hasOwn(type, kind)) return kind;
  }
  throw new Error(`no type: ${JSON.stringify(type)}`);
}

const NUMBERS = new Map<string, Shape>([
  ["u8", { is: "fixed", bytes: 1, isSigned: false }],
  ["u16", { is: "fixed", bytes: 2, isSigned: false }],
  ["u32", { is: "fixed", bytes: 4, isSigned: false }],
  ["u64", { is: "fixed", bytes: 8, isSigned: false }],
  ["i8", { is: "fixed", bytes: 1, isSigned: true }],
  ["i16", { is: "fixed", bytes: 2, isSigned: true }],
  ["i32", { is: "fixed", bytes: 4, isSigned: true }],
  ["i64", { is: "fixed", bytes: 8, isSigned: true }],
  ["f32", { is: "float", bytes: 4 }],
  ["f64", { is: "float", bytes: 8 }],
  ["uvar", { is: "varint", bytes: 4, isSigned: false }],
  ["ivar", { is: "varint", bytes: 4, isSigned: true }],
  ["uvar64", { is: "varint", bytes: 8, isSigned: false }],
  ["ivar64", { is: "varint", bytes: 8, isSigned: true }],
]);

/** Classifies a type. */
export function shapeOf(type: DocumentType): Shape {
  if (typeof type === "string") {
    if (type === "bool" || type === "utf8") return { is: type };
    if (type === "bytes" || type === "ascii") return { is: type, length: undefined };
    const shape = NUMBERS.get(type);
    if (shape === undefined) throw new Error(`no type: ${type}`);
    return shape;
  }
  if ("bytes" in type) return { is: "bytes", length: type.bytes };
  if ("ascii" in type) return { is: "ascii", length: type.ascii };
  if ("enumeration" in type) return { is: "enumeration", values: type.enumeration };
  if ("array" in type) return { is: "array", element: type.array, length: type.length };
  if ("map" in type) return { is: "map", key: type.map[0], value: type.map[1] };
  if ("nullable" in type) return { is: "nullable", value: type.nullable };
  if ("ref" in type) return { is: "ref", struct: type.ref };
  return { is: "union", arms: type.union, discriminator: type.discriminator ?? "kind" };
}

/** True for 64-bit integers, which are decimal strings in JSON and bigints in JavaScript. */
export function isWide(shape: Shape): boolean {
  return (shape.is === "fixed" || shape.is === "varint") && shape.bytes === 8;
}

/** True for fields that may be absent. */
export function isOptional(field: DocumentField): boolean {
  return field.omit !== undefined && field.omit.length > 0;
}

/** True for elements whose list begins with bits. */
export function isInBits(element: DocumentType): boolean {
  const kind = kindOf(element);
  return kind === "bool" || kind === "nullable";
}
