/**
 * Reads the values to write: properties of objects, elements of nullable lists, entries of maps.
 */
import type { MapNode } from "../model/model.js";
import { byNumber, byPlace, byText, type Entry, mapEntries, recordEntries } from "../runtime/value-kinds.js";
import { placesOf } from "../runtime/write-numbers.js";
import { openBits, type PackWriter, setBit } from "../runtime/writer.js";
import type { CodecSettings } from "../settings.js";
import { isObjectMap } from "./representation.js";
import { fieldsWriter, readFieldsWriter, type WriteField, type WriteFields } from "./write-fields.js";

/** A property that a field is written from. */
export interface Property {
  readonly name: string;
  /** The name also exists on Object.prototype: only an own property counts. */
  readonly isOwnOnly: boolean;
}

/** True for names that also exist on Object.prototype. */
export function isOwnOnly(name: string): boolean {
  return name in Object.prototype;
}

/** Returns the property of a field's name. */
export function propertyNamed(name: string): Property {
  return { name, isOwnOnly: isOwnOnly(name) };
}

/** Returns the value of a property. Getters and inherited properties count, except for names of Object.prototype. */
export function propertyOf(value: object, { name, isOwnOnly }: Property): unknown {
  return isOwnOnly && !Object.hasOwn(value, name) ? undefined : (value as Record<string, unknown>)[name];
}

/** Returns a writer of the properties of these names. */
export function propertiesWriter(names: readonly string[], puts: readonly WriteField[]): WriteFields {
  if (!names.some(isOwnOnly)) return fieldsWriter(names, puts);
  const properties = names.map(propertyNamed);
  return readFieldsWriter(names, puts, (value, i) => propertyOf(value, properties[i]!));
}

/** Writes the presence bits of nullable elements and returns the elements; undefined stands for an absent one. */
export function writePresence(w: PackWriter, value: ArrayLike<unknown>, count: number): ArrayLike<unknown> {
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

/** Returns a function that returns the entries of a map, sorted by key. */
export function entriesReader(node: MapNode, settings: CodecSettings): (value: unknown) => Entries {
  const entriesIn: (value: never) => Entries = isObjectMap(node, settings) ? recordEntries : mapEntries;
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
