/** Conditions on labels. */
import { invalidArgument } from "moonpack/bytes";
import type { LabelMatcher } from "../parse/nodes.js";
import { compileRegExp } from "../regexp.js";
import type { Labels } from "./labels.js";

const OPERATORS: readonly unknown[] = ["=", "!=", "=~", "!~"];
/** Characters that have a meaning in regular expressions. */
const SPECIAL = /[\\^$.|?*+()[\]{}]/;

/**
 * Returns the test of a condition on a label's value. It takes time linear in the value. Each value of a regular expression is tested
 * once; plain texts, `a|b|c`, `x.*` and `x.+` need no regular expression.
 *
 * @example
 * const isFailure = valueTest({ name: "status", operator: "=~", value: "5.." });
 * console.log(isFailure("503"), isFailure("5031")); // true false
 */
export function valueTest(matcher: LabelMatcher): (text: string) => boolean {
  if (typeof matcher?.value !== "string" || !OPERATORS.includes(matcher.operator))
    throw invalidArgument("a matcher must have an operator (=, !=, =~ or !~) and a value");
  const { operator, value } = matcher;
  if (operator === "=") return (text) => text === value;
  if (operator === "!=") return (text) => text !== value;
  const matches = patternTest(value);
  return operator === "=~" ? matches : (text) => !matches(text);
}

/** Returns the test of several conditions on the labels of a series. */
export function labelsTest(matchers: readonly LabelMatcher[]): (labels: Labels) => boolean {
  if (!Array.isArray(matchers)) throw invalidArgument("matchers must be an array");
  const tests = matchers.map((matcher) => ({ name: matcher.name, holds: valueTest(matcher) }));
  return (labels) => tests.every(({ name, holds }) => holds(labels.get(name)));
}

function patternTest(pattern: string): (text: string) => boolean {
  const parts = pattern.split("|");
  if (parts.every((part) => !SPECIAL.test(part))) {
    const texts = new Set(parts);
    return (text) => texts.has(text);
  }
  const start = pattern.slice(0, -2);
  if (!SPECIAL.test(start)) {
    if (pattern.endsWith(".*")) return (text) => text.startsWith(start);
    if (pattern.endsWith(".+")) return (text) => text.length > start.length && text.startsWith(start);
  }
  const compiled = compileRegExp(pattern);
  const known = new Map<string, boolean>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const isMatch = compiled.matches(text);
    known.set(text, isMatch);
    return isMatch;
  };
}
