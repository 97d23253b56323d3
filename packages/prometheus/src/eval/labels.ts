/** The labels of a series. */
import { describe, invalidArgument } from "moonpack/bytes";
import { quoteText } from "../parse/quote.js";
import { compareText } from "./compare-text.js";

/** The label that holds the metric's name. */
export const METRIC_NAME = "__name__";
/** A list of labels with more names is a long one. */
const MANY_NAMES = 16;
/** The labels that describe the metric. Results that are not that metric do not have them. */
const METADATA: ReadonlySet<string> = /* @__PURE__ */ new Set([METRIC_NAME, "__type__", "__unit__"]);

/**
 * The labels of a series, sorted by name. An empty value stands for a missing label. Instances never change.
 *
 * @example
 * const labels = Labels.of({ __name__: "up", job: "api" });
 * console.log(labels.get("job"), String(labels)); // api {__name__="up", job="api"}
 */
export class Labels {
  /** The names, in the order of their code points. */
  readonly names: readonly string[];
  /** The values, in the order of the names. */
  readonly values: readonly string[];
  #key: string | undefined;

  /** @internal */
  constructor(names: readonly string[], values: readonly string[]) {
    this.names = names;
    this.values = values;
  }

  /**
   * Returns the labels with the names and values of an object, or of pairs. Later pairs replace earlier ones. Throws
   * `ERR_INVALID_ARGUMENT`.
   */
  static of(labels: Iterable<readonly [string, string]> | { readonly [name: string]: string }): Labels {
    if (typeof labels !== "object" || labels === null)
      throw invalidArgument(`labels must be an object or pairs, not ${describe(labels)}`);
    const pairs: Iterable<unknown> = Symbol.iterator in labels ? labels : Object.entries(labels);
    const map = new Map<string, string>();
    for (const pair of pairs) {
      const [name, value] = Array.isArray(pair) ? (pair as readonly unknown[]) : [];
      if (typeof name !== "string" || typeof value !== "string")
        throw invalidArgument(`labels must be texts by their names, not ${describe(pair)}`);
      map.set(name, value);
    }
    return fromMap(map);
  }

  /** Returns labels from names and values that are sorted, distinct and not empty. They are not copied. */
  static sorted(names: readonly string[], values: readonly string[]): Labels {
    return new Labels(names, values);
  }

  /** A text that is equal for equal labels only. */
  get key(): string {
    this.#key ??= textOf(this.names, this.values);
    return this.#key;
  }

  /** Returns the value of a label; an empty text without it. */
  get(name: string): string {
    const index = this.names.indexOf(name);
    return index === -1 ? "" : this.values[index]!;
  }

  /** Returns the labels with these names only. */
  keep(names: readonly string[]): Labels {
    return this.#filter((name) => names.includes(name));
  }

  /** Returns the labels without these names. */
  without(...names: readonly string[]): Labels {
    return this.#filter((name) => !names.includes(name));
  }

  /** Returns the labels without the metric's name, type and unit. */
  withoutMetric(): Labels {
    return this.#filter((name) => !METADATA.has(name));
  }

  /** Returns the labels with other values for some names; an empty value removes a label. */
  with(changes: Iterable<readonly [string, string]>): Labels {
    const map = new Map(this);
    for (const [name, value] of changes) map.set(name, value);
    return fromMap(map);
  }

  /** Compares the labels name by name and value by value, in the order of Prometheus' results. */
  compare(other: Labels): number {
    const length = Math.min(this.names.length, other.names.length);
    for (let i = 0; i < length; i++) {
      const order = compareText(this.names[i]!, other.names[i]!) || compareText(this.values[i]!, other.values[i]!);
      if (order !== 0) return order;
    }
    return this.names.length - other.names.length;
  }

  /** Yields the pairs of names and values. */
  *[Symbol.iterator](): IterableIterator<[string, string]> {
    for (let i = 0; i < this.names.length; i++) yield [this.names[i]!, this.values[i]!];
  }

  /** Returns the labels in Prometheus' form: `{__name__="up", job="api"}`. */
  toString(): string {
    const parts = this.names.map((name, i) => {
      const shown = /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name) ? name : quoteText(name);
      return `${shown}=${quoteText(this.values[i]!)}`;
    });
    return `{${parts.join(", ")}}`;
  }

  #filter(isKept: (name: string) => boolean): Labels {
    if (this.names.every(isKept)) return this;
    const names: string[] = [];
    const values: string[] = [];
    for (let i = 0; i < this.names.length; i++) {
      if (!isKept(this.names[i]!)) continue;
      names.push(this.names[i]!);
      values.push(this.values[i]!);
    }
    return new Labels(names, values);
  }
}

/** The labels of a series without any. */
export const NO_LABELS: Labels = /* @__PURE__ */ Labels.sorted([], []);

/** Returns a text that is equal for equal values of some labels only: `names` on or, with `isWithout`, all but them and the metric's name. */
export function signatureOf(labels: Labels, names: readonly string[], isWithout: boolean): string {
  // A long list takes less time if the few labels of the series are looked up in it.
  if (!isWithout && names.length > MANY_NAMES) return labels.keep(names).key;
  if (!isWithout)
    return names.length === 0
      ? ""
      : textOf(
          names,
          names.map((name) => labels.get(name)),
        );
  return labels.without(METRIC_NAME, ...names).key;
}

function fromMap(map: ReadonlyMap<string, string>): Labels {
  const names: string[] = [];
  for (const [name, value] of map) if (value !== "") names.push(name);
  names.sort(compareText);
  return Labels.sorted(
    names,
    names.map((name) => map.get(name)!),
  );
}

/** Lengths separate the parts, since names and values may have any characters. */
function textOf(names: readonly string[], values: readonly string[]): string {
  let text = "";
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    const value = values[i]!;
    text += `${name.length}:${name}${value.length}:${value}`;
  }
  return text;
}
