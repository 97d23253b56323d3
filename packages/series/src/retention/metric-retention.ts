/** How long each metric is kept, by its id: a byte a metric. Ids are never used again, and a metric keeps its name and tags. */
import type { CheckedRule, CheckedRules } from "./rules.js";

const UNKNOWN = 0;

/** See above. */
export class MetricRetention {
  readonly #rules: readonly CheckedRule[];
  /** Milliseconds; the first one is for metrics without a rule. */
  readonly #keeps: readonly number[];
  /** The shortest of them. */
  readonly shortest: number;
  /** The place of each metric in the list above, plus one. */
  #places = new Uint8Array(256);

  constructor(fallback: number, rules: readonly CheckedRule[]) {
    this.#rules = rules;
    this.#keeps = [fallback, ...rules.map(({ keep }) => keep)];
    this.shortest = Math.min(...this.#keeps);
  }

  /** Loads the library for regular expressions, if a rule needs it. Returns undefined without rules. Throws `ERR_INVALID_ARGUMENT`. */
  static async of(checked: CheckedRules | undefined): Promise<MetricRetention | undefined> {
    if (checked === undefined) return undefined;
    const { fallback, rules } = checked;
    const complete = rules.map(async ({ match, keep }) => ({ match: (await match.complete?.()) ?? match, keep }));
    return new MetricRetention(fallback, await Promise.all(complete));
  }

  /** Number of durations for which a function returns true. */
  passed(hasPassed: (keep: number) => boolean): number {
    return this.#keeps.filter(hasPassed).length;
  }

  /** Finds the rule of a metric. Must be called before {@link keepOf}. */
  add(id: number, name: string, tags: Readonly<Record<string, string>>): void {
    if (this.isKnown(id)) return;
    if (id >= this.#places.length) {
      const places = new Uint8Array(2 * id);
      places.set(this.#places);
      this.#places = places;
    }
    this.#places[id] = this.#rules.findIndex(({ match }) => match.matches(name, tags)) + 2;
  }

  isKnown(id: number): boolean {
    return id < this.#places.length && this.#places[id] !== UNKNOWN;
  }

  /** Returns the milliseconds that a metric is kept; Infinity if it is not known. */
  keepOf(id: number): number {
    return this.isKnown(id) ? this.#keeps[this.#places[id]! - 1]! : Number.POSITIVE_INFINITY;
  }
}
