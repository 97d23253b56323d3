/**
 * The ground of the Writer: memory that grows, nested messages, results.
 *
 * A nested message begins with one byte for its length. Where the length takes more, the content would have to move: that
 * is done at once for a short one, and for longer ones once for all of them at the end, so that no byte moves with each
 * level around it (a chain of n messages takes O(n), not O(n * n)).
 *
 * Memory grows by copying up to 1 MB; what is written beyond goes on in other memory (spill.ts). A place in the message is then
 * `at - base` with a `base` below 0.
 */
import { describe, invalidArgument, MoonpackError } from "../bytes/errors.js";
import { Slab } from "../bytes/slab.js";
import { putUvar32, uvar32Size } from "../bytes/varint.js";
import {
  type Arena,
  acquire,
  createNest,
  growNest,
  type Nest,
  own,
  ownExactly,
  ownNext,
  release,
  takeFree,
} from "./scratch.js";
import { Spill } from "./spill.js";

/** Memory grows to four times its size below this, so that it is copied less often; above, to twice. */
const QUADRUPLED_BYTES = 65_536;
/** From here on it is not copied any more. */
const SPILLED_BYTES = 1024 * 1024;
/** Content up to here moves at once when its length takes two bytes. */
const MOVED_BYTES = 1024;
/** Memory of its own up to here a Writer keeps for its next message. */
const KEPT_BYTES = 1024 * 1024;
/** Up to here while messages need it; more never: one huge message must not pin its size. */
const KEPT_IN_USE_BYTES = 16 * 1024 * 1024;
/** So many messages in a row that leave three quarters of it unused give it back. */
const IDLE_MESSAGES = 32;

const NOTHING = new Uint8Array(0);
/** Where a Writer stands that has written nothing: without any room. */
const NOWHERE: Arena = {
  bytes: NOTHING,
  view: new DataView(NOTHING.buffer),
  words: new Int32Array(0),
  used: 0,
  nest: { starts: new Int32Array(0), lengths: new Int32Array(0), open: new Int32Array(0) },
};

/** What small results are cut from, whoever's they are; see slab.ts. */
const slab = new Slab();

/** Bytes of one message while it is written. */
export class Nesting {
  /** What is being written to, until the message is finished or outgrows it. */
  private arena: Arena | null;
  /** `memory` is this Writer's own. Otherwise it is an arena's; without `arena`, to be read only. */
  private isOwn = false;
  /** What was written before `memory`, of a large message. */
  private spill: Spill | null = null;
  /** Somebody was given a view of `memory`, and may transfer it away. */
  private isShown = false;
  /** What is written to. */
  protected memory: Uint8Array<ArrayBuffer>;
  /** A view over the same. */
  protected numbers: DataView<ArrayBuffer>;
  /** Where the message begins; below 0 where that is in the spill. */
  private base: number;
  /** Where the next byte goes. */
  protected at: number;
  /** Writing may go on up to here; 0 where something has to be done first. */
  protected limit: number;
  /** Bytes that lengths will take beyond the one that they have. */
  private extra = 0;
  private nest: Nest;
  /** How many nested messages `nest` holds, and how many of them are open. */
  private nested = 0;
  private depth = 0;
  /** A list is being written, whose elements may run code. */
  private isLocked = false;
  /** Messages in a row that left most of large memory unused. */
  private idle = 0;

  /** Takes no memory but what there is anyway: what is never written to, or much later, must not hold any. */
  constructor() {
    const arena = takeFree();
    const { bytes, view, used, nest } = arena ?? NOWHERE;
    this.arena = arena;
    this.nest = nest;
    this.memory = bytes;
    this.numbers = view;
    this.limit = bytes.length;
    this.base = this.at = used;
  }

  /** Bytes written so far. */
  get pos(): number {
    return this.at - this.base + this.extra;
  }

  /** The same; protobuf.js 7 counted from the last `fork`. */
  get len(): number {
    return this.at - this.base + this.extra;
  }

  /** What was written so far, from 0 to `pos`: as `finish(true)`. protobuf.js 8 has its memory here, with room at the end. */
  get buf(): Uint8Array<ArrayBuffer> {
    return this.finish(true);
  }

  /** null always; protobuf.js 8 may have a view of its memory here. */
  get view(): DataView | null {
    return null;
  }

