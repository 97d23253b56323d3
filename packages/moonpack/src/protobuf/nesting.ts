/**
 * The ground of the Writer: memory that grows, nested messages, results.
 *
 * A nested message begins with one byte for its length. Where the length takes more, the content would have to move: that
 * is done at once for a short one, and for longer ones once for all of them at the end, so that no byte moves with each
 * level around it (a chain of n messages takes O(n), not O(n * n)).
 */
import { MoonpackError } from "../bytes/errors.js";
import { Slab } from "../bytes/slab.js";
import { putUvar32, uvar32Size } from "../bytes/varint.js";
import { acquire, doubled, enlarge, release, type Scratch } from "./scratch.js";

/** Content up to here moves at once when its length takes two bytes. */
const MOVED_BYTES = 1024;
const NOTHING = new Uint8Array(0);
const NO_VIEW = new DataView(NOTHING.buffer);

/** What small results are cut from, whoever's they are; see slab.ts. */
const slab = new Slab();

/** Bytes of one message while it is written. */
export class Nesting {
  /** Null once the message is finished, or before it has begun: then `buf` is the result, which nobody writes to. */
  private scratch: Scratch | null;
  protected buf: Uint8Array<ArrayBuffer>;
  protected view: DataView<ArrayBuffer>;
  /** Where the next byte goes. */
  protected at = 0;
  /** Writing may go on up to here; 0 where something has to be done first. */
  protected limit: number;
  /** Bytes that lengths will take beyond the one that they have. */
  private extra = 0;
  /** How many nested messages `starts` holds, and how many of them are open. */
  private nested = 0;
  private depth = 0;

  constructor() {
    const scratch = acquire();
    this.scratch = scratch;
    this.buf = scratch.bytes;
    this.view = scratch.view;
    this.limit = scratch.bytes.length;
  }

  /** Bytes written so far. */
  get pos(): number {
    return this.at + this.extra;
  }

  /** The same; protobuf.js 7 counted from the last `fork`. */
  get len(): number {
    return this.at + this.extra;
  }

  /** Makes room for `n` bytes. */
  protected grow(n: number): void {
    const { at } = this;
    this.checkOwned();
    if (this.scratch === null) {
      const scratch = acquire();
      if (at + n > scratch.bytes.length) enlarge(scratch, 0, at + n);
      if (at > 0) scratch.bytes.set(this.buf.subarray(0, at));
      this.scratch = scratch;
    }
    const { scratch } = this;
    if (at + n > scratch.bytes.length) enlarge(scratch, at, at + n);
    this.buf = scratch.bytes;
    this.view = scratch.view;
    this.limit = scratch.bytes.length;
  }

  /** Begins a nested message: what is written up to {@link Nesting.ldelim} is its content. */
  fork(): this {
    if (this.at >= this.limit) this.grow(1);
    const scratch = this.scratch!;
    const slot = this.nested++;
    if (slot >= scratch.starts.length) this.growNested(scratch);
    scratch.open[this.depth++] = slot;
    scratch.starts[slot] = this.at;
    scratch.lengths[slot] = this.extra;
    this.buf[this.at++] = 0;
    return this;
  }

  private growNested(scratch: Scratch): void {
    scratch.starts = doubled(scratch.starts);
    scratch.lengths = doubled(scratch.lengths);
    scratch.open = doubled(scratch.open);
  }

  /** Ends it: its length stands before it. Without a `fork`, that of all that has been written, as older generated code expects. */
  ldelim(): this {
    if (this.depth === 0) return this.delimitAll();
    const scratch = this.scratch!;
    const slot = scratch.open[--this.depth]!;
    const start = scratch.starts[slot]!;
    const length = this.at - start - 1 + this.extra - scratch.lengths[slot]!;
    if (length < 0x80) {
      this.buf[start] = length;
      this.nested = slot; // nothing inside it is longer, so it is the last one
    } else if (length <= MOVED_BYTES && this.nested === slot + 1) {
      if (this.at >= this.limit) this.grow(1);
      this.buf.copyWithin(start + 2, start + 1, this.at++);
      putUvar32(this.buf, start, length);
      this.nested = slot;
    } else {
      scratch.lengths[slot] = length;
      this.extra += uvar32Size(length) - 1;
    }
    return this;
  }

