/** A seeded source of numbers: workloads must be the same on every machine and in every run. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A float in [0, 1): mulberry32, a generator of 32 bits of state that passes the usual statistical batteries. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** An integer from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** One of `items`. */
  pick<Item>(items: readonly Item[]): Item {
    return items[this.integer(0, items.length - 1)]!;
  }

  /** True in `probability` of all calls. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** The same items in another order. */
  shuffle<Item>(items: readonly Item[]): Item[] {
    const shuffled = [...items];
    for (let i = shuffled.length - 1; i > 0; i--) {
      const other = this.integer(0, i);
      [shuffled[i], shuffled[other]] = [shuffled[other]!, shuffled[i]!];
    }
    return shuffled;
  }

  /** A string of `length` characters of `alphabet`. */
  characters(alphabet: string, length: number): string {
    let text = "";
    for (let i = 0; i < length; i++) text += alphabet[this.integer(0, alphabet.length - 1)];
    return text;
  }

  /** A lower-case hexadecimal string, as identifiers are. */
  hex(length: number): string {
    return this.characters("0123456789abcdef", length);
  }
}

/** Makes `count` items. */
export function times<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
