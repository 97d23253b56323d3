/** The nodes of a parsed query. Offsets in the text are in UTF-16 code units; durations and times are in milliseconds. */

/** The type of an expression's value. */
export type ValueType = "scalar" | "vector" | "matrix" | "string";

/** The place of a node in the text of its query. */
export interface Span {
  /** The offset of its first character. */
  readonly start: number;
  /** The offset after its last character. */
  readonly end: number;
}

/** A condition on a label. */
export interface LabelMatcher {
  /** The name of the label; `__name__` for the metric's name. */
  readonly name: string;
  /** The operator: equal, not equal, matches the regular expression, does not match it. */
  readonly operator: "=" | "!=" | "=~" | "!~";
  /** The text, or the regular expression (RE2), which must match the whole value. */
  readonly value: string;
}

/** A duration in milliseconds, or an expression that gives one when the query's steps are known. */
export type DurationValue = number | DurationExpression;

/** Arithmetic in a duration, such as `step() * 2`. Its numbers are seconds. */
export interface DurationExpression extends Span {
  readonly kind: "duration";
  /** An operator, or the name of a function. */
  readonly operator: "+" | "-" | "*" | "/" | "%" | "^" | "step" | "range" | "max_of" | "min_of";
  /** The left operand; undefined for a sign and for `step()` and `range()`. */
  readonly left: DurationOperand | undefined;
  /** The right operand; undefined for `step()` and `range()`. */
  readonly right: DurationOperand | undefined;
  /** True if it is in parentheses. */
  readonly isWrapped: boolean;
}

/** An operand of a duration expression. */
export type DurationOperand = NumberLiteral | DurationExpression;

/** A number, or a duration as a number of seconds. */
export interface NumberLiteral extends Span {
  readonly kind: "number";
  readonly valueType: "scalar";
  readonly value: number;
  /** True if it was written as a duration, such as `5m`. */
  readonly isDuration: boolean;
}

/** A string. Bytes that are not UTF-8 (`"\xff"`) are lone surrogates: U+DC00 + byte. */
export interface StringLiteral extends Span {
  readonly kind: "string";
  readonly valueType: "string";
  readonly value: string;
}

/** The modifiers that move the time at which a selector or a subquery is evaluated. */
export interface TimeModifiers {
  /** `offset`: how far back; 0 without one. */
  readonly offset: DurationValue;
  /** `@`: a fixed time, or the query's start or end; undefined without one. */
  readonly at: number | "start" | "end" | undefined;
}

/** A selector such as `up{job="api"}`. */
export interface VectorSelector extends Span, TimeModifiers {
  readonly kind: "selector";
  readonly valueType: "vector";
  /** The metric's name before the braces; empty without one. */
  readonly name: string;
  /** All conditions; the condition on `name` is the last one. */
  readonly matchers: readonly LabelMatcher[];
}

/** A selector with a range, such as `up[5m]`. Its modifiers are in `selector`. */
export interface MatrixSelector extends Span {
  readonly kind: "matrix";
  readonly valueType: "matrix";
  readonly selector: VectorSelector;
  readonly range: DurationValue;
}

/** A subquery, such as `rate(x[5m])[1h:1m]`. */
export interface Subquery extends Span, TimeModifiers {
  readonly kind: "subquery";
  readonly valueType: "matrix";
  readonly expression: Expression;
  readonly range: DurationValue;
  /** The step; undefined for the default. */
  readonly step: DurationValue | undefined;
}

/** An expression in parentheses. */
export interface Parentheses extends Span {
  readonly kind: "parentheses";
  readonly valueType: ValueType;
  readonly expression: Expression;
}

/** A sign before an expression. */
export interface Unary extends Span {
  readonly kind: "unary";
  readonly valueType: "scalar" | "vector";
  readonly operator: "+" | "-";
  readonly expression: Expression;
}

/** The arithmetic operators. */
export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%" | "^" | "atan2";
/** The comparisons. */
export type ComparisonOperator = "==" | "!=" | "<" | "<=" | ">" | ">=";
/** The set operators. */
export type SetOperator = "and" | "or" | "unless";
/** The operators between two expressions; `</` and `>/` trim native histograms. */
export type BinaryOperator = ArithmeticOperator | ComparisonOperator | SetOperator | "</" | ">/";

/** How the series of two vectors are matched. */
export interface VectorMatching {
  readonly cardinality: "one-to-one" | "many-to-one" | "one-to-many" | "many-to-many";
  /** True for `on`, false for `ignoring`. */
  readonly isOn: boolean;
  /** The labels of `on` or `ignoring`. */
  readonly labels: readonly string[];
  /** The labels of `group_left` or `group_right`. */
  readonly include: readonly string[];
  /** The value for a missing series on the left; undefined without one. */
  readonly fillLeft: number | undefined;
  /** The value for a missing series on the right; undefined without one. */
  readonly fillRight: number | undefined;
}

/** An operator between two expressions. */
export interface Binary extends Span {
  readonly kind: "binary";
  readonly valueType: "scalar" | "vector";
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
  /** True for a comparison that returns 0 or 1 instead of filtering. */
  readonly returnsBool: boolean;
  /** How the series are matched; undefined unless both sides are vectors. */
  readonly matching: VectorMatching | undefined;
}

/** The aggregation operators. */
export type AggregationOperator =
  | "avg"
  | "bottomk"
  | "count"
  | "count_values"
  | "group"
  | "limit_ratio"
  | "limitk"
  | "max"
  | "min"
  | "quantile"
  | "stddev"
  | "stdvar"
  | "sum"
  | "topk";

/** An aggregation, such as `sum by (job) (up)`. */
export interface Aggregation extends Span {
  readonly kind: "aggregation";
  readonly valueType: "vector";
  readonly operator: AggregationOperator;
  readonly expression: Expression;
  /** The first argument of `topk`, `quantile` and others; undefined for operators without one. */
  readonly parameter: Expression | undefined;
  /** The labels of `by` or `without`. */
  readonly grouping: readonly string[];
  /** True for `without`. */
  readonly isWithout: boolean;
}

/** The signature of a function. */
export interface FunctionSignature {
  readonly name: string;
  readonly argumentTypes: readonly ValueType[];
  /** How often the last argument may be present beyond once; -1 without a limit. Unless 0, the last argument is optional. */
  readonly variadic: number;
  readonly returnType: ValueType;
}

/** A call of a function. */
export interface Call extends Span {
  readonly kind: "call";
  readonly valueType: ValueType;
  readonly function: FunctionSignature;
  readonly arguments: readonly Expression[];
}

/** An expression of a query. */
export type Expression =
  | NumberLiteral
  | StringLiteral
  | VectorSelector
  | MatrixSelector
  | Subquery
  | Parentheses
  | Unary
  | Binary
  | Aggregation
  | Call;
