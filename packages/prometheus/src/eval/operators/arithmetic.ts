/** The operators on two numbers. */
import type { BinaryOperator } from "../../parse/nodes.js";
import { power } from "../../plan/numbers.js";

/** An operator on two numbers. For comparisons, `value` is the left number and `keeps` says whether they compare. */
export interface Operation {
  readonly isComparison: boolean;
  /** True for arithmetic: its result is not the metric of its operands. */
  readonly changesMetric: boolean;
  /** Returns the result of arithmetic. */
  readonly value: (left: number, right: number) => number;
  /** Returns whether a comparison holds; true for arithmetic. */
  readonly keeps: (left: number, right: number) => boolean;
}

/** Returns an operator; undefined for those that trim native histograms. */
export function operationOf(operator: BinaryOperator): Operation | undefined {
  switch (operator) {
    case "+":
      return arithmetic((left, right) => left + right);
    case "-":
      return arithmetic((left, right) => left - right);
    case "*":
      return arithmetic((left, right) => left * right);
    case "/":
      return arithmetic((left, right) => left / right);
    case "%":
      return arithmetic((left, right) => left % right);
    case "^":
      return arithmetic(power);
    case "atan2":
      return arithmetic(Math.atan2);
    case "==":
      return comparison((left, right) => left === right);
    case "!=":
      return comparison((left, right) => left !== right);
    case "<":
      return comparison((left, right) => left < right);
    case "<=":
      return comparison((left, right) => left <= right);
    case ">":
      return comparison((left, right) => left > right);
    case ">=":
      return comparison((left, right) => left >= right);
    default:
      return undefined;
  }
}

function arithmetic(value: Operation["value"]): Operation {
  return { isComparison: false, changesMetric: true, value, keeps: () => true };
}

function comparison(keeps: Operation["keeps"]): Operation {
  return { isComparison: true, changesMetric: false, value: (left) => left, keeps };
}
