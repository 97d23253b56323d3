/** Regular expressions of queries: RE2's, so that matching takes time linear in the text. They match whole values. */
import { isWellFormed } from "moonpack/bytes";
import { RE2JS } from "re2js";
import { PrometheusError } from "./errors.js";

/** The longest pattern, in UTF-16 code units: it is compiled without a turn of the event loop. Lists of plain texts may be longer. */
export const MAX_PATTERN = 1 << 12;
/** A list of plain texts takes as long as a pattern of this share of its length. */
const LIST_SHARE = 128;
/** A class of Unicode takes as long to compile as this many characters. */
const CLASS_LENGTH = 32;
/** The most instructions times characters of a match: some 20 ms, of which the event loop has no turn. */
const MAX_WORK = 1 << 20;
/** Above it a match builds so many states of an automaton that going through the instructions takes less time. */
const AUTOMATON_WORK = 1 << 18;
/** The instructions that repetitions such as `x{1000}` may add: a match takes time for each instruction and character. */
const MAX_REPEATED = 10_000;
/** A character that stands for itself. */
const PLAIN = "(?:[^\\\\^$.*+?()[\\]{}|]|\\\\[!-/:-@[-`{-~])";

/** Compiles a regular expression; a dot matches a newline too. Throws an Error with RE2's own text. */
export function compileRegExp(pattern: string): RE2JS {
  if (!isWellFormed(pattern)) throw new Error("error parsing regexp: invalid UTF-8");
  if (patternLength(pattern) <= MAX_PATTERN) {
    const compiled = RE2JS.compile(pattern, RE2JS.DOTALL);
    if (compiled.programSize() <= MAX_REPEATED + 2 * pattern.length) return compiled;
  }
  throw new Error("error parsing regexp: expression too large");
}

/** Returns the length of a pattern, as {@link MAX_PATTERN} counts it; of a list, for which nothing is compiled, a part of it. */
export function patternLength(pattern: string): number {
  if (isList(pattern)) return pattern.length / LIST_SHARE;
  return pattern.length + CLASS_LENGTH * (pattern.split(/\\[pP]/).length - 1);
}

/** Throws `ERR_PROMQL_EXECUTION` for a text on which an expression would work for too long. */
export function checkWork(compiled: RE2JS, text: string): void {
  if (text.length * compiled.programSize() <= MAX_WORK) return;
  const why = `a regular expression of ${compiled.programSize()} instructions, and a value of ${text.length} characters`;
  throw new PrometheusError("ERR_PROMQL_EXECUTION", `a match would take too long: ${why}`);
}

function matches(compiled: RE2JS, text: string): boolean {
  checkWork(compiled, text);
  const isShort = text.length * compiled.programSize() <= AUTOMATON_WORK;
  return isShort ? compiled.testExact(text) : compiled.matcher(text).matches();
}

/**
 * Returns the test of a pattern, which tests each text once. Plain texts, `a|b\.c`, `x.*` and `x.+` need no regular expression. Throws as
 * {@link compileRegExp}; the test throws as {@link checkWork}.
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
    if (isMatch === undefined) known.set(text, (isMatch = matches(compiled, text)));
    return isMatch;
  };
}

/** Returns the texts that a pattern such as `a|b\.c` or `(a|b)` matches; undefined if it is not a list. */
export function listedTexts(pattern: string): readonly string[] | undefined {
  if (!isList(pattern)) return undefined;
  const texts = [""];
  for (const [one] of innerOf(pattern).matchAll(/\\?./gs))
    if (one === "|") texts.push("");
    else texts[texts.length - 1] += one.slice(-1);
  return texts;
}

function isList(pattern: string): boolean {
  const isShort = pattern.length <= MAX_PATTERN * LIST_SHARE && isWellFormed(pattern);
  return isShort && new RegExp(`^(?:${PLAIN}|\\|)*$`).test(innerOf(pattern));
}

/** A pattern without the parentheses around it: Grafana writes some. */
function innerOf(pattern: string): string {
  return pattern.startsWith("(") && pattern.endsWith(")") ? pattern.slice(1, -1) : pattern;
}

/** Returns the start of a pattern `x.*` or `x.+`; undefined for other patterns. */
export function patternStart(pattern: string): string | undefined {
  if (!isWellFormed(pattern) || !new RegExp(`^${PLAIN}*\\.[*+]$`).test(pattern)) return undefined;
  return pattern.slice(0, -2).replace(/\\(.)/g, "$1");
}
