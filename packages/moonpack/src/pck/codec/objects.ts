/** Objects as structs are read into. */
import type { Struct } from "../model/model.js";
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
  const template = Object.fromEntries([...first, ...struct.members.map((member) => [member.name, undefined] as const)]);
  if (prototype === undefined) return () => ({ ...template });
  const descriptors = Object.getOwnPropertyDescriptors(template);
  return () => Object.create(prototype, descriptors);
}
