/** Prints queries in Prometheus' canonical form. */
import { invalidArgument } from "moonpack/bytes";
import { formatDuration, formatNumber, formatShort } from "./format-number.js";
import type {
  Aggregation,
  Binary,
  DurationExpression,
  DurationOperand,
  DurationValue,
  Expression,
  LabelMatcher,
  NumberLiteral,
  Subquery,
  TimeModifiers,
  VectorMatching,
  VectorSelector,
} from "./nodes.js";
import { quoteText } from "./quote.js";

/**
 * Returns a parsed query in the form that Prometheus prints. Its text gives the same tree again, apart from the order of conditions
 * and from places. Throws `ERR_INVALID_ARGUMENT` for anything else.
 *
 * @example
 * console.log(printQuery(parseQuery("sum(x)by(job)"))); // sum by (job) (x)
 */
export function printQuery(expression: Expression): string {
  return printNode(expression, printQuery);
}

/** Prints a node; `print` prints those below it. Throws `ERR_INVALID_ARGUMENT` for anything else. */
export function printNode(expression: Expression, print: (child: Expression) => string): string {
  switch (expression?.kind) {
    case "number":
      return printNumber(expression);
    case "string":
      return quoteText(expression.value);
    case "selector":
      return `${printSelector(expression)}${printTime(expression)}`;
    case "matrix":
      return `${printSelector(expression.selector)}[${printDuration(expression.range)}]${printTime(expression.selector)}`;
    case "subquery":
      return `${print(expression.expression)}${printSubqueryTime(expression)}`;
    case "parentheses":
      return `(${print(expression.expression)})`;
    case "unary":
      return `${expression.operator}${print(expression.expression)}`;
    case "binary":
      return `${printLeft(expression, print)} ${printOperation(expression)} ${print(expression.right)}`;
    case "aggregation": {
      const { parameter } = expression;
      const first = parameter === undefined ? "" : `${print(parameter)}, `;
      return `${printGrouping(expression)}(${first}${print(expression.expression)})`;
    }
    case "call":
      return `${expression.function.name}(${expression.arguments.map((argument) => print(argument)).join(", ")})`;
    default:
      throw invalidArgument("printQuery takes a tree that parseQuery returned");
  }
}

/** Prints the left side. `+Inf ^ 2` would be read as +(Inf ^ 2). */
export function printLeft({ operator, left }: Binary, print: (child: Expression) => string): string {
  const isInfinity = operator === "^" && left.kind === "number" && left.value === Number.POSITIVE_INFINITY;
  return isInfinity ? "Inf" : print(left);
}

/** Prints the operator with its modifiers. */
export function printOperation({ operator, returnsBool, matching }: Binary): string {
  return `${operator}${returnsBool ? " bool" : ""}${matching === undefined ? "" : printMatching(matching)}`;
}

/** Prints the part before the parenthesis of an aggregation. */
export function printGrouping({ operator, isWithout, grouping }: Aggregation): string {
  const hasClause = isWithout || grouping.length > 0;
  return hasClause ? `${operator} ${isWithout ? "without" : "by"} (${printLabels(grouping)}) ` : operator;
}

/** Prints the part after the expression of a subquery. */
export function printSubqueryTime(subquery: Subquery): string {
  const { range, step } = subquery;
  return `[${printDuration(range)}:${step === undefined ? "" : printDuration(step)}]${printTime(subquery)}`;
}

/** A selector without its time. */
function printSelector({ name, matchers }: VectorSelector): string {
  const shown = matchers.filter(
    (matcher) => name === "" || matcher.name !== "__name__" || matcher.operator !== "=" || matcher.value !== name,
  );
  return shown.length === 0 ? name : `${name}{${shown.map(printMatcher).sort().join(",")}}`;
}

function printMatcher({ name, operator, value }: LabelMatcher): string {
  return `${printLabel(name)}${operator}${quoteText(value)}`;
}

function printLabels(labels: readonly string[]): string {
  return labels.map(printLabel).join(", ");
}

/** A label's name, in quotes unless it is an identifier. */
function printLabel(label: string): string {
  return /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(label) ? label : quoteText(label);
}

function printTime({ at, offset }: TimeModifiers): string {
  const time = at === undefined ? "" : ` @ ${typeof at === "number" ? (at / 1000).toFixed(3) : `${at}()`}`;
  return offset === 0 ? time : `${time} offset ${printDuration(offset)}`;
}

function printMatching({ cardinality, isOn, labels, include, fillLeft, fillRight }: VectorMatching): string {
  const isGrouped = cardinality === "many-to-one" || cardinality === "one-to-many";
  let text = "";
  if (labels.length > 0 || isOn || isGrouped) text += ` ${isOn ? "on" : "ignoring"} (${printLabels(labels)})`;
  if (isGrouped) text += ` group_${cardinality === "many-to-one" ? "left" : "right"} (${printLabels(include)})`;
  if (fillLeft !== undefined && fillLeft === fillRight) return `${text} fill (${formatShort(fillLeft)})`;
  if (fillLeft !== undefined) text += ` fill_left (${formatShort(fillLeft)})`;
  return fillRight === undefined ? text : `${text} fill_right (${formatShort(fillRight)})`;
}

function printDuration(duration: DurationValue): string {
  return typeof duration === "number" ? formatDuration(duration) : printDurationExpression(duration);
}

function printDurationExpression({ operator, left, right, isWrapped }: DurationExpression): string {
  const text = printOperator(operator, left, right);
  // Only after `offset` is a plus before parentheses kept: without it, an operator after them would belong to the duration.
  if (operator === "+" && left === undefined && !isWrapped) return `+${text}`;
  return isWrapped ? `(${text})` : text;
}

function printOperator(
  operator: DurationExpression["operator"],
  left: DurationOperand | undefined,
  right: DurationOperand | undefined,
): string {
  if (right === undefined) return `${operator}()`;
  const last = printOperand(right);
  if (left === undefined) return operator === "-" ? `-${last}` : last;
  const first = printOperand(left);
  return operator === "max_of" || operator === "min_of"
    ? `${operator}(${first}, ${last})`
    : `${first} ${operator} ${last}`;
}

function printOperand(operand: DurationOperand): string {
  return operand.kind === "number" ? printNumber(operand) : printDurationExpression(operand);
}

function printNumber({ value, isDuration }: NumberLiteral): string {
  return isDuration ? formatDuration(Math.round(value * 1000)) : formatNumber(value);
}
