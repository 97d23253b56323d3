/** The results of queries. */
import { invalidArgument } from "moonpack/bytes";
import type { Labels } from "./labels.js";

/** A series of a result. */
export interface ResultSeries {
  readonly labels: Labels;
  /** The times in milliseconds. Series may share the array. */
  readonly timestamps: Float64Array;
  /** The values, in the order of the times. */
  readonly values: Float64Array;
}

/** A result: an instant vector, a range of values for each series, a number or a text. */
export type QueryValue =
  | {
      readonly resultType: "vector";
      /** The time in milliseconds. */
      readonly time: number;
      /** The labels of each series. */
      readonly labels: readonly Labels[];
      /** The values, in the order of the labels. */
      readonly values: Float64Array;
    }
  | { readonly resultType: "matrix"; readonly series: readonly ResultSeries[] }
  | { readonly resultType: "scalar"; readonly time: number; readonly value: number }
  | { readonly resultType: "string"; readonly time: number; readonly value: string };

/** A result with the warnings and infos of its query. */
export interface QueryResult {
  readonly value: QueryValue;
  /** Texts such as `PromQL warning: .. (1:10)`. */
  readonly warnings: readonly string[];
  /** Texts such as `PromQL info: .. (1:10)`. */
  readonly infos: readonly string[];
}

/** The labels of a series as an object. */
export interface LabelsObject {
  readonly [name: string]: string;
}

/** A series of an instant vector as an object. */
export interface VectorRow {
  readonly labels: LabelsObject;
  readonly time: number;
  readonly value: number;
}

/** A series of a matrix as an object. */
export interface MatrixRow {
  readonly labels: LabelsObject;
  readonly times: readonly number[];
  readonly values: readonly number[];
}

/**
 * Returns the series of a result as plain objects: for an instant vector with `time` and `value`, for a matrix with `times` and `values`.
 * A number or a text is returned as it is.
 *
 * @example
 * const { value } = await evaluate(parseQuery("up"), { query: "up", start: now, source });
 * console.log(resultRows(value)); // [{ labels: { __name__: 'up', job: 'api' }, time: 1700000000000, value: 1 }]
 */
export function resultRows(value: QueryValue): readonly VectorRow[] | readonly MatrixRow[] | number | string {
  switch (value?.resultType) {
    case "vector":
      return value.labels.map((labels, i) => ({
        labels: Object.fromEntries(labels),
        time: value.time,
        value: value.values[i]!,
      }));
    case "matrix":
      return value.series.map(({ labels, timestamps, values }) => ({
        labels: Object.fromEntries(labels),
        times: [...timestamps],
        values: [...values],
      }));
    case "scalar":
    case "string":
      return value.value;
    default:
      throw invalidArgument("a result of evaluate is needed");
  }
}
