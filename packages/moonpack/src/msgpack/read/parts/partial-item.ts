import { viewOf } from "../base.js";
import { headerSize, itemSize, payloadSize } from "../formats.js";

const NOTHING = /* @__PURE__ */ new Uint8Array(0);
const NO_VIEW = /* @__PURE__ */ viewOf(NOTHING);
/** The first allocation for a partial item, and the largest that is kept for the next one. */
const FIRST_BYTES = 64;
const KEPT_BYTES = 65_536;

/** The bytes of an item that the end of a part has cut; the following parts complete it. */
export class PartialItem {
  /** Valid up to `size`. */
  bytes: Uint8Array<ArrayBuffer> = NOTHING;
  /** A view over `bytes`. */
  view: DataView<ArrayBuffer> = NO_VIEW;
  /** Bytes present; 0 without a partial item. */
  size = 0;

  /** Bytes of its header. */
  get header(): number {
    return headerSize(this.bytes, 0);
  }

  /** Returns the bytes after its header of `header` bytes; 0 while the header is incomplete. */
  payload(header: number): number {
    return payloadSize(this.bytes, this.view, 0, header, this.size);
  }

  /** Bytes of the whole item; of its header while that is incomplete. */
  get declared(): number {
    return itemSize(this.bytes, this.view, 0, this.size);
  }

  /** Appends bytes. `declared`: the size of the whole item, as far as it is known. */
  append(src: Uint8Array, from: number, to: number, declared: number): void {
    const size = this.size + to - from;
    if (size > this.bytes.length) {
      // At most twice the bytes that have arrived: a declared size allocates nothing.
      const bytes = new Uint8Array(Math.max(FIRST_BYTES, Math.min(2 * size, declared)));
      bytes.set(this.bytes.subarray(0, this.size));
      this.bytes = bytes;
      this.view = viewOf(bytes);
    }
    if (to - from < 16) for (let i = from; i < to; i++) this.bytes[this.size + i - from] = src[i]!;
    else this.bytes.set(src.subarray(from, to), this.size);
    this.size = size;
  }

  /** Removes the item after it was read. Memory that is not large is kept for the next item. */
  clear(): void {
    this.size = 0;
    if (this.bytes.length > KEPT_BYTES) this.release();
  }

  /** Releases the memory too. */
  release(): void {
    this.size = 0;
    this.bytes = NOTHING;
    this.view = NO_VIEW;
  }
}
