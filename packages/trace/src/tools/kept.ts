/** A Map that holds so many entries at most: for a new one the oldest goes. */

/** Entries by async id. */
export class Kept<Value> {
  readonly #entries = new Map<number, Value>();
  readonly #max: number;
  /** Past all that were dropped. One iterator, since a new one each time would step over every deleted entry again. */
  readonly #oldest: MapIterator<number>;

  constructor(max: number) {
    this.#max = max;
    this.#oldest = this.#entries.keys();
  }

  get(id: number): Value | undefined {
    return this.#entries.get(id);
  }

  /** Adds an entry. True if another one was dropped for it. */
  add(id: number, value: Value): boolean {
    const isFull = this.#entries.size >= this.#max;
    // There is an entry, so the iterator is never at its end.
    if (isFull) this.#entries.delete(this.#oldest.next().value!);
    this.#entries.set(id, value);
    return isFull;
  }

  delete(id: number): void {
    this.#entries.delete(id);
  }
}
