/** A bounded Map; evicts the oldest entry. */

/** Entries by async id. */
export class BoundedMap<Value> {
  readonly #entries = new Map<number, Value>();
  readonly #max: number;
  /** Points past all evicted entries. A new iterator for each eviction would step over every deleted entry again. */
  readonly #oldest: MapIterator<number>;

  constructor(max: number) {
    this.#max = max;
    this.#oldest = this.#entries.keys();
  }

  get(id: number): Value | undefined {
    return this.#entries.get(id);
  }

  /** Adds an entry. Returns true if it evicted another one. */
  add(id: number, value: Value): boolean {
    const isFull = this.#entries.size >= this.#max;
    // The map has an entry, so the iterator is not at its end.
    if (isFull) this.#entries.delete(this.#oldest.next().value!);
    this.#entries.set(id, value);
    return isFull;
  }

  delete(id: number): void {
    this.#entries.delete(id);
  }
}
