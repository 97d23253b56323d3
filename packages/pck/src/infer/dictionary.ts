/** Objects that are dictionaries: their keys are data. */
import type { SampleObject } from "./draft.js";
import { isMixed, kindsByName } from "./kinds.js";
import { isEntryKey } from "./text.js";

/** Fewest keys of a dictionary whose keys all look like numbers, UUIDs or dates. */
const ENTRY_KEYS = 4;
/** Fewest keys of a dictionary whose objects each have few of the keys. */
const RARE_KEYS = 32;
const RARE = 0.25;
/** More fields of one kind than any struct that people write. */
const TOO_MANY = 128;

/** True if the keys of the objects are data, and their values are of one kind. */
export function isDictionary(objects: readonly SampleObject[]): boolean {
  const names = kindsByName(objects);
  const { size } = names;
  if (size < ENTRY_KEYS) return false;
  let kinds = 0;
  for (const kind of names.values()) kinds |= kind;
  if (isMixed(kinds) || kinds === 0) return false;
  if (size > TOO_MANY) return true;
  let entries = 0;
  for (const object of objects) entries += Object.keys(object).length;
  if (size >= RARE_KEYS && entries <= RARE * size * objects.length) return true;
  for (const name of names.keys()) if (!isEntryKey(name)) return false;
  return true;
}
