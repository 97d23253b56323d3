/**
 * Structs of several places that are equal but for widths and optional fields: points with small and with large numbers. Their
 * objects are pooled, so that one struct is inferred that holds all of them.
 */
import { partition, reachable } from "./document.js";
import { type Draft, type FieldDraft, GUESS, type SampleObject, type StructDraft, settled } from "./draft.js";

/** For each object that shares its struct with other places: all objects of that struct. */
export type Pools = ReadonlyMap<SampleObject, readonly SampleObject[]>;

/** Of a single property nothing follows: `{ value: 1 }` is everywhere. */
const FEWEST_FIELDS = 2;

/** Returns the pools of a schema. Pooled objects have the same properties of the same kinds, so that no place is mixed. */
export function poolsIn(root: StructDraft): Pools {
  const structs = reachable(root);
  const classes = partition(structs, (now) => {
    const known = knownKeys(structs, now);
    return (struct) => shapeOf(struct, now, known.get(now.get(struct)!)!);
  });
  const byClass = new Map<number, ReadonlySet<SampleObject>[]>();
  for (const struct of structs) {
    const { objects, fields } = struct;
    if (objects === undefined || fields.length < FEWEST_FIELDS) continue;
    const place = classes.get(struct)!;
    byClass.set(place, [...(byClass.get(place) ?? []), objects]);
  }
  const pools = new Map<SampleObject, readonly SampleObject[]>();
  for (const alike of byClass.values()) {
    if (alike.length === 1) continue;
    const all = [...new Set(alike.flatMap((objects) => [...objects]))];
    for (const object of all) pools.set(object, all);
  }
  return pools;
}

/** Returns the pool that all objects are in, or the objects themselves. */
export function pooled(objects: readonly SampleObject[], pools: Pools): readonly SampleObject[] {
  const pool = pools.get(objects[0]!);
  return pool !== undefined && objects.every((object) => pools.get(object) === pool) ? pool : objects;
}

type Classes = ReadonlyMap<StructDraft, number>;

/** For each class and each name of a field: the kinds that are known, without those that end in a guess. */
function knownKeys(structs: readonly StructDraft[], classes: Classes): Map<number, Map<string, Set<string>>> {
  const known = new Map<number, Map<string, Set<string>>>();
  for (const struct of structs) {
    const place = classes.get(struct)!;
    const fields = known.get(place) ?? new Map<string, Set<string>>();
    known.set(place, fields);
    for (const field of struct.fields) {
      const keys = fields.get(field.name) ?? new Set<string>();
      fields.set(field.name, keys);
      const key = kindOfField(field, classes);
      if (!key.endsWith(UNKNOWN)) keys.add(key);
    }
  }
  return known;
}

/** The names of the fields with their kinds, in the order of the names. A guess is of the only kind that is known. */
function shapeOf({ fields }: StructDraft, classes: Classes, known: ReadonlyMap<string, ReadonlySet<string>>): string {
  const shape = fields.map((field) => {
    const key = kindOfField(field, classes);
    const [only, ...others] = known.get(field.name)!;
    const isFilled = key.endsWith(UNKNOWN) && others.length === 0 && only?.startsWith(key.slice(0, -1)) === true;
    return [field.name, isFilled ? only : key];
  });
  return JSON.stringify(shape.sort(([a], [b]) => (a! < b! ? -1 : 1)));
}

/** Ends the kind of a field whose innermost type is a guess. */
const UNKNOWN = "?";

/** The kind of a field, from the outside in: `array number`. Equal kinds have a type in common. */
function kindOfField({ type, doc }: FieldDraft, classes: Classes): string {
  const key = kindOf(type, classes);
  return doc === GUESS ? key.replace(/utf8$/, UNKNOWN) : key;
}

function kindOf(draft: Draft, classes: Classes): string {
  const type = settled(draft);
  switch (type.kind) {
    case "plain":
      return typeof type.type === "string" ? plainKind(type.type) : "utf8";
    case "struct":
      return String(classes.get(type.struct));
    case "union":
      return JSON.stringify([
        type.discriminator,
        type.arms.map(([name, struct]) => [name, classes.get(struct)]).sort(),
      ]);
    case "array":
      return `array ${kindOf(type.element, classes)}`;
    case "map":
      return `map ${JSON.stringify(type.key)} ${kindOf(type.value, classes)}`;
    case "nullable":
      return kindOf(type.value, classes);
  }
}

/** Numbers are one kind, except bigints: no type holds them and fractions. An enumeration is text. */
function plainKind(type: string): string {
  return /^(?:[ui](?:8|16|32|var)|f32|f64)$/.test(type) ? "number" : type;
}
