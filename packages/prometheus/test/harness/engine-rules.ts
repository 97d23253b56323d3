/** The differences from Prometheus' engine that are meant: those of numbers and notes, and those that a part of a query explains. */
import type { Aggregation, Call, Expression, Subquery, VectorSelector } from "@moonpack/prometheus";

/** A difference, and what the rules need to know of it. */
export interface Difference {
  readonly difference: string;
  /** Set if only notes differ, or if only Prometheus refuses the query. */
  readonly only?: "notes" | "their error";
  /** True if the data have a histogram with two buckets of the same bound, in two forms. */
  readonly hasEqualBounds: boolean;
}

/** True if a part of the query meets the condition. */
function some(expression: Expression, holds: (part: Expression) => boolean): boolean {
  return holds(expression) || childrenOf(expression).some((child) => some(child, holds));
}

function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "binary":
      return [expression.left, expression.right];
    case "aggregation":
      return expression.parameter === undefined
        ? [expression.expression]
        : [expression.parameter, expression.expression];
    case "call":
      return expression.arguments;
    case "matrix":
      return [expression.selector];
    case "subquery":
    case "parentheses":
    case "unary":
      return [expression.expression];
    default:
      return [];
  }
}

function unwrapped(expression: Expression): Expression {
  return expression.kind === "parentheses" ? unwrapped(expression.expression) : expression;
}

/** An aggregation of one of these operators over series that are computed: their order is that of a map of Go. */
function isOverComputed(part: Expression, operators: readonly Aggregation["operator"][]): boolean {
  return (
    part.kind === "aggregation" && operators.includes(part.operator) && unwrapped(part.expression).kind !== "selector"
  );
}

function isCallOf(part: Expression, name: string): part is Call {
  return part.kind === "call" && part.function.name === name;
}

/** A selector or a subquery with `@`. */
function isAt(part: Expression): part is VectorSelector | Subquery {
  return (part.kind === "selector" || part.kind === "subquery") && part.at !== undefined;
}

const INEXACT = /^(?:exp|ln|log2|log10|a?(?:sin|cos|tan)h?|atan2|\^|sum|avg|stddev|stdvar)$/;
const DECISIVE =
  /^(?:sin|cos|tan|floor|ceil|round|sgn|(?:stddev|stdvar)(?:_over_time)?|delta|count_values|limit_ratio|-|%|[=!]=|[<>]=?)$/;

/** The name of a function, or an operator. */
function nameOf(part: Expression): string {
  if (part.kind === "call") return part.function.name;
  return part.kind === "binary" || part.kind === "aggregation" ? part.operator : "";
}

/** Differences of numbers and notes, with the most of a hundred queries that may have them. */
export const CLOSE = {
  // Numbers, also in labels and notes, differ by less than in Prometheus' own tests, a millionth. V8's `^`, `exp` and functions of
  // angles round otherwise than Go's, and Go adds up computed series in the order of a map, which is another one in each run.
  "last digits": 2,
  // The note on falling counts of buckets has another number of samples. In range queries Prometheus adds the notes of all steps
  // before to each step's, so that 14 samples become 1,564, or overflow.
  "counts of notes": 1,
  // Of equal notes the last place counts. Ours computes the number beside a vector before the vector, Prometheus the left side first.
  "places of notes": 0.1,
  // Go's `exp` on x86 is infinite from 709.4 on, not from 709.8 on.
  overflow: 0.1,
  // Of 0 and -0, min and max take the one that comes first in the order of a map of Go.
  "sign of zero": 0.1,
} as const;

/** Rules: each with the most of a hundred queries that may have it, and the difference that it explains. */
export const RULES: readonly [
  name: string,
  most: number,
  explains: (query: Expression, found: Difference) => boolean,
][] = [
  // Prometheus forgets `@ start()` in the parameter of an aggregation, and lets other times there move on with the steps.
  [
    "parameter with @",
    0.1,
    (query) =>
      some(query, (part) => part.kind === "aggregation" && part.parameter !== undefined && some(part.parameter, isAt)),
  ],
  // Of a subquery with `@`, steps are computed there that no result reads: notes and errors come from them.
  [
    "more steps",
    0.1,
    (query, { only }) => only !== undefined && some(query, (part) => part.kind === "subquery" && isAt(part)),
  ],
  // Of a selector with both `@` and `offset`, timestamp there forgets the offset.
  [
    "timestamp",
    0.2,
    (query) =>
      some(query, (part) => {
        const argument = isCallOf(part, "timestamp") ? unwrapped(part.arguments[0]!) : part;
        return argument !== part && argument.kind === "selector" && isAt(argument) && argument.offset !== 0;
      }),
  ],
  // `@` in a subquery with `offset` or `@` is moved by it there, if the first step of the subquery is that of the query.
  [
    "moved @",
    0.1,
    (query) =>
      some(
        query,
        (part) => part.kind === "subquery" && (part.offset !== 0 || isAt(part)) && some(part.expression, isAt),
      ),
  ],
  // Of computed series, limitk takes the first ones in the order of a map of Go.
  ["limitk", 0.2, (query) => some(query, (part) => isOverComputed(part, ["limitk"]))],
  // Of equal values of computed series, topk and bottomk take those that come first in the order of a map of Go.
  ["ties", 0.2, (query) => some(query, (part) => isOverComputed(part, ["topk", "bottomk"]))],
  // For its second quantile, histogram_quantiles there reads buckets of which the first one has merged those with equal bounds.
  [
    "equal bounds",
    0.3,
    (query, { hasEqualBounds }) =>
      hasEqualBounds && some(query, (part) => isCallOf(part, "histogram_quantiles") && part.arguments.length > 3),
  ],
  // ts_of_last_over_time has no times before 1970 there.
  [
    "before 1970",
    0.1,
    (query) =>
      some(
        query,
        (part) => isCallOf(part, "ts_of_last_over_time") && some(part, (inner) => isAt(inner) && Number(inner.at) <= 0),
      ),
  ],
  // The last digit of a number decides on an angle, a comparison, a remainder, a small difference, a label or its hash.
  [
    "rounded before",
    0.1,
    (query) =>
      some(
        query,
        (part) =>
          DECISIVE.test(nameOf(part)) &&
          childrenOf(part).some((child) => some(child, (inner) => INEXACT.test(nameOf(inner)))),
      ),
  ],
];

/** True if a part is evaluated at steps also in an instant query. */
export function hasSubquery(query: Expression): boolean {
  return some(query, (part) => part.kind === "subquery");
}

/** True if the values of an instant query are in an order. */
export function isSorted(query: Expression): boolean {
  const outer = unwrapped(query);
  if (outer.kind === "unary") return outer.operator === "+" && isSorted(outer.expression);
  if (outer.kind === "call") return outer.function.name === "sort" || outer.function.name === "sort_desc";
  const isSelection = outer.kind === "aggregation" && (outer.operator === "topk" || outer.operator === "bottomk");
  return isSelection && outer.grouping.length === 0 && !outer.isWithout;
}
