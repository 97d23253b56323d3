import type { MessageReader } from "../message.js";
import { NO_SLOT } from "../objects.js";
import { bytesText, Frame } from "../stack.js";
import type { StrictKeyBytes } from "./strict-key-bytes.js";

/** An open container that may wait for the next part of the input. */
export class PartFrame extends Frame {
  /** Where the shape of a map is noted, see `MessageReader.readPairs`. */
  slot = NO_SLOT;
  /**
   * Strict: where the current key continues in the present part. If it started in an earlier part, `keyStart` is before
   * `keyRest` by as many bytes as `strictKeyBytes` ends with, and may be negative.
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
