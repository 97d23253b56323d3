/** Selectors: names, conditions, ranges, subqueries, `offset` and `@`. */

import { caughtOurs } from "@moonpack/harness/caught.ts";
import {
  type MatrixSelector,
  parseMatchers,
  parseQuery,
  printQuery,
  type Subquery,
  type VectorSelector,
} from "@moonpack/prometheus";
import { expect, test } from "vitest";
import { refusal } from "../harness/tree.ts";

const printed = (query: string): string => printQuery(parseQuery(query));
const selector = (query: string): VectorSelector => parseQuery(query) as VectorSelector;

test("names", () => {
  for (const name of [
    "up",
    "_",
    "a:b",
    ":a",
    "Up_2",
    "sum",
    "by",
    "without",
    "and",
    "or",
    "offset",
    "start",
    "step",
    "min_of",
  ])
    expect(selector(name), name).toMatchObject({ kind: "selector", name, valueType: "vector" });
  for (const word of ["on", "bool", "ignoring", "group_left", "atan2"])
    expect(refusal(word), word).toBe(`1:1: unexpected <${word === "atan2" ? "op:" : ""}${word}>`);
  expect(printed("sum(sum)")).toBe("sum(sum)");
  expect(printed('by{by="by"} + without')).toBe('by{by="by"} + without');
  expect(selector("limitk").matchers).toEqual([{ name: "__name__", operator: "=", value: "limitk" }]);
});

test("conditions", () => {
  expect(selector('a{b="1",c!="2",d=~"3.*",e!~"4",}').matchers).toEqual([
    { name: "b", operator: "=", value: "1" },
    { name: "c", operator: "!=", value: "2" },
    { name: "d", operator: "=~", value: "3.*" },
    { name: "e", operator: "!~", value: "4" },
    { name: "__name__", operator: "=", value: "a" },
  ]);
  expect(selector('{"x y", "l.m"!="v", sum=`\\d`}').matchers).toEqual([
    { name: "__name__", operator: "=", value: "x y" },
    { name: "l.m", operator: "!=", value: "v" },
    { name: "sum", operator: "=", value: "\\d" },
  ]);
  expect(printed('{z="1", "a b"=~"2", a!=""}')).toBe('{"a b"=~"2",a!="",z="1"}');
  expect(printed('{"up"}')).toBe('{__name__="up"}');
  expect(printed('up{__x__="a"}')).toBe('up{__x__="a"}');
  expect(printed("up{}")).toBe("up");
});

test("a selector without a name needs a condition that does not match the empty text", () => {
  for (const query of ["{}", '{a=""}', '{a!="x"}', '{a=~".*"}', '{a=~"|b"}', '{a!~"b+"}'])
    expect(refusal(query), query).toBe("1:1: vector selector must contain at least one non-empty matcher");
  for (const query of ['{a="x"}', '{a!=""}', '{a=~".+"}', '{a!~".*"}', '{a="",b="c"}', '{a=~"b|c"}'])
    expect(printed(query), query).toBe(query);
  expect(printed('info(a, {b=""})')).toBe('info(a, {b=""})');
  expect(refusal('info(a, {b=""} + {c=""})')).toBe("1:18: vector selector must contain at least one non-empty matcher");
});

test("regular expressions are RE2's", () => {
  expect(printed('a{b=~"(?i:x)[[:alpha:]]\\\\pL"}')).toBe('a{b=~"(?i:x)[[:alpha:]]\\\\pL"}');
  expect(refusal('a{b="c", d=~"(?=x)"}')).toBe("1:10: error parsing regexp: invalid or unsupported Perl syntax: `(?=`");
  expect(refusal('a{b!~"\\\\1"}')).toBe("1:3: error parsing regexp: invalid escape sequence: `\\1`");
  expect(refusal('a{b=~"(x{1000}){1000}"}')).toBe("1:3: error parsing regexp: invalid repeat count: `{1000}`");
  expect(refusal('a{b=~"\\xff"}')).toBe("1:3: error parsing regexp: invalid UTF-8");
});

test("wrong conditions, with their place", () => {
  const cases = {
    "a{": "1:3: unexpected end of input inside braces",
    "a{b}": '1:4: unexpected "}" in label matching, expected label matching operator',
    "a{b=}": '1:5: unexpected "}" in label matching, expected string',
    "a{b=c}": '1:5: unexpected identifier "c" in label matching, expected string',
    'a{b="c" d="e"}': '1:9: unexpected identifier "d" in label matching, expected "," or "}"',
    "a{,}": '1:3: unexpected "," in label matching, expected identifier or "}"',
    'a{="b"}': '1:3: unexpected "=" in label matching, expected identifier or "}"',
    "a{b:c}": "1:4: unexpected character inside braces: ':'",
    "a{1}": "1:3: unexpected character inside braces: '1'",
    "a{b{}}": "1:4: unexpected left brace '{'",
    "{{schema:1 sum:3}}": "1:2: unexpected left brace '{': native histograms are not supported",
    'a{"b"}': '1:1: metric name must not be set twice: "a" or "b"',
    'a{__name__="b"}': '1:1: metric name must not be set twice: "a" or "b"',
    "a}": "1:2: unexpected character: '}'",
  };
  for (const [query, want] of Object.entries(cases)) expect(refusal(query), query).toBe(want);
});

