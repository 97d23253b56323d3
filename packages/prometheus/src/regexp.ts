/** Regular expressions of queries: RE2's, so that matching takes time linear in the text. They match whole values. */
import { isWellFormed } from "moonpack/bytes";
import { RE2JS } from "re2js";

/** The longest pattern, in UTF-16 code units. Lists of plain texts may be longer. */
const MAX_PATTERN = 1 << 16;
/** The instructions that repetitions such as `x{1000}` may add: a match takes time for each instruction and character. */
const MAX_REPEATED = 10_000;
/** A character that stands for itself. */
const PLAIN = "(?:[^\\\\^$.*+?()[\\]{}|]|\\\\[!-/:-@[-`{-~])";

/** Compiles a regular expression; a dot matches a newline too. Throws an Error with RE2's own text. */
export function compileRegExp(pattern: string): RE2JS {
  if (!isWellFormed(pattern)) throw new Error("error parsing regexp: invalid UTF-8");
  if (pattern.length <= MAX_PATTERN) {
    const compiled = RE2JS.compile(pattern, RE2JS.DOTALL);
    if (compiled.programSize() <= MAX_REPEATED + 2 * pattern.length) return compiled;
  }
  throw new Error("error parsing regexp: expression too large");
}

/**
 * Returns the test of a pattern, which tests each text once. Plain texts, `a|b\.c`, `x.*` and `x.+` need no regular expression. Throws as
 * {@link compileRegExp}.
 */
export function patternTest(pattern: string): (text: string) => boolean {
  const texts = listedTexts(pattern);
  if (texts !== undefined) {
    const set = new Set(texts);
    return (text) => set.has(text);
  }
  const start = patternStart(pattern);
  if (start !== undefined) {
    const least = start.length + (pattern.endsWith("+") ? 1 : 0);
    return (text) => text.length >= least && text.startsWith(start);
  }
  const compiled = compileRegExp(pattern);
  const known = new Map<string, boolean>();
  return (text) => {
    let isMatch = known.get(text);
    if (isMatch === undefined) known.set(text, (isMatch = compiled.testExact(text)));
    return isMatch;
  };
}

/** Returns the texts that a pattern such as `a|b\.c` matches; undefined if it is not a list. */
export function listedTexts(pattern: string): readonly string[] | undefined {
  if (!isWellFormed(pattern) || !new RegExp(`^(?:${PLAIN}|\\|)*$`).test(pattern)) return undefined;
  const texts = [""];
  for (const [one] of pattern.matchAll(/\\?./gs))
    if (one === "|") texts.push("");
    else texts[texts.length - 1] += one.slice(-1);
  return texts;
}

/** Returns the start of a pattern `x.*` or `x.+`; undefined for other patterns. */
export function patternStart(pattern: string): string | undefined {
  if (!isWellFormed(pattern) || !new RegExp(`^${PLAIN}*\\.[*+]$`).test(pattern)) return undefined;
  return pattern.slice(0, -2).replace(/\\(.)/g, "$1");
}
