import type { MessageReader } from "../message.js";
import { bytesText, Frame } from "../stack.js";
import type { StrictKeyBytes } from "./strict-key-bytes.js";

/** An open container that may wait for the next part of the input. */
export class PartFrame extends Frame {
  /**
   * Strict: the position where the current key continues in this part. If the key started in an earlier part, its first
   * `keyRest - keyStart` bytes are the last ones of `strictKeyBytes`, and `keyStart` may be negative.
   */
  keyRest = 0;
  strictKeyBytes: StrictKeyBytes | null = null;

  override beginKey(pos: number): void {
    this.keyStart = this.keyRest = pos;
  }

  override keyBytes(r: MessageReader): string {
    const earlier = this.keyRest - this.keyStart;
    return (earlier > 0 ? this.strictKeyBytes!.text(earlier) : "") + bytesText(r.src, this.keyRest, r.pos);
  }
}
