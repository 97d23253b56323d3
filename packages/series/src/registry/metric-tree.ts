/**
 * Finds metrics by name and tags without making a text of them: a tree of maps. An inner node splits the metrics of one name by the
 * value of one tag; a leaf is the metric itself, whose tags are compared at the end. The order of tags plays no part.
 *
 * Every inner node has at least two children, so there are fewer of them than metrics.
 */
import { isTagKey } from "../metric/canonical.js";
import { RegisteredMetric } from "./registered-metric.js";

/** Tags, as users give them: any value may be there. */
type Tags = Readonly<Record<string, unknown>>;

type Child = RegisteredMetric | Split;

/** Levels of splits by a tag. Metrics that each have a key of their own would otherwise form a list. */
const MAX_LEVELS = 12;

/** What stands for a tag that a metric does not have: valid tags are not empty. */
const ABSENT = "";

const NO_TAGS: Tags = /* @__PURE__ */ Object.freeze({});

/** Metrics that differ in the value of a tag. */
class Split {
  /** The tag; undefined where metrics are split by all their tags at once. */
  readonly key: string | undefined;
  readonly children = new Map<unknown, Child>();

  constructor(key: string | undefined) {
    this.key = key;
  }

  /** What a metric's child is found under. */
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

  /** The metric with this name and these tags. Returns undefined for what is not a metric, too. */
  get(name: unknown, tags: unknown): RegisteredMetric | undefined {
    if (typeof tags !== "object" || tags === null) {
      if (tags !== undefined) return undefined;
      tags = NO_TAGS;
    }
    let child = this.#names.get(name);
    while (child instanceof Split) child = child.children.get(child.valueOf(tags as Tags));
    return child !== undefined && hasTags(child, tags as Tags) ? child : undefined;
  }

  /** Adds a metric, in the place of another one with the same name and tags. */
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

  /** How many metrics and inner nodes there are. It looks at all of them. */
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

/** A node for two metrics of one name. */
function split(a: RegisteredMetric, b: RegisteredMetric, level: number): Split {
  const node = new Split(level < MAX_LEVELS ? otherTag(a.tags, b.tags) : undefined);
  node.children.set(node.valueOf(a.tags), a);
  node.children.set(node.valueOf(b.tags), b);
  return node;
}

/** A tag of which two metrics have different values: one that both have, if there is one. */
function otherTag(a: Tags, b: Tags): string | undefined {
  const keys = Object.keys(a);
  return (
    keys.find((key) => Object.hasOwn(b, key) && a[key] !== b[key]) ??
    keys.find((key) => !Object.hasOwn(b, key)) ??
    Object.keys(b).find((key) => !Object.hasOwn(a, key))
  );
}

/** Removes a metric below `value`. A node with one child left gives its place to it. */
function remove(children: Map<unknown, Child>, value: unknown, metric: RegisteredMetric): void {
  const child = children.get(value);
  if (child === undefined) return;
  if (!(child instanceof Split)) {
    // A metric may have several handles: its id tells.
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

/** A text that tells apart the tags of registered metrics. Others may share one: a leaf compares them. */
function textOf(tags: Tags): string {
  return Object.keys(tags)
    .filter((key) => typeof tags[key] === "string" && tags[key] !== ABSENT)
    .sort()
    .map((key) => `${key}\u0000${tags[key] as string}`)
    .join("\u0000");
}
