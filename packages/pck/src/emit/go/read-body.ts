/** The body of a function that reads. The function returns the position after the value, and an error or nil. */

import type { GoContext } from "./context.js";
import { FunctionBody } from "./function-body.js";
import type { Cost } from "./memory.js";
import type { Needs } from "./needs.js";
import { depthAt, Lines, times } from "./text.js";

/** A function that reads, while it is written. */
export class ReadBody extends FunctionBody {
  readonly context: GoContext;
  /** Whether the function has a parameter `depth`. */
  readonly isDeep: boolean;
  /** The results before the position and the error: none, or a nil union. */
  readonly #failed: string;

  constructor(context: GoContext, isDeep: boolean, failed = "") {
    super(context.reservedNames);
    this.context = context;
    this.isDeep = isDeep;
    this.#failed = failed;
  }

  runtime(name: string): string {
    return this.context.runtime(name);
  }

  /** Returns an error. */
  fail(error: string): void {
    this.add(`return ${this.#failed}i, ${error}`);
  }

  /** Reads into `x` with a call that may fail. `x` is "" for a call that returns only the position and the error. */
  try(x: string, call: string): void {
    const { err } = this;
    this.block(`if ${x === "" ? "" : `${x}, `}i, ${err} = ${call}; err != nil`, () => this.fail("err"));
  }

  /** Checks the depth of a struct or container `levels` down. */
  checkDepth(levels: number): void {
    if (!this.isDeep || !this.isUnknownDepth(levels)) return;
    this.block(`if ${depthAt(levels)} > ${this.runtime("MaxDepth")}`, () =>
      this.fail(`${this.runtime("ReadError")}("ERR_LIMIT_DEPTH", i)`),
    );
  }

  /** Checks that `width` bytes are left. */
  checkWidth(width: number): void {
    this.block(width === 1 ? "if i >= len(b)" : `if len(b)-i < ${width}`, () =>
      this.fail(`${this.runtime("BlockError")}(b, i, 0, ${width})`),
    );
  }

  /**
   * Reads a count and checks it against the bytes left: each element or pair has at least `least` bytes. `cost`: the
   * memory that is counted.
   */
  count(isInBits: boolean, least: number, cost?: Cost): string {
    const n = this.newName("n");
    this.add(`var ${n} int`);
    const call = `${this.runtime(`${isInBits ? "BitCount" : "Count"}${cost === undefined ? "" : "WithRoom"}`)}(b, i, reserved`;
    const room = cost === undefined ? "" : `, room, ${isInBits ? "" : `${cost.fixed}, `}${cost.each}`;
    this.try(n, `${call}${isInBits ? "" : `, ${least}`}${room})`);
    return n;
  }

  /**
   * Writes a loop over `n` elements or pairs of at least `minBytes` bytes. `reserves`: whether the loop tracks the bytes that the
   * remaining elements need, because elements contain counts.
   */
  loop(head: string, n: string, minBytes: number, reserves: boolean, each: () => void): void {
    if (reserves) this.add(`reserved += ${times(minBytes, n).replace("*", " * ")}`);
    this.block(head, () => {
      if (reserves) this.add(minBytes === 1 ? "reserved--" : `reserved -= ${minBytes}`);
      each();
    });
  }

  /** Takes memory from the room; nothing for 0. */
  takeMemory(size: number): void {
    if (size === 0) return;
    const { err } = this;
    this.block(`if ${err} = ${this.runtime("TakeRoom")}(room, i, ${size}); err != nil`, () => this.fail("err"));
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

/**
 * Returns the parameters of a function that reads: the message, the position, the depth, the bytes that open containers reserve,
 * and the memory that is left.
 */
export function parametersOf({ isDeep, hasCounts, takesRoom }: Needs): string {
  const numbers = ["i", ...(isDeep ? ["depth"] : []), ...(hasCounts ? ["reserved"] : [])].join(", ");
  return `b []byte, ${numbers} int${takesRoom ? ", room *int64" : ""}`;
}

/** Returns the arguments for these parameters, in a call at this depth. */
export function argumentsOf({ isDeep, hasCounts, takesRoom }: Needs, depth: string): string {
  return [
    "b",
    "i",
    ...(isDeep ? [depth] : []),
    ...(hasCounts ? ["reserved"] : []),
    ...(takesRoom ? ["room"] : []),
  ].join(", ");
}

/** Returns the arguments at the begin of a message. */
export function rootArguments({ isDeep, hasCounts, takesRoom }: Needs): string {
  return ["b", "0", ...(isDeep ? ["1"] : []), ...(hasCounts ? ["0"] : []), ...(takesRoom ? ["&room"] : [])].join(", ");
}
