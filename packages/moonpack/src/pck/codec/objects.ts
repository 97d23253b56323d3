/** Objects as structs are read into. */
import type { Struct } from "../model/model.js";
import { createdFieldsReader, fieldsReader, type ReadField, type ReadFields } from "./read-fields.js";
import type { CodecSettings } from "./settings.js";

/**
 * Makes objects that have all properties, in the order of their declaration, so that they are of one hidden class. `first`:
 * properties that come before the fields.
 */
export function creator(
  struct: Struct,
  first: readonly (readonly [string, unknown])[],
  settings: CodecSettings,
): () => Record<string, unknown> {
  const prototype = settings.classes.get(struct.schema);
  const template = templateOf(struct, first);
  if (prototype === undefined) return () => ({ ...template });
  const descriptors = Object.getOwnPropertyDescriptors(template);
  return () => Object.create(prototype, descriptors);
}

function templateOf(struct: Struct, first: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries([...first, ...struct.members.map((member) => [member.name, undefined] as const)]);
}

/** Reads fields, given in the order in which they are read, into such objects. */
export function structReader(
  struct: Struct,
  first: readonly (readonly [string, unknown])[],
  settings: CodecSettings,
  names: readonly string[],
  gets: readonly ReadField[],
): ReadFields {
  if (settings.classes.has(struct.schema)) return createdFieldsReader(names, gets, creator(struct, first, settings));
  return fieldsReader(names, gets, templateOf(struct, first));
}
