/** Views are kept by their length modulo this number. */
const SLOTS = 64;
/** Memory larger than this is not kept alive by its views. */
const MAX_VIEWED_BYTES = 1024 * 1024;

/**
 * A cache of views of the first bytes of a writer's memory. A recurring length gets the same view again: a new one costs 90 ns
 * and 100 bytes.
 */
export class SharedViews {
  readonly #views = new Array<Uint8Array<ArrayBuffer> | null>(SLOTS).fill(null);
  #memory: Uint8Array<ArrayBuffer> | null = null;

  /** Returns a view of the first `size` bytes of `memory`. */
  view(memory: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
    if (memory !== this.#memory) {
      this.#views.fill(null);
      this.#memory = memory.length > MAX_VIEWED_BYTES ? null : memory;
    }
    const known = this.#views[size % SLOTS]!;
    // A caller may have transferred a view. It then has length 0, and its memory is detached too.
    if (known !== null && known.length === size) return known;
    const view = new Uint8Array(memory.buffer, 0, size);
    if (this.#memory !== null) this.#views[size % SLOTS] = view;
    return view;
  }
}
