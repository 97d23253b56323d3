/** Paths into a message: JSON Pointers (RFC 6901) with `*` for every element of an array, or lists of keys. */
import { invalidArgument } from "../bytes/errors.js";

/** In a list of keys: every element of an array, as `*` in a pointer. */
export const each: unique symbol = /* @__PURE__ */ Symbol.for("moonpack.each");

/** A step of a list of keys: a text is the key of a map; a number is the index of an element, or a number that is a key of a map. */
export type PathStep = string | number | bigint | typeof each;

/**
 * A place in a message. In a pointer a step is the key of a map or, if it is a number without leading zeros, the index of an element too;
 * `~0` is `~`, `~1` is `/`.
 *
 * @example
 * const path: Path = "/items/0/price"; // or every price: "/items/*" and "/price"; or ["items", each, "price"]
 */
export type Path = string | readonly PathStep[];

/** A checked step. All forms that match are present. */
export interface Step {
  /** A text key. */
  readonly text?: string;
  /** The index of an element. */
  readonly index?: number;
  /** A key that is a number. */
  readonly number?: number | bigint;
  readonly isEach: boolean;
}

/** Steps of one path. Deeper messages exist, but a path of this length is a mistake. */
const MAX_STEPS = 256;
const MAX_INDEX = 2 ** 32 - 2;

/** Returns the steps of a path. Throws `ERR_INVALID_ARGUMENT` for anything but a path. */
export function stepsOf(path: unknown): readonly Step[] {
  const steps = typeof path === "string" ? pointerSteps(path) : Array.isArray(path) ? path.map(keyStep) : undefined;
  if (steps === undefined)
    throw invalidArgument('a path must be a JSON Pointer, such as "/user/name", or a list of keys');
  if (steps.length > MAX_STEPS) throw invalidArgument(`a path has at most ${MAX_STEPS} steps, not ${steps.length}`);
  return steps;
}

function pointerSteps(pointer: string): Step[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/"))
    throw invalidArgument(`the path ${JSON.stringify(pointer)} must begin with "/", as in "/user/name"`);
  if (/~(?![01])/.test(pointer))
    throw invalidArgument(
      `the path ${JSON.stringify(pointer)} has "~" without 0 or 1: "~" is written ~0, "/" is written ~1`,
    );
  return pointer.slice(1).split("/").map(pointerStep);
}

function pointerStep(part: string): Step {
  if (part === "*") return { isEach: true };
  const text = wellFormed(part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const isIndex = /^(?:0|[1-9][0-9]{0,9})$/.test(text) && Number(text) <= MAX_INDEX;
  return isIndex ? { text, index: Number(text), isEach: false } : { text, isEach: false };
}

function keyStep(key: unknown): Step {
  if (key === each) return { isEach: true };
  if (typeof key === "string") return { text: wellFormed(key), isEach: false };
  if (typeof key === "bigint") return numberStep(Number.isSafeInteger(Number(key)) ? Number(key) : key);
  if (typeof key === "number" && !Number.isNaN(key)) return numberStep(key + 0);
  throw invalidArgument("a step of a path must be a text, a number or each");
}

function numberStep(number: number | bigint): Step {
  const isIndex = typeof number === "number" && Number.isInteger(number) && number >= 0 && number <= MAX_INDEX;
  return isIndex ? { index: number, number, isEach: false } : { number, isEach: false };
}

/** No key is a text with a lone surrogate. */
function wellFormed(text: string): string {
  if (/[\ud800-\udfff]/u.test(text)) throw invalidArgument("a path has a lone surrogate, which no key has");
  return text;
}
