/** Regular expressions of selections: whole texts, by RE2, in linear time. */
import { describe, expect, test } from "vitest";
import { compileMatch } from "../src/select/match.ts";

/** A test for whole texts, as a selection makes it. */
async function matcher(pattern: RegExp): Promise<(text: string) => boolean> {
  const match = compileMatch({ name: pattern });
  const complete = (await match.complete?.()) ?? match;
  return (text) => complete.matches(text, {});
}

/** The engine's answer for whole texts. */
function expected({ source, flags }: RegExp, text: string): boolean {
  return new RegExp(`^(?:${source})(?![\\s\\S])`, flags.replace(/[gym]/g, "")).test(text);
}

const PIECES = [
  "",
  "a",
  "b",
  "A",
  "ab",
  "é",
  "É",
  "0",
  "7",
  "_",
  "-",
  "\\",
  "{",
  "]",
  "/",
  "^",
  " ",
  "\t",
  "x{2}",
  "😀",
];
const TEXTS = [...new Set(PIECES.flatMap((a) => PIECES.map((b) => a + b))), "aab", "abab", "ab ab"];
const SOURCES = [
  ...["", "a", "^a$", "a|ab", "ab|a", "a*", "a+", "a?b", "(a+)+$", "(a|a)*b", "(?<x>a)b", "(?:ab){2}", "(?:ab){0}"],
  ...["a{2,}", "a{1,2}b", "[ab]+", "[^ab]", "[\\]a]", "[a\\-b]", "[^\\d\\s]", "..", ".*", "a.b", "\\d", "\\D", "\\w+"],
  ...["\\W", "\\s", "\\S", "\\bab\\b", "\\Bb", "a\\b ", "a^b", "\\x61", "\\u0061", "\\t", "\\/", "\\.", "\\$", "\\{"],
  ...[
    "(?:a*)*",
    "(?:a|b*)+",
    "((a)|(b))*",
    "a+?b*?",
    "é",
    "[à-ý]",
    "x\\{2\\}",
    "😀",
    "[😀]",
    "\\u{1F600}",
    "\\p{L}+",
    "\\P{L}",
  ],
];

test.each([
  "u",
  "iu",
  "su",
  "gyu",
])("patterns of each kind have JavaScript's answers, with the flags %s", async (flags) => {
  const wrong: string[] = [];
  for (const source of SOURCES) {
    const pattern = new RegExp(source, flags);
    const matches = await matcher(pattern);
    for (const text of TEXTS)
      if (matches(text) !== expected(pattern, text)) wrong.push(`${String(pattern)} of ${JSON.stringify(text)}`);
  }
  expect(wrong).toEqual([]);
});

test("without the flag u a pattern reads code points, too", async () => {
  for (const pattern of [/.x?/, /[^a]x?/, /(?:😀)+x?/]) expect((await matcher(pattern))("😀")).toBe(true);
});

test("a dot and \\s are RE2's", async () => {
  const dot = await matcher(/a.x?/);
  expect(["a\n", "a\r", "a\u2028"].map(dot)).toEqual([false, true, true]);
  expect((await matcher(/a.x?/s))("a\n")).toBe(true);
  const space = await matcher(/\sx?/);
  expect([" ", "\t", "\n", "\u00a0", "\u2028"].map(space)).toEqual([true, true, true, false, false]);
});

test("a pattern is read once", async () => {
  class Changing extends RegExp {
    override get source(): string {
      throw new Error("read");
    }
    override get flags(): string {
      throw new Error("read");
    }
  }
  const matches = await matcher(new Changing("a+", "i"));
  expect(["aA", "b"].map(matches)).toEqual([true, false]);
});

describe("parts that RE2 does not know are refused", () => {
  test.each([
    [/a(?=b)b/],
    [/a(?!b)c/],
    [/(a+)\1/],
    [/[\b]+/],
    [/\p{Script=Greek}+/u],
    [/a{1001}/],
    [/(?:a{1000}){1000}/],
    [/(?:(?:(?:(?:){1000}){1000}){1000}){1000}/],
  ])("%s", async (pattern) => {
    await expect(matcher(pattern)).rejects.toMatchObject({
      code: "ERR_INVALID_ARGUMENT",
      message: expect.stringMatching(/^name: error parsing regexp: /),
    });
  });

  /** Patterns that the linter would change, or whose flag the compiler's target does not know. */
  const regExp = (source: string, flags = "") => new RegExp(source, flags);

  test.each([
    [regExp("[[a-z]--b]", "v"), "has the flag v, which RE2 does not know"],
    [/(?<x>a+)\k<x>/, "has a reference to a group"],
    [/\\(?<x>a+)\\\k<x>/u, "has a reference to a group"],
    [/\ud83d\ude00+/u, "has half a code point"],
    // RE2 reads them in another way than the engine does.
    [regExp("\\a+"), "is not valid with the flag u: "],
    [regExp("\\Qa+"), "is not valid with the flag u: "],
    [regExp("[[:alpha:]]+"), "is not valid with the flag u: "],
    [regExp("a+\\c"), "is not valid with the flag u: "],
  ])("at once: %s", (pattern, reason) => {
    const compile = () => compileMatch({ tags: { host: pattern } });
    expect(compile).toThrow(`the matcher of tag "host": ${String(pattern)} ${reason}`);
  });

  test("but not escapes of punctuation", async () => {
    expect((await matcher(regExp("[a\\-b]+\\-\\:\\_\\/\\\\+")))("a-b-:_/\\")).toBe(true);
  });
});

test.each([
  [/(a+)+$/, "a"],
  [/(a|a)*b/, "a"],
  [/(?:.*)*x/, "a"],
  [/.*.*.*.*.*x/, "a"],
  [/(?:a?){100}a{100}b/, "a"],
  [/^(([a-z])+.)+[A-Z]([a-z])+$/, "a"],
  [/(?:\b|a)*c/, "a"],
])("%s takes linear time", async (pattern, letter) => {
  const matches = await matcher(pattern);
  const started = performance.now();
  // The engine would need days for the first ones. The longest value of a tag has 1,023 bytes.
  for (let n = 1000; n < 1010; n++) expect(matches(`${letter.repeat(n)}!`)).toBe(false);
  expect(performance.now() - started).toBeLessThan(5000);
});
