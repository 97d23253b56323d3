/**
 * The memory that a Writer writes to: where it comes from, how it grows, when it is returned.
 *
 * A message begins in an arena (arena.ts). When it outgrows that, it moves to a separate block, which grows by copying up to
 * 1 MB. A larger message continues in a further block, and the earlier ones go to `overflow`. An offset in the message is then
 * `at - base` with a negative `base`.
 *
 * Members that are marked @internal are not #private: three #private fields cost a quarter of a message of two numbers.
 */
import { copyWords, idleAfter, invalidArgument, KEPT_IN_USE_BYTES, MoonpackError } from "moonpack/bytes";
import {
  type Arena,
  allocateBlock,
  allocateExpectedBlock,
  allocateFurtherBlock,
  releaseArena,
  slabForResults,
  takeArena,
  takeFreeArena,
} from "./arena.js";
import { createLengthTable, type LengthTable } from "./length-table.js";
import { Overflow } from "./overflow.js";

/** Blocks smaller than this grow to four times their size, so that they are copied less often; larger ones to twice. */
const QUADRUPLED_BYTES = 65_536;
/** A message of this size is not copied to grow: it continues in a further block. */
export const LARGEST_COPIED_BYTES = 1024 * 1024;

/** The memory of Writers that have none. */
export const NO_ARENA: Omit<Arena, "words"> = /* @__PURE__ */ (() => {
  const bytes = new Uint8Array(0);
  return { bytes, view: new DataView(bytes.buffer), used: 0, nested: createLengthTable(0) };
})();

/** The memory of one message while it is written. */
export class MessageMemory {
  /** @internal The memory that is written to. */
  protected memory: Uint8Array<ArrayBuffer>;
  /** @internal A view over the same memory. */
  protected memoryView: DataView<ArrayBuffer>;
  /** @internal Where the message begins in `memory`. Negative when it begins in `overflow`. */
  protected base: number;
  /** @internal Where the next byte goes in `memory`. */
  protected at: number;
  /** @internal The end of the room in `memory`. 0 makes the next write call `grow`, even if `memory` has room. */
  protected limit: number;
  /** @internal Room for the nested messages whose lengths are not in place yet. */
  protected nested: LengthTable;
  /** @internal The earlier blocks of a large message. */
  protected overflow: Overflow | null = null;
  /** @internal The arena that `memory` is of, until `finish` or until the message outgrows it. */
  arena: Arena | null;
  /** @internal True if `memory` is a block of this Writer's own. If it is not and `arena` is null, `memory` is read-only. */
  ownsMemory = false;
  /** @internal True if the caller has a view of `memory`, and may transfer it away. */
  isExposed = false;
  /** @internal True while a packed list is written, whose elements may run code. */
  isLocked = false;
  /** @internal Messages in a row that left most of a large block unused. */
  idleMessages = 0;

  /** Takes the free arena, if there is one, and allocates nothing: a Writer without a message holds no memory. */
  constructor() {
    const arena = takeFreeArena();
    this.arena = arena;
    // One assignment for each field, so that all Writers have one hidden class.
    const { bytes, view, used, nested } = arena ?? NO_ARENA;
    this.memory = bytes;
    this.memoryView = view;
    this.limit = bytes.length;
    this.base = this.at = used;
    this.nested = nested;
  }

  /** @internal Makes room for `n` bytes at `at`. Replaces `memory`, `memoryView`, `at`, `base` and `nested` where it has to. */
  protected grow(n: number): void {
    this.checkUnlocked();
    this.checkNotTransferred();
    const size = this.at - this.base;
    if (this.ownsMemory && this.at + n <= this.memory.length) {
      this.limit = this.memory.length;
      return;
    }
    if (!this.ownsMemory && this.arena === null) {
      const arena = takeArena();
      if (arena !== null && size + n <= arena.bytes.length - arena.used) {
        this.arena = arena;
        this.nested = arena.nested;
        this.moveTo(arena.bytes, arena.used, arena.view);
        return;
      }
      if (arena !== null) releaseArena(arena, arena.used);
      this.nested = createLengthTable();
    }
    if (this.overflow !== null || (size >= LARGEST_COPIED_BYTES && !this.isExposed)) this.continueInNewBlock(n, size);
    else {
      const need = size < QUADRUPLED_BYTES ? 3 * size + n : size + n;
      this.moveToOwnBlock(need, this.ownsMemory ? null : allocateExpectedBlock(need));
    }
  }

  /** @internal Leaves the written bytes where they are, and continues in a new block. */
  continueInNewBlock(n: number, size: number): void {
    const block = allocateFurtherBlock(n, size);
    this.overflow ??= new Overflow();
    this.overflow.push(this.memory.subarray(0, this.at));
    this.setMemory(block);
    this.base = -this.overflow.size;
    this.at = 0;
  }

