/** The parameter of an aggregation, such as the k of `topk`. */

/** The values of a parameter and their bounds. */
export interface Parameter {
  readonly values: Float64Array;
  readonly least: number;
  readonly greatest: number;
  readonly hasNaN: boolean;
}

/** Returns the bounds of a parameter; NaN if a value is NaN. */
export function parameterOf(values: Float64Array): Parameter {
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  return { values, least, greatest, hasNaN: Number.isNaN(least) };
}
