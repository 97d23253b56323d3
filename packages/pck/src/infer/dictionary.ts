/** Objects that are dictionaries: their keys are data. */
import type { SampleObject } from "./draft.js";
import { isMixed, kindsByName } from "./kinds.js";
import { isEntryKey } from "./text.js";

/** From so many keys on, keys that all look like numbers, UUIDs or dates make a dictionary. */
const ENTRY_KEYS = 4;
/** From so many keys on, a dictionary is one whose objects have each few of the keys. */
const RARE_KEYS = 32;
const RARE = 0.25;
/** No struct that people write has so many fields of one kind. */
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
