/** The functions of ranges by their names. */
import type { CallPlan, RangePlan, SubqueryPlan } from "../../plan/nodes.js";
import { constant, countingPairs, isChange, isReset } from "./counts.js";
import { extreme, medianDeviation, quantileOver, timeOfExtreme } from "./orders.js";
import { extrapolated, lastDifference } from "./rate.js";
import { meanOf, reading, sumOf, varianceOf } from "./sums.js";
import { predicting, slopeOf, smoothing } from "./trends.js";
import type { RangeFunction } from "./window.js";

/**
 * Returns the function of a call. `parameters` has the values of its other arguments at each step. A quantile that is not from 0 to 1
 * is reported to `onQuantile`.
 */
export function rangeFunctionOf(
  { name }: CallPlan,
  { range }: RangePlan | SubqueryPlan,
  parameters: readonly Float64Array[],
  onQuantile: (quantile: number) => void,
): RangeFunction {
  switch (name) {
    case "rate":
      return extrapolated(true, true, range);
    case "increase":
      return extrapolated(true, false, range);
    case "delta":
      return extrapolated(false, false, range);
    case "irate":
      return lastDifference(true);
    case "idelta":
      return lastDifference(false);
    case "changes":
      return countingPairs(isChange);
    case "resets":
      return countingPairs(isReset);
    case "count_over_time":
      return constant(({ low, high }) => high - low);
    case "present_over_time":
    case "absent_over_time":
      return constant(() => 1);
    case "first_over_time":
      return constant(({ values, low }) => values[low]!);
    case "last_over_time":
      return constant(({ values, high }) => values[high - 1]!);
    case "ts_of_first_over_time":
      return constant(({ timestamps, low }) => timestamps[low]! / 1000);
    case "ts_of_last_over_time":
      return constant(({ timestamps, high }) => timestamps[high - 1]! / 1000);
    case "ts_of_max_over_time":
      return timeOfExtreme(true);
    case "ts_of_min_over_time":
      return timeOfExtreme(false);
    case "max_over_time":
      return extreme(true);
    case "min_over_time":
      return extreme(false);
    case "sum_over_time":
      return reading(sumOf);
    case "avg_over_time":
      return reading(meanOf);
    case "stdvar_over_time":
      return reading(varianceOf);
    case "stddev_over_time":
      return reading((window) => Math.sqrt(varianceOf(window)));
    case "mad_over_time":
      return medianDeviation();
    case "quantile_over_time":
      return quantileOver(parameters[0]!, onQuantile);
    case "deriv":
      return reading(slopeOf, 2, 2);
    case "predict_linear":
      return predicting(parameters[0]!);
    default:
      return smoothing(parameters[0]!, parameters[1]!);
  }
}
