/** Conditions on labels. */
import { invalidArgument } from "moonpack/bytes";
import type { LabelMatcher } from "../parse/nodes.js";
import { patternTest } from "../regexp.js";
import type { Labels } from "./labels.js";

const OPERATORS: readonly unknown[] = ["=", "!=", "=~", "!~"];

/**
 * Returns the test of a condition on a label's value. It takes time linear in the value. Each value of a regular expression is tested
 * once. Throws `ERR_INVALID_ARGUMENT`.
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
  const matches = testOf(value);
  return operator === "=~" ? matches : (text) => !matches(text);
}

/** Returns the test of several conditions on the labels of a series. */
export function labelsTest(matchers: readonly LabelMatcher[]): (labels: Labels) => boolean {
  if (!Array.isArray(matchers)) throw invalidArgument("matchers must be an array");
  const tests = matchers.map((matcher) => ({ holds: valueTest(matcher), name: matcher.name }));
  return (labels) => tests.every(({ name, holds }) => holds(labels.get(name)));
}

function testOf(pattern: string): (text: string) => boolean {
  try {
    return patternTest(pattern);
  } catch (error) {
    throw invalidArgument((error as Error).message);
  }
}
