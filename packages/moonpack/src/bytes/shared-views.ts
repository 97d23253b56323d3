/** Views of a writer's memory, kept by length: what recurs is not allocated again. */
const KEPT = 64;

/** Gives out views of the first bytes of one memory at a time. */
export class SharedViews {
  readonly #views = new Array<Uint8Array<ArrayBuffer> | null>(KEPT).fill(null);
  #memory: Uint8Array<ArrayBuffer> | null = null;

  /** The first `size` bytes of `memory`. */
  view(memory: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
    if (memory !== this.#memory) {
      this.#views.fill(null);
      this.#memory = memory;
    }
    const known = this.#views[size % KEPT]!;
    // A view that was transferred away has no length; and neither has the memory then.
    if (known !== null && known.length === size) return known;
    return (this.#views[size % KEPT] = new Uint8Array(memory.buffer, 0, size));
  }
}
