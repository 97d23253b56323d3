import fc from "fast-check";
import { expect, test } from "vitest";
import { metricText } from "../src/series/metric-text.js";
import { PointedError } from "../src/series/pointed-error.js";
import { parseSelector } from "../src/series/selector.js";

test.each([
  ["cpu", { name: "cpu" }],
  ["cpu.load", { name: "cpu.load" }],
  ["node_cpu:rate5m", { name: "node_cpu:rate5m" }],
  ["cpu-load/eth0", { name: "cpu-load/eth0" }],
  ["{}", {}],
  ["cpu{}", { name: "cpu" }],
  [
    'cpu.load{host="a1",dc!="x",rack=~"r.*",row!~"a|b",disk^="sd"}',
    {
      name: "cpu.load",
      tags: { host: "a1", dc: { not: "x" }, rack: /r.*/u, row: { not: /a|b/u }, disk: { prefix: "sd" } },
    },
  ],
  [' cpu { host = "a1" , } ', { name: "cpu", tags: { host: "a1" } }],
  ['{host="a1"}', { tags: { host: "a1" } }],
  ['{__name__="my metric"}', { name: "my metric" }],
  ['{__name__=~"cpu.*",host="a"}', { name: /cpu.*/u, tags: { host: "a" } }],
  ['"my metric"{"a tag"="b"}', { name: "my metric", tags: { "a tag": "b" } }],
  ["cpu{host='a1'}", { name: "cpu", tags: { host: "a1" } }],
  ["cpu{host='say \"hi\"'}", { name: "cpu", tags: { host: 'say "hi"' } }],
  ['cpu{path="C:\\temp",q="\\"\\\\"}', { name: "cpu", tags: { path: "C:\\temp", q: '"\\' } }],
  ['cpu{host=~"a\\.b"}', { name: "cpu", tags: { host: /a\.b/u } }],
  ['cpu{host=""}', { name: "cpu", tags: { host: "" } }],
  ['日本{都市="東京"}', { name: "日本", tags: { 都市: "東京" } }],
])("%s", (text, match) => {
  expect(parseSelector(text)).toEqual(match);
});

test("several conditions on one tag all count", () => {
  const { tags } = parseSelector('{host=~"a.*|b1",host!="a2",host!~".*[34]",host^="a"}');
  const expression = new RegExp(`^(?:${(tags!.host as RegExp).source})$`, "u");
  const hosts = ["a1", "a2", "a3", "a5", "b1", "", "a"];
  expect(hosts.filter((host) => expression.test(host))).toEqual(["a1", "a5", "a"]);
});

test.each([
  ["", 0, "the selector is empty; {} selects every metric"],
  ["  ", 2, "the selector is empty"],
  ['cpu{host="a1"', 13, "expected a comma or }"],
  ["cpu{host=a1}", 9, "expected a value in quotes after host="],
  ['cpu{host="a1}', 9, 'the quote " is not closed'],
  ['cpu{host:"a1"}', 9, "expected one of =~ !~ != ^= = after the tag host:"],
  ['cpu{host=="a1"}', 9, "expected a value in quotes"],
  ['cpu{="a1"}', 4, "expected a tag's name or }"],
  ['cpu{host="a1" dc="x"}', 14, "expected a comma or }"],
  ['cpu{host="a1"} x', 15, "unexpected text after the closing brace"],
  ["cpu.*", 4, 'to match several names use {__name__=~"REGULAR EXPRESSION"}'],
  ["my metric", 3, "expected {"],
  ['cpu{host=~"a("}', 10, "invalid regular expression: /a(/u: Unterminated group"],
  ['cpu{__name__="x"}', 4, "the name is set twice"],
  ['""', 0, "a metric's name cannot be empty"],
  ['{""="x"}', 1, "a tag's name cannot be empty"],
  ['{a=~"(x)\\\\1",a!="b"}', 4, "a back reference cannot be combined"],
  ['{a=~"x)(",a!="b"}', 4, "invalid regular expression"],
])("%j is wrong at %i: %s", (text, at, message) => {
  let error: unknown;
  try {
    parseSelector(text);
  } catch (caught) {
    error = caught;
  }
  expect(error).toBeInstanceOf(PointedError);
  expect(error).toMatchObject({ at });
  expect((error as Error).message).toContain(message);
});

test("the caret stands below the place, also behind control characters", () => {
  const [argument, caret] = new PointedError("wrong", "a\u001b{host=x}", 8).pointer;
  expect(argument).toBe("  a\\u001b{host=x}");
  expect(caret!.indexOf("^")).toBe(argument!.indexOf("x"));
});

test("a metric's text is the selector of the metric", () => {
  const word = fc.string({
    unit: fc.oneof(
      fc.constantFrom('"', "\\", "{", "}", ",", "=", "'", " "),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
    ),
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(word, fc.dictionary(word, word, { maxKeys: 3 }), (name, tags) => {
      fc.pre(!Object.hasOwn(tags, "__name__"));
      const match = parseSelector(metricText({ name, tags }));
      expect(match.name).toBe(name);
      expect({ ...match.tags }).toEqual({ ...tags });
    }),
  );
});

test("random text is a selector, or wrong at a place", () => {
  const unit = fc.constantFrom("a", ".", "{", "}", '"', "'", "=", "~", "!", "^", ",", " ", "\\", "(", "é", "\u0000");
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 20 }), (text) => {
      try {
        parseSelector(text);
      } catch (error) {
        expect(error).toBeInstanceOf(PointedError);
        expect((error as PointedError).at).toBeLessThanOrEqual(text.length);
      }
    }),
    { numRuns: 3000 },
  );
});
