/** The body of a function that writes. The function returns the extended slice, and an error if it can fail. */

import type { GoContext } from "./context.js";
import { FunctionBody } from "./function-body.js";
import { type Path, pathCode } from "./path.js";
import { depthAt, Lines } from "./text.js";

/** A function that writes, while it is written. */
export class WriteBody extends FunctionBody {
  readonly context: GoContext;
  /** Whether the function has a parameter `depth`. */
  readonly isDeep: boolean;

  constructor(context: GoContext, isDeep: boolean) {
    super(context.reservedNames);
    this.context = context;
    this.isDeep = isDeep;
  }

  runtime(name: string): string {
    return this.context.runtime(name);
  }

  /** Returns an error for the value at this path. */
  fail(code: string, path: Path): void {
    this.add(`return b, ${this.runtime("WriteError")}("${code}", ${pathCode(path, "+")})`);
  }

  /** Appends with a call that may fail. */
  try(call: string, path: Path): void {
    const { err } = this;
    this.block(`if b, ${err} = ${call}; err != nil`, () =>
      this.add(path.length === 0 ? "return b, err" : `return b, err.In(${pathCode(path, " + ")})`),
    );
  }

  /** Checks the depth of a struct or container `levels` down. */
  checkDepth(levels: number, path: Path): void {
    if (!this.isDeep || !this.isUnknownDepth(levels)) return;
    this.block(`if ${depthAt(levels)} > ${this.runtime("MaxDepth")}`, () => this.fail("ERR_LIMIT_DEPTH", path));
  }

  /** Returns the whole function. */
  close(comment: string, head: string): Lines {
    const lines = new Lines();
    lines.add(`// ${comment}`);
    lines.block(head, () => {
      if (this.usesErr) lines.add(`var err *${this.runtime("Error")}`);
      lines.append(this.lines);
    });
    return lines;
  }
}
