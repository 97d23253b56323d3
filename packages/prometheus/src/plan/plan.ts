/** Plans a query: the times at which each part is evaluated, and the series that it reads. */
import { PrometheusError } from "../errors.js";
import type { Call, Expression, LabelMatcher, Subquery, VectorSelector } from "../parse/nodes.js";
import { durationOf, type QueryTimes, timeOf } from "./durations.js";
import { findInvariants, unwrapped } from "./invariant.js";
import type { CallPlan, Grid, InfoPlan, Moved, NumberPlan, Plan, Read, SubqueryPlan } from "./nodes.js";
import { referenceOf } from "./reference.js";

/** The most steps of a subquery: what is done for each of them has no turn of the event loop. */
const MAX_STEPS = 1 << 20;
/** The most labels of a list. */
const MAX_LABELS = 500;

/** The durations that a query does not state, in milliseconds. */
export interface PlanDefaults {
  /** The age at which a sample is not the value of a series any more. */
  readonly lookback: number;
  /** The step of a subquery without one. */
  readonly subqueryStep: number;
}

/**
 * Plans a query. Selectors with equal conditions and times share one read. Throws `ERR_PROMQL_SYNTAX` for durations that are not
 * positive, `ERR_LIMIT_POINTS` for subqueries with too many steps, and `ERR_LIMIT_ELEMENTS` for too many labels.
 */
export function planQuery(query: Expression, times: QueryTimes, defaults: PlanDefaults): Plan {
  return new Planner(query, times, defaults).plan(query, gridOf(times));
}

/** Returns the steps of a query: one for an instant query. */
export function gridOf({ start, end, step }: QueryTimes): Grid {
  const isInstant = start === end;
  return { start, step: step || 1, count: isInstant ? 1 : Math.floor((end - start) / step) + 1, isInstant };
}

/** Returns the last time of a grid. */
export function lastOf({ start, step, count }: Grid): number {
  return start + (count - 1) * step;
}

/** Returns the grid with the first time only. */
export function firstOf(grid: Grid): Grid {
  return { ...grid, count: 1, isInstant: true };
}

class Planner {
  readonly #times: QueryTimes;
  readonly #defaults: PlanDefaults;
  readonly #invariants: ReadonlySet<Expression>;
  readonly #reads = new Map<string, Read>();

  constructor(query: Expression, times: QueryTimes, defaults: PlanDefaults) {
    this.#times = times;
    this.#defaults = defaults;
    this.#invariants = findInvariants(query, times);
  }

