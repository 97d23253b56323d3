/** Random texts of tokens of PromQL. Imports no code of the package: tests that count its work load that later. */

/** The parts of random texts: every token, and characters that begin none. */
const PARTS = [
  ..."()[]{},:=+-*/%^@#$!~<>\"'`\\.\n\t ",
  ...["==", "!=", "=~", "!~", "<=", ">=", "</", ">/", "5m", "1.5", "0x1F", "1e", "NaN", "Inf", "ä", "\ud800", "😀"],
  ...[
    "a",
    "b:c",
    '"s"',
    "'\\x",
    "sum",
    "topk",
    "by",
    "without",
    "on",
    "ignoring",
    "group_left",
    "bool",
    "fill",
    "offset",
  ],
  ...[
    "rate",
    "abs",
    "and",
    "or",
    "unless",
    "atan2",
    "start",
    "end",
    "step",
    "range",
    "max_of",
    "anchored",
    "{a=",
    "[5m]",
    "[1h:",
  ],
];

/** Returns a random text of this many tokens. */
export function randomText(random: (below: number) => number, tokens: number): string {
  return Array.from({ length: tokens }, () => `${PARTS[random(PARTS.length)]}${random(3) === 0 ? " " : ""}`).join("");
}
