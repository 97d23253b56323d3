/**
 * Nested messages, and where their lengths are back-patched.
 *
 * `fork` leaves one byte for the length of a nested message. `ldelim` knows the length, and there are three cases:
 *
 * 1. Below 128 it is one byte, which `ldelim` writes there: the back-patch of most messages.
 * 2. Up to 1 KB it is two bytes: `insertShortLength` moves the content by one byte immediately.
 * 3. Otherwise the length stays in the table (length-table.ts) until the message is read. Then `insertLengths` moves all
 *    contents once, from the last to the first, or `assemble` copies the blocks of a large message with the lengths in between.
 *
 * So no byte moves once for each level around it: a chain of n nested messages takes O(n), not O(n * n).
 */
import { describe, invalidArgument, MoonpackError, putUvar32, uvar32Size } from "moonpack/bytes";
import { allocateBlock, allocateResult, rememberSize } from "./arena.js";
import { growLengthTable } from "./length-table.js";
import { MessageMemory, MIN_UNCOPIED_BYTES, NO_ARENA } from "./memory.js";

/** Content of up to this size moves immediately when its length takes two bytes. */
const MOVED_AT_ONCE_BYTES = 1024;

/** Writes nested messages, and gives the finished message. */
export class Nesting extends MessageMemory {
  /** @internal How many messages `nested` holds. */
  count = 0;
  /** @internal How many of them are open. */
  depth = 0;
  /** @internal Bytes that the lengths of closed messages need beyond the one byte that each has. */
  extra = 0;

  /** The size of the message so far, in bytes. */
  get pos(): number {
    return this.at - this.base + this.extra;
  }

  /** The same as `pos`. In protobuf.js 7 it counts from the last `fork`. */
  get len(): number {
    return this.at - this.base + this.extra;
  }

  /** The message so far, from 0 to `pos`, as `finish(true)`. In protobuf.js 8 it is the whole memory of the Writer. */
  get buf(): Uint8Array<ArrayBuffer> {
    return this.finish(true);
  }

  /** Always null. In protobuf.js 8 it may be a view of the memory. */
  get view(): DataView | null {
    return null;
  }

  /** Where the open `fork`s began, outermost first. */
  get states(): number[] | null {
    const { places, lengths, open } = this.nested;
    return Array.from(open.subarray(0, this.depth), (index) => places[index]! + lengths[index]!);
  }

  /** Begins a nested message: everything up to `ldelim` is its content. */
  fork(): this {
    if (this.at >= this.limit) this.grow(1);
    const { nested } = this;
    const index = this.count++;
    if (index >= nested.places.length) growLengthTable(nested);
    nested.open[this.depth++] = index;
    nested.places[index] = this.at - this.base;
    nested.lengths[index] = this.extra;
    this.memory[this.at++] = 0;
    return this;
  }

  /**
   * Ends a nested message: its length is put before it. Without a `fork`, puts the length of the whole message before it, as
   * older generated code expects.
   */
  ldelim(): this {
    if (this.limit === 0) this.checkUnlocked();
    const { nested } = this;
    if (this.depth === 0) return this.delimitAll();
    const index = nested.open[--this.depth]!;
    const place = nested.places[index]! + this.base; // negative: in an earlier block
    const length = this.at - place - 1 + this.extra - nested.lengths[index]!;
    if (length < 0x80) {
      // Back-patches the byte that `fork` left.
      if (place >= 0) this.memory[place] = length;
      else this.earlierBlocks!.set(nested.places[index]!, length);
      this.count = index; // messages inside are shorter, so their lengths are in place too
    } else if (length <= MOVED_AT_ONCE_BYTES && this.count === index + 1 && place >= 0) {
      this.insertShortLength(index, length);
    } else this.deferLength(index, length);
    return this;
  }

  /** @internal Back-patches a length of two bytes: moves the content by one byte. */
  insertShortLength(index: number, length: number): void {
    if (this.at >= this.limit) {
      this.grow(1);
      // Bytes in earlier blocks cannot move.
      if (this.nested.places[index]! + this.base < 0) return this.deferLength(index, length);
    }
    const place = this.nested.places[index]! + this.base;
    this.memory.copyWithin(place + 2, place + 1, this.at++);
    putUvar32(this.memory, place, length);
    this.count = index;
  }

  /** @internal Leaves the length in the table, for `insertLengths` or `assemble`. */
  deferLength(index: number, length: number): void {
    this.nested.lengths[index] = length;
    this.extra += uvar32Size(length) - 1;
  }

  /** @internal Puts the length of the whole message before it. */
  delimitAll(): this {
    this.checkNotTransferred();
    if (this.earlierBlocks !== null) this.joinBlocks();
    else if (this.count > 0) this.insertLengths();
    const length = this.at - this.base;
    const prefix = uvar32Size(length);
    if (this.at + prefix > this.limit) this.growWhole(prefix, length);
    const { memory, base } = this;
    memory.copyWithin(base + prefix, base, this.at);
    putUvar32(memory, base, length);
    this.at += prefix;
    return this;
  }

  /** @internal Like `grow`, but keeps the message in one block, where it can be moved. */
  growWhole(n: number, size: number): void {
    if (size < MIN_UNCOPIED_BYTES) return this.grow(n);
    this.checkUnlocked();
    this.moveToOwnBlock(size + n);
  }

  /** @internal True while a nested message is open. */
  protected get isForked(): boolean {
    return this.depth > 0;
  }