  /** Where open `fork`s began, outermost first. */
  get states(): number[] | null {
    const { starts, lengths, open } = this.nest;
    return Array.from(open.subarray(0, this.depth), (slot) => starts[slot]! + lengths[slot]!);
  }

  /** Makes room for `n` bytes at `at`, which may lie elsewhere afterwards, as `memory` and `numbers`. */
  protected grow(n: number): void {
    this.checkUnlocked();
    this.checkOwned();
    const size = this.at - this.base;
    if (this.isOwn && this.at + n <= this.memory.length) {
      this.limit = this.memory.length;
      return;
    }
    if (!this.isOwn && this.arena === null) {
      const arena = acquire();
      if (arena !== null && size + n <= arena.bytes.length - arena.used) {
        this.arena = arena;
        this.nest = arena.nest;
        this.moveTo(arena.bytes, arena.used, arena.view);
        return;
      }
      if (arena !== null) release(arena, arena.used);
      this.nest = createNest();
    }
    if (this.spill !== null || (size >= SPILLED_BYTES && !this.isShown)) this.goOn(ownNext(n, size));
    else this.moveToOwn(size < QUADRUPLED_BYTES ? 3 * size + n : size + n);
  }

  /** Leaves what is written where it is, and goes on in other memory. */
  private goOn(bytes: Uint8Array<ArrayBuffer>): void {
    this.spill ??= new Spill();
    this.spill.push(this.memory.subarray(0, this.at));
    this.setMemory(bytes);
    this.base = -this.spill.size;
    this.at = 0;
  }

  private setMemory(bytes: Uint8Array<ArrayBuffer>, view = new DataView(bytes.buffer)): void {
    this.memory = bytes;
    this.numbers = view;
    this.limit = bytes.length;
    this.isShown = false;
  }

  /** Moves what is written into memory of this Writer's own. */
  private moveToOwn(need: number): void {
    const bytes = own(need);
    this.moveTo(bytes, 0);
    this.isOwn = true;
    if (this.arena !== null) this.leave(this.arena);
  }

  /** Gives the arena to others without what was written here. */
  private leave(arena: Arena): void {
    arena.nest = createNest();
    release(arena, arena.used);
    this.arena = null;
  }

  private moveTo(bytes: Uint8Array<ArrayBuffer>, base: number, view?: DataView<ArrayBuffer>): void {
    const { at } = this;
    if (at > this.base) bytes.set(this.memory.subarray(this.base, at), base); // what was transferred away has no views
    this.setMemory(bytes, view);
    this.at = at + base - this.base;
    this.base = base;
  }

  /** Until `unlock` all that is called here by the code of a list's elements is refused, if it would change what is written. */
  protected lock(): void {
    this.isLocked = true;
    this.limit = 0;
  }

  /** The list has been written, or has failed. */
  protected unlock(): void {
    this.isLocked = false;
    this.limit = this.memory.length;
  }

  private checkUnlocked(): void {
    if (this.isLocked) throw invalidArgument("an element of a list that is being written cannot use the same writer");
  }

  /** Begins a nested message: what is written up to `ldelim` is its content. */
  fork(): this {
    if (this.at >= this.limit) this.grow(1);
    const { nest } = this;
    const slot = this.nested++;
    if (slot >= nest.starts.length) growNest(nest);
    nest.open[this.depth++] = slot;
    nest.starts[slot] = this.at - this.base;
    nest.lengths[slot] = this.extra;
    this.memory[this.at++] = 0;
    return this;
  }

  /** Ends it: its length stands before it. Without a `fork`, that of all that has been written, as older generated code expects. */
  ldelim(): this {
    if (this.limit === 0) this.checkUnlocked();
    if (this.depth === 0) return this.delimitAll();
    const { nest } = this;
    const slot = nest.open[--this.depth]!;
    const start = nest.starts[slot]! + this.base; // below 0: in the spill
    const length = this.at - start - 1 + this.extra - nest.lengths[slot]!;
    if (length < 0x80) {
      if (start >= 0) this.memory[start] = length;
      else this.spill!.set(nest.starts[slot]!, length);
      this.nested = slot; // nothing inside it is longer, so it is the last one
    } else if (length <= MOVED_BYTES && this.nested === slot + 1 && start >= 0) this.delimitShort(slot, length);
    else this.defer(slot, length);
    return this;
  }

  /** Leaves it to `settle`, or to the result, to make room for the length. */
  private defer(slot: number, length: number): void {
    this.nest.lengths[slot] = length;
    this.extra += uvar32Size(length) - 1;
  }

