import type { MessageReader } from "../message.js";
import { PartFrame } from "./part-frame.js";

/** Returned by {@link ItemsOfOne.close}: the container has ended. */
export const ITEMS_END: unique symbol = /* @__PURE__ */ Symbol("end");

/** The one array or map whose items are returned one by one; it does not produce a value itself. */
export class ItemsOfOne extends PartFrame {
  override close(r: MessageReader): unknown {
    r.depth--;
    return ITEMS_END;
  }

  /** Removes and returns the complete item: an element, or a pair `[key, value]`. */
  take(): unknown {
    return this.keys === null ? this.values.pop() : [this.keys.pop(), this.values.pop()];
  }
}
