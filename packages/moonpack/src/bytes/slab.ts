/**
 * Results whose memory is never reused, at the least cost for their size. Measured on Node 20: a new array costs 50 ns up to
 * 64 bytes (V8 keeps those on its heap) and 550-780 ns above (each has an ArrayBuffer); a cut from a slab costs 100 ns.
 */
import { guardSlab } from "#platform";

const ON_HEAP_BYTES = 64;
/** The largest result that is cut from a slab. */
const CUT_BYTES = 2048;
const SLAB_BYTES = 8192;
/** Up to this size a loop over words is faster than `set`, which takes a view of the source (77 bytes: 155 ns against 260). */
const WORDS_BYTES = 256;

/** Memory that a writer may write a message into, from `used` on, as long as the message fits. */
export interface WriteTarget {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A view of all of `bytes`. */
  readonly view: DataView<ArrayBuffer>;
  /** Where the free part begins. */
  readonly used: number;
  /** Ensures that `room` bytes are free at `used`; `bytes`, `view` and `used` may change. */
  ready(room: number): void;
}

/**
 * Memory from which results of up to 2 KB are cut, 8 KB at a time. Copy finished bytes with {@link Slab.copy}; or write in
 * place: call {@link Slab.ready}, write to `bytes` at `used`, then call {@link Slab.cut}. Each encoder has a separate slab.
 *
 * @example
 * const slab = new Slab(); // one for each encoder
 * return slab.copy(writer.bytes, 0, writer.pos);
 */
export class Slab implements WriteTarget {
  /** The current slab. */
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  /** A view of the whole slab. */
  view: DataView<ArrayBuffer> = new DataView(this.bytes.buffer);
  /**
   * The slab as words.
   *
   * @internal
   */
  words: Int32Array<ArrayBuffer> = new Int32Array(this.bytes.buffer);
  /** Where the free part begins: a multiple of 8. */
  used = 0;
  /**
   * Firefox (the only engine with InternalError) and Bun do not use the slab, since their cost has no step at 64 bytes: in Firefox
   * a new array costs 45 ns at 90 bytes and 95 ns at 950, a cut 130 and 280; in Bun 95 and 230 against 120 and 290.
   */
  readonly #cutBytes: number = "InternalError" in globalThis || "Bun" in globalThis ? ON_HEAP_BYTES : CUT_BYTES;

  /** Ensures that `room` bytes are free at `used`. */
  ready(room: number): void {
    // A caller may have transferred a result, and the slab with it: its length is then 0, and a new slab replaces it.
    if (this.bytes.length - this.used < room) {
      this.bytes = new Uint8Array(SLAB_BYTES);
      this.view = new DataView(this.bytes.buffer);
      this.words = new Int32Array(this.bytes.buffer);
      this.used = 0;
    }
  }

  /** The result `bytes[used..end)`, which was written in place: a cut, or a copy where that is faster. */
  cut(end: number): Uint8Array<ArrayBuffer> {
    const { bytes, used } = this;
    const size = end - used;
    if (size <= ON_HEAP_BYTES || size > this.#cutBytes) return copyOwned(bytes, used, end);
    // Guarded at the first cut: from then on, a result shares the slab.
    if (used === 0) guardSlab(bytes.buffer);
    this.used = (end + 7) & ~7; // the next cut begins aligned
    return new Uint8Array(bytes.buffer, used, size);
  }

  /**
   * A copy of `source[start..end)`. From 65 bytes to 2 KB it is cut from the slab, as Node's Buffers are: its `.buffer` holds
   * other results too. Other copies own their memory.
   */
  copy(source: Uint8Array, start: number, end: number): Uint8Array<ArrayBuffer> {
    const size = end - start;
    if (size <= ON_HEAP_BYTES || size > this.#cutBytes) return copyOwned(source, start, end);
    this.ready(size);
    this.bytes.set(source.subarray(start, end), this.used);
    return this.cut(this.used + size);
  }
}

/** As {@link Slab.copy}, for a source that is also available as words. `start` is a multiple of 4. */
export function copyWords(
  slab: Slab,
  source: Uint8Array,
  words: Int32Array,
  start: number,
  end: number,
): Uint8Array<ArrayBuffer> {
  const size = end - start;
  if (size <= ON_HEAP_BYTES || size > WORDS_BYTES) return slab.copy(source, start, end);
  slab.ready(size);
  const target = slab.words;
  const last = (end + 3) >> 2;
  for (let from = start >> 2, to = slab.used >> 2; from < last; from++, to++) target[to] = words[from]!;
  return slab.cut(slab.used + size);
}

/**
 * A copy of `source[start..end)` that owns its memory at any size: to keep or transfer a part of a larger buffer.
 *
 * @example
 * const text = copyOwned(reader.raw(n), 0, n); // does not keep the input alive
 */
export function copyOwned(source: Uint8Array, start: number, end: number): Uint8Array<ArrayBuffer> {
  const size = end - start;
  const result = new Uint8Array(size);
  // A loop for small sizes, since `set` takes a view of the source. Not `slice`: on a Buffer it returns a view.
  if (size <= ON_HEAP_BYTES) for (let i = 0; i < size; i++) result[i] = source[start + i]!;
  else result.set(source.subarray(start, end));
  return result;
}
