/**
 * 64-bit values of points: floats, or int64. Both views are of the same memory. An int64 is only ever moved as two words: an
 * engine may change the bits of a NaN when a float is loaded and stored.
 */
export class Values64 {
  readonly floats: Float64Array<ArrayBuffer>;
  /** Value i has its low word at 2 i, its high word at 2 i + 1: machines that Node runs on are little-endian. */
  readonly words: Int32Array<ArrayBuffer>;

  constructor(capacity: number) {
    this.floats = new Float64Array(capacity);
    this.words = new Int32Array(this.floats.buffer);
  }

  get capacity(): number {
    return this.floats.length;
  }
}

/** Memory for `n` values: `values` if it is large enough, else a larger one without its content. */
export function withRoom(values: Values64, n: number): Values64 {
  return n <= values.capacity ? values : new Values64(Math.max(n, 2 * values.capacity));
}