  private delimitShort(slot: number, length: number): void {
    if (this.at >= this.limit) {
      this.grow(1);
      // What is in the spill cannot be moved; it is done with the longer ones.
      if (this.nest.starts[slot]! + this.base < 0) return this.defer(slot, length);
    }
    const start = this.nest.starts[slot]! + this.base;
    this.memory.copyWithin(start + 2, start + 1, this.at++);
    putUvar32(this.memory, start, length);
    this.nested = slot;
  }

  private delimitAll(): this {
    this.checkOwned();
    if (this.spill !== null) this.gather();
    else if (this.nested > 0) this.settle();
    const length = this.at - this.base;
    const prefix = uvar32Size(length);
    if (this.at + prefix > this.limit) this.growWhole(prefix, length);
    const { memory, base } = this;
    memory.copyWithin(base + prefix, base, this.at);
    putUvar32(memory, base, length);
    this.at += prefix;
    return this;
  }

  /** As `grow`, but keeps what is written in one memory, where it can be moved. */
  private growWhole(n: number, size: number): void {
    if (size < SPILLED_BYTES) return this.grow(n);
    this.checkUnlocked();
    this.moveToOwn(size + n);
  }

  /** Is a nested message open? */
  protected get isForked(): boolean {
    return this.depth > 0;
  }

  /** Forgets what was written since the last `fork`, and the fork; without one, all. */
  reset(): this {
    this.checkUnlocked();
    if (this.depth > 0) {
      const slot = this.nest.open[--this.depth]!;
      this.goBack(this.nest.starts[slot]!);
      this.extra = this.nest.lengths[slot]!;
      this.nested = slot;
      return this;
    }
    if (this.arena !== null) release(this.arena, this.base);
    if (this.spill !== null) this.keepWhole(this.at - this.base);
    if (!this.isOwn || this.isTooLarge()) {
      this.isOwn = false;
      this.arena = null;
      this.memory = NOTHING;
      this.numbers = NOWHERE.view;
      this.nest = NOWHERE.nest;
      this.base = 0;
    }
    this.at = this.base;
    this.extra = this.nested = this.limit = 0;
    return this;
  }

  /** Forgets what lies from `place` on. */
  private goBack(place: number): void {
    if (this.base + place < 0) {
      this.spill!.cut(place);
      this.base = -place;
    }
    this.at = this.base + place;
  }

  /** Instead of its spill a Writer keeps memory for another such message, if for any. */
  private keepWhole(size: number): void {
    this.spill = null;
    if (size <= KEPT_IN_USE_BYTES) this.setMemory(own(size));
    this.base = 0;
    this.at = size;
  }

  private isTooLarge(): boolean {
    const size = Math.max(this.memory.length, this.at);
    if (size <= KEPT_BYTES) return false;
    this.idle = this.at < size / 4 ? this.idle + 1 : 0;
    return size > KEPT_IN_USE_BYTES || this.idle > IDLE_MESSAGES;
  }

  /**
   * The message, in memory that this Writer does not write to; as often as it is wanted. Small ones are cut from a slab of
   * 8 KB, but for Firefox and Bun. `shared`: a view of the Writer's own memory instead, valid until the next call on it.
   */
  finish(shared = false): Uint8Array<ArrayBuffer> {
    this.checkOwned();
    if (this.spill !== null) {
      if (!shared) return this.gathered();
      this.gather();
    } else if (this.nested > 0) this.settle();
    if (shared && this.at > this.base) return this.viewed();
    const result = this.result(this.at > this.base ? this.memory : NOTHING, this.base, this.at);
    if (this.arena !== null && this.depth === 0 && !this.isLocked) {
      release(this.arena, this.at);
      this.arena = null;
      this.limit = 0;
    }
    return result;
  }

  /** A view may be transferred away: nobody else's message may lie in the same memory. */
  private viewed(): Uint8Array<ArrayBuffer> {
    this.checkUnlocked();
    if (!this.isOwn) {
      if (this.arena === null) this.nest = createNest();
      this.moveToOwn(this.at - this.base);
    }
    this.limit = 0;
    this.isShown = true;
    return this.shared(this.memory, this.base, this.at);
  }

