import { Level } from "./deep.js";
import type { MessageReader } from "./read.js";

/** What {@link Pieces} closes to. */
export const PIECES_END: unique symbol = Symbol("end");

/** The one array or map whose items are given as they come; it never closes to a value. */
export class Pieces extends Level {
  override close(r: MessageReader): unknown {
    r.depth--;
    return PIECES_END;
  }

  /** The item that is complete: an element or a pair; taken off, so that nothing of it stays here. */
  take(): unknown {
    return this.keys === null ? this.values.pop() : [this.keys.pop(), this.values.pop()];
  }
}
