/** The first keys of pages, in one piece of memory: a separate array for each would take much more memory than the key. */

/** A list of keys. They do not change. */
export class PageKeys {
  readonly #bytes: Buffer;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;

  /** Key i is in `bytes` from `starts[i]` to `ends[i]`. */
  constructor(bytes: Uint8Array, starts: Uint32Array, ends: Uint32Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#starts = starts;
    this.#ends = ends;
  }

  get length(): number {
    return this.#starts.length;
  }

  at(i: number): Uint8Array {
    return this.#bytes.subarray(this.#starts[i]!, this.#ends[i]!);
  }

  /** Compares key i with another key: negative, 0 or positive. */
  compare(i: number, key: Uint8Array): number {
    return this.#bytes.compare(key, 0, key.length, this.#starts[i]!, this.#ends[i]!);
  }
}
