/** `@moonpack/prometheus`: PromQL over stores of `@moonpack/series`. */
export { MoonpackError } from "moonpack/bytes";
export { PROMETHEUS_ERROR_CODES, PrometheusError, type QueryPlace } from "./errors.js";
export type { QueryLimits } from "./eval/budget.js";
export { evaluate } from "./eval/evaluate.js";
export { Labels } from "./eval/labels.js";
export { labelsTest, valueTest } from "./eval/matchers.js";
export type { EvaluateOptions } from "./eval/options.js";
export {
  type LabelsObject,
  type MatrixRow,
  type QueryResult,
  type QueryValue,
  type ResultSeries,
  resultRows,
  type VectorRow,
} from "./eval/result.js";
export type { SampleSeries, SeriesSource } from "./eval/source.js";
export type { ListenOptions, PrometheusServer } from "./http/listen.js";
export type { HttpAnswer, HttpRequest } from "./http/messages.js";
export type { NodeHandler } from "./http/node.js";
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
export { formatQuery } from "./parse/pretty.js";
export { printQuery } from "./parse/print.js";
export { createPrometheus, type Prometheus, type QueryAnswer, type SeriesRow } from "./prometheus.js";
export type {
  FindOptions,
  PrometheusOptions,
  QueryOptions,
  QueryTime,
  RangeOptions,
  ReadOptions,
} from "./query/options.js";
export type { MetricsRegistry, ScrapeJob, ScrapeOptions, ScrapeTarget, TargetState } from "./scrape/types.js";
