/** Readers of whole messages, at the least cost for their size. */
import { type BytesInput, toBytes } from "./input.js";
import { PackReader } from "./pack-reader.js";

/** Up to here V8 keeps arrays on its heap, where asking one for its buffer takes 150 ns. */
const SHORT_BYTES = 64;

/**
 * Opens messages one after the other. Short ones are copied: that takes less than to ask their memory whether it is shared,
 * can be resized or is gone. The reader of one is over when the next is opened.
 */
export class MessageOpener {
  readonly #maxDepth: number;
  #short: PackReader | null = null;

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
  }

  /** A reader at the first byte. Nobody else's code runs while it reads, so that nothing can open another one. */
  open(input: BytesInput): PackReader {
    // isView asks for the internal slot: an object that merely inherits from Uint8Array.prototype has none.
    if (ArrayBuffer.isView(input) && input instanceof Uint8Array) {
      const size = input.length;
      // Where memory is gone there is no first byte, whatever the length is said to be.
      if (size <= SHORT_BYTES && input[0] !== undefined) return this.#copy(input, size);
    }
    return this.openInPlace(input);
  }

  /** The same without a copy: for readers that answer views of the input. */
  openInPlace(input: BytesInput): PackReader {
    return new PackReader(toBytes(input), 0, this.#maxDepth);
  }

  #copy(input: Uint8Array, size: number): PackReader {
    const reader = (this.#short ??= shortReader(this.#maxDepth));
    const { bytes } = reader;
    for (let i = 0; i < size; i++) bytes[i] = input[i]!;
    reader.pos = 0;
    reader.end = size;
    reader.owed = 0;
    return reader;
  }
}

function shortReader(maxDepth: number): PackReader {
  const reader = new PackReader(new Uint8Array(SHORT_BYTES), 0, maxDepth);
  reader.view = new DataView(reader.bytes.buffer);
  return reader;
}
