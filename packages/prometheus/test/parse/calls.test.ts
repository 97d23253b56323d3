/** Aggregations and functions: names, arguments, types. */
import { type Aggregation, type Call, parseQuery, printQuery } from "@moonpack/prometheus";
import { expect, test } from "vitest";
import { nested, refusal } from "../harness/tree.ts";

/** Arguments of each type. */
const ARGUMENTS = { scalar: "1", vector: "a", matrix: "a[5m]", string: '"s"' };
const TYPES = { scalar: "scalar", vector: "instant vector", matrix: "range vector", string: "string" };
type Type = keyof typeof ARGUMENTS;

const V = "vector";
const M = "matrix";
/** The functions of Prometheus 3.15: types of the arguments, `?` for an optional one, `..` for any number, and of the result. */
const FUNCTIONS: Record<string, string> = {
  [V]:
    "abs absent acos acosh asin asinh atan atanh ceil cos cosh deg exp floor histogram_avg histogram_count histogram_stddev " +
    "histogram_stdvar histogram_sum ln log10 log2 rad sgn sin sinh sort sort_desc sqrt start_timestamp tan tanh timestamp",
  [`${V}?`]: "day_of_month day_of_week day_of_year days_in_month hour minute month year",
  [M]:
    "absent_over_time avg_over_time changes count_over_time delta deriv first_over_time idelta increase irate last_over_time " +
    "mad_over_time max_over_time min_over_time present_over_time rate resets stddev_over_time stdvar_over_time sum_over_time " +
    "ts_of_first_over_time ts_of_last_over_time ts_of_max_over_time ts_of_min_over_time",
  "": "end pi range start step time",
  "scalar scalar": "max_of min_of",
  scalar: V,
  "vector scalar": "clamp_max clamp_min",
  "vector scalar scalar": "clamp",
  "vector scalar?": "round",
  "scalar vector": "histogram_quantile",
  "scalar scalar vector": "histogram_fraction",
  "scalar matrix": "quantile_over_time",
  "matrix scalar": "predict_linear",
  "matrix scalar scalar": "double_exponential_smoothing",
  "vector string string string string": "label_replace",
  "vector string string string..": "label_join",
  "vector string..": "sort_by_label sort_by_label_desc",
};
const SCALARS = new Set(["end", "pi", "range", "start", "step", "time", "max_of", "min_of", "scalar"]);

test("every function: its number of arguments and their types", () => {
  for (const [types, names] of Object.entries(FUNCTIONS)) {
    const wanted = types.split(" ").filter((type) => type !== "");
    const plain = wanted.map((type) => type.replace(/\?|\.\./, "") as Type);
    const least = wanted.length - (/\?|\.\./.test(types) ? 1 : 0);
    for (const name of names.split(" ")) {
      const call = parseQuery(`${name}(${plain.map((type) => ARGUMENTS[type]).join(", ")})`) as Call;
      expect(call.function.name, name).toBe(name);
      expect(call.arguments.length, name).toBe(plain.length);
      expect(call.valueType, name).toBe(SCALARS.has(name) ? "scalar" : "vector");
      const fewer = plain.slice(0, least).map((type) => ARGUMENTS[type]);
      expect(printQuery(parseQuery(`${name}(${fewer.join(", ")})`)), name).toBe(`${name}(${fewer.join(", ")})`);
      const bound = least < plain.length ? "at least " : "";
      if (least > 0)
        expect(refusal(`${name}(${fewer.slice(1).join(", ")})`), name).toBe(
          `1:1: expected ${bound}${least} argument(s) in call to "${name}", got ${least - 1}`,
        );
      const more = [...plain, plain.at(-1) ?? "scalar"].map((type) => ARGUMENTS[type as Type]).join(", ");
      if (types.endsWith("..")) expect(printQuery(parseQuery(`${name}(${more})`)), name).toBe(`${name}(${more})`);
      else
        expect(refusal(`${name}(${more})`), name).toBe(
          `1:1: expected ${bound === "" ? "" : "at most "}${plain.length} argument(s) in call to "${name}", got ${plain.length + 1}`,
        );
      checkTypes(name, plain);
    }
  }
});

/** Tries every wrong type for every argument of a function. */
function checkTypes(name: string, plain: readonly Type[]): void {
  for (const [i, type] of plain.entries())
    for (const wrong of Object.keys(ARGUMENTS) as Type[]) {
      if (wrong === type) continue;
      const given = plain.map((one, at) => ARGUMENTS[at === i ? wrong : one]);
      const column = `${name}(${given.slice(0, i).join(", ")}${i === 0 ? "" : ", "}`.length + 1;
      expect(refusal(`${name}(${given.join(", ")})`)).toBe(
        `1:${column}: expected type ${TYPES[type]} in call to function "${name}", got ${TYPES[wrong]}`,
      );
    }
}

