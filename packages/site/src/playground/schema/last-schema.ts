// The schema that changes are compared with: the last one, as it was before the visitor began to change it.

/** A text without faults, the names of its schemas, and the chosen one. */
export interface GoodText {
  readonly text: string;
  readonly names: readonly string[];
  readonly chosen: string;
}

/** Follows the texts of the schema. */
export class LastSchema {
  /** The text to compare with; "" until one without faults is known. */
  #base = "";
  #arrived = "";
  #last: GoodText | undefined;
  #isManual = false;

  /** A text came at once: from an example, a link, or the last visit. It is shown with `older`, and later compared with `base`. */
  arrive(text: string, base: string): void {
    this.#base = base;
    this.#arrived = text;
    this.#last = undefined;
    this.#isManual = false;
  }

  /** A schema that was inferred replaces the present one, which is the last one then. */
  replace(): void {
    this.#base = this.#last?.text ?? this.#base;
  }

  /** The visitor has written the older schema: it stays until another input arrives. */
  edit(): void {
    this.#isManual = true;
  }

  /** Takes the next text without faults. Returns the older schema for it; undefined: the one that is shown. */
  next(good: GoodText): string | undefined {
    const last = this.#last;
    this.#last = good;
    if (this.#base === "") this.#base = good.text;
    if (this.#isManual || good.text === this.#arrived || good.text === last?.text) return undefined;
    // A pasted schema of another name has no older one yet.
    if (last !== undefined && !last.names.includes(good.chosen) && isMostlyNew(last.text, good.text))
      this.#base = good.text;
    return this.#base;
  }
}

/** True if more than half of a text is not the text before it: what differs between their beginnings and their ends. */
function isMostlyNew(before: string, now: string): boolean {
  const most = Math.min(before.length, now.length);
  let start = 0;
  while (start < most && before[start] === now[start]) start++;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === now.at(-1 - end)) end++;
  return 2 * (now.length - start - end) > now.length;
}
