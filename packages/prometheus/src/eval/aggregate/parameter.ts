/** The parameter of an aggregation, such as the k of `topk`. */

/** The values of a parameter and their bounds. */
export interface Parameter {
  readonly values: Float64Array;
  readonly least: number;
  readonly greatest: number;
  readonly hasNaN: boolean;
}

/** Returns the bounds of a parameter. A bound is infinite if a value is; else NaN if a value is NaN, as of Go's Min and Max. */
export function parameterOf(values: Float64Array): Parameter {
  const hasNaN = values.some(Number.isNaN);
  const bound = (infinite: number, of: (a: number, b: number) => number): number =>
    values.includes(infinite) ? infinite : values.reduce((a, b) => of(a, b), -infinite);
  const least = bound(Number.NEGATIVE_INFINITY, Math.min);
  return { values, least, greatest: bound(Number.POSITIVE_INFINITY, Math.max), hasNaN };
}
