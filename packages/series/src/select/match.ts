/** Matches of names and tags: checked, and put into a form that metrics in memory and the tag index are both asked with. */
import { isRegExp } from "node:util/types";
import { invalidArgument, optionsObject, ownOption } from "moonpack/bytes";
import type { Match } from "../api.js";
import { literalStart, wholePattern } from "./pattern.js";

/** The options that say which metrics match. */
export const MATCH_OPTIONS = ["name", "tags"] as const;

/** `not` within `not` further than this is a mistake, or an object that contains itself. */
const MAX_NOTS = 32;

/** Values of a tag: some texts; or all that begin with a text, as far as they pass a test. */
export type ValueSet =
  | { readonly list: readonly string[] }
  | { readonly prefix: string; readonly test: ((value: string) => boolean) | undefined };

/** What one tag must be. */
export interface Term {
  /** The key of the tag. The name is the tag with the empty key. */
  readonly tag: string;
  /** True for values that match. The value of a tag that a metric does not have is the empty text. */
  test(value: string): boolean;
  /** False: metrics with a value of {@link values} match. True: all others do, also those without the tag. */
  readonly isExclusion: boolean;
  readonly values: ValueSet;
}

/** A match that has been checked. A metric matches if it passes all terms. */
export interface CompiledMatch {
  readonly terms: readonly Term[];
  matches(name: string, tags: Readonly<Record<string, string>>): boolean;
}

/** Checks a match, and reads it once. Throws `ERR_INVALID_ARGUMENT`. Other options of the object are not looked at. */
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
 * The key of a tag, if it can be part of a key of the index, where a zero byte ends it and the empty tag is the name. Throws
 * `ERR_INVALID_ARGUMENT`.
 */
export function checkedTag(tag: string): string {
  if (isFindable(tag)) return tag;
  throw invalidArgument(
    tag === ""
      ? "a tag has an empty key, which no metric has: the matcher of the name is the option name"
      : `no metric has the tag ${JSON.stringify(tag)}: it has a zero character or a lone surrogate`,
  );
}

/** True if the text can be part of a key of the index. No metric has any other text. */
function isFindable(text: string): boolean {
  return text !== "" && !text.includes("\0") && text.isWellFormed();
}

function termOf(tag: string, given: unknown, what: string): Term {
  let matcher = given;
  let isNegated = false;
  for (let depth = 0; hasOwn(matcher, "not"); depth++) {
    if (depth === MAX_NOTS) throw invalidArgument(`${what} has more than ${MAX_NOTS} times not within not`);
    matcher = matcher.not;
    isNegated = !isNegated;
  }
  const { test: matches, found, others } = plainMatcher(matcher, what);
  const test = isNegated ? (value: string) => !matches(value) : matches;
  const isExclusion = test("");
  return { tag, test, isExclusion, values: isExclusion === isNegated ? found : others };
}

/** A matcher without `not`: a test, the values that pass it, and those that do not. The empty text is in neither set. */
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

/** The start of a prefix up to what no value has: half of a character, which is no text in UTF-8, or a zero. */
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
