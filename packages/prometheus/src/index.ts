/** `@moonpack/prometheus`: PromQL over stores of `@moonpack/series`. */
export { MoonpackError } from "moonpack/bytes";
export { PROMETHEUS_ERROR_CODES, PrometheusError, type QueryPlace } from "./errors.js";
export type {
  Aggregation,
  AggregationOperator,
  ArithmeticOperator,
  Binary,
  BinaryOperator,
  Call,
  ComparisonOperator,
  DurationExpression,
  DurationOperand,
  DurationValue,
  Expression,
  FunctionSignature,
  LabelMatcher,
  MatrixSelector,
  NumberLiteral,
  Parentheses,
  SetOperator,
  Span,
  StringLiteral,
  Subquery,
  TimeModifiers,
  Unary,
  ValueType,
  VectorMatching,
  VectorSelector,
} from "./parse/nodes.js";
export { parseMatchers, parseQuery } from "./parse/parse.js";
export { printQuery } from "./parse/print.js";
