import { max, median, min } from "d3-array";
import type { Spread } from "../result.js";

/** Returns the median, the lowest and the highest of one or more numbers. */
export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values)!, low: min(values)!, high: max(values)! };
}
