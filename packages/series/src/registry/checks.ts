/** Checks metrics from users. */
import { invalidArgument, ownOption, suggestion } from "moonpack/bytes";
import type { MetricRef } from "../api.js";
import { SeriesError } from "../errors.js";
import type { CanonicalForms } from "../metric/canonical.js";
import type { Metric, MetricType } from "../metric/metric.js";
import { RegisteredMetric } from "./registered-metric.js";
import type { Registry } from "./registry.js";

/** Number of metrics that are checked, or registered, in one iteration of the event loop. */
export const CHECKED_AT_ONCE = 512;

/** Throws `ERR_INVALID_ARGUMENT` unless a value is an object. */
export function checkObject(ref: unknown): asserts ref is object {
  if (typeof ref !== "object" || ref === null) throw invalidArgument("a metric must be an object");
}

/** The properties of a metric, and of a handle. */
const PROPERTIES = ["name", "tags", "type"];
const OF_HANDLES = "id";

/** Throws `ERR_INVALID_ARGUMENT` for a property that metrics do not have: it may be a misspelled `tags`. */
export function checkProperties(ref: object): void {
  for (const key of Object.keys(ref)) {
    if (key === "name" || key === "tags" || key === "type" || key === OF_HANDLES) continue;
    const hint = suggestion(key, PROPERTIES) || ": it has name, tags and type";
    throw invalidArgument(`${JSON.stringify(key)} is not a property of a metric${hint}`);
  }
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

/** A copy of a metric from a call, since the caller may change its object. The canonical form is computed once, when it is needed. */
export class MetricCopy implements Metric {
  readonly name: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly type?: MetricType;
  #form: Uint8Array | undefined;

  /** Takes unchecked values, except the type: {@link formBy} checks them. */
  constructor(name: unknown, tags: unknown, type: MetricType | undefined) {
    this.name = name as string;
    // Always set: a missing property would be read from a polluted Object.prototype.
    this.tags = tags as Readonly<Record<string, string>>;
    this.type = type as MetricType;
  }

  /** Returns the canonical form. Throws `ERR_INVALID_METRIC`. */
  formBy(forms: CanonicalForms): Uint8Array {
    return (this.#form ??= forms.of(this));
  }
}

/** Returns a metric with its own properties only: a polluted Object.prototype may have a name, tags and a type. */
export function ownMetric<T extends Metric>(ref: T): T | MetricCopy {
  const { name, tags, type } = Object.prototype as Partial<Metric>;
  // Always, apart from pollution.
  if (name === undefined && tags === undefined && type === undefined) return ref;
  return new MetricCopy(
    ownOption(ref, "name"),
    ownOption(ref, "tags"),
    ownOption(ref, "type") as MetricType | undefined,
  );
}

/** Copies the tags of a metric. Returns anything but an object as it is: it is refused with the form. */
export function copyOfTags(tags: unknown): unknown {
  return typeof tags === "object" && tags !== null ? { ...tags } : tags;
}

/** Returns the type of a metric from a call. Throws `ERR_INVALID_ARGUMENT` for anything but a type. */
export function optionalType(type: unknown): MetricType | undefined {
  return type === undefined ? undefined : checkedType(type);
}

/**
 * Returns a handle of this registry unchanged, or a copy of a metric. Throws `ERR_INVALID_METRIC` for an invalid name or tag, otherwise
 * `ERR_INVALID_ARGUMENT`.
 */
export function copyOf(ref: MetricRef, registry: Registry): Metric {
  checkObject(ref);
  if (RegisteredMetric.isOf(ref, registry)) return ref;
  checkProperties(ref);
  const { name, tags, type } = ownMetric(ref);
  const copy = new MetricCopy(name, copyOfTags(tags), optionalType(type));
  registry.formOf(copy);
  return copy;
}
