/** The k greatest or least values, with the choice among equal values that Prometheus makes. */

/** An entry: the index of a series and its value. */
export interface Entry {
  readonly index: number;
  readonly value: number;
}

/** A heap with the worst value at its root. NaN is worse than any number. */
export class ValueHeap {
  readonly entries: Entry[] = [];
  readonly #isWorse: (a: number, b: number) => boolean;

  constructor(isTop: boolean) {
    this.#isWorse = isTop ? (a, b) => Number.isNaN(a) || a < b : (a, b) => Number.isNaN(a) || a > b;
  }

  /** Adds an entry; with `k` entries, it replaces the root if it is better. */
  offer(entry: Entry, k: number): void {
    const { entries } = this;
    if (entries.length < k) {
      entries.push(entry);
      this.#up(entries.length - 1);
      return;
    }
    const root = entries[0]!.value;
    if (Number.isNaN(entry.value) || !this.#isWorse(root, entry.value)) return;
    entries[0] = entry;
    this.#down(0);
  }

  /** Compares entries: the best one is first. */
  readonly compare = (a: Entry, b: Entry): number =>
    this.#isWorse(b.value, a.value) ? -1 : this.#isWorse(a.value, b.value) ? 1 : 0;

  #up(from: number): void {
    const { entries } = this;
    for (let i = from; i > 0; ) {
      const parent = (i - 1) >> 1;
      if (!this.#isWorse(entries[i]!.value, entries[parent]!.value)) return;
      [entries[i], entries[parent]] = [entries[parent]!, entries[i]!];
      i = parent;
    }
  }

  #down(from: number): void {
    const { entries } = this;
    for (let i = from; ; ) {
      let child = 2 * i + 1;
      if (child >= entries.length) return;
      if (child + 1 < entries.length && this.#isWorse(entries[child + 1]!.value, entries[child]!.value)) child++;
      if (!this.#isWorse(entries[child]!.value, entries[i]!.value)) return;
      [entries[i], entries[child]] = [entries[child]!, entries[i]!];
      i = child;
    }
  }
}
