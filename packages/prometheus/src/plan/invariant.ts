/** Finds the expressions whose value is the same at all steps. */
import type { Call, Expression } from "../parse/nodes.js";
import type { QueryTimes } from "./durations.js";
import { referenceOf } from "./reference.js";

/** The functions whose value depends on the time even where their arguments do not. */
const TIMED: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "day_of_month",
  "day_of_week",
  "day_of_year",
  "days_in_month",
  "hour",
  "minute",
  "month",
  "predict_linear",
  "time",
  "timestamp",
  "year",
]);

/** Returns an expression without the parentheses around it. */
export function unwrapped(expression: Expression): Expression {
  let inner = expression;
  while (inner.kind === "parentheses") inner = inner.expression;
  return inner;
}

/** Returns all expressions in a query, subqueries included, whose value is the same at all steps. Each is visited once. */
export function findInvariants(query: Expression, times: QueryTimes): ReadonlySet<Expression> {
  const found = new Set<Expression>();
  const visit = (expression: Expression): boolean => {
    const isInvariant = check(expression);
    if (isInvariant) found.add(expression);
    return isInvariant;
  };
  const check = (expression: Expression): boolean => {
    switch (expression.kind) {
      case "number":
      case "string":
        return true;
      case "selector":
        return expression.at !== undefined;
      case "matrix":
        return expression.selector.at !== undefined;
      case "subquery":
        visit(expression.expression);
        return expression.at !== undefined;
      case "parentheses":
      case "unary":
        return visit(expression.expression);
      case "binary": {
        const isLeft = visit(expression.left);
        return visit(expression.right) && isLeft;
      }
      case "aggregation":
        // As in Prometheus, a parameter that varies does not matter: it is read at the first step.
        if (expression.parameter !== undefined) visit(expression.parameter);
        return visit(expression.expression);
      case "call":
        return checkCall(expression);
    }
  };
  const checkCall = (call: Call): boolean => {
    const { name } = call.function;
    const args = name === "info" ? call.arguments.slice(0, 1) : call.arguments;
    const areInvariant = args.map(visit).every((isInvariant) => isInvariant);
    if (!areInvariant || (name === "info" && referenceOf(args[0]!, times) === undefined)) return false;
    return !TIMED.has(name) || (name === "timestamp" && unwrapped(args[0]!).kind === "selector");
  };
  visit(query);
  return found;
}
