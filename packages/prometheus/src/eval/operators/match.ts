/** The labels of the results of operators between vectors. */
import type { VectorMatching } from "../../parse/nodes.js";
import { type Labels, METRIC_NAME } from "../labels.js";

/** Returns the labels that decide which series match. */
export function matchedLabels(labels: Labels, { labels: names, isOn }: VectorMatching): Labels {
  return isOn ? labels.keep(names) : labels.without(METRIC_NAME, ...names);
}

/** Returns the labels of a result: the labels of the "many" side, and the labels of the "one" side that `group_left` names. */
export function resultLabels(many: Labels, one: Labels, matching: VectorMatching, changesMetric: boolean): Labels {
  let labels = changesMetric ? many.withoutMetric() : many;
  if (matching.cardinality === "one-to-one")
    labels = matching.isOn ? labels.keep(matching.labels) : labels.without(...matching.labels);
  if (matching.include.length === 0) return labels;
  return labels.with(matching.include.map((name) => [name, one.get(name)] as const));
}
