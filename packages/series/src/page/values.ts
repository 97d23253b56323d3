/**
 * 64-bit values of points: floats, or int64, as two views of the same memory. An int64 is always moved as two words: as a float, an engine
 * may change the bits of a NaN.
 */
export class Values64 {
  /** The values as floats. */
  readonly floats: Float64Array<ArrayBuffer>;
  /** The low word of value i is at 2 i, the high word at 2 i + 1: all machines of Node are little-endian. */
  readonly words: Int32Array<ArrayBuffer>;

  constructor(capacity: number) {
    this.floats = new Float64Array(capacity);
    this.words = new Int32Array(this.floats.buffer);
  }

  /** Number of values that fit. */
  get capacity(): number {
    return this.floats.length;
  }
}

/** Copies value `from` to position `to` of the target. */
export function copyValue({ words }: Values64, from: number, target: Values64, to: number): void {
  target.words[2 * to] = words[2 * from]!;
  target.words[2 * to + 1] = words[2 * from + 1]!;
}

/** Number of words from which `set` with a view is faster than a loop. */
const LOOP_WORDS = 128;

/** Copies `n` words to position `at` of the target. */
export function copyWords(source: Int32Array, n: number, target: Int32Array, at: number): void {
  if (n > LOOP_WORDS) target.set(source.subarray(0, n), at);
  else for (let i = 0; i < n; i++) target[at + i] = source[i]!;
}

/** Returns memory for `n` values: `values` if it is large enough, otherwise new memory without its content. */
export function withRoom(values: Values64, n: number): Values64 {
  return n <= values.capacity ? values : new Values64(Math.max(n, 2 * values.capacity));
}
