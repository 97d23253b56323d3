/** Duration expressions: arithmetic in brackets and after `offset`. */
import { type MatrixSelector, parseQuery, printQuery, type VectorSelector } from "@moonpack/prometheus";
import { expect, test } from "vitest";
import { nested, refusal } from "../harness/tree.ts";

const printed = (query: string): string => printQuery(parseQuery(query));

test("in brackets", () => {
  const cases = {
    "a[5m+3*2s]": "a[5m + 3 * 2s]",
    "a[(5m+3)*2]": "a[(5m + 3) * 2]",
    "a[((5m))]": "a[(5m)]",
    "a[2^3^2]": "a[2 ^ 3 ^ 2]",
    "a[--5m]": "a[5m]",
    "a[-(-5m)]": "a[-(-5m)]",
    "a[10m-5m-1m]": "a[10m - 5m - 1m]",
    "a[STEP()]": "a[step()]",
    "a[step():range()]": "a[step():range()]",
    "a[max_of( 1m , min_of(step(),2m)) + range() % 7]": "a[max_of(1m, min_of(step(), 2m)) + range() % 7]",
    "a[1h:5m/2]": "a[1h:5m / 2]",
    "a[300:30]": "a[5m:30s]",
    "a[1 - +step()]": "a[1 - step()]",
  };
  for (const [query, want] of Object.entries(cases)) {
    expect(printed(query), query).toBe(want);
    expect(printed(want), want).toBe(want);
  }
});

test("operators keep their precedence; a sign binds like *", () => {
  expect((parseQuery("a[1 + 2 * 3 ^ 4]") as MatrixSelector).range).toMatchObject({
    operator: "+",
    left: { value: 1 },
    right: { operator: "*", left: { value: 2 }, right: { operator: "^" } },
  });
  expect((parseQuery("a[-2 ^ 2]") as MatrixSelector).range).toMatchObject({
    operator: "-",
    left: undefined,
    right: { operator: "^" },
  });
  expect((parseQuery("a[10 - 5 - 1]") as MatrixSelector).range).toMatchObject({
    left: { operator: "-" },
    right: { value: 1 },
  });
});

test("an operator after an offset belongs to the query, unless the duration is in parentheses", () => {
  expect(nested("a offset 5m + 1")).toBe("<a~ + 1>");
  expect(nested("a offset -5m ^ 2")).toBe("<a~ ^ 2>");
  expect(nested("a offset step() * 2")).toBe("<a~ * 2>");
  expect(nested("a offset -min_of(1m, step()) - b")).toBe("<a~ - b>");
  expect(nested("a offset -(5m) * b")).toBe("<a~ * b>");
  expect((parseQuery("a offset (5m) * 2") as VectorSelector).offset).toMatchObject({ operator: "*" });
  expect((parseQuery("a offset - -5m * 2") as VectorSelector).offset).toMatchObject({ operator: "*", isWrapped: true });
  expect(nested("a offset (5m) == b")).toBe("<a~ == b>");
  expect(refusal("a offset (5m) * b")).toBe(
    '1:17: unexpected identifier "b" in duration, expected number, duration, step(), or range()',
  );
  for (const query of ["a offset (5m * 2)", "a offset -(step())", "a offset +(5m) * 2", "a offset -step()"])
    expect(printed(query), query).toBe(query);
});

test("wrong durations, with their place", () => {
  const cases = {
    "a[5m/0]": "1:5: division by zero",
    "a[5m % 0s]": "1:6: modulo by zero",
    "a[step]": '1:7: unexpected "]"',
    "a[step(1)]": '1:8: unexpected number "1"',
    "a[min_of(1m)]": '1:12: unexpected ")"',
    "a[5m +]": '1:7: unexpected "]" in duration, expected number, duration, step(), or range()',
    "a[(5m]": '1:6: unexpected "]"',
    "a[1e10]": "1:3: duration out of range",
    "a offset Inf": "1:10: duration out of range",
    "a offset -NaN": "1:11: duration out of range",
    "a[pi()]": "1:3: unexpected character: 'p', expected ':'",
  };
  for (const [query, want] of Object.entries(cases)) expect(refusal(query), query).toBe(want);
});
