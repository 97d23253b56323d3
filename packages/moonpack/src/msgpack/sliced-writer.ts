import { PAUSE } from "./failure.js";
import type { MessageWriter } from "./write.js";
import { type Open, Pausing } from "./write-pauses.js";

/** Moving more than this is worth a slice of its own. */
const MOVED_BYTES = 1024 * 1024;

/** Writes one message in slices; see write-pauses.ts. */
export class SlicedWriter {
  readonly #value: unknown;
  readonly #writer: MessageWriter;
  readonly #pausing: Pausing;
  /** What is open between two slices, outermost first. */
  readonly #open: Open[] = [];
  #isBegun = false;

  /** The writer is this one's alone until the message is complete. */
  constructor(writer: MessageWriter, value: unknown) {
    this.#value = value;
    this.#writer = writer;
    this.#pausing = this.#writer.pausing = new Pausing(this.#writer);
    this.#writer.mayPause = true;
  }

  /** The next slice of about `size` bytes may have to move what is written, which takes its time when that is much. */
  mayMove(size: number): boolean {
    return this.#writer.pos > MOVED_BYTES && this.#writer.pos + 2 * size > this.#writer.bytes.length;
  }

  /** Moves what is written to memory with room for such a slice. */
  move(size: number): void {
    try {
      this.#writer.room(2 * size);
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** Writes a slice of about `size` bytes, at least a value; true when the message is complete. */
  write(size: number): boolean {
    const w = this.#writer;
    const open = this.#open;
    try {
      if (!this.#isBegun) {
        this.#isBegun = true;
        w.begin(null);
        w.pauseAt(size);
        w.root(this.#value);
      } else w.pauseAt(w.pos + size);
      for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
        top.goOn(w);
        open.pop();
      }
      w.finish();
      return true;
    } catch (error) {
      if (error !== PAUSE) throw this.#failed(error);
    }
    const { open: fresh } = this.#pausing;
    for (let item = fresh.pop(); item !== undefined; item = fresh.pop()) open.push(item);
    return false;
  }

  #failed(error: unknown): unknown {
    let failure = error;
    for (let item = this.#open.pop(); item !== undefined; item = this.#open.pop()) failure = item.failed(failure);
    return this.#writer.failed(failure);
  }

  /** The bytes of the complete message, in the writer's memory. */
  get written(): Uint8Array<ArrayBuffer> {
    return this.#writer.bytes.subarray(0, this.#writer.pos);
  }
}
