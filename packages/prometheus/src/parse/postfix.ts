/** Parses what follows a selector or a subquery: a range, the steps of a subquery, `offset` and `@`. */
import type { Cursor } from "./cursor.js";
import { isNumber, isSign, OPERANDS, parseNumber, parseOffset, parsePositiveDuration } from "./durations.js";
import { formatNumber } from "./format-number.js";
import type { DurationValue, Expression, MatrixSelector, Subquery, TimeModifiers, VectorSelector } from "./nodes.js";

/** Parses the modifiers after an expression; they bind more tightly than any operator. Throws `ERR_PROMQL_SYNTAX`. */
export function parsePostfix(c: Cursor, expression: Expression): Expression {
  let whole = expression;
  for (;;) {
    const { kind, start } = c.token;
    if (kind === "[") whole = parseRange(c, whole);
    else if (kind === "offset") whole = parseOffsetModifier(c, whole);
    else if (kind === "@") whole = parseAt(c, whole);
    else if (kind === "anchored" || kind === "smoothed") throw c.error(start, `${kind} modifier is not supported`);
    else return whole;
  }
}

function parseRange(c: Cursor, expression: Expression): MatrixSelector | Subquery {
  const { start } = c.next();
  const { height } = c;
  const range = parsePositiveDuration(c, "subquery or range selector", OPERANDS);
  c.grow(Math.max(height, c.height));
  if (c.skip(":")) return parseSubquery(c, expression, range);
  c.expect("]", "subquery or range", '":" or "]"');
  if (expression.kind !== "selector") throw c.error(start, "ranges only allowed for vector selectors");
  if (expression.offset !== 0) throw c.error(start, "no offset modifiers allowed before range");
  if (expression.at !== undefined) throw c.error(start, "no @ modifiers allowed before range");
  return { kind: "matrix", valueType: "matrix", selector: expression, range, start: expression.start, end: c.end };
}

function parseSubquery(c: Cursor, expression: Expression, range: DurationValue): Subquery {
  let step: DurationValue | undefined;
  if (!c.is("]")) {
    const { height } = c;
    step = parsePositiveDuration(c, "subquery selector", `${OPERANDS.replace("or ", "")}, or "]"`);
    c.grow(Math.max(height, c.height));
    c.expect("]", "subquery selector", '"]"');
  } else c.next();
  const { start, valueType } = expression;
  if (valueType !== "vector")
    throw c.error(start, `subquery is only allowed on instant vector, got ${valueType} instead`);
  // A step below a millisecond is the default step, as in Prometheus' engine.
  if (step === 0) step = undefined;
  return {
    kind: "subquery",
    valueType: "matrix",
    expression,
    range,
    step,
    offset: 0,
    at: undefined,
    start,
    end: c.end,
  };
}

function parseOffsetModifier(c: Cursor, expression: Expression): Expression {
  c.next();
  const { height } = c;
  const offset = parseOffset(c);
  c.grow(Math.max(height, c.height));
  const target = modified(expression);
  if (target === undefined)
    throw c.error(
      expression.start,
      "offset modifier must be preceded by an instant vector selector or range vector selector or a subquery",
    );
  if (target.offset !== 0) throw c.error(expression.start, "offset may not be set multiple times");
  return withTime(c, expression, { offset, at: target.at });
}

function parseAt(c: Cursor, expression: Expression): Expression {
  c.next();
  const { height } = c;
  const at = parseTime(c, expression.start);
  c.height = height;
  const target = modified(expression);
  if (target === undefined)
    throw c.error(
      expression.start,
      "@ modifier must be preceded by an instant vector selector or range vector selector or a subquery",
    );
  if (target.at !== undefined) throw c.error(expression.start, "@ <timestamp> may not be set multiple times");
  return withTime(c, expression, { offset: target.offset, at });
}

/** Parses the time of `@`, in seconds. Returns milliseconds. */
function parseTime(c: Cursor, start: number): number | "start" | "end" {
  if (c.is("start") || c.is("end")) {
    const which = c.next().text.toLowerCase();
    c.expect("(");
    c.expect(")");
    return which === "start" ? "start" : "end";
  }
  const isNegative = isSign(c) && c.next().kind === "-";
  if (!isNumber(c)) throw c.unexpected("@", "timestamp");
  const { value } = parseNumber(c);
  const seconds = isNegative ? 0 - value : value;
  const ms = Math.round(seconds * 1000);
  if (!(Math.abs(ms) < 2 ** 63))
    throw c.error(start, `timestamp out of bounds for @ modifier: ${formatNumber(seconds)}`);
  return ms;
}

/** The part of an expression that has the modifiers; undefined if it can have none. */
function modified(expression: Expression): VectorSelector | Subquery | undefined {
  if (expression.kind === "matrix") return expression.selector;
  return expression.kind === "selector" || expression.kind === "subquery" ? expression : undefined;
}

/** Returns an expression with other modifiers. */
function withTime(c: Cursor, expression: Expression, time: TimeModifiers): Expression {
  if (expression.kind === "matrix") return { ...expression, selector: { ...expression.selector, ...time }, end: c.end };
  return { ...(expression as VectorSelector | Subquery), ...time, end: c.end };
}
