import { UsageError } from "../shared/failure.js";
import { printable } from "../shared/printable.js";

/** A usage error at a position in an argument. The argument is printed below the text, with a caret at the position. */
export class PointedError extends UsageError {
  readonly argument: string;
  /** The index of the invalid character, in UTF-16 units; the argument's length for its end. */
  readonly at: number;

  constructor(message: string, argument: string, at: number) {
    super(`${message} (at character ${[...argument.slice(0, at)].length + 1})`);
    this.argument = argument;
    this.at = at;
  }

  /** The lines below the text: the argument, and the caret. */
  get pointer(): readonly string[] {
    const before = printable(this.argument.slice(0, this.at));
    return [`  ${printable(this.argument)}`, `  ${" ".repeat([...before].length)}^`];
  }
}
