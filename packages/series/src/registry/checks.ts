/** Checks metrics from users. */
import { invalidArgument, MoonpackError, recordOf } from "moonpack/bytes";
import type { MetricRef } from "../api.js";
import { SeriesError } from "../errors.js";
import type { Metric, MetricType } from "../metric/metric.js";
import { RegisteredMetric } from "./registered-metric.js";
import type { Registry } from "./registry.js";

/** Throws `ERR_INVALID_METRIC` unless a value is an object. */
export function checkObject(ref: unknown): asserts ref is object {
  if (typeof ref !== "object" || ref === null)
    throw new MoonpackError("ERR_INVALID_METRIC", "a metric must be an object");
}

/** Returns the type of a metric. Throws `ERR_INVALID_ARGUMENT` for anything but a type. */
export function checkedType(type: unknown): MetricType {
  if (type === "float" || type === "int64") return type;
  throw invalidArgument(`the type of a metric must be "float" or "int64", not ${JSON.stringify(type)}`);
}

/** Throws `ERR_SERIES_TYPE` if the requested type of a metric differs from its registered type. */
export function checkType(name: string, type: unknown, actual: MetricType): void {
  if (type === undefined || type === actual) return;
  throw new SeriesError("ERR_SERIES_TYPE", `metric ${JSON.stringify(name)} is ${actual}, not ${checkedType(type)}`);
}

/** A copy of a metric from a call, since the caller may change its object. The canonical form is computed once. */
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
 * Returns a handle of this registry unchanged, or a copy of a metric. Throws `ERR_INVALID_METRIC`, and `ERR_INVALID_ARGUMENT` for an
 * invalid type.
 */
export function copyOf(ref: MetricRef, registry: Registry): Metric {
  checkObject(ref);
  return RegisteredMetric.isOf(ref, registry) ? ref : new MetricCopy(ref, registry.formOf(ref));
}
