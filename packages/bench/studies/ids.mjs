// Ids of 128 random bits as hexadecimal text, their bytes drawn from the system for many ids at once.
import { Buffer } from "node:buffer";
import { randomFillSync } from "node:crypto";

const ID_BYTES = 16;

/** A source of ids that cannot be guessed. */
export class IdPool {
  #bytes;
  #used;

  /** `ids`: for so many it asks the system at once. */
  constructor(ids) {
    this.#bytes = Buffer.alloc(ids * ID_BYTES);
    this.#used = this.#bytes.length;
  }

  next() {
    if (this.#used === this.#bytes.length) {
      randomFillSync(this.#bytes);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used = start + ID_BYTES;
    // A text of its own: a part of one long text would pin that.
    return this.#bytes.toString("hex", start, this.#used);
  }
}
