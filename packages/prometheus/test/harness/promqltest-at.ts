/** The same queries at other times: with `@` at each selector the result does not depend on the time. */
import { type Expression, parseQuery, printQuery, type VectorSelector } from "@moonpack/prometheus";

/** Calls whose result depends on the time in any case. */
const TIMED =
  /\b(?:days_in_month|day_of_month|day_of_week|day_of_year|end|hour|minute|month|year|predict_linear|range|start|step|time|timestamp) *\(/;

/** Returns a query with `@` at each selector, at several times; none if its result depends on the time. */
export function atCases(query: string, time: number): { query: string; time: number }[] {
  if (TIMED.test(query)) return [];
  let expression: Expression;
  try {
    expression = parseQuery(query);
  } catch {
    return [];
  }
  const text = printQuery(withAt(expression, time));
  const times = time === 0 ? [-1000, 0, 1000] : [-10 * time, 0, Math.trunc(time / 5), time, 10 * time];
  return times.map((one) => ({ query: text, time: one }));
}

function withAt(expression: Expression, at: number): Expression {
  switch (expression.kind) {
    case "selector":
      return { ...expression, at: expression.at ?? at };
    case "matrix":
      return { ...expression, selector: withAt(expression.selector, at) as VectorSelector };
    case "subquery":
      // Selectors in a subquery move with its own time.
      return { ...expression, at: expression.at ?? at };
    case "parentheses":
    case "unary":
      return { ...expression, expression: withAt(expression.expression, at) };
    case "binary":
      return { ...expression, left: withAt(expression.left, at), right: withAt(expression.right, at) };
    case "aggregation": {
      const { parameter } = expression;
      return {
        ...expression,
        expression: withAt(expression.expression, at),
        parameter: parameter === undefined ? undefined : withAt(parameter, at),
      };
    }
    case "call":
      return { ...expression, arguments: expression.arguments.map((argument) => withAt(argument, at)) };
    default:
      return expression;
  }
}
