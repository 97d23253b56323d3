/**
 * Work that waits for other work, with a stack on the heap: for values that are nested deeper than recursion may go. A
 * generator yields what it waits for, and is given its result; what that throws is thrown where it waits.
 */
import type { Node } from "../model/model.js";

/** Work in steps. */
export interface Deep extends Generator<Deep, unknown, unknown> {}

/**
 * Structs deeper than this are read and written by {@link runDeep}: a level takes some 250 bytes of the stack for each of its
 * two or three calls, and half a usual stack is 490 KB.
 */
export const RECURSIVE_DEPTH = 256;

/** Does the work, and all that it waits for. */
export function runDeep(first: Deep): unknown {
  const open: Deep[] = [first];
  let given: unknown;
  let isThrown = false;
  for (let top: Deep | undefined = first; top !== undefined; top = open[open.length - 1]) {
    try {
      const { done, value } = isThrown ? top.throw(given) : top.next(given);
      isThrown = false;
      if (done === true) {
        open.pop();
        given = value;
      } else {
        open.push(value);
        given = undefined;
      }
    } catch (error) {
      open.pop();
      given = error;
      isThrown = true;
    }
  }
  if (isThrown) throw given;
  return given;
}

/** May a value of this type hold a struct? If not, types nest 64 deep at most. */
export function holdsStructs(node: Node): boolean {
  switch (node.kind) {
    case "ref":
    case "union":
      return true;
    case "array":
      return holdsStructs(node.element);
    case "map":
    case "nullable":
      return holdsStructs(node.value);
    default:
      return false;
  }
}