  /** Forgets everything since the last `fork`, and the fork. Without a fork, forgets the whole message. */
  reset(): this {
    this.checkUnlocked();
    const { nested } = this;
    if (this.depth === 0) {
      this.forgetMessage();
      this.count = this.extra = 0;
      return this;
    }
    const index = nested.open[--this.depth]!;
    this.truncate(nested.places[index]!);
    this.extra = nested.lengths[index]!;
    this.count = index;
    return this;
  }

  /**
   * Returns the message in memory that this Writer never writes to again. It may be called several times. Results of 65 bytes to
   * 2 KB are slices of a slab of 8 KB, except in Firefox and Bun; others own their buffer.
   *
   * `shared`: returns a view of the Writer's memory instead, which is valid until the next call on the Writer. Throws `ERR_CLOSED` if
   * such a view is detached.
   */
  finish(shared = false): Uint8Array<ArrayBuffer> {
    this.checkNotTransferred();
    if (this.earlierBlocks !== null) {
      if (!shared) return this.assembled();
      this.joinBlocks();
    } else if (this.count > 0) this.insertLengths();
    if (shared && this.at > this.base) return this.exposedView();
    const isEmpty = this.at === this.base; // its memory may be detached
    const result = this.result(isEmpty ? NO_ARENA.bytes : this.memory, this.base, this.at);
    if (this.depth > 0 || this.isLocked) return result;
    if (this.arena !== null) this.leaveArena(this.arena);
    else if (this.ownsMemory) rememberSize(result.length);
    return result;
  }

  /**
   * Writes the message into `target` at `offset`, and returns `target`. Throws `ERR_BUFFER_TOO_SMALL` if it has less than `pos` bytes
   * there, `ERR_INVALID_ARGUMENT` for another type of target or offset.
   */
  finishInto<Target extends Uint8Array>(target: Target, offset = 0): Target {
    this.checkNotTransferred();
    if (this.earlierBlocks === null && this.count > 0) this.insertLengths();
    const size = this.pos;
    if (!ArrayBuffer.isView(target))
      throw invalidArgument(`expected a Uint8Array to write into, not ${describe(target)}`);
    if (typeof offset !== "number") throw invalidArgument(`offset must be a number, not ${describe(offset)}`);
    if (!(offset >= 0 && offset + size <= target.length)) {
      throw new MoonpackError(
        "ERR_BUFFER_TOO_SMALL",
        `${size} bytes do not fit at offset ${offset} of a target of ${target.length}`,
      );
    }
    if (this.earlierBlocks !== null) this.assemble(target, offset);
    else if (size > 0) target.set(this.memory.subarray(this.base, this.at), offset);
    return target;
  }

  /** @internal Inserts all lengths in place: moves the contents from the last to the first. Open messages stay open. */
  insertLengths(): void {
    const { nested } = this;
    if (this.at + this.extra > this.limit) {
      if (this.at - this.base >= MIN_UNCOPIED_BYTES) return this.joinBlocks();
      this.grow(this.extra);
    }
    const { memory, base } = this;
    const { places, lengths, open } = nested;
    let from = this.at;
    let to = (this.at += this.extra);
    for (let index = this.count - 1, last = this.depth - 1; index >= 0; index--) {
      if (last >= 0 && open[last] === index) {
        last--;
        continue;
      }
      const place = places[index]! + base;
      to -= from - place - 1;
      memory.copyWithin(to, place + 1, from);
      to -= uvar32Size(lengths[index]!);
      putUvar32(memory, to, lengths[index]!);
      from = place;
    }
    this.keepOpen();
  }

  /** @internal Drops closed messages from the table, since their lengths are in place. Shifts the open ones by these lengths. */
  keepOpen(): void {
    const { places, lengths, open } = this.nested;
    let shift = 0;
    let kept = 0;
    for (let index = 0; index < this.count; index++) {
      if (kept < this.depth && open[kept] === index) {
        places[kept] = places[index]! + shift;
        lengths[kept] = 0;
        open[kept] = kept++;
      } else shift += uvar32Size(lengths[index]!) - 1;
    }
    this.count = kept;
    this.extra = 0;
  }

  /** @internal Returns a copy of a large message. */
  assembled(): Uint8Array<ArrayBuffer> {
    const bytes = allocateResult(this.pos);
    this.assemble(bytes, 0);
    return this.shared(bytes, 0, bytes.length);
  }

  /** @internal Moves a large message into one block, with all lengths. */
  joinBlocks(): void {
    this.checkUnlocked();
    const size = this.pos;
    const block = allocateBlock(size);
    this.assemble(block, 0);
    this.replaceMemory(block, size);
    this.keepOpen();
  }

  /** @internal Copies a large message to `target`, each length before its content. The lengths of open messages stay 0. */
  assemble(target: Uint8Array, offset: number): void {
    const { places, lengths, open } = this.nested;
    const { count, depth } = this;
    let from = 0;
    let at = offset;
    for (let index = 0, next = 0; index < count; index++) {
      if (next < depth && open[next] === index) {
        next++;
        continue;
      }
      at = this.copyRange(from, places[index]!, target, at);
      at = putUvar32(target, at, lengths[index]!);
      from = places[index]! + 1;
    }
    this.copyRange(from, this.at - this.base, target, at);
  }

  /** @internal Copies the bytes `[from..to)` of the message, and returns the end of the copy. */
  copyRange(from: number, to: number, target: Uint8Array, at: number): number {
    const overflowed = -this.base;
    const end = from < overflowed ? this.earlierBlocks!.copy(from, Math.min(to, overflowed), target, at) : at;
    const rest = Math.max(from, overflowed);
    if (to <= rest) return end;
    target.set(this.memory.subarray(rest + this.base, to + this.base), end);
    return end + to - rest;
  }
}
