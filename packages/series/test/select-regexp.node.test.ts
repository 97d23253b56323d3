/** Regular expressions of selections: the engine's own answers, in linear time. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LinearPattern } from "../src/select/regexp/linear-pattern.ts";

/** The compiler's target does not know this flag. */
const withSets = (source: string) => new RegExp(source, "v");

/** The engine's answer for whole texts. */
function expected({ source, flags }: RegExp, text: string): boolean {
  return new RegExp(`(?:${source})(?![\\s\\S])`, `${flags.replace(/[gy]/g, "")}y`).test(text);
}

/** Texts with letters of each kind that flags treat differently. */
const PIECES = [
  "",
  "a",
  "b",
  "A",
  "ab",
  "é",
  "É",
  "ß",
  "ſ",
  "s",
  "S",
  "\u212a",
  "k",
  "İ",
  "ı",
  "i",
  "σ",
  "ς",
  "Σ",
  "0",
  "7",
  "_",
  "-",
  "\\",
  "{",
  "}",
  "]",
  "/",
  "^",
  "c",
  " ",
  "\t",
  "\n",
  "\u2028",
  "\ufeff",
  "\u00a0",
  "\u0001",
  "\ud83d\ude00",
  "\ud83d",
  "x{2}",
  "\0",
];

const PATTERNS = [
  ...[
    "",
    "a",
    "^a$",
    "a|ab",
    "ab|a",
    "a*",
    "a+",
    "a?b",
    "(a+)+$",
    "(a|a)*b",
    "(?<x>a)b",
    "(?:ab){2}",
    "(?:ab){0}",
    "a{2,}",
    "a{1,2}b",
  ],
  ...["[ab]+", "[^ab]", "[^]", "[]", "[\\]a]", "[a\\-b]", "[\\b]", "[^\\d\\s]"],
  ...[
    ".",
    "..",
    ".*",
    "a.b",
    "\\d",
    "\\D",
    "\\w+",
    "\\W",
    "\\s",
    "\\S",
    "\\bab\\b",
    "\\Bb",
    "a\\b\\Bb",
    "a\\b ",
    "(?:\\b)*a",
    "^^a$$",
    "a^b",
    "a$\\s^b",
  ],
  ...[
    "\\x61",
    "\\u0061",
    "\\cA",
    "\\t",
    "\\n",
    "\\0",
    "\\/",
    "\\.",
    "\\$",
    "\\{",
    "(?:)*",
    "(?:a*)*",
    "(?:a|b*)+",
    "((a)|(b))*",
    "a+?b*?",
  ],
  ...[
    "ſ",
    "s",
    "k",
    "\\u212a",
    "[k]",
    "i",
    "İ",
    "ß",
    "σ",
    "é",
    "[à-ý]",
    "x{2}",
    "\\ud83d",
    "\\ud83d\\ude00",
    "[\\ud83d\\ude00]",
    "😀",
    "[😀]",
    "😀+",
  ],
];
/** Only without the flags u and v. */
const OLD = [
  "{",
  "a{",
  "a{,2}",
  "}",
  "]",
  "\\a",
  "\\1",
  "\\8",
  "\\07",
  "\\101",
  "\\61",
  "\\400",
  "\\c",
  "\\c1",
  "[\\c]",
  "\\k",
  "\\k<a>",
  "\\-",
  "\\u{2}",
  "\\x6",
  "\\p{L}",
  "\\X41",
  "\\Cb",
];
/** Only with u or v. */
const UNICODE = ["\\p{L}+", "\\P{L}", "\\u{61}", "\\u{1F600}", "\\p{Lu}", "\\p{Script=Greek}", "[\\p{L}\\d]"];
const SETS = ["[\\p{L}--[a-z]]", "[[a-z]&&[b-k]]", "[^[ab]c]", "[\\q{a|b}]", "[^\\d--5]"];

const compiled = (sources: readonly string[], flags: readonly string[]) =>
  flags.flatMap((flag) => sources.map((source) => new RegExp(source, flag)));

test("patterns of each kind, with each flag", () => {
  const patterns = [
    ...compiled(PATTERNS, ["", "i", "m", "s", "im", "gy", "u", "iu", "mu", "su", "imsu", "v", "iv", "d"]),
    ...compiled(OLD, ["", "i", "m"]),
    ...compiled(UNICODE, ["u", "iu", "v", "iv"]),
    ...compiled(SETS, ["v", "iv"]),
  ];
  const texts = [...PIECES, ...PIECES.flatMap((a) => PIECES.map((b) => a + b)), "aab", "abab", "a\nb", "ab ab", "\\c1"];
  const wrong: string[] = [];
  for (const pattern of patterns) {
    const linear = new LinearPattern(pattern);
    for (const text of texts)
      if (linear.test(text) !== expected(pattern, text)) wrong.push(`${String(pattern)} of ${JSON.stringify(text)}`);
  }
  expect(wrong).toEqual([]);
});

