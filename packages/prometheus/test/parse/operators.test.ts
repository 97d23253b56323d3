/** Operators: precedence, associativity, the modifiers between two vectors. */
import { type Binary, parseQuery, printQuery } from "@moonpack/prometheus";
import { expect, test } from "vitest";
import { nested, refusal } from "../harness/tree.ts";

/** From the loosest to the tightest. */
const LEVELS = [
  ["or"],
  ["and", "unless"],
  ["==", "!=", "<", "<=", ">", ">=", "</", ">/"],
  ["+", "-"],
  ["*", "/", "%", "atan2"],
];

test("operators of a level associate to the left; a tighter level comes first", () => {
  for (const [i, level] of LEVELS.entries())
    for (const first of level) {
      for (const second of level) expect(nested(`a ${first} b ${second} c`)).toBe(`<<a ${first} b> ${second} c>`);
      for (const tighter of LEVELS.slice(i + 1).flat()) {
        expect(nested(`a ${first} b ${tighter} c`)).toBe(`<a ${first} <b ${tighter} c>>`);
        expect(nested(`a ${tighter} b ${first} c`)).toBe(`<<a ${tighter} b> ${first} c>`);
      }
    }
});

test("the power and signs", () => {
  const cases = {
    "a ^ b ^ c": "<a ^ <b ^ c>>",
    "a * b ^ c": "<a * <b ^ c>>",
    "-1 ^ 2": "<-<1 ^ 2>>",
    "-a ^ b * c": "<<-<a ^ b>> * c>",
    "-a * b": "<<-a> * b>",
    "2 ^ -a ^ b * c": "<<2 ^ <-<a ^ b>>> * c>",
    "a + -b * c": "<a + <<-b> * c>>",
    "- -a": "<-<-a>>",
    "+a - +b": "<<+a> - <+b>>",
    "-(1)": "<-1>",
    "-1 * 2": "<-1 * 2>",
    "a + b offset 5m * c @ 1": "<a + <b~ * c>>",
    "-a offset 5m ^ b": "<-<a~ ^ b>>",
    "(a + b) * c": "<<a + b> * c>",
  };
  for (const [query, want] of Object.entries(cases)) expect(nested(query), query).toBe(want);
  expect(refusal("-a[5m:] offset 1m")).toBe(
    '1:1: unary expression only allowed on expressions of type scalar or instant vector, got "range vector"',
  );
});

test("operators in any case, without blanks", () => {
  expect(nested("a AND b Or c UNLESS d")).toBe("<<a and b> or <c unless d>>");
  expect(nested("a<=b==bool c!=d")).toBe("<<<a <= b> == c> != d>");
  expect(nested("1+2-a")).toBe("<<1 + 2> - a>");
});

test("the types of results, and matching only between vectors", () => {
  const typeOf = (query: string): string => parseQuery(query).valueType;
  expect([typeOf("1 + 2"), typeOf("1 + a"), typeOf("a + 1"), typeOf("a and b"), typeOf("-1 ^ 2")]).toEqual([
    "scalar",
    "vector",
    "vector",
    "vector",
    "scalar",
  ]);
  expect((parseQuery("1 + a") as Binary).matching).toBeUndefined();
  expect((parseQuery("a + b") as Binary).matching).toEqual({
    cardinality: "one-to-one",
    isOn: false,
    labels: [],
    include: [],
    fillLeft: undefined,
    fillRight: undefined,
  });
  expect((parseQuery("a and on(x) b") as Binary).matching).toMatchObject({ cardinality: "many-to-many", isOn: true });
});

test("modifiers", () => {
  const cases = {
    "a == bool b": "a == bool b",
    "a+on()b": "a + on () b",
    "a + ignoring() b": "a + b",
    "a + ignoring(x,) b": "a + ignoring (x) b",
    'a + on(x, "y.z", sum) b': 'a + on (x, "y.z", sum) b',
    "a > bool on(x) group_left b": "a > bool on (x) group_left () b",
    "a * ignoring(x) group_right(y, z) b": "a * ignoring (x) group_right (y, z) b",
    "a * on(x) group_left() (b)": "a * on (x) group_left () (b)",
    "a + fill(1e6) b": "a + fill (1e+06) b",
    "a + fill_left(-5m) b": "a + fill_left (-300) b",
    "a + fill_right(+1) b": "a + fill_right (1) b",
    "a + on(x) fill_right(1) fill_left(0.00001) b": "a + on (x) fill_left (1e-05) fill_right (1) b",
    "a + fill_left(2) fill_right(2) b": "a + fill (2) b",
    "a + fill(NaN) b": "a + fill_left (NaN) fill_right (NaN) b",
    "fill + fill_left": "fill + fill_left",
    "a + FILL ( 123456789 ) fill": "a + fill (1.23456789e+08) fill",
  };
  for (const [query, want] of Object.entries(cases)) {
    expect(printQuery(parseQuery(query)), query).toBe(want);
    expect(printQuery(parseQuery(want)), want).toBe(want);
  }
  expect((parseQuery("a + fill_right(1) fill_left(2) b") as Binary).matching).toMatchObject({
    fillLeft: 2,
    fillRight: 1,
  });
});

test("wrong operands and modifiers, with their place", () => {
  const cases = {
    "1 == 1": "1:3: comparisons between scalars must use BOOL modifier",
    "a + bool b": "1:3: bool modifier can only be used on comparison operators",
    "a and 1": '1:1: set operator "and" not allowed in binary scalar expression',
    "1 or a": '1:1: set operator "or" not allowed in binary scalar expression',
    "1 + on(x) a": "1:1: vector matching only allowed between instant vectors",
    "a + fill(1) 1": "1:1: filling in missing series only allowed between instant vectors",
    "a and fill(1) b": "1:1: filling in missing series not allowed for set operators",
    "a + fill_left(1) 1": "1:1: filling in missing series only allowed between instant vectors",
    "a and fill_right(1) b": "1:1: filling in missing series not allowed for set operators",
    "a or on(x) group_left(y) b": '1:1: no grouping allowed for "or" operation',
    "a * on(x, y) group_left(y) b": '1:3: label "y" must not occur in ON and GROUP clause at once',
    "a + b[5m]": "1:5: binary expression must contain only scalar and instant vector types",
    '"s" + a': "1:1: binary expression must contain only scalar and instant vector types",
    "a * group_left b": "1:5: unexpected <group_left>",
    "a * on b": '1:8: unexpected identifier "b" in grouping opts, expected "("',
    "a + on(1) b": '1:8: unexpected number "1" in grouping opts, expected label',
    "a + on(x y) b": '1:10: unexpected identifier "y" in grouping opts, expected "," or ")"',
    'a + on("") b': '1:8: invalid label name for grouping: ""',
    'a + on("\\xff") b': '1:8: invalid label name for grouping: "\\xff"',
    "a + fill(b) c": '1:10: unexpected identifier "b"',
    "a = b": '1:3: unexpected "="',
    "a =~ b": "1:3: unexpected character after '=': '~'",
    "a ! b": "1:3: unexpected character after '!': ' '",
    "a !": "1:3: unexpected character after '!': end of input",
    "a + ": "1:5: unexpected end of input",
    "* a": "1:1: unexpected <op:*>",
    "a b": '1:3: unexpected identifier "b"',
    "a + on": '1:7: unexpected end of input in grouping opts, expected "("',
  };
  for (const [query, want] of Object.entries(cases)) expect(refusal(query), query).toBe(want);
});
