/**
 * The nodes of a planned query: durations and times are numbers in milliseconds, parentheses are gone, and each selector has its
 * read. `start` is the offset of a node in the text, for warnings.
 */
import type {
  AggregationOperator,
  BinaryOperator,
  LabelMatcher,
  StringLiteral,
  ValueType,
  VectorMatching,
} from "../parse/nodes.js";

/** The times of an evaluation: `count` times from `start` on, `step` milliseconds apart. */
export interface Grid {
  readonly start: number;
  readonly step: number;
  readonly count: number;
  /** True if it ends where it starts: then the order of series counts. A grid that ends before its second step is not one. */
  readonly isInstant: boolean;
}

/** The series that one or more selectors need. */
export interface Read {
  readonly matchers: readonly LabelMatcher[];
  /** The first and the last millisecond that are needed. */
  readonly from: number;
  readonly to: number;
  /** The number of selectors that need it. */
  uses: number;
}

/** A number: a literal, or `start()`, `end()`, `range()` and `step()`. */
export interface NumberPlan {
  readonly kind: "number";
  readonly valueType: "scalar";
  readonly value: number;
  readonly start: number;
}

/** The time at which a selector or a subquery is evaluated: the step's time or `at`, minus `offset`. */
export interface Moved {
  readonly offset: number;
  readonly at: number | undefined;
}

/** The newest sample of each series within the lookback. */
export interface SelectorPlan extends Moved {
  readonly kind: "selector";
  readonly valueType: "vector";
  readonly matchers: readonly LabelMatcher[];
  readonly read: Read;
  readonly start: number;
}

/** All samples of each series within a range. */
export interface RangePlan extends Moved {
  readonly kind: "range";
  readonly valueType: "matrix";
  readonly matchers: readonly LabelMatcher[];
  readonly read: Read;
  readonly range: number;
  readonly start: number;
}

/** The values of an expression at the times of `grid`, which has multiples of its step. */
export interface SubqueryPlan extends Moved {
  readonly kind: "subquery";
  readonly valueType: "matrix";
  readonly expression: Plan;
  readonly range: number;
  readonly grid: Grid;
  readonly start: number;
}

/** A minus sign; or a plus sign, which changes no value, but `timestamp(+x)` and `absent(+x)` see more than a selector. */
export interface SignPlan {
  readonly kind: "negate" | "plus";
  readonly valueType: "scalar" | "vector";
  readonly expression: Plan;
  readonly start: number;
}

/** An operator between two expressions. */
export interface BinaryPlan {
  readonly kind: "binary";
  readonly valueType: "scalar" | "vector";
  readonly operator: BinaryOperator;
  readonly left: Plan;
  readonly right: Plan;
  readonly returnsBool: boolean;
  readonly matching: VectorMatching | undefined;
  readonly start: number;
}

/** An aggregation. */
export interface AggregationPlan {
  readonly kind: "aggregation";
  readonly valueType: "vector";
  readonly operator: AggregationOperator;
  readonly expression: Plan;
  readonly parameter: Plan | undefined;
  readonly grouping: readonly string[];
  readonly isWithout: boolean;
  readonly start: number;
}

/** A call of a function. */
export interface CallPlan {
  readonly kind: "call";
  readonly valueType: ValueType;
  readonly name: string;
  readonly arguments: readonly Plan[];
  readonly start: number;
}

/** A call of `info`: the labels of series such as `target_info` are added. */
export interface InfoPlan {
  readonly kind: "info";
  readonly valueType: "vector";
  readonly expression: Plan;
  /** The conditions on the added labels; undefined without any. */
  readonly matchers: readonly LabelMatcher[] | undefined;
  readonly reference: Moved;
  readonly start: number;
}

/** An expression with the same value at all steps: it is evaluated once. */
export interface InvariantPlan {
  readonly kind: "invariant";
  readonly valueType: ValueType;
  readonly expression: Plan;
  readonly start: number;
}

/** A planned expression. */
export type Plan =
  | NumberPlan
  | StringLiteral
  | SelectorPlan
  | RangePlan
  | SubqueryPlan
  | SignPlan
  | BinaryPlan
  | AggregationPlan
  | CallPlan
  | InfoPlan
  | InvariantPlan;