  /** Is a nested message open? */
  protected get isForked(): boolean {
    return this.depth > 0;
  }

  private delimitAll(): this {
    const content = this.finish();
    this.reset();
    this.grow(content.length + 5);
    this.at = putUvar32(this.buf, 0, content.length);
    this.buf.set(content, this.at);
    this.at += content.length;
    return this;
  }

  /** Forgets what was written since the last `fork`, and the fork; without one, all. */
  reset(): this {
    const scratch = this.scratch;
    if (this.depth > 0) {
      const slot = scratch!.open[--this.depth]!;
      this.at = scratch!.starts[slot]!;
      this.extra = scratch!.lengths[slot]!;
      this.nested = slot;
      return this;
    }
    this.at = this.extra = this.nested = this.limit = 0;
    if (scratch === null) this.buf = NOTHING;
    return this;
  }

  /**
   * The message, in memory that this Writer does not write to any more; as often as it is wanted. Small ones are cut from a
   * slab of 8 KB. `shared`: a view of the Writer's own memory instead, valid until the next call on it.
   */
  finish(shared = false): Uint8Array<ArrayBuffer> {
    const scratch = this.scratch;
    this.checkOwned();
    if (this.at === 0) this.buf = NOTHING; // there are no views of memory that was transferred away before a reset
    const isView = shared && this.at > 0;
    if (scratch === null) return isView ? this.buf.subarray(0, this.at) : this.result(this.buf, this.at);
    if (this.nested > 0) this.settle(scratch);
    if (isView) {
      this.limit = 0; // the view may be transferred away
      return this.buf.subarray(0, this.at);
    }
    const result = this.result(this.buf, this.at);
    if (this.depth === 0) {
      release(scratch, this.at);
      this.scratch = null;
      this.buf = result;
      this.view = NO_VIEW;
      this.limit = 0;
    }
    return result;
  }

  /** Writes the message into `target`, which has room for {@link Nesting.pos} bytes at `offset`; answers `target`. */
  finishInto<Target extends Uint8Array>(target: Target, offset = 0): Target {
    this.checkOwned();
    if (this.nested > 0) this.settle(this.scratch!);
    if (!(offset >= 0 && offset + this.at <= target.length)) {
      throw new MoonpackError("ERR_BUFFER_TOO_SMALL", `${this.at} bytes do not fit at ${offset} of ${target.length}`);
    }
    if (this.at > 0) target.set(this.buf.subarray(0, this.at), offset);
    return target;
  }

  /** A view that somebody was given may have been transferred, and the memory with it: what was written is gone then. */
  private checkOwned(): void {
    if (this.buf.length < this.at) {
      throw new MoonpackError("ERR_CLOSED", "what was written has been transferred away; reset the writer first");
    }
  }

  /** A copy of `bytes[0..end)`. */
  protected result(bytes: Uint8Array, end: number): Uint8Array<ArrayBuffer> {
    return slab.copy(bytes, 0, end);
  }

  /** Moves what stands behind lengths of more than one byte, from the last one to the first. Open ones stay open. */
  private settle(scratch: Scratch): void {
    const { starts, lengths, open } = scratch;
    if (this.pos > this.limit) this.grow(this.extra);
    const bytes = this.buf;
    let from = this.at;
    let to = (this.at = this.pos);
    for (let slot = this.nested - 1, last = this.depth - 1; slot >= 0; slot--) {
      const start = starts[slot]!;
      if (last >= 0 && open[last] === slot) {
        starts[slot] = start + to - from;
        last--;
        continue;
      }
      to -= from - start - 1;
      bytes.copyWithin(to, start + 1, from);
      to -= uvar32Size(lengths[slot]!);
      putUvar32(bytes, to, lengths[slot]!);
      from = start;
    }
    for (let i = 0; i < this.depth; i++) {
      starts[i] = starts[open[i]!]!;
      lengths[i] = 0;
      open[i] = i;
    }
    this.nested = this.depth;
    this.extra = 0;
  }
}
