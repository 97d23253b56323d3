/** The names that a place of a schema allows, for errors about another name. */
import { type AnySchema, type DocumentType, type SchemaDocument, toDocument } from "@moonpack/pck";
import { EncodeError } from "moonpack/bytes";

/** Names that are listed; a schema may have thousands. */
const SHOWN = 20;
/** A step of a path: `.name`, `["a name"]` or `[3]`. */
const STEP = /\.([^.[\]]+)|\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]/g;

/** Returns `: expected red, green or blue` for an error about a name that an enumeration or union does not have; else "". */
export function allowedNames(error: unknown, schema: AnySchema): string {
  if (!(error instanceof EncodeError) || !error.message.startsWith("unknown name ")) return "";
  const { structs, root } = toDocument(schema);
  const places = [...error.path.matchAll(STEP)].reduce<readonly DocumentType[]>(
    (types, [, plain, quoted, index]) =>
      types.flatMap((type) => below(type, plain ?? quoted ?? Number(index), structs)),
    [{ ref: root }],
  );
  const names = [...new Set(places.flatMap(namesOf))];
  if (names.length === 0) return "";
  const more = names.length > SHOWN ? ` .. (${names.length} names)` : "";
  return `: expected ${names.slice(0, SHOWN).join(", ")}${more}`;
}

function namesOf(type: DocumentType): readonly string[] {
  if (typeof type === "string") return [];
  if ("enumeration" in type) return type.enumeration;
  return "nullable" in type ? namesOf(type.nullable) : [];
}

/** The types of a step below a type. A union's discriminator is an enumeration of its arms. */
function below(type: DocumentType, step: string | number, structs: SchemaDocument["structs"]): readonly DocumentType[] {
  if (typeof type === "string") return [];
  if ("nullable" in type) return below(type.nullable, step, structs);
  if ("array" in type) return [type.array];
  if ("ref" in type) return fieldOf(type.ref, step, structs);
  if ("union" in type) {
    if (step === (type.discriminator ?? "kind")) return [{ enumeration: type.union.map(([name]) => name) }];
    return type.union.flatMap(([, ref]) => fieldOf(ref, step, structs));
  }
  if (!("map" in type)) return [];
  const [key, value] = type.map;
  // In JSON a map is a list of pairs, or an object: its keys are then steps.
  return typeof step === "number" ? [{ array: key }, { array: value }] : [key, value];
}

function fieldOf(ref: string, step: string | number, structs: SchemaDocument["structs"]): readonly DocumentType[] {
  if (!Object.hasOwn(structs, ref)) return [];
  return structs[ref]!.fields.filter(({ name }) => name === step).map(({ type }) => type);
}
