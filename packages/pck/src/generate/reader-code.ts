import { Code } from "./code.js";

/**
 * The body of a function that reads. Its position is in the local `p`, in `r.pos`, or in both. Text is written for
 * one of them, and the assignment that updates the other one is written only when it is needed.
 */
export class ReaderCode extends Code {
  /** Which of them is up to date. */
  #right: "both" | "local" | "reader" = "both";
  /** The locals that the function uses. */
  readonly #locals = new Set<"b" | "end" | "p">();

  /** Call before text that uses `p`. */
  toLocal(): void {
    this.#locals.add("p");
    if (this.#right !== "reader") return;
    this.line("p = r.pos;");
    this.#right = "both";
  }

  /** Call before text that uses `r.pos`. */
  toReader(): void {
    if (this.#right !== "local") return;
    this.line("r.pos = p;");
    this.#right = "both";
  }

  /** Call after text that advanced `p`. */
  markLocal(): void {
    this.#right = "local";
  }

  /** Call after text that advanced `r.pos`. */
  markReader(): void {
    this.#right = "reader";
  }

  /** Call before a loop that advances `p`. */
  beginLocal(): void {
    this.toLocal();
    this.markLocal();
  }

  /** Call before a loop that advances `r.pos`. */
  beginReader(): void {
    this.toReader();
    this.markReader();
  }

  /** Adds a statement that advances `r.pos`. */
  reader(text: string): void {
    this.toReader();
    this.line(text);
    this.markReader();
  }

  /** Whether `p` is up to date. */
  get isLocal(): boolean {
    return this.#right !== "reader";
  }

  /** Adds a block that may not run. After it the same position is up to date in both cases. */
  branch(open: string, write: () => void, closing = "}"): void {
    const before = this.#right;
    this.open(open);
    write();
    if (before === "local") this.toLocal();
    else if (before === "reader") this.toReader();
    this.close(closing);
    if (before !== "both") this.#right = before;
  }

  /** Returns the expression of the bytes. */
  bytes(): string {
    this.#locals.add("b");
    return "b";
  }

  /** Returns the expression of the end of the bytes. */
  endOfBytes(): string {
    this.#locals.add("end");
    return "end";
  }

  /** Returns the lines that begin the function. */
  head(): readonly string[] {
    const lines: string[] = [];
    if (this.#locals.has("b")) lines.push("const b = r.bytes;");
    if (this.#locals.has("end")) lines.push("const end = r.end;");
    if (this.#locals.has("p")) lines.push("let p = r.pos;");
    return lines;
  }
}
