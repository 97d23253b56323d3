import { headerSize, payloadSize } from "./item-size.js";

const NOTHING = new Uint8Array(0);
const NO_VIEW = new DataView(NOTHING.buffer);
/** Memory for cut items starts here, and is kept up to KEPT_BYTES. */
const FIRST_BYTES = 64;
const KEPT_BYTES = 65_536;

/** The beginning of an item that the end of a part has cut, gathered from parts until it is complete. */
export class HeldItem {
  /** Valid up to `size`. */
  bytes: Uint8Array<ArrayBuffer> = NOTHING;
  /** A view over `bytes`. */
  view: DataView<ArrayBuffer> = NO_VIEW;
  /** How much there is; 0: no item is held. */
  size = 0;

  /** Bytes of its header. */
  get header(): number {
    return headerSize(this.bytes, 0);
  }

  /** Bytes behind its header; 0 while that is cut. */
  get payload(): number {
    return payloadSize(this.bytes, this.view, 0, this.size);
  }

  /** Adds bytes; `declared`: what the item takes, as far as it is known. */
  keep(src: Uint8Array, from: number, to: number, declared: number): void {
    const size = this.size + to - from;
    if (size > this.bytes.length) {
      // At most twice the bytes that came: what is declared costs nothing.
      const bytes = new Uint8Array(Math.max(FIRST_BYTES, Math.min(2 * size, declared)));
      bytes.set(this.bytes.subarray(0, this.size));
      this.bytes = bytes;
      this.view = new DataView(bytes.buffer);
    }
    if (to - from < 16) for (let i = from; i < to; i++) this.bytes[this.size + i - from] = src[i]!;
    else this.bytes.set(src.subarray(from, to), this.size);
    this.size = size;
  }

  /** The item has been read; memory that is not large is kept for the next one. */
  clear(): void {
    this.size = 0;
    if (this.bytes.length > KEPT_BYTES) this.drop();
  }

  /** Lets go of the memory, too. */
  drop(): void {
    this.size = 0;
    this.bytes = NOTHING;
    this.view = NO_VIEW;
  }
}
