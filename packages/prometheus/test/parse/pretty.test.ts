/** Queries on several lines: Prometheus' own form, and the same tree again. */
import { share } from "@moonpack/harness/effort.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { formatQuery, parseQuery, printQuery } from "@moonpack/prometheus";
import { expect, test } from "vitest";
import { randomTree } from "../harness/random-query.ts";

test("short queries stay on one line", () => {
  for (const [text, wanted] of [
    ["sum(x)by(job)", "sum by (job) (x)"],
    ["(  up  )", "(up)"],
    ['"a"', '"a"'],
    [`sum(${"x".repeat(95)})`, `sum(${"x".repeat(95)})`],
  ] as const)
    expect(formatQuery(parseQuery(text))).toBe(wanted);
});

test("long ones have their parts on separate lines", () => {
  const long = `http_requests_total{handler="${"x".repeat(40)}",job="api"}`;
  const query = `-sum by (job) (rate(${long}[5m])) / on (job) group_left () (max without (a) (quantile_over_time(0.9, ${long}[1h:1m] offset 5m)))`;
  expect(formatQuery(parseQuery(query))).toBe(
    [
      "  -sum by (job) (",
      `    rate(${long}[5m])`,
      "  )",
      "/ on (job) group_left ()",
      "  (",
      "    max without (a) (",
      "      quantile_over_time(",
      "        0.9,",
      `        ${long}[1h:1m] offset 5m`,
      "      )",
      "    )",
      "  )",
    ].join("\n"),
  );
  const topk = `topk(5, sum(${long}) + sum(${long}))`;
  expect(formatQuery(parseQuery(topk))).toBe(
    ["topk(", "  5,", `    sum(${long})`, "  +", `    sum(${long})`, ")"].join("\n"),
  );
});

test("the length is counted in bytes of UTF-8", () => {
  expect(formatQuery(parseQuery(`sum(x{a="${"é".repeat(44)}"})`))).not.toContain("\n");
  expect(formatQuery(parseQuery(`sum(x{a="${"é".repeat(46)}"})`))).toContain("\n");
});

test("random queries give the same tree again", () => {
  const random = randomSource(35_201);
  let long = 0;
  for (let i = 0; i < share(3000); i++) {
    const tree = parseQuery(printQuery(randomTree(random, "vector", 5)));
    const text = formatQuery(tree);
    if (text.includes("\n")) long++;
    expect(printQuery(parseQuery(text)), text).toBe(printQuery(tree));
    expect(
      text.split("\n").every((line) => line.trim() !== ""),
      text,
    ).toBe(true);
  }
  expect(long).toBeGreaterThan(0);
});

test("deep and wide queries take linear time", () => {
  const wide = `${"(".repeat(400)}label_join(x, "a", "b"${', "c"'.repeat(5000)})${")".repeat(400)}`;
  const start = performance.now();
  expect(formatQuery(parseQuery(wide)).split("\n").length).toBeGreaterThan(5000);
  expect(performance.now() - start).toBeLessThan(5000);
});

test("other arguments are refused", () => {
  for (const wrong of [undefined, null, {}, "up"])
    expect(() => formatQuery(wrong as never)).toThrow(expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }));
});
