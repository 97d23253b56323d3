/**
 * The reference model's conversion from the JSON form to JavaScript values. It does not use the library's `fromJSON`.
 */
import { type DocumentType, isWide, type Json, type SchemaDocument, shapeOf } from "./shape.ts";
import { fromBase64 } from "./text.ts";

type JsonObject = { readonly [name: string]: Json };

/** The options that change values. */
export interface Forms {
  readonly int64?: "number";
  readonly maps?: "object";
  readonly typedArrays?: boolean;
  /** Reorders the entries of a map. */
  readonly mix?: <T>(pairs: readonly T[]) => readonly T[];
}

/** Thrown for a 64-bit integer that is not a safe integer. */
export class UnsafeInteger extends Error {}

const TYPED_ARRAYS = new Map<DocumentType, { from(list: never): unknown }>([
  ["u8", Uint8Array],
  ["u16", Uint16Array],
  ["u32", Uint32Array],
  ["u64", BigUint64Array],
  ["i8", Int8Array],
  ["i16", Int16Array],
  ["i32", Int32Array],
  ["i64", BigInt64Array],
  ["f32", Float32Array],
  ["f64", Float64Array],
]);

/** Returns the value of the document's root. */
export function valueOfJson(doc: SchemaDocument, json: Json, forms: Forms = {}): unknown {
  const { mix = (pairs) => pairs } = forms;
  const struct = (name: string, object: JsonObject, first: readonly (readonly [string, unknown])[]) =>
    Object.fromEntries([
      ...first,
      ...doc.structs[name]!.fields.flatMap((field) => {
        if (!Object.hasOwn(object, field.name)) return [];
        const member = object[field.name]!;
        return [[field.name, member === null ? null : value(field.type, member)] as const];
      }),
    ]);
  const integer = (text: string, isKey: boolean): bigint | number => {
    if (forms.int64 !== "number" || isKey) return BigInt(text);
    if (!Number.isSafeInteger(Number(text))) throw new UnsafeInteger();
    return Number(text);
  };
  const listOf = (element: DocumentType, list: readonly unknown[]): unknown => {
    const isNumber = forms.int64 === "number" && isWide(shapeOf(element));
    const Class = forms.typedArrays !== true || isNumber ? undefined : TYPED_ARRAYS.get(element);
    return Class === undefined ? list : Class.from(list as never);
  };
  const mapOf = (key: DocumentType, pairs: readonly (readonly [unknown, unknown])[]): unknown => {
    const isText = ["utf8", "ascii", "enumeration"].includes(shapeOf(key).is);
    return forms.maps === "object" && isText ? Object.fromEntries(pairs) : new Map(pairs);
  };
  const value = (type: DocumentType, of: Json, isKey = false): unknown => {
    if (of === null) return null;
    const shape = shapeOf(type);
    switch (shape.is) {
      case "fixed":
      case "varint":
        return isWide(shape) ? integer(of as string, isKey) : of;
      case "float":
        return Number(of);
      case "bytes":
        return Uint8Array.from(fromBase64(of as string));
      case "ref":
        return struct(shape.struct, of as JsonObject, []);
      case "union": {
        const object = of as JsonObject;
        const name = object[shape.discriminator] as string;
        return struct(shape.arms.find(([arm]) => arm === name)![1], object, [[shape.discriminator, name]]);
      }
      case "array":
        return listOf(
          shape.element,
          (of as readonly Json[]).map((item) => value(shape.element, item)),
        );
      case "map": {
        const pairs = mix(of as readonly (readonly [Json, Json])[]);
        return mapOf(
          shape.key,
          pairs.map(([k, v]) => [value(shape.key, k, true), value(shape.value, v)] as const),
        );
      }
      case "nullable":
        return value(shape.value, of);
      default:
        return of;
    }
  };
  return struct(doc.root, json as JsonObject, []);
}
