/**
 * A tree of maps that finds metrics by name and tags without building a string key. An inner node splits the metrics of one name by the value
 * of one tag; a leaf is a metric, whose tags are compared at the end. The order of tags does not matter.
 *
 * Every inner node has at least two children, so there are fewer of them than metrics.
 */
import { isTagKey } from "../metric/canonical.js";
import { RegisteredMetric } from "./registered-metric.js";

/** Unchecked tags from users. */
type Tags = Readonly<Record<string, unknown>>;

type Child = RegisteredMetric | Split;

/** Maximum levels of splits by a tag. Otherwise metrics whose tags all have different keys would form a list. */
const MAX_LEVELS = 12;

/** The value of a missing tag: valid tags are not empty. */
const ABSENT = "";

const NO_TAGS: Tags = /* @__PURE__ */ Object.freeze({});

/** Metrics that differ in the value of a tag. */
class Split {
  /** The tag; undefined if metrics are split by all their tags at once. */
  readonly key: string | undefined;
  readonly children = new Map<unknown, Child>();

  constructor(key: string | undefined) {
    this.key = key;
  }

  /** Returns the key of a metric's child in a node. */
  valueOf(tags: Tags): unknown {
    const { key } = this;
    if (key === undefined) return textOf(tags);
    // Only own tags count: prototypes may be polluted, and a tag may be called __proto__.
    return Object.hasOwn(tags, key) ? tags[key] : ABSENT;
  }
}

/** Metrics by name and tags. */
export class MetricTree {
  readonly #names = new Map<unknown, Child>();

  /** Returns the metric with this name and these tags; undefined without one, and for invalid metrics. */
  get(name: unknown, tags: unknown): RegisteredMetric | undefined {
    if (typeof tags !== "object" || tags === null) {
      if (tags !== undefined) return undefined;
      tags = NO_TAGS;
    }
    let child = this.#names.get(name);
    while (child instanceof Split) child = child.children.get(child.valueOf(tags as Tags));
    return child !== undefined && hasTags(child, tags as Tags) ? child : undefined;
  }

  /** Adds a metric. Replaces another one with the same name and tags. */
  set(metric: RegisteredMetric): void {
    let children = this.#names;
    let value: unknown = metric.name;
    for (let level = 0; ; level++) {
      const child = children.get(value);
      if (child instanceof Split) {
        children = child.children;
        value = child.valueOf(metric.tags);
        continue;
      }
      if (child === undefined || hasTags(child, metric.tags)) children.set(value, metric);
      else children.set(value, split(child, metric, level));
      return;
    }
  }

  /** Removes a metric. Another one with its name and tags stays. */
  delete(metric: RegisteredMetric): void {
    remove(this.#names, metric.name, metric);
  }

  /** Counts metrics and inner nodes, by visiting all of them. */
  count(): { metrics: number; splits: number } {
    const counts = { metrics: 0, splits: 0 };
    const waiting = [this.#names];
    for (let children = waiting.pop(); children !== undefined; children = waiting.pop())
      for (const child of children.values()) {
        if (child instanceof Split) {
          counts.splits++;
          waiting.push(child.children);
        } else counts.metrics++;
      }
    return counts;
  }
}

/** Creates a node for two metrics with one name. */
function split(a: RegisteredMetric, b: RegisteredMetric, level: number): Split {
  const node = new Split(level < MAX_LEVELS ? otherTag(a.tags, b.tags) : undefined);
  node.children.set(node.valueOf(a.tags), a);
  node.children.set(node.valueOf(b.tags), b);
  return node;
}

/** Returns a tag with different values in two metrics, preferably one that both have. */
function otherTag(a: Tags, b: Tags): string | undefined {
  const keys = Object.keys(a);
  return (
    keys.find((key) => Object.hasOwn(b, key) && a[key] !== b[key]) ??
    keys.find((key) => !Object.hasOwn(b, key)) ??
    Object.keys(b).find((key) => !Object.hasOwn(a, key))
  );
}

/** Removes a metric below `value`. A node with one remaining child is replaced by it. */
function remove(children: Map<unknown, Child>, value: unknown, metric: RegisteredMetric): void {
  const child = children.get(value);
  if (child === undefined) return;
  if (!(child instanceof Split)) {
    // A metric may have several handles, so ids are compared.
    if (child.id === metric.id) children.delete(value);
    return;
  }
  remove(child.children, child.valueOf(metric.tags), metric);
  if (child.children.size > 1) return;
  for (const last of child.children.values()) children.set(value, last);
}

/** True if a metric has exactly these tags. An empty value means that a tag is absent. */
function hasTags(metric: RegisteredMetric, tags: Tags): boolean {
  const own = metric.tags;
  if (tags === own) return true;
  let count = 0;
  for (const key of Object.keys(tags)) {
    const value = tags[key];
    if (Object.hasOwn(own, key) && own[key] === value) count++;
    else if (value !== ABSENT || Object.hasOwn(own, key) || !isTagKey(key)) return false;
  }
  return count === RegisteredMetric.tagCount(metric);
}

/** Returns a text that differs for different tags of registered metrics. Invalid tags may share one: the leaf compares them. */
function textOf(tags: Tags): string {
  return Object.keys(tags)
    .filter((key) => typeof tags[key] === "string" && tags[key] !== ABSENT)
    .sort()
    .map((key) => `${key}\u0000${tags[key] as string}`)
    .join("\u0000");
}