test("ranges and subqueries", () => {
  expect(parseQuery("a[5m]")).toMatchObject({ kind: "matrix", valueType: "matrix", range: 300_000, start: 0, end: 5 });
  expect((parseQuery("a[ 1.5 ]") as MatrixSelector).range).toBe(1500);
  expect((parseQuery("a[1.001]") as MatrixSelector).range).toBe(1001);
  const subquery = parseQuery("rate(a[1m])[1h:30s] offset 5m @ 2") as Subquery;
  expect(subquery).toMatchObject({ kind: "subquery", range: 3_600_000, step: 30_000, offset: 300_000, at: 2000 });
  expect((parseQuery("a[1h:]") as Subquery).step).toBeUndefined();
  expect(printed("max_over_time(rate(a[1m])[1h:])[2h:1m] offset -1m")).toBe(
    "max_over_time(rate(a[1m])[1h:])[2h:1m] offset -1m",
  );
});

test("offset and @ bind to the selector, in any order", () => {
  expect(selector("a offset -1m @ 1.5")).toMatchObject({ offset: -60_000, at: 1500, end: 18 });
  expect(selector("a @ -3 offset 1m")).toMatchObject({ offset: 60_000, at: -3000 });
  expect(selector("a @ start ( )").at).toBe("start");
  expect(selector("a @ END()").at).toBe("end");
  expect(selector("a @ 5m").at).toBe(300_000);
  expect(selector("a offset 0s").offset).toBe(0);
  expect(printed("a offset 1h30m @ 1")).toBe("a @ 1.000 offset 1h30m");
  expect(printed("a[5m] @ start() offset 1w")).toBe("a[5m] @ start() offset 1w");
  expect(printed("sum(a offset 5m) + b @ 1e9")).toBe("sum(a offset 5m) + b @ 1000000000.000");
});

test("wrong ranges and times, with their place", () => {
  const cases = {
    "a[0s]": "1:3: duration must be greater than 0",
    "a[-5m]": "1:3: duration must be greater than 0",
    "a[5m:0s]": "1:6: duration must be greater than 0",
    "a[]": '1:3: unexpected "]" in subquery or range selector, expected number, duration, step(), or range()',
    "a[5m": "1:5: unclosed left bracket",
    "a[5m:": "1:6: unclosed left bracket",
    "a[5m)": "1:5: unexpected right parenthesis ')'",
    "a[b]": "1:3: unexpected character: 'b', expected ':'",
    "a[[5m]]": "1:3: unexpected left bracket '['",
    "a]": "1:2: unexpected right bracket ']'",
    "a[5m::]": "1:6: unexpected colon ':'",
    'a["5m"]':
      '1:3: unexpected string "\\"5m\\"" in subquery or range selector, expected number, duration, step(), or range()',
    "a[5m 6m]": '1:6: unexpected duration "6m" in subquery or range, expected ":" or "]"',
    "(a)[5m]": "1:4: ranges only allowed for vector selectors",
    "a[5m][5m]": "1:6: ranges only allowed for vector selectors",
    "a offset 1m[5m]": "1:12: no offset modifiers allowed before range",
    "a @ 1[5m]": "1:6: no @ modifiers allowed before range",
    "1[5m:]": "1:1: subquery is only allowed on instant vector, got scalar instead",
    "1 offset 5m":
      "1:1: offset modifier must be preceded by an instant vector selector or range vector selector or a subquery",
    "rate(a[5m]) @ 1":
      "1:1: @ modifier must be preceded by an instant vector selector or range vector selector or a subquery",
    "a offset 1m offset 1m": "1:1: offset may not be set multiple times",
    "a @ 1 @ 2": "1:1: @ <timestamp> may not be set multiple times",
    "a offset b": '1:10: unexpected identifier "b" in offset, expected number, duration, step(), or range()',
    "a @ b": '1:5: unexpected identifier "b" in @, expected timestamp',
    "a @ start": "1:10: unexpected end of input",
    "a @ -Inf": "1:1: timestamp out of bounds for @ modifier: -Inf",
    "a @ NaN": "1:1: timestamp out of bounds for @ modifier: NaN",
    "a @ 1e17": "1:1: timestamp out of bounds for @ modifier: 100000000000000000",
    "a offset 1e10": "1:10: duration out of range",
    "rate(a[5m] anchored)": "1:12: anchored modifier is not supported",
    "a smoothed": "1:3: smoothed modifier is not supported",
  };
  for (const [query, want] of Object.entries(cases)) expect(refusal(query), query).toBe(want);
  expect(printed("anchored + smoothed")).toBe("anchored + smoothed");
});

test("parseMatchers reads a selector alone", () => {
  expect(parseMatchers('up{a="b"}').map(({ name }) => name)).toEqual(["a", "__name__"]);
  expect(parseMatchers('{a=~"b"}')).toEqual([{ name: "a", operator: "=~", value: "b" }]);
  for (const text of ["up[5m]", "up offset 1m", "", "1", "sum(up)", "{}", 'up{a="b"'])
    expect(caughtOurs(() => parseMatchers(text)).code, text).toBe("ERR_PROMQL_SYNTAX");
});
