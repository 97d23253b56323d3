/** What holds the values that are written: objects with properties, lists of nullables, maps. */
import { byNumber, byPlace, byText, type Entry, entriesOf, recordEntriesOf } from "../../bytes/pack-values.js";
import { placesOf } from "../../bytes/pack-write-numbers.js";
import { openBits, type PackWriter, setBit } from "../../bytes/pack-writer.js";
import { isObjectMap } from "./presence.js";
import type { MapNode } from "./read-containers.js";
import type { CodecSettings } from "./settings.js";
import { fieldsWriter, readFieldsWriter, type WriteField, type WriteFields } from "./write-fields.js";

/** A property that a struct is written from. */
export interface Property {
  readonly name: string;
  /** Every object has one of this name: it counts only when it is its own. */
  readonly isOwnOnly: boolean;
}

/** Has every object a property of this name? */
export function isOwnOnly(name: string): boolean {
  return name in Object.prototype;
}

/** The property of a name. */
export function propertyNamed(name: string): Property {
  return { name, isOwnOnly: isOwnOnly(name) };
}

/** Reads a property as JavaScript does. */
export function propertyOf(value: object, { name, isOwnOnly }: Property): unknown {
  return isOwnOnly && !Object.hasOwn(value, name) ? undefined : (value as Record<string, unknown>)[name];
}

/** Writes the properties of these names. */
export function propertiesWriter(names: readonly string[], puts: readonly WriteField[]): WriteFields {
  if (!names.some(isOwnOnly)) return fieldsWriter(names, puts);
  const properties = names.map(propertyNamed);
  return readFieldsWriter(names, puts, (value, i) => propertyOf(value, properties[i]!));
}

/** Writes the presence bits of nullable elements; answers the elements, undefined for those that are not there. */
export function presentOf(w: PackWriter, value: ArrayLike<unknown>, count: number): ArrayLike<unknown> {
  const start = openBits(w, count);
  const items: unknown[] = [];
  for (let i = 0; i < count; i++) {
    const item = value[i] ?? undefined;
    items.push(item);
    if (item !== undefined) setBit(w, start, i);
  }
  return items;
}

type Entries = Entry<unknown, unknown>[];

/** What answers the entries of a map in the order of their keys. */
export function entriesReader(node: MapNode, settings: CodecSettings): (value: unknown) => Entries {
  const entriesIn: (value: never) => Entries = isObjectMap(node, settings) ? recordEntriesOf : entriesOf;
  const sorted = sortingOf(node);
  return (value) => sorted(entriesIn(value as never));
}

function sortingOf({ key }: MapNode): (entries: Entries) => Entries {
  if (key.kind === "enumeration") {
    const places = placesOf(key.values);
    return (entries) => byPlace(entries as Entry<string, unknown>[], places);
  }
  const isText = key.kind === "utf8" || key.kind === "ascii";
  return (isText ? byText : byNumber) as (entries: Entries) => Entries;
}
