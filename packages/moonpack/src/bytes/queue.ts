/** Slots of taken items are freed when there are at least this many. */
const FEWEST_FREED = 32;

/**
 * A first-in, first-out queue with constant time for each item, also when it never runs empty. (`Array.shift` moves all waiting
 * items; an index alone would never free the slots of taken items.) It has at most twice as many slots as items, and a few
 * dozen more.
 */
export class Queue<T> {
  /** Items before `#taken` have been taken. */
  #items: (T | undefined)[] = [];
  #taken = 0;

  /** The number of waiting items. */
  get length(): number {
    return this.#items.length - this.#taken;
  }

  /** The next item, which stays in the queue; undefined when there is none. */
  get first(): T | undefined {
    return this.#items[this.#taken];
  }

  /** Appends an item. */
  add(item: T): void {
    this.#items.push(item);
  }

  /** Removes and returns the first item; undefined when there is none. */
  take(): T | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#taken];
    this.#items[this.#taken++] = undefined;
    // Frees at least as many slots as it moves items.
    if (this.#taken >= FEWEST_FREED && this.#taken >= this.length) {
      this.#items = this.#items.slice(this.#taken);
      this.#taken = 0;
    }
    return item;
  }

  /** Removes all items. */
  clear(): void {
    this.#items = [];
    this.#taken = 0;
  }
}
