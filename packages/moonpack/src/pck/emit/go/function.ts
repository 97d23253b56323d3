/** One function as it is emitted: its lines and its variables. */
import { Lines } from "./text.js";

/** The body of a function. */
export class FunctionBody {
  lines = new Lines();
  readonly #uses = new Map<string, number>();
  readonly #words: ReadonlySet<string>;
  #err = false;
  #levels = -1;

  /** `words`: names that mean something else. */
  constructor(words: ReadonlySet<string>) {
    this.#words = words;
  }

  /** A variable's name that the function does not have yet: `list`, `list2`. */
  fresh(stem: string): string {
    let uses = this.#uses.get(stem) ?? 0;
    let name: string;
    do name = ++uses === 1 ? stem : `${stem}${uses}`;
    while (this.#words.has(name));
    this.#uses.set(stem, uses);
    return name;
  }

  /** `err`, which is declared at the top of a function that uses it. */
  get err(): string {
    this.#err = true;
    return "err";
  }

  /** Is `err` used? */
  get usesErr(): boolean {
    return this.#err;
  }

  /** Has it to be checked that so many levels further down is not too deep? Not where a check before has said so already. */
  protected isUnknownDepth(levels: number): boolean {
    if (levels <= this.#levels) return false;
    // What is checked under a condition is known only there.
    if (this.lines.isOutermost) this.#levels = levels;
    return true;
  }

  /** Goes on in other lines; answers those before. */
  swap(lines: Lines): Lines {
    const before = this.lines;
    this.lines = lines;
    return before;
  }

  add(...lines: readonly string[]): void {
    this.lines.add(...lines);
  }

  block(head: string, body: () => void): void {
    this.lines.block(head, body);
  }
}
