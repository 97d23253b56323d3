import { flights } from "./flights.js";
import type { Kind } from "./kind.js";
import { stories } from "./stories.js";

/** All kinds of records. */
export const kinds: readonly Kind[] = [stories, flights];

/** The kind of that id. */
export function findKind(id: string): Kind {
  const found = kinds.find((kind) => kind.id === id);
  if (found === undefined) throw new RangeError(`no kind of records ${id}`);
  return found;
}
