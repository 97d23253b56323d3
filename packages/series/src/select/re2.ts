/**
 * Regular expressions of matchers. RE2's engine matches them, in time linear in the text: `(a+)+$` cannot block the process. The library is
 * loaded when one is used.
 */
import { invalidArgument } from "moonpack/bytes";
import { not, passing, type TextMatcher } from "./text-matcher.js";

/**
 * Compiles regular expressions, which match whole texts: those of JavaScript, and texts in the syntax of RE2, in which a dot matches a line
 * break, too.
 */
export type Re2 = (pattern: string | RegExp) => (value: string) => boolean;

/** A condition, or a function that compiles it. */
export type LazyMatcher = TextMatcher | ((re2: Re2) => TextMatcher);

/** Returns the matcher of a regular expression whose texts have a prefix. `what` is its name in errors. */
export function patternMatcher(pattern: string | RegExp, prefix: string, what: string): LazyMatcher {
  return (re2) => {
    try {
      return passing(re2(pattern), prefix);
    } catch (error) {
      // The library shows its flag for the dot as a part of the pattern.
      throw invalidArgument(`${what}: ${(error as Error).message.replace("`(?s)", "`")}`);
    }
  };
}

/** Returns the opposite condition. */
export function negated(matcher: LazyMatcher): LazyMatcher {
  return typeof matcher === "function" ? (re2) => not(matcher(re2)) : not(matcher);
}

/** Loads the library. */
export async function loadRe2(): Promise<Re2> {
  const { RE2JS } = await import("re2js");
  return (pattern) => {
    const compiled =
      typeof pattern === "string"
        ? RE2JS.compile(pattern, RE2JS.DOTALL)
        : RE2JS.compile(RE2JS.translateRegExp(pattern));
    return (value) => compiled.testExact(value);
  };
}