  /** Writes the message into `target`, which has room for `pos` bytes at `offset`; answers `target`. */
  finishInto<Target extends Uint8Array>(target: Target, offset = 0): Target {
    this.checkOwned();
    if (this.spill === null && this.nested > 0) this.settle();
    const size = this.pos;
    if (!ArrayBuffer.isView(target))
      throw invalidArgument(`expected a Uint8Array to write into, not ${describe(target)}`);
    if (!(offset >= 0 && offset + size <= target.length)) {
      throw new MoonpackError("ERR_BUFFER_TOO_SMALL", `${size} bytes do not fit at ${offset} of ${target.length}`);
    }
    if (this.spill !== null) this.assemble(target, offset);
    else if (size > 0) target.set(this.memory.subarray(this.base, this.at), offset);
    return target;
  }

  /** A view that somebody was given may have been transferred, and the memory with it: what was written is gone then. */
  private checkOwned(): void {
    if (this.memory.length < this.at) {
      throw new MoonpackError("ERR_CLOSED", "what was written has been transferred away; reset the writer first");
    }
  }

  /** A copy of `bytes[start..end)`. */
  protected result(bytes: Uint8Array, start: number, end: number): Uint8Array<ArrayBuffer> {
    const { arena } = this;
    return arena === null ? slab.copy(bytes, start, end) : slab.copyWords(bytes, arena.words, start, end);
  }

  /** A view of `bytes[start..end)`. */
  protected shared(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): Uint8Array<ArrayBuffer> {
    return bytes.subarray(start, end);
  }

  /** A copy of a message that has a spill. */
  private gathered(): Uint8Array<ArrayBuffer> {
    const bytes = ownExactly(this.pos);
    this.assemble(bytes, 0);
    return this.shared(bytes, 0, bytes.length);
  }

  /** Moves a large message into one memory, with all lengths. */
  private gather(): void {
    this.checkUnlocked();
    const size = this.pos;
    const bytes = own(size);
    this.assemble(bytes, 0);
    this.spill = null;
    this.setMemory(bytes);
    this.base = 0;
    this.at = size;
    this.settled();
  }

  /** Copies a large message to `target`, each length before what it is of. Those of open ones stay empty. */
  private assemble(target: Uint8Array, offset: number): void {
    const { starts, lengths, open } = this.nest;
    let from = 0;
    let at = offset;
    for (let slot = 0, next = 0; slot < this.nested; slot++) {
      if (next < this.depth && open[next] === slot) {
        next++;
        continue;
      }
      at = this.copyPlaces(from, starts[slot]!, target, at);
      at = putUvar32(target, at, lengths[slot]!);
      from = starts[slot]! + 1;
    }
    this.copyPlaces(from, this.at - this.base, target, at);
  }

  /** Copies these places of the message; answers where they end. */
  private copyPlaces(from: number, to: number, target: Uint8Array, at: number): number {
    const spilled = -this.base;
    const end = from < spilled ? this.spill!.copy(from, Math.min(to, spilled), target, at) : at;
    const rest = Math.max(from, spilled);
    if (to <= rest) return end;
    target.set(this.memory.subarray(rest + this.base, to + this.base), end);
    return end + to - rest;
  }

  /** Moves what stands behind lengths of more than one byte, from the last one to the first. Open ones stay open. */
  private settle(): void {
    if (this.at + this.extra > this.limit) {
      if (this.at - this.base >= SPILLED_BYTES) return this.gather();
      this.grow(this.extra);
    }
    const { memory, base } = this;
    const { starts, lengths, open } = this.nest;
    let from = this.at;
    let to = (this.at += this.extra);
    for (let slot = this.nested - 1, last = this.depth - 1; slot >= 0; slot--) {
      if (last >= 0 && open[last] === slot) {
        last--;
        continue;
      }
      const start = starts[slot]! + base;
      to -= from - start - 1;
      memory.copyWithin(to, start + 1, from);
      to -= uvar32Size(lengths[slot]!);
      putUvar32(memory, to, lengths[slot]!);
      from = start;
    }
    this.settled();
  }

  /** All lengths are in place: those of open ones are still to come. */
  private settled(): void {
    const { starts, lengths, open } = this.nest;
    let shift = 0;
    let kept = 0;
    for (let slot = 0; slot < this.nested; slot++) {
      if (kept < this.depth && open[kept] === slot) {
        starts[kept] = starts[slot]! + shift;
        lengths[kept] = 0;
        open[kept] = kept++;
      } else shift += uvar32Size(lengths[slot]!) - 1;
    }
    this.nested = kept;
    this.extra = 0;
  }
}
