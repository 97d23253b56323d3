/** One function as it is emitted: its lines and its variables. */
import { Lines } from "./text.js";

/** The body of a function. */
export class FunctionBody {
  lines = new Lines();
  readonly #uses = new Map<string, number>();
  #err = false;

  /** A variable's name that the function does not have yet: `list`, `list2`. */
  fresh(stem: string): string {
    const uses = (this.#uses.get(stem) ?? 0) + 1;
    this.#uses.set(stem, uses);
    return uses === 1 ? stem : `${stem}${uses}`;
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
