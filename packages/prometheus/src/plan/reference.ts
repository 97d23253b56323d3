/** The time at which `info` reads its series: the time of the selectors in its argument, if they have one in common. */
import type { Expression, TimeModifiers } from "../parse/nodes.js";
import { durationOf, type QueryTimes, timeOf } from "./durations.js";
import type { Moved } from "./nodes.js";

/** Returns the time that all selectors in a vector have in common; undefined if they have none, or a part has no selector. */
export function referenceOf(expression: Expression, times: QueryTimes): Moved | undefined {
  const found: (Moved | undefined)[] = [];
  collect(expression, { at: undefined, offset: 0 }, times, found);
  const [first] = found;
  return first !== undefined && found.every((other) => other !== undefined && isEqual(first, other))
    ? first
    : undefined;
}

function isEqual(a: Moved, b: Moved): boolean {
  if (a.at === undefined || b.at === undefined) return a.at === b.at && a.offset === b.offset;
  return a.at - a.offset === b.at - b.offset;
}

/** Adds the times of the selectors in an expression; undefined for a vector without selectors. `outer` is of subqueries around it. */
function collect(expression: Expression, outer: Moved, times: QueryTimes, found: (Moved | undefined)[]): void {
  if (expression.valueType !== "vector" && expression.valueType !== "matrix") return;
  const before = found.length;
  const move = ({ at, offset }: TimeModifiers): Moved => {
    const own = durationOf(offset, times, true);
    // An own `@` makes the subqueries around it irrelevant.
    return at === undefined ? { at: outer.at, offset: outer.offset + own } : { at: timeOf(at, times), offset: own };
  };
  if (expression.kind === "selector") found.push(move(expression));
  else if (expression.kind === "matrix") found.push(move(expression.selector));
  else if (expression.kind === "subquery") collect(expression.expression, move(expression), times, found);
  else for (const child of childrenOf(expression)) collect(child, outer, times, found);
  if (found.length === before) found.push(undefined);
}

function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "parentheses":
    case "unary":
      return [expression.expression];
    case "aggregation":
      return expression.parameter === undefined
        ? [expression.expression]
        : [expression.expression, expression.parameter];
    case "binary":
      return [expression.left, expression.right];
    case "call":
      // The second argument of `info` is not evaluated.
      return expression.function.name === "info" ? expression.arguments.slice(0, 1) : expression.arguments;
    default:
      return [];
  }
}