test("functions with rules of their kind", () => {
  expect(printQuery(parseQuery('histogram_quantiles(a, "q", 0.5, 0.9)'))).toBe('histogram_quantiles(a, "q", 0.5, 0.9)');
  expect(refusal(`histogram_quantiles(a, "q"${", 1".repeat(13)})`)).toBe(
    '1:1: expected at most 12 argument(s) in call to "histogram_quantiles", got 15',
  );
  expect(refusal('histogram_quantiles(a, "q")')).toBe(
    '1:1: expected at least 3 argument(s) in call to "histogram_quantiles", got 2',
  );
  expect(printQuery(parseQuery('info(a, {b="c"})'))).toBe('info(a, {b="c"})');
  expect(refusal("info(a, b)")).toBe("1:9: expected label selectors only, got vector selector instead");
  expect(refusal('info(a, -{b="c"})')).toBe("1:9: expected label selectors only");
  expect(refusal("info(a, 1)")).toBe('1:9: expected type instant vector in call to function "info", got scalar');
});

test("aggregations", () => {
  for (const name of "avg count group max min stddev stdvar sum".split(" ")) {
    expect(nested(`${name}(a)`)).toBe(`${name}<a>`);
    expect(refusal(`${name}(1, a)`)).toBe(
      "1:1: wrong number of arguments for aggregate expression provided, expected 1, got 2",
    );
    expect(refusal(`${name}(1)`)).toBe(
      `1:${name.length + 2}: expected type instant vector in aggregation expression, got scalar`,
    );
  }
  for (const name of "bottomk count_values limit_ratio limitk quantile topk".split(" ")) {
    const parameter = name === "count_values" ? '"v"' : "1";
    expect(parseQuery(`${name}(${parameter}, a)`)).toMatchObject({ kind: "aggregation", operator: name });
    expect(refusal(`${name}(a)`)).toBe(
      "1:1: wrong number of arguments for aggregate expression provided, expected 2, got 1",
    );
    expect(refusal(`${name}(a, a)`)).toBe(
      `1:${name.length + 2}: expected type ${name === "count_values" ? "string" : "scalar"} in aggregation parameter, got instant vector`,
    );
  }
});

test("by and without, before or after the arguments", () => {
  const cases = {
    "sum by(x)(a)": "sum by (x) (a)",
    'SUM(a)BY(x,"y.z",by,)': 'sum by (x, "y.z", by) (a)',
    "sum without()(a)": "sum without () (a)",
    "sum(a)without(x)": "sum without (x) (a)",
    "sum by()(a)": "sum(a)",
    "topk(3,a)by(x)": "topk by (x) (3, a)",
    'count_values by(x)("v",a)': 'count_values by (x) ("v", a)',
    "sum by(without, inf, NaN, a:b)(a)": 'sum by (without, inf, NaN, "a:b") (a)',
  };
  for (const [query, want] of Object.entries(cases)) {
    expect(printQuery(parseQuery(query)), query).toBe(want);
    expect(printQuery(parseQuery(want)), want).toBe(want);
  }
  expect(parseQuery("sum(a) without (x)") as Aggregation).toMatchObject({ isWithout: true, grouping: ["x"] });
});

test("wrong calls, with their place", () => {
  const cases = {
    "foo(a)": '1:1: unknown function with name "foo"',
    "STEP()": '1:1: unknown function with name "STEP"',
    "constructor()": '1:1: unknown function with name "constructor"',
    "a:b(c)": '1:4: unexpected "("',
    "abs(a,)": "1:6: trailing commas not allowed in function call args",
    "abs(,a)": '1:5: unexpected ","',
    "abs(a": "1:6: unclosed left parenthesis",
    "abs(a b)": '1:7: unexpected identifier "b"',
    "abs a": '1:5: unexpected identifier "a"',
    "sum()": "1:1: no arguments for aggregate expression provided",
    "sum(a,)": "1:6: trailing commas not allowed in function call args",
    "sum by (x) a": '1:12: unexpected identifier "a" in aggregation',
    "sum by x (a)": '1:8: unexpected identifier "x" in grouping opts, expected "("',
    "sum by (x)(a) by (y)": "1:15: unexpected <by>",
    "rate(sum(a)[5m])": "1:12: ranges only allowed for vector selectors",
    "()": '1:2: unexpected ")"',
    ")": "1:1: unexpected right parenthesis ')'",
    "(a": "1:3: unclosed left parenthesis",
  };
  for (const [query, want] of Object.entries(cases)) expect(refusal(query), query).toBe(want);
});
