/** Bytes of a class that lies about their number, as a hostile caller could pass. */

/** Returns the three bytes 1, 2 and 3 as an instance of a class whose `length` is `claimed`. */
export function bytesWithLength(claimed: number): Uint8Array<ArrayBuffer> {
  return new (classWithLength(claimed))(Uint8Array.of(1, 2, 3).buffer);
}

/** The class of these bytes. */
export function classWithLength(claimed: number): new (buffer: ArrayBuffer) => Uint8Array<ArrayBuffer> {
  return class Liar extends Uint8Array<ArrayBuffer> {
    override get length(): number {
      return claimed;
    }
  };
}