test.each([
  [/a{0,5000}b/, ["b", "aab", "a", ""], [true, true, false, false]],
  [/(?:a?){3000}/, ["", "aaa", "ab"], [true, true, false]],
  [/a{2000}/, ["a".repeat(1023), ""], [false, false]],
  [/(?:a|){1025}b/, ["aab", "b", "a"], [true, true, false]],
  [/(?:a{2}){500,600}/, ["aa".repeat(500), "a".repeat(999), "aa".repeat(511)], [true, false, true]],
])("%s: large counts, of which no value of a tag needs more than 1,024", (pattern, texts, answers) => {
  const linear = new LinearPattern(pattern);
  expect(texts.map((text) => linear.test(text))).toEqual(answers);
});

/** Sources of patterns. */
const { source } = fc.letrec<{ source: string }>((tie) => ({
  source: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\w", "\\b", "\\B", "^", "$", "\\s", "é", "😀", "K", ""),
    fc.tuple(tie("source"), tie("source")).map(([a, b]) => a + b),
    fc.tuple(tie("source"), tie("source")).map(([a, b]) => `(?:${a}|${b})`),
    fc.tuple(tie("source"), fc.constantFrom("*", "+", "?", "{2}", "{0,2}", "{1,}", "*?")).map(([a, q]) => `(${a})${q}`),
  ),
}));

test("random patterns and texts", () => {
  const text = fc.array(fc.constantFrom("a", "b", "A", "\n", " ", "é", "😀", "k", "\u212a"), { maxLength: 6 });
  fc.assert(
    fc.property(
      source,
      fc.constantFrom("", "i", "m", "u", "iu", "ms", "v"),
      fc.array(text, { minLength: 5 }),
      (a, flags, texts) => {
        const pattern = new RegExp(a, flags);
        const linear = new LinearPattern(pattern);
        for (const parts of texts) expect(linear.test(parts.join(""))).toBe(expected(pattern, parts.join("")));
      },
    ),
    { numRuns: 1500 },
  );
});

describe("parts that linear time does not allow", () => {
  test.each<[RegExp, string]>([
    [/a(?=b)b/, "the assertion (?=..)"],
    [/a(?!b)c/, "the assertion (?!..)"],
    [/(?<=a)b/, "the assertion (?<=..)"],
    [/(?<!a)b/, "the assertion (?<!..)"],
    [/(a)\1/, "the reference \\1"],
    [/(?<x>a)\k<x>/, "the reference \\k<"],
    [withSets("[\\q{ab|c}]"), "the set [\\q{ab|c}] of several characters"],
    [withSets("\\p{RGI_Emoji}"), "the set \\p{RGI_Emoji} of several characters"],
    [new RegExp(`${"(".repeat(501)}a${")".repeat(501)}`), "more than 500 nested groups"],
  ])("%s", (pattern, part) => {
    const shown = pattern.source.length > 100 ? `${pattern.source.slice(0, 100)}..` : pattern.source;
    expect(() => new LinearPattern(pattern)).toThrow(
      expect.objectContaining({
        code: "ERR_INVALID_ARGUMENT",
        message: `the regular expression /${shown}/ has ${part}, which is not matched in linear time`,
      }),
    );
  });

  test.each([
    /(?:(?:(?:(?:){1000}){1000}){1000}){1000}/,
    /(?:(?:(?:(?:a{0}){1000}){1000}){1000}){1000}/,
  ])("and many repetitions of nothing: %s", (pattern) => {
    expect(() => new LinearPattern(pattern)).toThrow("a regular expression is too large");
  });

  test("and too many states", () => {
    expect(() => new LinearPattern(/(?:a{1000}){11}/)).toThrow(
      expect.objectContaining({
        code: "ERR_INVALID_ARGUMENT",
        message: "a regular expression is too large: more than 10000 characters and branches",
      }),
    );
  });
});

test.each([
  [/(a+)+$/, "a"],
  [/(a|a)*b/, "a"],
  [/(a|aa)+$/, "a"],
  [/(?:.*)*x/, "a"],
  [/.*.*.*.*.*x/, "a"],
  [/(x+x+)+y/, "x"],
  [/(?:a?){100}a{100}b/, "a"],
  [/^(([a-z])+.)+[A-Z]([a-z])+$/, "a"],
  [/(?:\b|a)*c/, "a"],
  [/([\s\S]|a)*?(?:aa|a)+b/u, "a"],
])("%s takes linear time", (pattern, letter) => {
  const started = performance.now();
  // The engine would need days for the first ones. The longest value of a tag has 1,023 bytes.
  const linear = new LinearPattern(pattern);
  for (let n = 1000; n < 1010; n++) expect(linear.test(`${letter.repeat(n)}!`)).toBe(false);
  expect(performance.now() - started).toBeLessThan(5000);
});

test("the memory of a pattern is bounded", () => {
  // Each text leads to other sets of states.
  const linear = new LinearPattern(/(?:a|b)*a(?:a|b){300}/);
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let i = 0; i < 30; i++) {
    const text = Array.from({ length: 900 }, () => (random() < 0.5 ? "a" : "b")).join("");
    expect(linear.test(text)).toBe(text.at(-301) === "a");
  }
});
