/** The functions of Prometheus 3, with the experimental ones. */
import type { FunctionSignature, ValueType } from "./nodes.js";

/** From a vector to a vector. */
const OF_VECTOR =
  "abs absent acos acosh asin asinh atan atanh ceil cos cosh deg exp floor histogram_avg histogram_count histogram_stddev " +
  "histogram_stdvar histogram_sum ln log10 log2 rad sgn sin sinh sort sort_desc sqrt start_timestamp tan tanh timestamp";
/** From a vector, or from the time of the evaluation, to a vector. */
const OF_TIME = "day_of_month day_of_week day_of_year days_in_month hour minute month year";
/** From a range to a vector. */
const OF_RANGE =
  "absent_over_time avg_over_time changes count_over_time delta deriv first_over_time idelta increase irate last_over_time " +
  "mad_over_time max_over_time min_over_time present_over_time rate resets stddev_over_time stdvar_over_time sum_over_time " +
  "ts_of_first_over_time ts_of_last_over_time ts_of_max_over_time ts_of_min_over_time";
/** From nothing to a scalar. */
const OF_NOTHING = "end pi range start step time";

/** Groups of functions: names, types of the arguments, variadic, type of the result. */
const GROUPS: readonly (readonly [string, string, number, ValueType])[] = [
  [OF_VECTOR, "vector", 0, "vector"],
  [OF_TIME, "vector", 1, "vector"],
  [OF_RANGE, "matrix", 0, "vector"],
  [OF_NOTHING, "", 0, "scalar"],
  ["scalar", "vector", 0, "scalar"],
  ["vector", "scalar", 0, "vector"],
  ["max_of min_of", "scalar scalar", 0, "scalar"],
  ["clamp_max clamp_min", "vector scalar", 0, "vector"],
  ["clamp", "vector scalar scalar", 0, "vector"],
  ["round", "vector scalar", 1, "vector"],
  ["histogram_quantile", "scalar vector", 0, "vector"],
  ["histogram_quantiles", "vector string scalar scalar", 9, "vector"],
  ["histogram_fraction", "scalar scalar vector", 0, "vector"],
  ["info", "vector vector", 1, "vector"],
  ["label_join", "vector string string string", -1, "vector"],
  ["label_replace", "vector string string string string", 0, "vector"],
  ["sort_by_label sort_by_label_desc", "vector string", -1, "vector"],
  ["predict_linear", "matrix scalar", 0, "vector"],
  ["quantile_over_time", "scalar matrix", 0, "vector"],
  ["double_exponential_smoothing", "matrix scalar scalar", 0, "vector"],
];

/** Returns the signature of a function; undefined if Prometheus has no function of this name. `name` is an identifier. */
export function signatureOf(name: string): FunctionSignature | undefined {
  const group = GROUPS.find(([names]) => ` ${names} `.includes(` ${name} `));
  if (group === undefined) return undefined;
  const [, types, variadic, returnType] = group;
  return { name, argumentTypes: types === "" ? [] : (types.split(" ") as ValueType[]), variadic, returnType };
}
