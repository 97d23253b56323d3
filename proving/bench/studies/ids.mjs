// Ids of 128 random bits as hexadecimal text. Random bytes are requested from the system for many ids at once.
import { Buffer } from "node:buffer";
import { randomFillSync } from "node:crypto";

const ID_BYTES = 16;

/** A source of ids that cannot be guessed. */
export class IdPool {
  #bytes;
  #used;

  /** `ids`: number of ids for each request to the system. */
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
    // Each id has its own text: a part of one long text would pin that.
    return this.#bytes.toString("hex", start, this.#used);
  }
}
