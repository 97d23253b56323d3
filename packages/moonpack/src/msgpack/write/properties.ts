import { Failure } from "../../bytes/failure.js";

/**
 * The own enumerable string keys of an object with their values, each converted by `convert`. Object.keys returns own keys
 * only, so enumerable properties of a polluted Object.prototype are left out.
 */
export function propertyEntries(object: object, dropsUndefined: boolean, convert = same): [string, unknown][] {
  const entries: [string, unknown][] = [];
  for (const key of Object.keys(object)) {
    try {
      const value = convert((object as Record<string, unknown>)[key], key);
      if (value !== undefined || !dropsUndefined) entries.push([key, value]);
    } catch (error) {
      throw Failure.at(error, key, object);
    }
  }
  return entries;
}

function same(value: unknown, _key: string | number): unknown {
  return value;
}
