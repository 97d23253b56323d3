/**
 * The strings of many items, in two texts that follow the items. An item has only the length of its string, in UTF-16 units: negative
 * in the text with other characters than Latin ones.
 */
export class Bundle {
  /** Where the items end and the texts begin. */
  readonly #start: number;
  /** Where the texts end. */
  readonly end: number;
  readonly #texts: readonly [string, string];
  /** The characters of each text that items have used. */
  readonly #used: [number, number] = [0, 0];

  constructor(start: number, end: number, texts: readonly [string, string]) {
    this.#start = start;
    this.end = end;
    this.#texts = texts;
  }

  /** Returns the next string of length `n`; null if the text is shorter. */
  take(n: number): string | null {
    const which = n < 0 ? 0 : 1;
    const from = this.#used[which];
    const to = from + Math.abs(n);
    if (to > this.#texts[which].length) return null;
    this.#used[which] = to;
    return this.#texts[which].slice(from, to);
  }

  /** True if the items end at `pos` and have used all of the texts. */
  isUsed(pos: number): boolean {
    return pos === this.#start && this.#texts.every((text, i) => text.length === this.#used[i]);
  }
}
