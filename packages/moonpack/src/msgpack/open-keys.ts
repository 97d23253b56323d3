import { bytesText, type Level } from "./deep.js";

const NOTHING = new Uint8Array(0);
/** Memory starts here. */
const FIRST_BYTES = 256;

/**
 * What has come of the keys that are not complete, in parts that are gone: strict reading compares the bytes of keys that are
 * containers. Such keys lie in one another, so the bytes of the outermost are those of all.
 */
export class OpenKeys {
  #bytes: Uint8Array<ArrayBuffer> = NOTHING;
  #size = 0;

  /** Keeps what `src` has up to `to` of the keys that are open: before it goes. */
  keep(levels: readonly Level[], src: Uint8Array, to: number): void {
    let isNew = true;
    // Of the innermost level no key is open: one that is cut is held elsewhere.
    for (let i = 0; i < levels.length - 1; i++) {
      const level = levels[i]!;
      if (!level.awaitsKey) continue;
      if (isNew) {
        if (level.keyFrom === level.keyTo) this.#size = 0;
        this.#add(src.subarray(level.keyTo, to));
        isNew = false;
      }
      level.gone = this;
    }
    if (isNew) this.drop();
  }

  /** Nothing is open. */
  drop(): void {
    this.#bytes = NOTHING;
    this.#size = 0;
  }

  #add(bytes: Uint8Array): void {
    const size = this.#size + bytes.length;
    if (size > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(FIRST_BYTES, 2 * this.#size, size));
      larger.set(this.#bytes.subarray(0, this.#size));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#size);
    this.#size = size;
  }

  /** The last `n` bytes; see {@link bytesText}. */
  text(n: number): string {
    return bytesText(this.#bytes, this.#size - n, this.#size);
  }
}
