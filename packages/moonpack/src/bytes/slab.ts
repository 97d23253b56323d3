/**
 * Returns results in memory that is never reused. The size of a result decides which kind of memory is the cheapest. Measured on
 * Node 20: a new array costs 50 ns up to 64 bytes (V8 keeps it on its heap), and 550 to 780 ns above (it has an ArrayBuffer). A
 * slice of a slab costs 100 ns.
 */
import { guardSlab } from "#platform";

const ON_HEAP_BYTES = 64;
/** The largest result that is a slice of a slab. */
const MAX_SLICE_BYTES = 2048;
const SLAB_BYTES = 8192;
/**
 * Up to this size a loop over words is faster than `set`, which needs a new view of the source. A copy of 77 bytes takes 155 ns with
 * the loop, and 260 ns with `set`.
 */
const WORDS_BYTES = 256;

/** Memory into which a writer may write a message, from `used` on. The message must fit. */
export interface WriteTarget {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A view of all of `bytes`. */
  readonly view: DataView<ArrayBuffer>;
  /** Where the free part begins. */
  readonly used: number;
  /** Makes sure that `size` bytes are free from `used` on. May change `bytes`, `view` and `used`. */
  ready(size: number): void;
}

/**
 * Memory of 8 KB for results of up to 2 KB, which are slices of it. Copy finished bytes with {@link Slab.copy}. Or write in place:
 * call {@link Slab.ready}, write to `bytes` at `used`, then call {@link Slab.cut}. Each encoder has a separate slab.
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
   * In Firefox (the only engine with InternalError) and Bun no result is a slice of the slab: a new array is cheaper there at every size. In Firefox an array of 90 bytes costs 45 ns, one of 950 bytes 95 ns; slices cost 130 and 280 ns. In Bun arrays cost 95
   * and 230 ns, slices 120 and 290 ns.
   */
  readonly #maxSliceBytes: number =
    "InternalError" in globalThis || "Bun" in globalThis ? ON_HEAP_BYTES : MAX_SLICE_BYTES;

  /** Makes sure that `size` bytes are free from `used` on. May replace the slab. */
  ready(size: number): void {
    // A caller may have transferred a result, and the slab with it. The slab's length is then 0, and a new slab replaces it.
    if (this.bytes.length - this.used < size) {
      this.bytes = new Uint8Array(SLAB_BYTES);
      this.view = new DataView(this.bytes.buffer);
      this.words = new Int32Array(this.bytes.buffer);
      this.used = 0;
    }
  }

  /** Returns the result `bytes[used..end)`, which was written in place: a slice of the slab, or a copy if that is faster. */
  cut(end: number): Uint8Array<ArrayBuffer> {
    const { bytes, used } = this;
    const size = end - used;
    if (size <= ON_HEAP_BYTES || size > this.#maxSliceBytes) return copyOwned(bytes, used, end);
    // From the first slice on, results share the slab. If it were transferred with one of them, the others would be empty. In Node
    // and Deno the guard makes the runtime refuse the transfer; other runtimes have no guard.
    if (used === 0) guardSlab(bytes.buffer);
    this.used = (end + 7) & ~7; // the next slice begins aligned
    return new Uint8Array(bytes.buffer, used, size);
  }

  /**
   * Returns a copy of `source[start..end)`. From 65 bytes to 2 KB the copy is a slice of the slab, so its `.buffer` also
   * holds other results. Node does the same with small Buffers and a pool. Other copies own their memory.
   */
  copy(source: Uint8Array, start: number, end: number): Uint8Array<ArrayBuffer> {
    const size = end - start;
    if (size <= ON_HEAP_BYTES || size > this.#maxSliceBytes) return copyOwned(source, start, end);
    this.ready(size);
    this.bytes.set(source.subarray(start, end), this.used);
    return this.cut(this.used + size);
  }
}

/** Works like {@link Slab.copy}, for a source that is also available as words. `start` is a multiple of 4. */
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
 * Returns a copy of `source[start..end)` that owns its memory at any size: to keep or transfer a part of a larger buffer.
 *
 * @example
 * const text = copyOwned(reader.raw(n), 0, n); // does not keep the input alive
 */
export function copyOwned(source: Uint8Array, start: number, end: number): Uint8Array<ArrayBuffer> {
  const size = end - start;
  const result = new Uint8Array(size);
  // A loop for small sizes, since `set` needs a new view of the source. Not `slice`: on a Buffer it returns a view.
  if (size <= ON_HEAP_BYTES) for (let i = 0; i < size; i++) result[i] = source[start + i]!;
  else result.set(source.subarray(start, end));
  return result;
}
