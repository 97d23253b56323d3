import { Code } from "./code.js";

/**
 * The body of a function that reads. Its place is in `p`, in `r.pos`, or in both: text is written for one of them, and what
 * brings the other up to date is written when it is needed.
 */
export class ReaderCode extends Code {
  /** Which of them is right. */
  #right: "both" | "local" | "reader" = "both";
  /** Which locals the function needs. */
  readonly #locals = new Set<"b" | "end" | "p">();

  /** Text for `p` follows. */
  toLocal(): void {
    this.#locals.add("p");
    if (this.#right !== "reader") return;
    this.line("p = r.pos;");
    this.#right = "both";
  }

  /** Text for `r.pos` follows. */
  toReader(): void {
    if (this.#right !== "local") return;
    this.line("r.pos = p;");
    this.#right = "both";
  }

  /** `p` has gone on. */
  markLocal(): void {
    this.#right = "local";
  }

  /** `r.pos` has gone on. */
  markReader(): void {
    this.#right = "reader";
  }

  /** A loop follows that goes on at `p`. */
  beginLocal(): void {
    this.toLocal();
    this.markLocal();
  }

  /** A loop follows that goes on at `r.pos`. */
  beginReader(): void {
    this.toReader();
    this.markReader();
  }

  /** A statement that goes on by functions over the reader. */
  reader(text: string): void {
    this.toReader();
    this.line(text);
    this.markReader();
  }

  /** Is `p` right, or may it be? */
  get isLocal(): boolean {
    return this.#right !== "reader";
  }

  /** A block that may be left out by what runs: afterwards both ways have the same one right. */
  branch(open: string, write: () => void, closing = "}"): void {
    const before = this.#right;
    this.open(open);
    write();
    if (before === "local") this.toLocal();
    else if (before === "reader") this.toReader();
    this.close(closing);
    if (before !== "both") this.#right = before;
  }

  /** The bytes. */
  bytes(): string {
    this.#locals.add("b");
    return "b";
  }

  /** The end of the bytes. */
  endOfBytes(): string {
    this.#locals.add("end");
    return "end";
  }

  /** The lines that begin the function. */
  head(): readonly string[] {
    const lines: string[] = [];
    if (this.#locals.has("b")) lines.push("const b = r.bytes;");
    if (this.#locals.has("end")) lines.push("const end = r.end;");
    if (this.#locals.has("p")) lines.push("let p = r.pos;");
    return lines;
  }
}