  /** Plans an expression that is evaluated at the times of `grid`. */
  plan(expression: Expression, grid: Grid): Plan {
    const { kind, valueType, start } = expression;
    const isWrapped = !grid.isInstant && kind !== "number" && valueType !== "string" && valueType !== "matrix";
    if (!isWrapped || !this.#invariants.has(expression)) return this.#node(expression, grid);
    return { kind: "invariant", valueType, expression: this.#node(expression, firstOf(grid)), start };
  }

  #node(expression: Expression, grid: Grid): Plan {
    const { start } = expression;
    switch (expression.kind) {
      case "string":
        return expression;
      case "number":
        return numberPlan(expression.value, start);
      case "selector": {
        const moved = this.#moved(expression);
        const { matchers } = expression;
        const read = this.#read(matchers, moved, this.#defaults.lookback, grid);
        return { kind: "selector", valueType: "vector", matchers, ...moved, read, start };
      }
      case "matrix": {
        const { matchers } = expression.selector;
        const moved = this.#moved(expression.selector);
        const range = durationOf(expression.range, this.#times);
        const read = this.#read(matchers, moved, range, grid);
        return { kind: "range", valueType: "matrix", matchers, ...moved, read, range, start };
      }
      case "subquery":
        return this.#subquery(expression, grid);
      case "parentheses":
        return this.#node(unwrapped(expression), grid);
      case "unary": {
        const kind = expression.operator === "+" ? "plus" : "negate";
        return { kind, valueType: expression.valueType, expression: this.plan(expression.expression, grid), start };
      }
      case "binary": {
        const left = this.plan(expression.left, grid);
        checkedLabels(expression.matching?.labels ?? []);
        checkedLabels(expression.matching?.include ?? []);
        return { ...expression, left, right: this.plan(expression.right, grid) };
      }
      case "aggregation": {
        const { valueType, operator, isWithout, parameter } = expression;
        return {
          kind: "aggregation",
          valueType,
          operator,
          expression: this.plan(unwrapped(expression.expression), grid),
          parameter: parameter === undefined ? undefined : this.plan(unwrapped(parameter), grid),
          grouping: [...new Set(checkedLabels(expression.grouping))],
          isWithout,
          start,
        };
      }
      case "call":
        return this.#call(expression, grid);
    }
  }

  #call(call: Call, grid: Grid): CallPlan | NumberPlan | InfoPlan {
    const { start } = call;
    const { name, returnType } = call.function;
    const times = this.#times;
    if (name === "start") return numberPlan(times.start / 1000, start);
    if (name === "end") return numberPlan(times.end / 1000, start);
    if (name === "range") return numberPlan((times.end - times.start) / 1000, start);
    if (name === "step") return numberPlan(times.start === times.end ? 0 : times.step / 1000, start);
    const args = call.arguments.map(unwrapped);
    if (name !== "info") {
      const planned = args.map((argument) => this.plan(argument, grid));
      return { kind: "call", valueType: returnType, name, arguments: planned, start };
    }
    const [vector, selector] = args;
    return {
      kind: "info",
      valueType: "vector",
      expression: this.plan(vector!, grid),
      matchers: (selector as VectorSelector | undefined)?.matchers,
      reference: referenceOf(vector!, times) ?? { at: undefined, offset: 0 },
      start,
    };
  }

  #subquery(subquery: Subquery, outer: Grid): SubqueryPlan {
    const moved = this.#moved(subquery);
    const range = durationOf(subquery.range, this.#times);
    const step =
      (subquery.step === undefined ? 0 : durationOf(subquery.step, this.#times)) || this.#defaults.subqueryStep;
    const before = (moved.at ?? outer.start) - moved.offset - range;
    let start = step * Math.trunc(before / step) + 0;
    if (start <= before) start += step;
    const end = (moved.at ?? lastOf(outer)) - moved.offset;
    const count = Math.max(0, Math.floor((end - start) / step) + 1);
    if (count > MAX_STEPS)
      throw new PrometheusError("ERR_LIMIT_POINTS", `a subquery has ${count} steps, more than ${MAX_STEPS}`);
    const grid = { start, step, count, isInstant: start === end };
    const expression = this.plan(subquery.expression, grid);
    return { kind: "subquery", valueType: "matrix", expression, range, ...moved, grid, start: subquery.start };
  }

  #moved({ offset, at }: VectorSelector | Subquery): Moved {
    return { offset: durationOf(offset, this.#times, true), at: timeOf(at, this.#times) };
  }

  /** The samples that a selector needs: in ranges and lookbacks that are open on the left. */
  #read(matchers: readonly LabelMatcher[], { offset, at }: Moved, range: number, grid: Grid): Read {
    const from = (at ?? grid.start) - offset - range + 1;
    const to = (at ?? lastOf(grid)) - offset;
    const key = JSON.stringify([from, to, matchers]);
    const read = this.#reads.get(key) ?? { matchers, from, to, uses: 0 };
    this.#reads.set(key, read);
    read.uses++;
    return read;
  }
}

/** Returns labels of `by`, `on` and others. Throws `ERR_LIMIT_ELEMENTS` for more than a series can have: each is looked up in each. */
function checkedLabels(labels: readonly string[]): readonly string[] {
  if (labels.length <= MAX_LABELS) return labels;
  throw new PrometheusError("ERR_LIMIT_ELEMENTS", `a list has ${labels.length} labels, more than ${MAX_LABELS}`);
}

function numberPlan(value: number, start: number): NumberPlan {
  return { kind: "number", valueType: "scalar", value, start };
}
