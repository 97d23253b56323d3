/** The number of nested messages for which a new table has space. V8 keeps typed arrays of up to 64 bytes on its own heap. */
const INITIAL_CAPACITY = 16;

/**
 * The nested messages of one message whose lengths are not written yet, in the order in which they begin. The
 * Writer counts them (nesting.ts), so that the table can be passed on with an arena without being cleared.
 *
 * Typed arrays, since setting the `length` of an array costs more than all the rest of a short message.
 */
export interface LengthTable {
  /** Where each length belongs: offsets from the first byte of the message. */
  places: Int32Array;
  /** The length of a closed message. For an open one, the value of `extra` (nesting.ts) when it was opened. */
  lengths: Int32Array;
  /** The open messages as indexes into `places`, outermost first. */
  open: Int32Array;
}

/** Returns a table for `capacity` nested messages. */
export function createLengthTable(capacity: number = INITIAL_CAPACITY): LengthTable {
  return { places: new Int32Array(capacity), lengths: new Int32Array(capacity), open: new Int32Array(capacity) };
}

/** Doubles the capacity of a table. */
export function growLengthTable(nested: LengthTable): void {
  nested.places = doubled(nested.places);
  nested.lengths = doubled(nested.lengths);
  nested.open = doubled(nested.open);
}

function doubled(numbers: Int32Array): Int32Array {
  const larger = new Int32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}
