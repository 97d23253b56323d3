import { max, median, min } from "d3-array";
import type { Spread } from "../result.js";

/** The median, the lowest and the highest of at least one number. */
export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values)!, low: min(values)!, high: max(values)! };
}