  /** @internal Moves the message to a block of this Writer's own that has `need` bytes: to `block`, if there is one. */
  protected moveToOwnBlock(need: number, block: Uint8Array<ArrayBuffer> | null = null): void {
    this.moveTo(block ?? allocateBlock(need), 0);
    this.ownsMemory = true;
    const { arena } = this;
    if (arena === null) return;
    // This Writer keeps the room for lengths, so the arena's next Writer gets another one.
    arena.nested = createLengthTable();
    releaseArena(arena, arena.used);
    this.arena = null;
  }

  /** @internal Copies the message to `bytes` at `base`, and continues there. */
  moveTo(bytes: Uint8Array<ArrayBuffer>, base: number, view?: DataView<ArrayBuffer>): void {
    const { at } = this;
    if (at > this.base) bytes.set(this.memory.subarray(this.base, at), base); // memory that was transferred has no subarray
    this.setMemory(bytes, view);
    this.at = at + base - this.base;
    this.base = base;
  }

  /** @internal */
  setMemory(bytes: Uint8Array<ArrayBuffer>, view = new DataView(bytes.buffer)): void {
    this.memory = bytes;
    this.memoryView = view;
    this.limit = bytes.length;
    this.isExposed = false;
  }

  /** @internal Continues in one block that holds the whole message of `size` bytes. */
  protected replaceMemory(block: Uint8Array<ArrayBuffer>, size: number): void {
    this.overflow = null;
    this.setMemory(block);
    this.base = 0;
    this.at = size;
  }

  /** @internal Gives the arena back after `finish`. The Writer can still read its message there. */
  protected leaveArena(arena: Arena): void {
    releaseArena(arena, this.at);
    this.arena = null;
    this.limit = 0;
  }

  /** @internal Returns a view of the message for the caller. It is in a block of this Writer's own, since the caller may transfer it. */
  protected exposedView(): Uint8Array<ArrayBuffer> {
    this.checkUnlocked();
    if (!this.ownsMemory) {
      if (this.arena === null) this.nested = createLengthTable();
      this.moveToOwnBlock(this.at - this.base);
    }
    this.limit = 0;
    this.isExposed = true;
    return this.shared(this.memory, this.base, this.at);
  }

  /** @internal Forgets the message. Keeps a block of this Writer's own for the next one, unless that is too large. */
  protected forgetMessage(): void {
    if (this.arena !== null) releaseArena(this.arena, this.base);
    if (this.overflow !== null) this.replaceOverflow(this.at - this.base);
    if (!this.ownsMemory || this.isTooLarge()) {
      this.ownsMemory = false;
      this.arena = null;
      this.memory = NO_ARENA.bytes;
      this.memoryView = NO_ARENA.view;
      this.nested = NO_ARENA.nested;
      this.base = 0;
    }
    this.at = this.base;
    this.limit = 0;
  }

  /** @internal Replaces several blocks by one for another message of `size` bytes, if that may be kept at all. */
  replaceOverflow(size: number): void {
    this.overflow = null;
    if (size <= KEPT_IN_USE_BYTES) this.setMemory(allocateBlock(size));
    this.base = 0;
    this.at = size;
  }

  /** @internal */
  isTooLarge(): boolean {
    const size = Math.max(this.memory.length, this.at);
    this.idleMessages = idleAfter(this.idleMessages, this.at, size);
    return this.idleMessages < 0;
  }

  /** @internal Forgets the bytes from `offset` of the message on. */
  protected truncate(offset: number): void {
    if (this.base + offset < 0) {
      this.overflow!.truncate(offset);
      this.base = -offset;
    }
    this.at = this.base + offset;
  }

  /** @internal Until `unlock`, every call that changes the message throws: the code of a list's element may call this Writer. */
  protected lock(): void {
    this.isLocked = true;
    this.limit = 0;
  }

  /** @internal Ends `lock`, after the list has been written or has failed. */
  protected unlock(): void {
    this.isLocked = false;
    this.limit = this.memory.length;
  }

  /** @internal Throws `ERR_INVALID_ARGUMENT` while this Writer is locked. */
  protected checkUnlocked(): void {
    if (this.isLocked) throw invalidArgument("an element of a list that is being written cannot use the same writer");
  }

  /** @internal Throws `ERR_CLOSED` if the caller transferred a view, which detached the memory. The message is lost then. */
  protected checkNotTransferred(): void {
    if (this.memory.length < this.at) {
      throw new MoonpackError("ERR_CLOSED", "the written bytes were detached; reset the writer first");
    }
  }

  /** @internal Returns a copy of `bytes[start..end)`. */
  protected result(bytes: Uint8Array, start: number, end: number): Uint8Array<ArrayBuffer> {
    const { arena } = this;
    const slab = slabForResults();
    return arena === null ? slab.copy(bytes, start, end) : copyWords(slab, bytes, arena.words, start, end);
  }

  /** @internal Returns a view of `bytes[start..end)`. */
  protected shared(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): Uint8Array<ArrayBuffer> {
    return bytes.subarray(start, end);
  }
}
