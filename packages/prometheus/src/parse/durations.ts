/** Parses durations in brackets and after `offset`: literals, and arithmetic with `step()`, `range()`, `min_of` and `max_of`. */
import type { Cursor } from "./cursor.js";
import type { DurationExpression, DurationOperand, DurationValue, NumberLiteral } from "./nodes.js";
import { durationSeconds, numberValue } from "./scan-number.js";
import { DURATION_WORDS } from "./tokens.js";

/** The precedence of the operators; a sign has 2. */
const PRECEDENCES: ReadonlyMap<string, number> = /* @__PURE__ */ new Map([
  ["+", 1],
  ["-", 1],
  ["*", 2],
  ["/", 2],
  ["%", 2],
  ["^", 3],
]);
/** The longest duration in seconds: 2^63 nanoseconds. */
const MAX_SECONDS = 2 ** 63 / 1e9;

/** Parses a duration in brackets. Throws `ERR_PROMQL_SYNTAX` unless it is greater than 0, where that is known. */
export function parsePositiveDuration(c: Cursor, context: string, expected: string): DurationValue {
  if (!isSign(c)) checkOperand(c, context, expected);
  const duration = parseBinary(c, 1);
  if (duration.kind === "number" && duration.value <= 0)
    throw c.error(duration.start, "duration must be greater than 0");
  return millisecondsOf(duration);
}

/**
 * Parses the duration after `offset`. It ends after a literal or a call with or without a sign, where an operator would belong to
 * the query: `x offset 5m + 1` is `(x offset 5m) + 1`. After a parenthesis or two signs it continues, as in Prometheus.
 */
export function parseOffset(c: Cursor): DurationValue {
  const sign = isSign(c) ? c.next() : undefined;
  if (sign !== undefined && isSign(c)) {
    const duration = continueBinary(c, signed(c, sign.kind, sign.start, parseBinary(c, 3)), 1);
    // Printed in parentheses, since a text that begins with the value of two signs would end earlier.
    const isOpen = duration.kind === "duration" && duration.left !== undefined;
    return millisecondsOf(isOpen ? { ...duration, isWrapped: true } : duration);
  }
  checkOperand(c, "offset", OPERANDS);
  if (sign === undefined) return millisecondsOf(c.is("(") ? parseBinary(c, 1) : parseOperand(c));
  const operand = parseOperand(c);
  if (sign.kind === "-" || operand.kind === "number" || !operand.isWrapped)
    return millisecondsOf(signed(c, sign.kind, sign.start, operand));
  c.grow(c.height);
  return durationNode("+", undefined, operand, sign.start, operand.end);
}

/** The tokens that begin a duration. */
export const OPERANDS = "number, duration, step(), or range()";

/** Throws `ERR_PROMQL_SYNTAX` unless the next token begins an operand. */
function checkOperand(c: Cursor, context: string, expected: string): void {
  if (!isNumber(c) && !DURATION_WORDS.has(c.token.kind) && !c.is("(")) throw c.unexpected(context, expected);
}

/** Parses a number or a duration as a number of seconds. */
export function parseNumber(c: Cursor): NumberLiteral {
  const { kind, text, start } = c.next();
  const isDuration = kind === "duration";
  const value = isDuration ? durationSeconds(c.query, start, text) : numberValue(c.query, start, text);
  c.height = 1;
  return { kind: "number", valueType: "scalar", value, isDuration, start, end: c.end };
}

/** True if the next token is a number or a duration. */
export function isNumber(c: Cursor): boolean {
  return c.is("number") || c.is("duration");
}

/** True if the next token is a sign. */
export function isSign(c: Cursor): boolean {
  return c.is("+") || c.is("-");
}

function parseBinary(c: Cursor, least: number): DurationOperand {
  c.enter();
  let left: DurationOperand;
  if (isSign(c)) {
    const sign = c.next();
    left = signed(c, sign.kind, sign.start, parseBinary(c, 3));
  } else left = parseOperand(c);
  left = continueBinary(c, left, least);
  c.leave();
  return left;
}

/** Parses the operators that follow `left` and bind at least as tightly as `least`. */
function continueBinary(c: Cursor, left: DurationOperand, least: number): DurationOperand {
  let whole = left;
  for (;;) {
    const precedence = PRECEDENCES.get(c.token.kind);
    if (precedence === undefined || precedence < least) return whole;
    const { kind, start } = c.next();
    const { height } = c;
    const right = parseBinary(c, kind === "^" ? precedence : precedence + 1);
    if (right.kind === "number" && right.value === 0 && (kind === "/" || kind === "%"))
      throw c.error(start, kind === "/" ? "division by zero" : "modulo by zero");
    c.grow(Math.max(height, c.height));
    whole = durationNode(kind, whole, right, whole.start, right.end);
  }
}

function parseOperand(c: Cursor): DurationOperand {
  if (isNumber(c)) return inRange(c, parseNumber(c));
  if (DURATION_WORDS.has(c.token.kind)) return parseCall(c);
  checkOperand(c, "duration", OPERANDS);
  const { start } = c.next();
  const inner = parseBinary(c, 1);
  c.expect(")");
  if (inner.kind === "duration") return { ...inner, isWrapped: true };
  c.grow(c.height);
  return { ...durationNode("+", undefined, inner, start, c.end), isWrapped: true };
}

function parseCall(c: Cursor): DurationExpression {
  const { kind, start } = c.next();
  c.expect("(");
  if (kind === "step" || kind === "range") {
    c.expect(")");
    c.height = 1;
    return durationNode(kind, undefined, undefined, start, c.end);
  }
  const left = parseBinary(c, 1);
  const { height } = c;
  c.expect(",");
  const right = parseBinary(c, 1);
  c.expect(")");
  c.grow(Math.max(height, c.height));
  return durationNode(kind, left, right, start, c.end);
}

/** A duration with a sign before it. */
function signed(c: Cursor, sign: string, start: number, operand: DurationOperand): DurationOperand {
  if (operand.kind === "number") return { ...operand, value: sign === "-" ? -operand.value : operand.value, start };
  if (sign === "+") return operand;
  c.grow(c.height);
  return durationNode("-", undefined, operand, start, operand.end);
}

function inRange(c: Cursor, literal: NumberLiteral): NumberLiteral {
  if (!(literal.value <= MAX_SECONDS)) throw c.error(literal.start, "duration out of range");
  return literal;
}

function durationNode(
  operator: string,
  left: DurationOperand | undefined,
  right: DurationOperand | undefined,
  start: number,
  end: number,
): DurationExpression {
  return {
    kind: "duration",
    operator: operator as DurationExpression["operator"],
    left,
    right,
    isWrapped: false,
    start,
    end,
  };
}

/** A literal in milliseconds, by way of whole nanoseconds: 1.001 * 1000 is not 1001. */
function millisecondsOf(duration: DurationOperand): DurationValue {
  return duration.kind === "number" ? Math.trunc(Math.round(duration.value * 1e9) / 1e6) + 0 : duration;
}
