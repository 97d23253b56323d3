/** Checks matches of names and tags, and compiles them for both metrics in memory and the tag index. */
import { optionsObject, ownOption } from "moonpack/bytes";
import type { Match } from "../api.js";
import { readLabelMatchers, type TagMatcher } from "./label-matchers.js";
import { compileMatcher } from "./matcher.js";
import { loadRe2, type Re2 } from "./re2.js";
import { checkedTag } from "./tag-key.js";
import { allOf, type TextMatcher, type ValueSet } from "./text-matcher.js";

/** The options of a match. */
export const MATCH_OPTIONS = ["name", "tags", "matchers"] as const;

/** Maximum number of answers that a term remembers. */
const MAX_REMEMBERED = 10_000;

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
  /**
   * Returns the match with its regular expressions, which need a library and are left out here; undefined without any. Throws
   * `ERR_INVALID_ARGUMENT` for what the library does not know.
   */
  readonly complete: (() => Promise<CompiledMatch>) | undefined;
}

/** Checks a match, and reads it once. Throws `ERR_INVALID_ARGUMENT`. Other options of the object are ignored. */
export function compileMatch(match: Match): CompiledMatch {
  const given = optionsObject(match ?? null, "a match");
  const list: TagMatcher[] = [];
  const name = ownOption(given, "name");
  if (name !== undefined) list.push({ tag: "", matcher: compileMatcher(name, "name") });
  const tags = ownOption(given, "tags");
  if (tags !== undefined) {
    const matchers = optionsObject(tags, "tags");
    for (const tag of Object.keys(matchers)) {
      const matcher = ownOption(matchers, tag);
      if (matcher !== undefined)
        list.push({
          tag: checkedTag(tag),
          matcher: compileMatcher(matcher, `the matcher of tag ${JSON.stringify(tag)}`),
        });
    }
  }
  const matchers = ownOption(given, "matchers");
  if (matchers !== undefined) for (const one of readLabelMatchers(matchers)) list.push(one);
  return compiled(list, undefined);
}

function compiled(list: readonly TagMatcher[], re2: Re2 | undefined): CompiledMatch {
  const byTag = new Map<string, TextMatcher[]>();
  let isComplete = true;
  for (const { tag, matcher } of list) {
    if (typeof matcher === "function" && re2 === undefined) isComplete = false;
    else {
      const ready = typeof matcher === "function" ? matcher(re2!) : matcher;
      const others = byTag.get(tag);
      if (others === undefined) byTag.set(tag, [ready]);
      else others.push(ready);
    }
  }
  const terms = [...byTag].flatMap(([tag, matchers]) => termsOf(tag, matchers));
  const tests = terms.map(({ tag, test, values }) => ({
    tag,
    test: values.list !== undefined ? test : remembering(test),
  }));
  return {
    terms,
    matches: (metricName, metricTags) =>
      tests.every(({ tag, test }) =>
        test(tag === "" ? metricName : Object.hasOwn(metricTags, tag) ? metricTags[tag]! : ""),
      ),
    complete: isComplete ? undefined : async () => compiled(list, await loadRe2()),
  };
}

/** Returns one term for all matchers of a tag, if a metric must have it: its values are read once. Otherwise a term for each. */
function termsOf(tag: string, matchers: readonly TextMatcher[]): Term[] {
  if (matchers.every(({ test }) => test("")))
    return matchers.map(({ test, others }) => ({ tag, test, isExclusion: true, values: others }));
  const { test, found } = allOf(matchers);
  return [{ tag, test, isExclusion: false, values: found }];
}

/** Tests each text once. */
function remembering(test: (value: string) => boolean): (value: string) => boolean {
  const answers = new Map<string, boolean>();
  return (value) => {
    let answer = answers.get(value);
    if (answer === undefined) {
      if (answers.size === MAX_REMEMBERED) answers.clear();
      answers.set(value, (answer = test(value)));
    }
    return answer;
  };
}
