/** Makes the objects that structs are decoded into. */
import type { Struct } from "../model/model.js";
import type { CodecSettings } from "../settings.js";
import { createdFieldsReader, fieldsReader, type ReadField, type ReadFields } from "./read-fields.js";

/**
 * Returns a function that makes objects with all properties, in the order of their declaration, so that all of them
 * have one hidden class. `first`: properties before the fields (a union's discriminator).
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

/** Returns a reader of all fields, which are given in the order of their bytes, into such objects. */
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
