/** Checks matchers with Prometheus' meaning. */
import { invalidArgument, optionsObject, ownOption, refuseUnknown } from "moonpack/bytes";
import { literalStart, literalTexts, prefixPattern } from "./pattern.js";
import { type LazyMatcher, negated, patternMatcher } from "./re2.js";
import { checkedTag } from "./tag-key.js";
import { oneOf, passing, startingWith, type TextMatcher } from "./text-matcher.js";

/** The name of the label that is the metric's name. */
export const NAME_LABEL = "__name__";

/** A checked matcher. */
export interface TagMatcher {
  /** The key of the tag; empty for the name. */
  readonly tag: string;
  readonly matcher: LazyMatcher;
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

function matcherOf(op: unknown, value: string, what: string): LazyMatcher {
  if (op === "=") return oneOf([value]);
  if (op === "!=") return negated(oneOf([value]));
  if (op !== "=~" && op !== "!~") throw invalidArgument(`the op of ${what} must be "=", "!=", "=~" or "!~"`);
  if (!value.isWellFormed()) throw invalidArgument(`${what}: error parsing regexp: invalid UTF-8`);
  const matcher = plainPattern(value) ?? patternMatcher(value, literalStart({ source: value, flags: "" }), what);
  return op === "!~" ? negated(matcher) : matcher;
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
