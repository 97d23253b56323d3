/**
 * The first part of a large message, in the blocks of memory in which it was written. The blocks are copied once, to the result.
 *
 * Growing by copying would leave each outgrown block to the garbage collector while its replacement is in use, and the
 * allocations make V8 collect the whole heap: twice for a message of 30 MB.
 */
export class EarlierBlocks {
  readonly #blocks: Uint8Array[] = [];
  /** The offset in the message at which each block begins. */
  readonly #starts: number[] = [];
  /** Bytes in all blocks. */
  size = 0;

  /** Appends a block without a copy. Nothing may write to it afterwards, except `set`. */
  push(block: Uint8Array): void {
    this.#blocks.push(block);
    this.#starts.push(this.size);
    this.size += block.length;
  }

  /** Sets the byte at `offset` of the message. */
  set(offset: number, byte: number): void {
    const index = this.#indexAt(offset);
    this.#blocks[index]![offset - this.#starts[index]!] = byte;
  }

  /** Removes the bytes from `offset` on. */
  truncate(offset: number): void {
    const index = this.#indexAt(offset);
    const kept = this.#blocks[index]!.subarray(0, offset - this.#starts[index]!);
    const count = kept.length > 0 ? index + 1 : index; // an empty view would keep its memory alive
    if (kept.length > 0) this.#blocks[index] = kept;
    this.#blocks.length = this.#starts.length = count;
    this.size = offset;
  }

  /** Copies the bytes `[from..to)` to `target` at `at`; returns the end of the copy. */
  copy(from: number, to: number, target: Uint8Array, at: number): number {
    let end = at;
    for (let index = this.#indexAt(from), next = from; next < to; index++) {
      const start = this.#starts[index]!;
      const bytes = this.#blocks[index]!.subarray(next - start, to - start);
      target.set(bytes, end);
      next += bytes.length;
      end += bytes.length;
    }
    return end;
  }

  #indexAt(offset: number): number {
    let index = this.#starts.length - 1;
    while (this.#starts[index]! > offset) index--;
    return index;
  }
}
