import { bytesText } from "../stack.js";

const NOTHING = /* @__PURE__ */ new Uint8Array(0);
/** The first allocation. */
const FIRST_BYTES = 256;

/** A frame that may await a key: PartFrame of part-frame.ts. */
interface KeyFrame {
  readonly awaitsKey: boolean;
  readonly keyStart: number;
  readonly keyRest: number;
  strictKeyBytes: StrictKeyBytes | null;
}

/**
 * The bytes of incomplete keys from released parts: strict reading compares the bytes of keys that are containers. Open keys
 * nest, so the outermost key's bytes contain the others.
 */
export class StrictKeyBytes {
  #bytes: Uint8Array<ArrayBuffer> = NOTHING;
  #size = 0;

  /** Keeps the bytes of the open keys in `src` up to `to`, before the part is released. */
  append(frames: readonly KeyFrame[], src: Uint8Array, to: number): void {
    let isOutermost = true;
    // The innermost frame has no open key: an incomplete scalar key is kept as the partial item.
    for (let i = 0; i < frames.length - 1; i++) {
      const frame = frames[i]!;
      if (!frame.awaitsKey) continue;
      if (isOutermost) {
        if (frame.keyStart === frame.keyRest) this.#size = 0;
        this.#append(src.subarray(frame.keyRest, to));
        isOutermost = false;
      }
      frame.strictKeyBytes = this;
    }
    if (isOutermost) this.release();
  }

  /** Discards the bytes when no key is open any more. */
  release(): void {
    this.#bytes = NOTHING;
    this.#size = 0;
  }

  #append(bytes: Uint8Array): void {
    const size = this.#size + bytes.length;
    if (size > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(FIRST_BYTES, 2 * this.#size, size));
      larger.set(this.#bytes.subarray(0, this.#size));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#size);
    this.#size = size;
  }

  /** The last `n` bytes as text; see {@link bytesText}. */
  text(n: number): string {
    return bytesText(this.#bytes, this.#size - n, this.#size);
  }
}
