/** Checks matchers, and compiles them to conditions of one text. */
import { isRegExp } from "node:util/types";
import { invalidArgument, refuseUnknown } from "moonpack/bytes";
import { literalStart, literalTexts } from "./pattern.js";
import { type LazyMatcher, negated, patternMatcher } from "./re2.js";
import { oneOf, startingWith } from "./text-matcher.js";

/** Maximum nesting of `not`: more is a mistake, or a cyclic object. */
const MAX_NOTS = 32;

/** Compiles a matcher. `what` is its name in errors. Throws `ERR_INVALID_ARGUMENT`. */
export function compileMatcher(given: unknown, what: string): LazyMatcher {
  let matcher = given;
  let isNegated = false;
  for (let depth = 0; hasOwn(matcher, "not"); depth++) {
    if (depth === MAX_NOTS) throw invalidArgument(`${what} has more than ${MAX_NOTS} nested levels of not`);
    refuseUnknown(matcher, ["not"], `property of ${what} with not`);
    matcher = matcher.not;
    isNegated = !isNegated;
  }
  const plain = plainMatcher(matcher, what);
  return isNegated ? negated(plain) : plain;
}

function plainMatcher(matcher: unknown, what: string): LazyMatcher {
  if (typeof matcher === "string") return oneOf([matcher]);
  if (Array.isArray(matcher) && matcher.every((value) => typeof value === "string")) return oneOf(matcher);
  if (isRegExp(matcher)) return regExpMatcher(matcher, what);
  if (typeof matcher === "object" && matcher !== null && !Array.isArray(matcher))
    refuseUnknown(matcher, ["prefix", "not"], `property of ${what}`);
  const prefix = hasOwn(matcher, "prefix") ? matcher.prefix : undefined;
  if (typeof prefix === "string") return startingWith(prefix);
  throw invalidArgument(`${what} must be a text, a list of texts, a RegExp, { prefix: text } or { not: matcher }`);
}

function regExpMatcher(given: RegExp, what: string): LazyMatcher {
  // A copy: its source and flags may be getters of a subclass, and they are read again when the library is loaded.
  const pattern = new RegExp(given);
  refuseOther(pattern, what);
  const texts = literalTexts(pattern);
  return texts === undefined ? patternMatcher(pattern, literalStart(pattern), what) : oneOf(texts);
}

/** Escapes of characters that stand for themselves, although the flag u does not allow them. */
const ESCAPED = /[-!"#%&',:;<=>@_`~ ]/;

/** Throws for patterns that RE2 would read in another way: those that are not valid with the flag u, such as `\a`, and some that are. */
function refuseOther(pattern: RegExp, what: string): void {
  const refused = (reason: string) => invalidArgument(`${what}: ${String(pattern)} ${reason}`);
  const source = pattern.source.replace(/\\([\s\S])/g, (pair, second) => (ESCAPED.test(second) ? "x" : pair));
  if (pattern.flags.includes("v")) throw refused("has the flag v, which RE2 does not know");
  if (/\\k/.test(source.replaceAll("\\\\", ""))) throw refused("has a reference to a group");
  if (/\\u[dD][89a-fA-F]/.test(source)) throw refused("has half a code point");
  try {
    new RegExp(source, "u");
  } catch (error) {
    throw refused(`is not valid with the flag u: ${(error as Error).message}`);
  }
}

function hasOwn<K extends string>(value: unknown, key: K): value is Record<K, unknown> {
  return typeof value === "object" && value !== null && !isRegExp(value) && Object.hasOwn(value, key);
}
