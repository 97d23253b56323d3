/**
 * `maxElements`: the budget of a whole message for the values that decoding creates. Most values take one byte of input or
 * more. But a schema also creates values that take no byte (absent lists, for example), and a Map takes the memory of many
 * small values: without a budget, 1 MB of such input becomes 1.6 GB.
 */
import { DecodeError } from "./errors.js";
import { MAX_KEYS, MAX_LIST_ELEMENTS } from "./limits.js";

/** Elements that a message of any size may create. Small real messages stay far below. */
export const FREE_ELEMENTS = 2 ** 20;
/** Elements granted for each byte. Dense data needs at most one, sparse records between one and two. */
export const ELEMENTS_PER_BYTE = 2;
/** The elements that a Map or Uint8Array counts as: empty, it takes about 190 bytes of memory, an empty list or object 32 to 56. */
export const HEAVY_ELEMENTS = 4;
/** The largest value of the counter: above 2^30, V8 in browsers allocates a number at each step. */
const STEP = 2 ** 30 - 1;

/** The rule of `maxElements` for `readOptions`. The default, 0, means a budget by size: see {@link grantElements}. */
export const ELEMENTS_RULE = [0, 1, Infinity] as const;

/** Counts down the elements of a message. */
export interface ElementBudget {
  /** Elements that may still be created before {@link ElementBudget.elementsSpare} is used. */
  elementsLeft: number;
  /** Elements that may be created after `elementsLeft` is used up. */
  elementsSpare: number;
}

/** The elements that a message of `bytes` bytes may create. `maxElements` is the option, 0 for the default. */
export function grantedElements(maxElements: number, bytes: number): number {
  return maxElements > 0 ? maxElements : FREE_ELEMENTS + ELEMENTS_PER_BYTE * bytes;
}

/** Sets the budget of a message of `bytes` bytes, see `grantedElements`. */
export function grantElements(budget: ElementBudget, maxElements: number, bytes: number): void {
  const granted = grantedElements(maxElements, bytes);
  budget.elementsLeft = granted < STEP ? granted : STEP;
  budget.elementsSpare = granted < STEP ? 0 : granted - STEP;
}

/** Copies the rest of a budget to the next counter. */
export function passElements(from: ElementBudget, to: ElementBudget): void {
  to.elementsLeft = from.elementsLeft;
  to.elementsSpare = from.elementsSpare;
}

/** Refills `elementsLeft` to at least `count`, for the item at `offset`. `ERR_LIMIT_ELEMENTS` when the budget is spent. */
export function refillElements(budget: ElementBudget, count: number, offset: number): void {
  const { elementsLeft, elementsSpare } = budget;
  const missing = count - elementsLeft;
  if (missing > elementsSpare) {
    throw tooManyElements(offset);
  }
  const taken = Math.max(missing, Math.min(elementsSpare, STEP - elementsLeft));
  budget.elementsLeft = elementsLeft + taken;
  budget.elementsSpare = elementsSpare - taken;
}

/**
 * Refuses a list of `count` elements, or a map of `count` keys, that the engine cannot hold: `ERR_LIMIT_ELEMENTS` at `offset`. V8
 * would end the process. Call it for a header, or before a container grows.
 *
 * @example
 * checkContainerSize(reader.uvar32(), false, offset);
 */
export function checkContainerSize(count: number, isMap: boolean, offset: number): void {
  const most = isMap ? MAX_KEYS : MAX_LIST_ELEMENTS;
  if (count > most) throw new DecodeError("ERR_LIMIT_ELEMENTS", `${count} elements, more than ${most}`, offset);
}

/** The error for a message that creates more elements than its budget allows. */
export function tooManyElements(offset: number): DecodeError {
  return new DecodeError("ERR_LIMIT_ELEMENTS", "more elements than maxElements allows", offset);
}
