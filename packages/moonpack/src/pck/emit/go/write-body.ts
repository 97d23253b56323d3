/** A function that writes while it is written: it answers the longer slice, and an error, if it can fail. */
import { FunctionBody } from "./function.js";
import { type Path, pathCode } from "./path.js";
import type { Shared } from "./shared.js";
import { depthAt, Lines } from "./text.js";

/** The body of a function that writes. */
export class WriteBody extends FunctionBody {
  readonly shared: Shared;
  /** Does the function take its depth? */
  readonly isDeep: boolean;

  constructor(shared: Shared, isDeep: boolean) {
    super(shared.words);
    this.shared = shared;
    this.isDeep = isDeep;
  }

  run(name: string): string {
    return this.shared.run(name);
  }

  /** Refuses what lies at this path. */
  fail(code: string, path: Path): void {
    this.add(`return b, ${this.run("Refuse")}("${code}", ${pathCode(path, "+")})`);
  }

  /** Appends by a call that may fail. */
  try(call: string, path: Path): void {
    const { err } = this;
    this.block(`if b, ${err} = ${call}; err != nil`, () =>
      this.add(path.length === 0 ? "return b, err" : `return b, err.In(${pathCode(path, " + ")})`),
    );
  }

  /** A struct or container begins, so many levels down. */
  checkDepth(levels: number, path: Path): void {
    if (!this.isDeep || !this.isUnknownDepth(levels)) return;
    this.block(`if ${depthAt(levels)} > ${this.run("MaxDepth")}`, () => this.fail("ERR_LIMIT_DEPTH", path));
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
