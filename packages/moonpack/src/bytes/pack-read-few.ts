/** Room for short lists, as closures, generated and emitted code need it. */

/**
 * A list to be filled, of up to four elements, which are common (pairs, tags): it has just their room, where an empty one gets
 * room for 17 at its first element. That is 164 bytes instead of 265 for an object with a list of one, and 14 ns instead of 24
 * for the list. `filler` is a parameter and not in the literals: V8 shares the elements of literals that are constant, and copies
 * them at the first write, which takes 80 ns.
 */
export function roomFor<T>(count: number, filler: unknown = null): T[] {
  let list: unknown[];
  if (count === 1) list = [filler];
  else if (count === 2) list = [filler, filler];
  else if (count === 3) list = [filler, filler, filler];
  else list = count === 4 ? [filler, filler, filler, filler] : [];
  return list as T[];
}
