import { Queue } from "./queue.js";
import { copyOwned } from "./slab.js";

/** Blocks double from the first size to the largest, so that one small part takes little memory. */
const FIRST_BLOCK = 64;
const LARGEST_BLOCK = 4096;

/** Up to this size a loop is faster than `set`. */
const LOOP_BYTES = 16;

/** A part, or a block of small parts: the first `size` bytes. A part that has been detached has fewer bytes. */
export interface WaitingPart {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly size: number;
}

/** A block of small parts, which may have room for more. */
interface Block {
  readonly bytes: Uint8Array<ArrayBuffer>;
  size: number;
}

/**
 * Parts of a stream that wait until the parts before them are read. Copies of small parts share blocks: a separate array takes
 * about 150 bytes, even for a part of one byte.
 */
export class WaitingParts {
  readonly #queue = new Queue<WaitingPart>();
  /** The last block in the queue, if more can be appended to it. */
  #block: Block | null = null;
  /** The waiting bytes. Read only. */
  left = 0;

  /** Appends a part without a copy. */
  add(bytes: Uint8Array<ArrayBuffer>): void {
    const size = bytes.length;
    if (size === 0) return;
    this.#block = null;
    this.#queue.add({ bytes, size });
    this.left += size;
  }

  /** Appends a copy of a part. */
  addCopy(bytes: Uint8Array): void {
    const size = bytes.length;
    // Blocks are therefore at least half full.
    if (size * 2 > LARGEST_BLOCK) return this.add(copyOwned(bytes, 0, size));
    if (size === 0) return;
    const block = this.#blockFor(size);
    if (size > LOOP_BYTES) block.bytes.set(bytes, block.size);
    else for (let i = 0; i < size; i++) block.bytes[block.size + i] = bytes[i]!;
    block.size += size;
    this.left += size;
  }

  #blockFor(size: number): Block {
    const last = this.#block;
    if (last !== null && last.bytes.length - last.size >= size) return last;
    const length = last === null ? FIRST_BLOCK : Math.min(LARGEST_BLOCK, last.bytes.length * 2);
    const block = { bytes: new Uint8Array(Math.max(length, size)), size: 0 };
    this.#queue.add(block);
    this.#block = block;
    return block;
  }

  /** Removes and returns the first part, or the first block of small parts; undefined when nothing waits. */
  take(): WaitingPart | undefined {
    const part = this.#queue.take();
    if (part === undefined) return undefined;
    if (part === this.#block) this.#block = null;
    this.left -= part.size;
    return part;
  }

  /** Removes all parts. */
  clear(): void {
    this.#queue.clear();
    this.#block = null;
    this.left = 0;
  }
}
