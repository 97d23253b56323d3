/** Checks matchers, and compiles them to conditions of one text. */
import { isRegExp } from "node:util/types";
import { invalidArgument, refuseUnknown } from "moonpack/bytes";
import { literalStart, literalTexts } from "./pattern.js";
import { LinearPattern } from "./regexp/linear-pattern.js";
import { not, oneOf, passing, startingWith, type TextMatcher } from "./text-matcher.js";

/** Maximum nesting of `not`: more is a mistake, or a cyclic object. */
const MAX_NOTS = 32;

/** Compiles a matcher. `what` is its name in errors. Throws `ERR_INVALID_ARGUMENT`. */
export function compileMatcher(given: unknown, what: string): TextMatcher {
  let matcher = given;
  let isNegated = false;
  for (let depth = 0; hasOwn(matcher, "not"); depth++) {
    if (depth === MAX_NOTS) throw invalidArgument(`${what} has more than ${MAX_NOTS} nested levels of not`);
    refuseUnknown(matcher, ["not"], `property of ${what} with not`);
    matcher = matcher.not;
    isNegated = !isNegated;
  }
  const plain = plainMatcher(matcher, what);
  return isNegated ? not(plain) : plain;
}

function plainMatcher(matcher: unknown, what: string): TextMatcher {
  if (typeof matcher === "string") return oneOf([matcher]);
  if (Array.isArray(matcher) && matcher.every((value) => typeof value === "string")) return oneOf(matcher);
  if (isRegExp(matcher)) return patternMatcher(matcher);
  if (typeof matcher === "object" && matcher !== null && !Array.isArray(matcher))
    refuseUnknown(matcher, ["prefix", "not"], `property of ${what}`);
  const prefix = hasOwn(matcher, "prefix") ? matcher.prefix : undefined;
  if (typeof prefix === "string") return startingWith(prefix);
  throw invalidArgument(`${what} must be a text, a list of texts, a RegExp, { prefix: text } or { not: matcher }`);
}

function patternMatcher(pattern: RegExp): TextMatcher {
  const texts = literalTexts(pattern);
  if (texts !== undefined) return oneOf(texts);
  const linear = new LinearPattern(pattern);
  return passing((value) => linear.test(value), literalStart(pattern));
}

function hasOwn<K extends string>(value: unknown, key: K): value is Record<K, unknown> {
  return typeof value === "object" && value !== null && !isRegExp(value) && Object.hasOwn(value, key);
}
