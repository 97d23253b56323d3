/** From the JSON form to what a codec gives and takes in JavaScript, by the reference model: the library's `fromJSON` takes no part. */
import { type DocumentType, isWide, type Json, type SchemaDocument, shapeOf } from "./shape.ts";
import { fromBase64 } from "./text.ts";

type JsonObject = { readonly [name: string]: Json };

/** The value of the document's root. `mix` may put a map's pairs in another order. */
export function valueOfJson(
  doc: SchemaDocument,
  json: Json,
  mix: <T>(pairs: readonly T[]) => readonly T[] = (pairs) => pairs,
): unknown {
  const struct = (name: string, object: JsonObject, first: readonly (readonly [string, unknown])[]) =>
    Object.fromEntries([
      ...first,
      ...doc.structs[name]!.fields.flatMap((field) => {
        if (!Object.hasOwn(object, field.name)) return [];
        const member = object[field.name]!;
        return [[field.name, member === null ? null : value(field.type, member)] as const];
      }),
    ]);
  const value = (type: DocumentType, of: Json): unknown => {
    const shape = shapeOf(type);
    switch (shape.is) {
      case "fixed":
      case "varint":
        return isWide(shape) ? BigInt(of as string) : of;
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
        return (of as readonly Json[]).map((item) => value(shape.element, item));
      case "map":
        return new Map(
          mix(of as readonly (readonly [Json, Json])[]).map(([k, v]) => [value(shape.key, k), value(shape.value, v)]),
        );
      case "nullable":
        return of === null ? null : value(shape.value, of);
      default:
        return of;
    }
  };
  return struct(doc.root, json as JsonObject, []);
}
