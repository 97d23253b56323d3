/** Checks of write arguments, except single values. */
import { choiceOption, invalidArgument, optionsObject, ownOption, refuseUnknown } from "moonpack/bytes";
import type { Values } from "../api.js";
import { SeriesError } from "../errors.js";
import type { MetricType } from "../metric/metric.js";

/** Throws unless an array has `count` values. */
export function checkLength(values: unknown, length: number): asserts values is Values {
  if (!(values instanceof Float64Array || values instanceof BigInt64Array))
    throw invalidArgument("values must be a Float64Array or a BigInt64Array");
  if (values.length !== length) throw invalidArgument(`${values.length} values for ${length} points`);
}

/** Throws `ERR_SERIES_TYPE` unless an array fits the type of metrics. */
export function checkKind(isInt64: boolean, type: MetricType): void {
  if (isInt64 === (type === "int64")) return;
  throw new SeriesError(
    "ERR_SERIES_TYPE",
    `values of ${type} are a ${type === "int64" ? "BigInt64Array" : "Float64Array"}`,
  );
}

/** Throws unless a list is iterable. */
export function checkIterable(list: unknown, what: string): void {
  const isIterable = (typeof list === "object" && list !== null) || typeof list === "function";
  if (!isIterable || typeof (list as Partial<Iterable<unknown>>)[Symbol.iterator] !== "function")
    throw invalidArgument(`${what} must be iterable`);
}

/** Throws `ERR_INVALID_ARGUMENT` for a property that points do not have: it may be a misspelled one that is missing. */
export function checkPoint(point: object): void {
  refuseUnknown(point, ["metric", "timestamp", "value"], "property of a point");
}

/** Reads the options of a scrape. */
export function readSkipNaN(options: unknown): boolean {
  const given = optionsObject(options, "the options of a scrape");
  refuseUnknown(given, ["skipNaN"], "option of a scrape");
  return choiceOption("skipNaN", ownOption(given, "skipNaN"), [false, true]);
}
