import { grantedElements } from "../../../bytes/elements.js";
import { invalidArgument } from "../../../bytes/errors.js";
import { limitError, MAX_RECURSION, trailingBytes, viewOf } from "../base.js";
import { itemSize } from "../formats.js";
import { INCOMPLETE } from "../incomplete.js";
import { beginItem, PENDING } from "../stack.js";
import type { PartFrame } from "./part-frame.js";
import type { PartReader } from "./part-reader.js";
import { SHORT_BYTES } from "./resumable.js";
import { readOn } from "./resume-containers.js";

/**
 * Reads one message in slices. Unlike the parts of resumable.ts, the whole message is present and is read in place. So its errors
 * are the same as for a message that is read at once. A slice never cuts a string, binary or extension.
 */
export class SlicedReader {
  /** May be shared with other SlicedReaders: it knows keys and shapes, and holds no input between two slices. */
  readonly #shared: PartReader;
  readonly #src: Uint8Array<ArrayBuffer>;
  readonly #view: DataView<ArrayBuffer>;
  readonly #size: number;
  /** The end of reading: the end of the input, or the limit maxBytes. */
  readonly #end: number;
  readonly #frames: PartFrame[] = [];
  /** Receives the frames that a slice's end interrupts. */
  readonly #suspended: PartFrame[] = [];
  /** Elements that the message may still create, stored between two slices. */
  #elementsLeft: number;
  /** True if a key of the message also exists on Object.prototype. */
  #hasInheritedKey = false;
  #pos = 0;

  constructor(reader: PartReader, input: Uint8Array<ArrayBuffer>) {
    const { maxBytes, maxElements } = reader.settings;
    this.#elementsLeft = grantedElements(maxElements, input.length);
    this.#shared = reader;
    this.#src = input;
    this.#view = viewOf(input);
    this.#size = input.length;
    this.#end = Math.min(input.length, maxBytes);
  }

  /** Reads the next slice of about `size` bytes, at least one item. Returns the value, or PENDING while it is not complete. */
  read(size: number): unknown {
    const r = this.#shared.idle();
    if (this.#src.length !== this.#size) throw invalidArgument("the input was detached while it was decoded");
    r.busy = true;
    r.stack.hasInheritedKey = this.#hasInheritedKey;
    r.elementsLeft = this.#elementsLeft;
    try {
      this.#setInput(r, size);
      const value = this.#read(r);
      this.#pos = r.pos;
      if (value !== PENDING && r.pos !== this.#size) throw trailingBytes(r.pos);
      return value;
    } catch (error) {
      this.#suspended.length = 0;
      const failure = r.decodeError(error);
      throw this.#end < this.#size ? limitError(failure, this.#end, 0) : failure;
    } finally {
      r.busy = false;
      this.#hasInheritedKey = r.stack.hasInheritedKey;
      this.#elementsLeft = r.elementsLeft;
      r.release();
    }
  }

  /** Sets the reader's input to the next slice. */
  #setInput(r: PartReader, size: number): void {
    const pos = this.#pos;
    r.src = this.#src;
    r.view = this.#view;
    r.pos = pos;
    r.end = Math.min(this.#end, Math.max(pos + size, pos + this.#itemSize(pos, this.#end)));
    r.bytesToCome = this.#end - r.end;
    r.endIsKnown = true;
    // Nothing can follow the last slice, so it is read like a whole message.
    r.suspended = r.bytesToCome > 0 ? this.#suspended : null;
  }

  #read(r: PartReader): unknown {
    const frames = this.#frames;
    const isLast = r.suspended === null;
    do {
      const left = r.end - r.pos;
      const isShort = !isLast && left < SHORT_BYTES;
      if (isShort && this.#itemSize(r.pos, r.end) > left) return PENDING;
      r.depth = frames.length;
      const frame = frames.at(-1);
      if (frame === undefined) r.reserved = 0;
      else beginItem(r, frame);
      const value = readOn(r, frames, r.checksMaps || isShort || frames.length >= MAX_RECURSION);
      if (value === INCOMPLETE) return PENDING;
      if (value !== PENDING) return value;
    } while (isLast || r.pos < r.end);
    return PENDING;
  }

  #itemSize(pos: number, end: number): number {
    return pos < end ? itemSize(this.#src, this.#view, pos, end) : 1;
  }
}
