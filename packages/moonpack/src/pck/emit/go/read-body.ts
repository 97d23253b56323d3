/** A function that reads while it is written: it answers where it stopped, and an error, if any. */
import { FunctionBody } from "./function.js";
import type { Shared } from "./shared.js";
import { depthAt, Lines } from "./text.js";

/** The body of a function that reads. */
export class ReadBody extends FunctionBody {
  readonly shared: Shared;
  /** Does the function take its depth? */
  readonly isDeep: boolean;
  /** What it answers besides the position and an error: nothing, or a union that is nil. */
  readonly #failed: string;

  constructor(shared: Shared, isDeep: boolean, failed = "") {
    super(shared.words);
    this.shared = shared;
    this.isDeep = isDeep;
    this.#failed = failed;
  }

  run(name: string): string {
    return this.shared.run(name);
  }

  /** Answers an error. */
  fail(error: string): void {
    this.add(`return ${this.#failed}i, ${error}`);
  }

  /** Reads `x` by a call that may fail; "" for one that answers nothing but the position. */
  try(x: string, call: string): void {
    const { err } = this;
    this.block(`if ${x === "" ? "" : `${x}, `}i, ${err} = ${call}; err != nil`, () => this.fail("err"));
  }

  /** A struct or container begins, so many levels down. */
  checkDepth(levels: number): void {
    if (!this.isDeep || !this.isUnknownDepth(levels)) return;
    this.block(`if ${depthAt(levels)} > ${this.run("MaxDepth")}`, () =>
      this.fail(`${this.run("Fail")}("ERR_LIMIT_DEPTH", i)`),
    );
  }

  /** So many bytes have to be there. */
  checkWidth(width: number): void {
    this.block(width === 1 ? "if i >= len(b)" : `if len(b)-i < ${width}`, () =>
      this.fail(`${this.run("CutShort")}(b, i, 0, ${width})`),
    );
  }

  /** Checks that a number of elements or pairs, so many bytes each at least, can be there, and reads it. */
  count(isInBits: boolean, least: number): string {
    const n = this.fresh("n");
    this.add(`var ${n} int`);
    this.try(n, isInBits ? `${this.run("BitCount")}(b, i, owed)` : `${this.run("Count")}(b, i, owed, ${least})`);
    return n;
  }

  /** The function, whole. */
  close(comment: string, head: string): Lines {
    const lines = new Lines();
    lines.add(`// ${comment}`);
    lines.block(head, () => {
      if (this.usesErr) lines.add(`var err *${this.run("Error")}`);
      lines.take(this.lines);
    });
    return lines;
  }
}

/** The parameters of a function besides the message: where it reads, how deep that is, what containers around it owe. */
export function parametersOf(isDeep: boolean, hasCounts: boolean): string {
  return ["i", ...(isDeep ? ["depth"] : []), ...(hasCounts ? ["owed"] : [])].join(", ");
}

/** The arguments for them, of a function that is called at a depth. */
export function argumentsOf(isDeep: boolean, hasCounts: boolean, depth: string): string {
  return ["b", "i", ...(isDeep ? [depth] : []), ...(hasCounts ? ["owed"] : [])].join(", ");
}
