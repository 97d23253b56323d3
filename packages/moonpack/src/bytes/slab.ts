/**
 * Results that nobody writes to again, at the least cost for their size. Measured on Node 20: an array of its own costs
 * 50 ns up to 64 bytes (V8 keeps those on its heap) and 550-780 ns above (an ArrayBuffer each), a cut from a slab 100 ns.
 */
const ON_HEAP_BYTES = 64;
const CUT_BYTES = 2048;
const SLAB_BYTES = 8192;

/** One slab in use; an instance belongs to one encoder. */
export class Slab {
  #slab: ArrayBuffer | null = null;
  #used = 0;

  /**
   * A copy of `source[start..end)`: up to 64 bytes its own array, up to 2 KB cut from an 8 KB slab as Node's Buffers are
   * (`.buffer` then holds other results too), larger its own.
   */
  copy(source: Uint8Array, start: number, end: number): Uint8Array<ArrayBuffer> {
    const size = end - start;
    if (size <= ON_HEAP_BYTES) return copySmall(source, start, size);
    if (size > CUT_BYTES) return copyLarge(source, start, end);
    let slab = this.#slab;
    // A caller may have transferred one of its results, and so the slab: such a slab is left behind.
    if (slab === null || this.#used + size > SLAB_BYTES || slab.byteLength === 0) {
      this.#slab = slab = new ArrayBuffer(SLAB_BYTES);
      this.#used = 0;
    }
    const result = new Uint8Array(slab, this.#used, size);
    if (start === 0 && size === source.length) result.set(source);
    else result.set(source.subarray(start, end));
    this.#used += (size + 7) & ~7; // the next cut starts aligned
    return result;
  }
}

/** A copy that shares its buffer with nobody, whatever its size. */
export function copyOwned(source: Uint8Array, start: number, end: number): Uint8Array<ArrayBuffer> {
  const size = end - start;
  return size <= ON_HEAP_BYTES ? copySmall(source, start, size) : copyLarge(source, start, end);
}

function copyLarge(source: Uint8Array, start: number, end: number): Uint8Array<ArrayBuffer> {
  // A Buffer's `slice` is a view, and a subclass's would be of its class.
  if (Object.getPrototypeOf(source) !== Uint8Array.prototype) return new Uint8Array(source.subarray(start, end));
  return source.slice(start, end) as Uint8Array<ArrayBuffer>;
}

function copySmall(source: Uint8Array, start: number, size: number): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(size);
  for (let i = 0; i < size; i++) result[i] = source[start + i]!; // a loop: `set` wants a view of the source made first
  return result;
}
