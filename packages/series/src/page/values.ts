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

/** Words above which the view that `set` needs takes less time than a loop. */
const LOOP_WORDS = 128;

/** Copies `n` words to `at` in the target. */
export function copyWords(source: Int32Array, n: number, target: Int32Array, at: number): void {
  if (n > LOOP_WORDS) target.set(source.subarray(0, n), at);
  else for (let i = 0; i < n; i++) target[at + i] = source[i]!;
}

/** Memory for `n` values: `values` if it is large enough, else a larger one without its content. */
export function withRoom(values: Values64, n: number): Values64 {
  return n <= values.capacity ? values : new Values64(Math.max(n, 2 * values.capacity));
}
