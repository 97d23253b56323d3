/** Regular expressions that must match a whole text. */

/** A copy of a regular expression that matches whole texts, and keeps no position between calls. */
export function wholePattern(pattern: RegExp): RegExp {
  const flags = pattern.flags.replace(/[gy]/g, "");
  // With the flag m, ^ and $ match at line breaks within the text too.
  const [start, end] = flags.includes("m") ? ["(?<![\\s\\S])", "(?![\\s\\S])"] : ["^", "$"];
  return new RegExp(`${start}(?:${pattern.source})${end}`, flags);
}

/**
 * The text with which everything begins that a pattern matches as a whole, as far as it is plain: of `/a1\d+/`, it is
 * `a1`. The empty text when the pattern may begin in several ways.
 */
export function literalStart({ source, flags }: RegExp): string {
  if (flags.includes("i") || source.includes("|")) return "";
  const [, literal = "", next = ""] = /^\^?([\w /:-]*)(.?)/.exec(source)!;
  // A quantifier belongs to the last character, which may be missing then.
  return /[?*+{]/.test(next) ? literal.slice(0, -1) : literal;
}
