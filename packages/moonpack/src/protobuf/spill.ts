/**
 * What a large message wrote before its memory was full. It stays where it is and is copied once, to the result: memory that is
 * outgrown and copied waits for the garbage collector beside the one that replaced it, and all that was allocated makes V8
 * collect the whole heap, twice for a message of 30 MB.
 */
export class Spill {
  private readonly parts: Uint8Array[] = [];
  /** Where each begins in the message. */
  private readonly starts: number[] = [];
  /** Bytes in all of them. */
  size = 0;

  /** Takes the next bytes of the message: the memory itself, which nobody else may write to. */
  push(part: Uint8Array): void {
    this.parts.push(part);
    this.starts.push(this.size);
    this.size += part.length;
  }

  /** Sets the byte at `offset`. */
  set(offset: number, byte: number): void {
    const index = this.partOf(offset);
    this.parts[index]![offset - this.starts[index]!] = byte;
  }

  /** Forgets what lies from `offset` on. */
  cut(offset: number): void {
    const index = this.partOf(offset);
    const start = this.starts[index]!;
    const kept = this.parts[index]!.subarray(0, offset - start);
    const count = kept.length > 0 ? index + 1 : index; // an empty one would keep its memory
    if (kept.length > 0) this.parts[index] = kept;
    this.parts.length = this.starts.length = count;
    this.size = offset;
  }

  /** Copies `[from..to)` to `target`; answers the end there. */
  copy(from: number, to: number, target: Uint8Array, at: number): number {
    let end = at;
    for (let index = this.partOf(from), next = from; next < to; index++) {
      const start = this.starts[index]!;
      const bytes = this.parts[index]!.subarray(next - start, to - start);
      target.set(bytes, end);
      next += bytes.length;
      end += bytes.length;
    }
    return end;
  }

  private partOf(offset: number): number {
    let index = this.starts.length - 1;
    while (this.starts[index]! > offset) index--;
    return index;
  }
}
