/** Checks of metrics, as users give them. */
import { invalidArgument, MoonpackError, recordOf } from "moonpack/bytes";
import type { MetricRef } from "../api.js";
import { SeriesError } from "../errors.js";
import type { Metric, MetricType } from "../metric/metric.js";
import { RegisteredMetric } from "./registered-metric.js";
import type { Registry } from "./registry.js";

/** Throws `ERR_INVALID_METRIC` unless a value is an object. */
export function checkObject(ref: unknown): asserts ref is object {
  if (typeof ref !== "object" || ref === null) throw new MoonpackError("ERR_INVALID_METRIC", "a metric is an object");
}

/** The type of a metric. Throws `ERR_INVALID_ARGUMENT` for what is not one. */
export function checkedType(type: unknown): MetricType {
  if (type === "float" || type === "int64") return type;
  throw invalidArgument(`a metric's type is "float" or "int64", not ${JSON.stringify(type)}`);
}

/** Throws `ERR_SERIES_TYPE` if a metric is asked for with another type than it has. */
export function checkType(name: string, type: unknown, actual: MetricType): void {
  if (type === undefined || type === actual) return;
  throw new SeriesError("ERR_SERIES_TYPE", `metric ${JSON.stringify(name)} is ${actual}, not ${checkedType(type)}`);
}

/** A metric as a call gave it: its caller may change its own object later. The canonical form is made once. */
export class MetricCopy implements Metric {
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly type?: MetricType;
  readonly form: Uint8Array;

  constructor({ name, tags, type }: Metric, form: Uint8Array) {
    this.name = name;
    this.tags = recordOf(Object.entries(tags ?? {}));
    this.form = form;
    if (type !== undefined) this.type = checkedType(type);
  }
}

/**
 * A metric as it is now: a handle of this registry, or a copy. Throws `ERR_INVALID_METRIC`, and `ERR_INVALID_ARGUMENT` for what is not a
 * type.
 */
export function copyOf(ref: MetricRef, registry: Registry): Metric {
  checkObject(ref);
  return RegisteredMetric.isOf(ref, registry) ? ref : new MetricCopy(ref, registry.formOf(ref));
}
