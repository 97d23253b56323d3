/** Regular expressions that must match a whole text. */

/** Returns a copy of a regular expression that matches whole texts, without state between calls. */
export function wholePattern(pattern: RegExp): RegExp {
  const flags = pattern.flags.replace(/[gy]/g, "");
  // With the flag m, ^ and $ match at line breaks within the text too.
  const [start, end] = flags.includes("m") ? ["(?<![\\s\\S])", "(?![\\s\\S])"] : ["^", "$"];
  return new RegExp(`${start}(?:${pattern.source})${end}`, flags);
}

/**
 * Returns the literal prefix of all texts that a pattern matches: for `/a1\d+/` it is `a1`. Empty if the pattern can start in several
 * ways.
 */
export function literalStart({ source, flags }: RegExp): string {
  if (flags.includes("i") || source.includes("|")) return "";
  const [, literal = "", next = ""] = /^\^?([\w /:-]*)(.?)/.exec(source)!;
  // A quantifier applies to the last character, which may then be missing.
  return /[?*+{]/.test(next) ? literal.slice(0, -1) : literal;
}
