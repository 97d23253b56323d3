/** Parses expressions, by the precedence of their operators. */
import { checkAggregation, checkBinary, checkCall, checkUnary } from "./check.js";
import type { Cursor } from "./cursor.js";
import { isNumber, isSign, parseNumber } from "./durations.js";
import { signatureOf } from "./functions.js";
import { parseGrouping, parseModifiers } from "./grouping.js";
import { parseSelector } from "./matchers.js";
import type { Aggregation, AggregationOperator, BinaryOperator, Call, Expression } from "./nodes.js";
import { parsePostfix } from "./postfix.js";
import { quoteText } from "./quote.js";
import { stringValue } from "./scan-string.js";
import { AGGREGATIONS, isMetricName, type Token } from "./tokens.js";

/** The binding of the operators. A sign binds like `*`: `-1 ^ 2` is -(1 ^ 2). */
const PRECEDENCES: ReadonlyMap<string, number> = /* @__PURE__ */ new Map([
  ["or", 1],
  ["and", 2],
  ["unless", 2],
  ["==", 3],
  ["!=", 3],
  ["<", 3],
  ["<=", 3],
  [">", 3],
  [">=", 3],
  ["</", 3],
  [">/", 3],
  ["+", 4],
  ["-", 4],
  ["*", 5],
  ["/", 5],
  ["%", 5],
  ["atan2", 5],
  ["^", 6],
]);
/** The binding of `^`, the only operator that is right-associative and binds more tightly than a sign. */
const POWER = 6;

/** Parses an expression whose operators bind at least as tightly as `least`. Throws `ERR_PROMQL_SYNTAX`, `ERR_LIMIT_DEPTH`. */
export function parseExpression(c: Cursor, least = 1): Expression {
  c.enter();
  let left = isSign(c) ? parseSigned(c) : parsePostfix(c, parsePrimary(c));
  for (;;) {
    const precedence = PRECEDENCES.get(c.token.kind);
    if (precedence === undefined || precedence < least) break;
    const { height } = c;
    const { kind, start } = c.next();
    const operator = kind as BinaryOperator;
    const { returnsBool, matching } = parseModifiers(c);
    const right = parseExpression(c, precedence === POWER ? precedence : precedence + 1);
    c.grow(Math.max(height, c.height));
    const checked = checkBinary(c, operator, start, left, right, returnsBool, matching);
    left = { kind: "binary", operator, left, right, returnsBool, ...checked, start: left.start, end: right.end };
  }
  c.leave();
  return left;
}

function parseSigned(c: Cursor): Expression {
  const { kind, start } = c.next();
  const operand = parseExpression(c, POWER);
  if (operand.kind === "number") return { ...operand, value: kind === "-" ? -operand.value : operand.value, start };
  c.grow(c.height);
  const valueType = checkUnary(c, start, operand);
  return { kind: "unary", valueType, operator: kind === "-" ? "-" : "+", expression: operand, start, end: operand.end };
}

function parsePrimary(c: Cursor): Expression {
  if (isNumber(c)) return parseNumber(c);
  if (c.is("string")) return parseString(c);
  if (c.is("(")) return parseParentheses(c);
  if (c.is("{")) return parseSelector(c);
  if (!isMetricName(c.token)) throw c.unexpected();
  const word = c.next();
  const isCall = c.is("(");
  if (AGGREGATIONS.has(word.kind) && (isCall || c.is("by") || c.is("without"))) return parseAggregation(c, word);
  return isCall && isFunctionName(word) ? parseCall(c, word) : parseSelector(c, word);
}

function isFunctionName({ kind }: Token): boolean {
  return kind === "identifier" || signatureOf(kind) !== undefined;
}

function parseString(c: Cursor): Expression {
  const { start } = c.next();
  c.height = 1;
  return { kind: "string", valueType: "string", value: stringValue(c.query, start, c.end), start, end: c.end };
}

function parseParentheses(c: Cursor): Expression {
  const { start } = c.next();
  const expression = parseExpression(c);
  c.expect(")");
  c.grow(c.height);
  return { kind: "parentheses", valueType: expression.valueType, expression, start, end: c.end };
}

function parseAggregation(c: Cursor, { kind, start }: Token): Aggregation {
  const before = parseGroupingClause(c);
  const args = parseArguments(c, "");
  const { height } = c;
  const { grouping, isWithout } = before ?? parseGroupingClause(c) ?? { grouping: [], isWithout: false };
  const count = AGGREGATIONS.get(kind) === true ? 2 : 1;
  if (args.length === 0) throw c.error(start, "no arguments for aggregate expression provided");
  if (args.length !== count) {
    const text = `wrong number of arguments for aggregate expression provided, expected ${count}, got ${args.length}`;
    throw c.error(start, text);
  }
  const operator = kind as AggregationOperator;
  const expression = args[count - 1]!;
  const parameter = count === 2 ? args[0] : undefined;
  checkAggregation(c, operator, expression, parameter);
  c.grow(height);
  const { end } = c;
  return { kind: "aggregation", valueType: "vector", operator, expression, parameter, grouping, isWithout, start, end };
}

/** Parses `by (..)` or `without (..)`; undefined without one. */
function parseGroupingClause(c: Cursor): { grouping: string[]; isWithout: boolean } | undefined {
  const isWithout = c.is("without");
  return c.skip("without") || c.skip("by") ? { grouping: parseGrouping(c), isWithout } : undefined;
}

function parseCall(c: Cursor, { text: name, start }: Token): Call {
  const signature = signatureOf(name);
  if (signature === undefined) throw c.error(start, `unknown function with name ${quoteText(name)}`);
  const args = parseArguments(c, name);
  c.grow(c.height);
  checkCall(c, start, signature, args);
  return { kind: "call", valueType: signature.returnType, function: signature, arguments: args, start, end: c.end };
}

/** Parses the arguments of a function or an aggregation, in parentheses. */
function parseArguments(c: Cursor, name: string): Expression[] {
  c.expect("(", name === "" ? "aggregation" : "");
  const args: Expression[] = [];
  let height = 0;
  while (!c.skip(")")) {
    c.allowsEmptySelector = name === "info" && args.length === 1 && c.is("{");
    args.push(parseExpression(c));
    height = Math.max(height, c.height);
    if (c.is(")")) continue;
    const { start } = c.expect(",");
    if (c.is(")")) throw c.error(start, "trailing commas not allowed in function call args");
  }
  c.height = height;
  return args;
}
