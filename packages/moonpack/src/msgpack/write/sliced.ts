import { PAUSE } from "./failure.js";
import type { MessageWriter } from "./message.js";
import { type Paused, Pauses } from "./pause.js";

/** Moving more bytes than this gets a separate slice. */
const MOVED_BYTES = 1024 * 1024;

/** Writes one message in slices; pause.ts describes how. */
export class SlicedWriter {
  readonly #value: unknown;
  readonly #writer: MessageWriter;
  readonly #pauses: Pauses;
  /** The containers interrupted between two slices, outermost first. */
  readonly #paused: Paused[] = [];
  #isBegun = false;

  /** `writer` must have no other user until the message is complete. */
  constructor(writer: MessageWriter, value: unknown) {
    this.#value = value;
    this.#writer = writer;
    this.#pauses = writer.pauses = new Pauses(writer);
  }

  /** True if the next slice of about `size` bytes may have to move a large message to larger memory. */
  mayMove(size: number): boolean {
    return this.#writer.pos > MOVED_BYTES && this.#writer.pos + 2 * size > this.#writer.bytes.length;
  }

  /** Moves the message to memory with space for the next slice. */
  move(size: number): void {
    try {
      this.#writer.room(2 * size);
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** Writes a slice of about `size` bytes, and one value at least. Returns true when the message is complete. */
  write(size: number): boolean {
    const w = this.#writer;
    const paused = this.#paused;
    try {
      if (!this.#isBegun) {
        this.#isBegun = true;
        w.begin(null);
        this.#endSliceAt(size);
        w.root(this.#value);
      } else this.#endSliceAt(w.pos + size);
      for (let top = paused.at(-1); top !== undefined; top = paused.at(-1)) {
        top.resume(w);
        paused.pop();
      }
      w.finish();
      return true;
    } catch (error) {
      if (error !== PAUSE) throw this.#failed(error);
    }
    const fresh = this.#pauses.paused;
    for (let item = fresh.pop(); item !== undefined; item = fresh.pop()) paused.push(item);
    return false;
  }

  /** Ends the slice at `pos`: the first value that begins after it throws PAUSE. */
  #endSliceAt(pos: number): void {
    const w = this.#writer;
    w.checkSize();
    w.pauseAt = pos;
    w.setSafeEnd();
  }

  #failed(error: unknown): unknown {
    let failure = error;
    for (let item = this.#paused.pop(); item !== undefined; item = this.#paused.pop()) failure = item.withPath(failure);
    return this.#writer.failed(failure);
  }

  /** The bytes of the complete message, in the writer's memory. */
  get written(): Uint8Array<ArrayBuffer> {
    return this.#writer.bytes.subarray(0, this.#writer.pos);
  }
}
