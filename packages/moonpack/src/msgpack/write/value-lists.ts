/**
 * Lists of the values of objects. In a process with many kinds of objects, V8 loads a value by its key in about 20 ns, and lists all
 * values of an object of 40 keys in 100. But from an object that it keeps as a dictionary, it takes 190 ns for each listed value.
 * Which ones are dictionaries cannot be seen from JavaScript, so some lists are timed. The time decides about speed only, never about
 * bytes.
 */

/** In objects of fewer keys, lists save little. */
const MIN_KEYS = 17;
/** JSON.parse makes dictionaries of objects with more keys. */
const MAX_KEYS = 128;
/** A list that takes more milliseconds than this for each value is slow. */
const SLOW_MS = 60e-6;
/** After a fast list, this number of lists of the same length is not timed. */
const TRUSTED = 15;
/** After a slow list, this number of objects with as many keys is not listed. */
const RESTED = 127;

/** Lists values where that is faster. */
export class ValueLists {
  /** By number of keys: objects that are not listed before the next try; below 0, lists that are not timed. */
  readonly counts: Int8Array = new Int8Array(MAX_KEYS + 1);

  /**
   * Returns the values of an object of `n` keys in the order of its keys. Null where they should be loaded by their keys: it is faster,
   * a getter threw, or a getter removed a property.
   */
  list(object: Record<string, unknown>, n: number): unknown[] | null {
    if (n < MIN_KEYS || n > MAX_KEYS) return null;
    const { counts } = this;
    const count = counts[n]!;
    if (count > 0) {
      counts[n] = count - 1;
      return null;
    }
    if (count < 0) {
      counts[n] = count + 1;
      return valuesOf(object, n);
    }
    const start = performance.now();
    const values = valuesOf(object, n);
    counts[n] = performance.now() - start > n * SLOW_MS ? RESTED : -TRUSTED;
    return values;
  }
}

function valuesOf(object: Record<string, unknown>, n: number): unknown[] | null {
  try {
    const values = Object.values(object);
    return values.length === n ? values : null;
  } catch {
    return null; // the load by its key throws again, in its place
  }
}
