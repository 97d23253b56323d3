/** Checks the types of an expression's parts, with Prometheus' own texts. */
import type { Cursor } from "./cursor.js";
import type { Binary, BinaryOperator, Expression, FunctionSignature, ValueType, VectorMatching } from "./nodes.js";
import { quoteText } from "./quote.js";

const COMPARISONS: readonly string[] = ["==", "!=", "<", "<=", ">", ">="];
const SET_OPERATORS: readonly string[] = ["and", "or", "unless"];

/** The documented name of a type. */
function nameOf(type: ValueType): string {
  return type === "vector" ? "instant vector" : type === "matrix" ? "range vector" : type;
}

/** Throws `ERR_PROMQL_SYNTAX` unless an expression has this type. */
export function expectType(c: Cursor, expression: Expression, type: ValueType, context: string): void {
  const { start, valueType } = expression;
  if (valueType !== type) throw c.error(start, `expected type ${nameOf(type)} in ${context}, got ${nameOf(valueType)}`);
}

/** Checks the number and the types of a call's arguments. Throws `ERR_PROMQL_SYNTAX`. */
export function checkCall(c: Cursor, start: number, signature: FunctionSignature, args: readonly Expression[]): void {
  const { name, argumentTypes, variadic } = signature;
  const least = variadic === 0 ? argumentTypes.length : argumentTypes.length - 1;
  const most = variadic < 0 ? Number.POSITIVE_INFINITY : least + variadic;
  if (args.length < least || args.length > most) {
    const bound = variadic === 0 ? "" : args.length < least ? "at least " : "at most ";
    const count = args.length < least ? least : most;
    throw c.error(start, `expected ${bound}${count} argument(s) in call to ${quoteText(name)}, got ${args.length}`);
  }
  args.forEach((argument, i) => {
    expectType(
      c,
      argument,
      argumentTypes[Math.min(i, argumentTypes.length - 1)]!,
      `call to function ${quoteText(name)}`,
    );
  });
  const labels = name === "info" ? args[1] : undefined;
  if (labels === undefined) return;
  if (labels.kind !== "selector") throw c.error(labels.start, "expected label selectors only");
  if (labels.name !== "") throw c.error(labels.start, "expected label selectors only, got vector selector instead");
}

/** Checks an aggregation's arguments. Throws `ERR_PROMQL_SYNTAX`. */
export function checkAggregation(
  c: Cursor,
  operator: string,
  expression: Expression,
  parameter: Expression | undefined,
): void {
  expectType(c, expression, "vector", "aggregation expression");
  if (parameter !== undefined)
    expectType(c, parameter, operator === "count_values" ? "string" : "scalar", "aggregation parameter");
}

/** Checks the operand of a sign. Throws `ERR_PROMQL_SYNTAX`. */
export function checkUnary(c: Cursor, start: number, operand: Expression): "scalar" | "vector" {
  const { valueType } = operand;
  if (valueType === "scalar" || valueType === "vector") return valueType;
  const text = `unary expression only allowed on expressions of type scalar or instant vector, got "${nameOf(valueType)}"`;
  throw c.error(start, text);
}

/** Returns the type and the matching of a binary expression. Throws `ERR_PROMQL_SYNTAX`. */
export function checkBinary(
  c: Cursor,
  operator: BinaryOperator,
  at: number,
  left: Expression,
  right: Expression,
  returnsBool: boolean,
  matching: VectorMatching,
): Pick<Binary, "valueType" | "matching"> {
  const areScalars = left.valueType === "scalar" && right.valueType === "scalar";
  const isComparison = COMPARISONS.includes(operator);
  const isSet = SET_OPERATORS.includes(operator);
  if (returnsBool && !isComparison) throw c.error(at, "bool modifier can only be used on comparison operators");
  if (isComparison && !returnsBool && areScalars)
    throw c.error(at, "comparisons between scalars must use BOOL modifier");
  const included = new Set(matching.isOn ? matching.include : []);
  const twice = matching.labels.find((label) => included.has(label));
  if (twice !== undefined) throw c.error(at, `label ${quoteText(twice)} must not occur in ON and GROUP clause at once`);
  for (const { valueType, start } of [left, right])
    if (valueType !== "scalar" && valueType !== "vector")
      throw c.error(start, "binary expression must contain only scalar and instant vector types");
  const hasFill = matching.fillLeft !== undefined || matching.fillRight !== undefined;
  if (left.valueType !== "vector" || right.valueType !== "vector") {
    if (matching.labels.length > 0) throw c.error(left.start, "vector matching only allowed between instant vectors");
    if (hasFill) throw c.error(left.start, "filling in missing series only allowed between instant vectors");
    if (isSet) throw c.error(left.start, `set operator ${quoteText(operator)} not allowed in binary scalar expression`);
    return { valueType: areScalars ? "scalar" : "vector", matching: undefined };
  }
  if (!isSet) return { valueType: "vector", matching };
  if (matching.cardinality !== "one-to-one")
    throw c.error(left.start, `no grouping allowed for ${quoteText(operator)} operation`);
  if (hasFill) throw c.error(left.start, "filling in missing series not allowed for set operators");
  return { valueType: "vector", matching: { ...matching, cardinality: "many-to-many" } };
}
