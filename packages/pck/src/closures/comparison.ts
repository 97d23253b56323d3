/** The order of keys in maps. */
import type { Node } from "../model/model.js";
import { placesOf } from "../runtime/write-numbers.js";
import { compareText } from "../runtime/writer.js";

/** Returns the order of a map's keys: numbers by value, names by index, text by its UTF-8 bytes. */
export function comparisonOf(key: Node): (a: unknown, b: unknown) => number {
  if (key.kind === "enumeration") {
    const places = placesOf(key.values);
    return (a, b) => places.get(a as string)! - places.get(b as string)!;
  }
  if (key.kind === "utf8" || key.kind === "ascii") return (a, b) => compareText(a as string, b as string);
  return (a, b) => ((a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0);
}
