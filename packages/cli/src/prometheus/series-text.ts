import type { LabelsObject } from "@moonpack/prometheus";
import { metricText, NAME_TAG } from "../series/metric-text.js";

/** The labels of a series as a selector; `{}` without any. */
export function seriesText(labels: LabelsObject): string {
  const { [NAME_TAG]: name, ...tags } = labels;
  if (name !== undefined) return metricText({ name, tags });
  return metricText({ name: "x", tags }).slice(1) || "{}";
}
