/**
 * Results that nobody writes to again, at the least cost for their size. Measured on Node 20: an array of its own costs
 * 50 ns up to 64 bytes (V8 keeps those on its heap) and 550-780 ns above (an ArrayBuffer each), a cut from a slab 100 ns.
 */
const ON_HEAP_BYTES = 64;
/**
 * Firefox (SpiderMonkey alone has InternalError) and Bun cut nothing. They have no step at 64 bytes: in Firefox an array of its own
 * costs 45 ns at 90 bytes and 95 at 950, a cut 130 and 280; in Bun 95 and 230 against 120 and 290.
 */
const CUT_BYTES = "InternalError" in globalThis || "Bun" in globalThis ? ON_HEAP_BYTES : 2048;
const SLAB_BYTES = 8192;
/** Up to here a loop over words is quicker than `set`, which wants a view of the source (77 bytes: 155 ns and 260 with the cut). */
const WORDS_BYTES = 256;

/** Memory that a writer may write into from `used` on, for as long as the message fits. */
export interface WriteTarget {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A view over it. */
  readonly view: DataView<ArrayBuffer>;
  /** Where its free part begins. */
  readonly used: number;
  /** Makes sure that `room` bytes are free at `used`. */
  ready(room: number): void;
}

/**
 * Memory that results of up to 2 KB are cut from, 8 KB at a time. A writer may write right where the next cut will be
 * ({@link Slab.ready}, then {@link Slab.cut}), or have finished bytes copied ({@link Slab.copy}). An instance belongs to
 * one encoder.
 */
export class Slab implements WriteTarget {
  /** The slab in use. */
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  /** A view over it. */
  view: DataView<ArrayBuffer> = new DataView(this.bytes.buffer);
  /** The same as words. */
  #words: Int32Array<ArrayBuffer> = new Int32Array(this.bytes.buffer);
  /** Where its free part begins: a multiple of 8. */
  used = 0;

  /** Makes sure that `room` bytes are free at `used`. */
  ready(room: number): void {
    // A caller may have transferred one of its results, and so the slab: its length is 0 then and it is left behind.
    if (this.bytes.length - this.used < room) {
      this.bytes = new Uint8Array(SLAB_BYTES);
      this.view = new DataView(this.bytes.buffer);
      this.#words = new Int32Array(this.bytes.buffer);
      this.used = 0;
    }
  }

  /** Gives out `bytes[used..end)`, which were written in place; a copy where a cut would not be right for the size. */
  cut(end: number): Uint8Array<ArrayBuffer> {
    const { bytes, used } = this;
    const size = end - used;
    if (size <= ON_HEAP_BYTES || size > CUT_BYTES) return copyOwned(bytes, used, end);
    this.used = (end + 7) & ~7; // the next cut begins aligned
    return new Uint8Array(bytes.buffer, used, size);
  }

  /**
   * A copy of `source[start..end)`: up to 64 bytes its own array, up to 2 KB cut from an 8 KB slab as Node's Buffers are
   * (`.buffer` then holds other results too), larger its own.
   */
  copy(source: Uint8Array, start: number, end: number): Uint8Array<ArrayBuffer> {
    const size = end - start;
    if (size <= ON_HEAP_BYTES || size > CUT_BYTES) return copyOwned(source, start, end);
    this.ready(size);
    this.bytes.set(source.subarray(start, end), this.used);
    return this.cut(this.used + size);
  }

  /** The same for a source that is there as words, too, and a `start` that is a multiple of 4. */
  copyWords(source: Uint8Array, words: Int32Array, start: number, end: number): Uint8Array<ArrayBuffer> {
    const size = end - start;
    if (size <= ON_HEAP_BYTES || size > WORDS_BYTES) return this.copy(source, start, end);
    this.ready(size);
    const target = this.#words;
    const last = (end + 3) >> 2;
    for (let from = start >> 2, to = this.used >> 2; from < last; from++, to++) target[to] = words[from]!;
    return this.cut(this.used + size);
  }
}

/** A copy that shares its buffer with nobody, whatever its size. */
export function copyOwned(source: Uint8Array, start: number, end: number): Uint8Array<ArrayBuffer> {
  const size = end - start;
  const result = new Uint8Array(size);
  // A loop for the small ones: `set` wants a view of the source made first. Not `slice`, which a Buffer answers with a view.
  if (size <= ON_HEAP_BYTES) for (let i = 0; i < size; i++) result[i] = source[start + i]!;
  else result.set(source.subarray(start, end));
  return result;
}
