/** Matches: what they say of metrics in memory, and what is refused. */
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import type { Match, Matcher } from "../src/api.ts";
import { compileMatch } from "../src/select/match.ts";
import { literalStart } from "../src/select/pattern.ts";

async function matches(match: Match, name: string, tags: Record<string, string> = {}): Promise<boolean> {
  const compiled = compileMatch(match);
  return ((await compiled.complete?.()) ?? compiled).matches(name, tags);
}

test.each<[Matcher, string, boolean]>([
  ["a", "a", true],
  ["a", "ab", false],
  [["a", "b"], "b", true],
  [["a", "b"], "c", false],
  [[], "a", false],
  [{ not: [] }, "a", true],
  [{ prefix: "a" }, "ab", true],
  [{ prefix: "a" }, "ba", false],
  [{ prefix: "" }, "x", true],
  [{ not: "a" }, "b", true],
  [{ not: { not: "a" } }, "a", true],
  [{ not: { not: { not: { prefix: "a" } } } }, "ab", false],
  // The whole text, whichever alternative comes first.
  [/a|ab/, "ab", true],
  [/b/, "abc", false],
  [/^b$/, "b", true],
  [/A.*/i, "abc", true],
  [/a.c/, "a\nc", false],
  [/a.c/s, "a\nc", true],
  // ^ and $ of the flag m would match at this line break.
  [/a/m, "a\nb", false],
  [/a\nb/m, "a\nb", true],
  [/a$\s^b/m, "a\nb", true],
  [/\p{L}/u, "é", true],
])("%j of %j: %s", async (name, text, expected) => {
  expect(await matches({ name }, text)).toBe(expected);
  // Without a state between calls.
  expect(await matches({ name: { not: name } }, text)).toBe(!expected);
});

describe("a tag that a metric does not have", () => {
  test.each<[Matcher, boolean]>([
    ["", true],
    ["a", false],
    [["a", ""], true],
    [{ not: "" }, false],
    [{ not: "a" }, true],
    [{ prefix: "" }, true],
    [{ prefix: "a" }, false],
    [/a*/, true],
    [/a+/, false],
    [{ not: /a+/ }, true],
  ])("is the empty text for %j: %s", async (host, expected) => {
    expect(await matches({ tags: { host } }, "cpu")).toBe(expected);
    expect(await matches({ tags: { host } }, "cpu", Object.create({ host: "a" }) as Record<string, string>)).toBe(
      expected,
    );
  });
});

test("every term must match, names of Object.prototype are ordinary tags", async () => {
  expect(await matches({}, "anything")).toBe(true);
  expect(await matches({ name: undefined, tags: undefined } as unknown as Match, "anything")).toBe(true);
  expect(await matches({ name: "cpu", tags: { host: "a" } }, "cpu", { host: "a" })).toBe(true);
  expect(await matches({ name: "cpu", tags: { host: "a" } }, "mem", { host: "a" })).toBe(false);
  const proto = JSON.parse('{"__proto__":"x"}') as Record<string, string>;
  expect(await matches({ tags: proto }, "cpu", proto)).toBe(true);
  expect(await matches({ tags: proto }, "cpu")).toBe(false);
  expect(await matches({ tags: { constructor: "" } }, "cpu")).toBe(true);
  expect(await matches(Object.create({ name: "x" }) as Match, "cpu")).toBe(true);
});

test("regular expressions keep no position, and are read once", async () => {
  const host = /a+/g;
  host.lastIndex = 1;
  const compiling = compileMatch({ tags: { host } });
  host.compile("b+");
  const compiled = await compiling.complete!();
  for (let i = 0; i < 3; i++) expect(compiled.matches("cpu", { host: "a" })).toBe(true);
  expect(await matches({ name: /a+/y }, "a")).toBe(true);
  expect(await matches({ name: runInNewContext("/a+/") as RegExp }, "aa")).toBe(true);
  const list = ["a"];
  const ofList = compileMatch({ name: list });
  list[0] = "b";
  expect(ofList.matches("a", {})).toBe(true);
});

test("any number of matchers", () => {
  const matchers = Array.from({ length: 200_000 }, (_, i) => ({ name: "host", op: "!=", value: `b${i}` }) as const);
  const { terms, matches: test } = compileMatch({ matchers: [...matchers, { name: "host", op: "=", value: "a" }] });
  expect(terms.map(({ values }) => values)).toEqual([{ list: ["a"] }]);
  expect(["a", "b7", ""].map((host) => test("cpu", { host }))).toEqual([true, false, false]);
});

const FORMS = "must be a text, a list of texts, a RegExp, { prefix: text } or { not: matcher }";
const circle: { not?: unknown } = {};
circle.not = circle;

test.each<[unknown, string]>([
  [undefined, "a match must be an object"],
  ["cpu", "a match must be an object"],
  [{ name: 5 }, `name ${FORMS}`],
  [{ name: null }, `name ${FORMS}`],
  [{ name: ["a", 5] }, `name ${FORMS}`],
  [{ name: {} }, `name ${FORMS}`],
  [{ name: { prefix: 5 } }, `name ${FORMS}`],
  [{ name: { not: undefined } }, `name ${FORMS}`],
  [{ name: Object.create({ prefix: "a" }) }, `name ${FORMS}`],
  [{ name: circle }, "name has more than 32 nested levels of not"],
  [{ tags: "host" }, "tags must be an object"],
  [{ tags: { host: 5 } }, `the matcher of tag "host" ${FORMS}`],
  [{ tags: { "": "cpu" } }, "a tag has an empty key, which no metric has: the matcher of the name is the option name"],
  [{ tags: { "a\0b": "c" } }, 'no metric has the tag "a\\u0000b": it has a zero character or a lone surrogate'],
  [{ tags: { "\ud800": "c" } }, 'no metric has the tag "\\ud800": it has a zero character or a lone surrogate'],
])("%j is refused", (match, message) => {
  expect(() => compileMatch(match as Match)).toThrow(
    expect.objectContaining({ code: "ERR_INVALID_ARGUMENT", message }),
  );
});

test.each<[RegExp, string]>([
  [/cpu/, "cpu"],
  [/^cpu$/, "cpu"],
  [/cpu\..*/, "cpu"],
  [/a1\d+/, "a1"],
  [/ab?/, "a"],
  [/ab*/, "a"],
  [/ab+/, "a"],
  [/ab{0,2}c/, "a"],
  [/ab|cd/, ""],
  [/a(b|c)/, ""],
  [/ab/i, ""],
  [/.*a/, ""],
  [/(?:)/, ""],
  [/(ab)?c/, ""],
  [/eu-west:[12]/, "eu-west:"],
  [/é/, ""],
])("all that %s matches begins with %j", (pattern, start) => {
  expect(literalStart(pattern)).toBe(start);
});
