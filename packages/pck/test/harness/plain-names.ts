/** Renames the structs of a schema to names that are valid in every language. */
import type { DocumentType, SchemaDocument } from "./shape.ts";

/** Returns the same schema with its structs renamed to `S0`, `S1`, .. */
export function withPlainNames(doc: SchemaDocument): SchemaDocument {
  const names = new Map(Object.keys(doc.structs).map((name, i) => [name, `S${i}`]));
  const renamed = (name: string) => names.get(name)!;
  const typeOf = (type: DocumentType): DocumentType => {
    if (typeof type === "string") return type;
    if ("ref" in type) return { ...type, ref: renamed(type.ref) };
    if ("union" in type) return { ...type, union: type.union.map(([arm, struct]) => [arm, renamed(struct)] as const) };
    if ("array" in type) return { ...type, array: typeOf(type.array) };
    if ("nullable" in type) return { ...type, nullable: typeOf(type.nullable) };
    if ("map" in type) return { ...type, map: [typeOf(type.map[0]), typeOf(type.map[1])] };
    return type;
  };
  const structs = Object.entries(doc.structs).map(([name, struct]) => {
    const fields = struct.fields.map((field) => ({ ...field, type: typeOf(field.type) }));
    return [renamed(name), { ...struct, fields }] as const;
  });
  return { ...doc, root: renamed(doc.root), structs: Object.fromEntries(structs) };
}
