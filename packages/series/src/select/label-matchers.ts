/** Checks matchers with Prometheus' meaning. Its regular expressions are RE2's: the library for them is loaded when one is used. */
import { invalidArgument, optionsObject, ownOption, refuseUnknown } from "moonpack/bytes";
import { literalStart, literalTexts, prefixPattern } from "./pattern.js";
import { checkedTag } from "./tag-key.js";
import { not, oneOf, passing, startingWith, type TextMatcher } from "./text-matcher.js";

/** The name of the label that is the metric's name. */
export const NAME_LABEL = "__name__";

/** Compiles regular expressions in the syntax of RE2. */
export type Re2 = (pattern: string) => (value: string) => boolean;

/** A checked matcher. */
export interface TagMatcher {
  /** The key of the tag; empty for the name. */
  readonly tag: string;
  /** Its condition, or a function that compiles it. */
  readonly matcher: TextMatcher | ((re2: Re2) => TextMatcher);
}

/** Checks a list of matchers. Throws `ERR_INVALID_ARGUMENT`. */
export function readLabelMatchers(given: unknown): TagMatcher[] {
  if (!Array.isArray(given)) throw invalidArgument("matchers must be a list of { name, op, value }");
  return given.map((one: unknown, i) => {
    const what = `matcher ${i}`;
    const matcher = optionsObject(one ?? null, what);
    refuseUnknown(matcher, ["name", "op", "value"], "property of a matcher");
    const name = ownOption(matcher, "name");
    const value = ownOption(matcher, "value");
    if (typeof name !== "string" || typeof value !== "string")
      throw invalidArgument(`${what} needs a name and a value, which are texts`);
    return {
      tag: name === NAME_LABEL ? "" : checkedTag(name),
      matcher: matcherOf(ownOption(matcher, "op"), value, what),
    };
  });
}

function matcherOf(op: unknown, value: string, what: string): TagMatcher["matcher"] {
  if (op === "=") return oneOf([value]);
  if (op === "!=") return not(oneOf([value]));
  if (op !== "=~" && op !== "!~") throw invalidArgument(`the op of ${what} must be "=", "!=", "=~" or "!~"`);
  if (!value.isWellFormed()) throw invalidArgument(`${what}: error parsing regexp: invalid UTF-8`);
  const isNegated = op === "!~";
  const plain = plainPattern(value);
  if (plain !== undefined) return isNegated ? not(plain) : plain;
  return (re2) => {
    const matcher = passing(compiled(re2, value, what), literalStart({ source: value, flags: "" }));
    return isNegated ? not(matcher) : matcher;
  };
}

/** Returns the matcher of a regular expression that needs no library. */
function plainPattern(source: string): TextMatcher | undefined {
  const texts = literalTexts({ source, flags: "" });
  if (texts !== undefined) return oneOf(texts);
  const start = prefixPattern(source);
  if (start === undefined) return undefined;
  const { prefix, least } = start;
  if (least === prefix.length) return startingWith(prefix);
  return passing((value) => value.length >= least && value.startsWith(prefix), prefix);
}

function compiled(re2: Re2, pattern: string, what: string): (value: string) => boolean {
  try {
    return re2(pattern);
  } catch (error) {
    // The library shows its flag for the dot as a part of the pattern.
    throw invalidArgument(`${what}: ${(error as Error).message.replace("`(?s)", "`")}`);
  }
}

/** Loads the library for regular expressions of RE2. A dot matches a line break, too; a text must match as a whole. */
export async function loadRe2(): Promise<Re2> {
  const { RE2JS } = await import("re2js");
  return (pattern) => {
    const compiledPattern = RE2JS.compile(pattern, RE2JS.DOTALL);
    return (value) => compiledPattern.testExact(value);
  };
}
