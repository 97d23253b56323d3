/** Writes drafts as a schema document. Structs that are equal become one. */
import type { DocumentField, DocumentType, SchemaDocument } from "../document/document.js";
import { type Draft, type FieldDraft, type StructDraft, settled } from "./draft.js";
import { typeName, UniqueNames } from "./names.js";

/** Returns the document of a root struct. `doc` is its comment. */
export function documentFrom(root: StructDraft, doc: string): SchemaDocument {
  const structs = reachable(root);
  const classes = classesOf(structs);
  const names = new Map<number, string>();
  const unique = new UniqueNames();
  const written: Record<string, { doc?: string; fields: DocumentField[] }> = Object.create(null);
  for (const struct of structs) {
    const place = classes.get(struct)!;
    if (!names.has(place)) names.set(place, unique.unique(typeName(struct.stem)));
  }
  const nameOf = (struct: StructDraft) => names.get(classes.get(struct)!)!;
  for (const struct of structs) {
    written[nameOf(struct)] ??= {
      ...(struct === root ? { doc } : {}),
      fields: struct.fields.map((field) => documentField(field, nameOf)),
    };
  }
  return { pck: 1, root: nameOf(root), structs: written };
}

/** All structs that `root` refers to, itself first. */
export function reachable(root: StructDraft): readonly StructDraft[] {
  const found = new Set([root]);
  // A Set visits what is added during the loop.
  for (const struct of found)
    for (const { type } of struct.fields) for (const inner of structsIn(type)) found.add(inner);
  return [...found];
}

function structsIn(draft: Draft): readonly StructDraft[] {
  const type = settled(draft);
  switch (type.kind) {
    case "struct":
      return [type.struct];
    case "union":
      return type.arms.map(([, struct]) => struct);
    case "array":
      return structsIn(type.element);
    case "map":
    case "nullable":
      return structsIn(type.value);
    default:
      return [];
  }
}

/**
 * Returns a number for each struct, the same for equal ones. Structs begin in one class, and classes are split until all
 * structs of each have equal fields: as finite automata are minimized, so that structs that contain themselves can be
 * compared.
 */
function classesOf(structs: readonly StructDraft[]): ReadonlyMap<StructDraft, number> {
  return partition(structs, (classes) => {
    const nameOf = (struct: StructDraft) => String(classes.get(struct));
    return (struct) => JSON.stringify(struct.fields.map((field) => documentField(field, nameOf)));
  });
}

/** Numbers of classes, split by a key that may name the classes of other structs, until no class is split any more. */
export function partition(
  structs: readonly StructDraft[],
  keysIn: (classes: ReadonlyMap<StructDraft, number>) => (struct: StructDraft) => string,
): ReadonlyMap<StructDraft, number> {
  let classes = numbered(structs, () => "");
  for (;;) {
    const keyOf = keysIn(classes);
    const finer = numbered(structs, (struct) => `${classes.get(struct)} ${keyOf(struct)}`);
    if (new Set(finer.values()).size === new Set(classes.values()).size) return finer;
    classes = finer;
  }
}

function numbered(structs: readonly StructDraft[], keyOf: (struct: StructDraft) => string): Map<StructDraft, number> {
  const numbers = new Map<string, number>();
  return new Map(
    structs.map((struct) => {
      const key = keyOf(struct);
      if (!numbers.has(key)) numbers.set(key, numbers.size);
      return [struct, numbers.get(key)!];
    }),
  );
}

function documentField({ name, type, omit, doc }: FieldDraft, nameOf: (struct: StructDraft) => string): DocumentField {
  return {
    name,
    type: documentType(type, nameOf),
    ...(omit.length === 0 ? {} : { omit }),
    ...(doc === "" ? {} : { doc }),
  };
}

function documentType(draft: Draft, nameOf: (struct: StructDraft) => string): DocumentType {
  const type = settled(draft);
  switch (type.kind) {
    case "plain":
      return type.type;
    case "struct":
      return { ref: nameOf(type.struct) };
    case "union": {
      const union = type.arms.map(([name, struct]) => [name, nameOf(struct)] as const);
      return { union, ...(type.discriminator === "kind" ? {} : { discriminator: type.discriminator }) };
    }
    case "array": {
      const array = documentType(type.element, nameOf);
      return type.length === undefined ? { array } : { array, length: type.length };
    }
    case "map":
      return { map: [type.key, documentType(type.value, nameOf)] };
    case "nullable":
      return { nullable: documentType(type.value, nameOf) };
  }
}
