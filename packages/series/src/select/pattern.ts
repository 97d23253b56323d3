/** Texts that a regular expression obviously matches: they need no automaton, and are found in the index by their keys or their prefix. */

/** A character that stands for itself, in JavaScript and in RE2. */
const PLAIN = "(?:[^\\\\^$.*+?()[\\]{}|]|\\\\[!-/:-@[-`{-~])";

/** Returns the texts that a regular expression such as `a|b\.c` matches as a whole; undefined if they are not a list. */
export function literalTexts({ source, flags }: PatternText): string[] | undefined {
  if (flags.includes("i") || !new RegExp(`^${PLAIN}*(?:\\|${PLAIN}*)*$`).test(source)) return undefined;
  // One by one: the bar of `a\\|b` follows a backslash that is escaped itself.
  const texts = [""];
  for (const [one] of source.matchAll(/\\?./gs))
    if (one === "|") texts.push("");
    else texts[texts.length - 1] += one.slice(-1);
  return texts;
}

/** Returns the prefix of a pattern such as `a.*` or `a.+`, and the least length of its texts. A dot matches everything. */
export function prefixPattern(source: string): { readonly prefix: string; readonly least: number } | undefined {
  if (!new RegExp(`^${PLAIN}*\\.[*+]$`).test(source)) return undefined;
  const prefix = unescaped(source.slice(0, -2));
  return { prefix, least: prefix.length + (source.endsWith("+") ? 1 : 0) };
}

/** A regular expression of JavaScript, or its text in RE2's syntax. */
export type PatternText = Pick<RegExp, "source" | "flags">;

/**
 * Returns the literal prefix of all texts that a pattern matches: for `/a1\d+/` it is `a1`. Empty if the pattern can start in several
 * ways.
 */
export function literalStart({ source, flags }: PatternText): string {
  if (flags.includes("i") || source.includes("|")) return "";
  const [, literal = "", next = ""] = /^\^?([\w /:-]*)(.?)/.exec(source)!;
  // A quantifier applies to the last character, which may then be missing.
  return /[?*+{]/.test(next) ? literal.slice(0, -1) : literal;
}

function unescaped(source: string): string {
  return source.replace(/\\(.)/g, "$1");
}
