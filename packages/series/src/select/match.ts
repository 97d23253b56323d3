/** Checks matches of names and tags, and compiles them for both metrics in memory and the tag index. */
import { isRegExp } from "node:util/types";
import { invalidArgument, optionsObject, ownOption, refuseUnknown } from "moonpack/bytes";
import type { Match } from "../api.js";
import { literalStart, wholePattern } from "./pattern.js";

/** The options of a match. */
export const MATCH_OPTIONS = ["name", "tags"] as const;

/** Maximum nesting of `not`: more is a mistake, or a cyclic object. */
const MAX_NOTS = 32;

/** Values of a tag: a list of texts, or all texts with a prefix that pass a test. */
export type ValueSet =
  | { readonly list: readonly string[] }
  | { readonly prefix: string; readonly test: ((value: string) => boolean) | undefined };

/** The condition of one tag. */
export interface Term {
  /** The key of the tag. The name is the tag with the empty key. */
  readonly tag: string;
  /** True for matching values. The value of a missing tag is the empty text. */
  test(value: string): boolean;
  /** False: metrics with a value of {@link values} match. True: all other metrics match, also metrics without the tag. */
  readonly isExclusion: boolean;
  readonly values: ValueSet;
}

/** A checked match. A metric matches if it meets all terms. */
export interface CompiledMatch {
  readonly terms: readonly Term[];
  matches(name: string, tags: Readonly<Record<string, string>>): boolean;
}

/** Checks a match, and reads it once. Throws `ERR_INVALID_ARGUMENT`. Other options of the object are ignored. */
export function compileMatch(match: Match): CompiledMatch {
  const given = optionsObject(match ?? null, "a match");
  const terms: Term[] = [];
  const name = ownOption(given, "name");
  if (name !== undefined) terms.push(termOf("", name, "name"));
  const tags = ownOption(given, "tags");
  if (tags !== undefined) {
    const matchers = optionsObject(tags, "tags");
    for (const tag of Object.keys(matchers)) {
      const matcher = ownOption(matchers, tag);
      if (matcher !== undefined)
        terms.push(termOf(checkedTag(tag), matcher, `the matcher of tag ${JSON.stringify(tag)}`));
    }
  }
  return {
    terms,
    matches: (metricName, metricTags) =>
      terms.every(({ tag, test }) =>
        test(tag === "" ? metricName : Object.hasOwn(metricTags, tag) ? metricTags[tag]! : ""),
      ),
  };
}

/**
 * Checks the key of a tag. In keys of the index a zero byte ends it, and the empty key is the name. Throws `ERR_INVALID_ARGUMENT`.
 */
export function checkedTag(tag: string): string {
  if (isFindable(tag)) return tag;
  throw invalidArgument(
    tag === ""
      ? "a tag has an empty key, which no metric has: the matcher of the name is the option name"
      : `no metric has the tag ${JSON.stringify(tag)}: it has a zero character or a lone surrogate`,
  );
}

/** True if the text can be part of a key of the index. Metrics have only such texts. */
function isFindable(text: string): boolean {
  return text !== "" && !text.includes("\0") && text.isWellFormed();
}

function termOf(tag: string, given: unknown, what: string): Term {
  let matcher = given;
  let isNegated = false;
  for (let depth = 0; hasOwn(matcher, "not"); depth++) {
    if (depth === MAX_NOTS) throw invalidArgument(`${what} has more than ${MAX_NOTS} nested levels of not`);
    refuseUnknown(matcher, ["not"], `property of ${what} with not`);
    matcher = matcher.not;
    isNegated = !isNegated;
  }
  const { test: matches, found, others } = plainMatcher(matcher, what);
  const test = isNegated ? (value: string) => !matches(value) : matches;
  const isExclusion = test("");
  return { tag, test, isExclusion, values: isExclusion === isNegated ? found : others };
}

/** Compiles a matcher without `not`: a test, and the values that pass it. The empty text is not among the values. */
interface PlainMatcher {
  test(value: string): boolean;
  readonly found: ValueSet;
  readonly others: ValueSet;
}

function plainMatcher(matcher: unknown, what: string): PlainMatcher {
  if (typeof matcher === "string") return oneOf([matcher]);
  if (Array.isArray(matcher) && matcher.every((value) => typeof value === "string")) return oneOf(matcher);
  if (isRegExp(matcher)) {
    const pattern = wholePattern(matcher);
    return withOthers(
      (value) => pattern.test(value),
      (test) => ({ prefix: literalStart(matcher), test }),
    );
  }
  if (typeof matcher === "object" && matcher !== null && !Array.isArray(matcher))
    refuseUnknown(matcher, ["prefix", "not"], `property of ${what}`);
  const prefix = hasOwn(matcher, "prefix") ? matcher.prefix : undefined;
  if (typeof prefix === "string") {
    const start = findableStart(prefix);
    return withOthers(
      (value) => value.startsWith(prefix),
      (test) => ({ prefix: start, test: start === prefix ? undefined : test }),
    );
  }
  throw invalidArgument(`${what} must be a text, a list of texts, a RegExp, { prefix: text } or { not: matcher }`);
}

function oneOf(texts: readonly string[]): PlainMatcher {
  const values = new Set(texts);
  return withOthers(
    (value) => values.has(value),
    () => ({ list: [...values].filter(isFindable) }),
  );
}

function withOthers(
  test: (value: string) => boolean,
  found: (test: (value: string) => boolean) => ValueSet,
): PlainMatcher {
  return { test, found: found(test), others: { prefix: "", test: (value) => !test(value) } };
}

/** Returns the valid start of a prefix: values have no lone surrogates and no zeros. */
function findableStart(prefix: string): string {
  let end = 0;
  for (const character of prefix) {
    if (!isFindable(character)) break;
    end += character.length;
  }
  return prefix.slice(0, end);
}

function hasOwn<K extends string>(value: unknown, key: K): value is Record<K, unknown> {
  return typeof value === "object" && value !== null && !isRegExp(value) && Object.hasOwn(value, key);
}
