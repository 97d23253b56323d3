/** The two entries of a metric in the column `metrics` (docs/series-format.md, section 2). */
import { CanonicalForms } from "../metric/canonical.js";
import { typeByte } from "../metric/metric.js";
import type { PendingMetric } from "./metric-memory.js";
import type { RegisteredMetric } from "./registered-metric.js";

const BY_FORM = 1;
const BY_ID = 2;

/** Returns the key of the entry that maps a canonical form to its id. */
export function formKey(form: Uint8Array): Uint8Array<ArrayBuffer> {
  const key = new Uint8Array(form.length + 1);
  key[0] = BY_FORM;
  key.set(form, 1);
  return key;
}

/** Returns the key of the entry that maps an id to its canonical form. */
export function idKey(id: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(BY_ID, id >>> 24, id >>> 16, id >>> 8, id);
}

/** Returns the value for {@link formKey}. */
export function formValue({ metric: { id, type } }: PendingMetric): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(id >>> 24, id >>> 16, id >>> 8, id, typeByte(type));
}

/** Returns the value for {@link idKey}. */
export function idValue({ metric: { type }, form }: PendingMetric): Uint8Array<ArrayBuffer> {
  const value = new Uint8Array(form.length + 1);
  value[0] = typeByte(type);
  value.set(form, 1);
  return value;
}

/** The canonical form of a registered metric. */
export function canonicalForm(metric: RegisteredMetric): Uint8Array<ArrayBuffer> {
  return new CanonicalForms().of(metric);
}
