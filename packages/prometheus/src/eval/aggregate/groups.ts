/** The groups of an aggregation. */
import type { AggregationPlan } from "../../plan/nodes.js";
import { type Labels, METRIC_NAME, NO_LABELS, signatureOf } from "../labels.js";

/** Finds the group of a series: the labels of `by`, or the labels that are not in `without`. */
export class Groups<T> {
  readonly all = new Map<string, T>();
  readonly #grouping: readonly string[];
  readonly #isWithout: boolean;
  readonly #create: (labels: Labels) => T;

  /** `create` is called for a new group, with its labels. */
  constructor({ grouping, isWithout }: AggregationPlan, create: (labels: Labels) => T) {
    this.#grouping = grouping;
    this.#isWithout = isWithout;
    this.#create = create;
  }

  /** Returns the group of a series with these labels. */
  of(labels: Labels): T {
    const key = signatureOf(labels, this.#grouping, this.#isWithout);
    let group = this.all.get(key);
    if (group === undefined) {
      group = this.#create(this.#labelsOf(labels));
      this.all.set(key, group);
    }
    return group;
  }

  #labelsOf(labels: Labels): Labels {
    if (this.#isWithout) return labels.without(METRIC_NAME, ...this.#grouping);
    return this.#grouping.length === 0 ? NO_LABELS : labels.keep(this.#grouping);
  }
}
