/** A function while it is written: its lines and its variables. */
import { Lines } from "./text.js";

/** The body of one function. */
export class FunctionBody {
  lines = new Lines();
  readonly #uses = new Map<string, number>();
  readonly #reservedNames: ReadonlySet<string>;
  #err = false;
  #levels = -1;

  /** `reservedNames`: names that no variable may have. */
  constructor(reservedNames: ReadonlySet<string>) {
    this.#reservedNames = reservedNames;
  }

  /** Returns a variable name that the function does not use yet: `list`, `list2`. */
  newName(stem: string): string {
    let uses = this.#uses.get(stem) ?? 0;
    let name: string;
    do name = ++uses === 1 ? stem : `${stem}${uses}`;
    while (this.#reservedNames.has(name));
    this.#uses.set(stem, uses);
    return name;
  }

  /** The variable `err`, which is declared at the top of a function that uses it. */
  get err(): string {
    this.#err = true;
    return "err";
  }

  /** Whether `err` is used. */
  get usesErr(): boolean {
    return this.#err;
  }

  /** Whether a depth `levels` down is still unchecked. Marks it as checked. */
  protected isUnknownDepth(levels: number): boolean {
    if (levels <= this.#levels) return false;
    // A check inside a condition holds only there.
    if (this.lines.isOutermost) this.#levels = levels;
    return true;
  }

  /** Continues in other lines. Returns the previous ones. */
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
