/**
 * The memory that a Writer writes to: where it comes from, how it grows, when it is returned.
 *
 * A message begins in an arena (arena.ts). When it outgrows the arena, it moves to a separate block. Up to 1 MB, the block grows by
 * copying. A larger message continues in a further block, and keeps the earlier ones in `earlierBlocks`. `base` is then negative:
 * an offset in the message is always `at - base`.
 *
 * Members that are marked @internal are not #private: with three #private fields, a message of two numbers takes a quarter more
 * time to write.
 */
import { copyWords, idleAfter, invalidArgument, KEPT_IN_USE_BYTES, MoonpackError } from "moonpack/bytes";
import {
  type Arena,
  allocateBlock,
  allocateExpectedBlock,
  allocateFurtherBlock,
  releaseArena,
  slabForResults,
  takeFreeArena,
  takeOrCreateArena,
} from "./arena.js";
import { EarlierBlocks } from "./earlier-blocks.js";
import { createLengthTable, type LengthTable } from "./length-table.js";

/**
 * A block below this size is replaced by one of four times its size, a larger block by one of twice its size. Each
 * replacement copies the message, so small blocks grow faster.
 */
const QUADRUPLED_BYTES = 65_536;
/** From this size on, a message that needs more space is not copied: it continues in a further block. */
export const MIN_UNCOPIED_BYTES = 1024 * 1024;

/** Stands for the memory of a Writer that has no memory yet. */
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
  /** @internal Where the message begins in `memory`. Negative if it begins in `earlierBlocks`. */
  protected base: number;
  /** @internal Where the next byte goes in `memory`. */
  protected at: number;
  /** @internal The end of the free part of `memory`. If it is 0, the next write calls `grow`, even if `memory` has free space. */
  protected limit: number;
  /** @internal The nested messages whose lengths are not written yet. */
  protected nested: LengthTable;
  /** @internal The first part of a large message, whose end is in `memory`. */
  protected earlierBlocks: EarlierBlocks | null = null;
  /** @internal The arena that contains `memory`, until `finish` or until the message outgrows it. */
  arena: Arena | null;
  /**
   * @internal True if `memory` is a block that belongs to this Writer. If it does not and `arena` is null, `memory` is read-
   * only.
   */
  ownsMemory = false;
  /** @internal True if the caller has a view of `memory`, and may transfer it. */
  isExposed = false;
  /**
   * @internal True while a packed list is written. The conversion of an element may run user code (`valueOf`), which may use
   * this Writer.
   */
  isLocked = false;
  /** @internal Number of messages in a row that left most of a large block unused. Negative if the block is to be released. */
  idleMessages = 0;

  /** Uses the free arena, if there is one. Otherwise the first write allocates memory. */
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

  /** @internal Makes space for `n` bytes at `at`. May replace `memory`, `memoryView`, `at`, `base` and `nested`. */
  protected grow(n: number): void {
    this.checkUnlocked();
    this.checkNotTransferred();
    const size = this.at - this.base;
    if (this.ownsMemory && this.at + n <= this.memory.length) {
      this.limit = this.memory.length;
      return;
    }
    if (!this.ownsMemory && this.arena === null) {
      const arena = takeOrCreateArena();
      if (arena !== null && size + n <= arena.bytes.length - arena.used) {
        this.arena = arena;
        this.nested = arena.nested;
        this.moveTo(arena.bytes, arena.used, arena.view);
        return;
      }
      if (arena !== null) releaseArena(arena, arena.used);
      this.nested = createLengthTable();
    }
    if (this.earlierBlocks !== null || (size >= MIN_UNCOPIED_BYTES && !this.isExposed))
      this.continueInNewBlock(n, size);
    else {
      const need = size < QUADRUPLED_BYTES ? 3 * size + n : size + n;
      this.moveToOwnBlock(need, this.ownsMemory ? null : allocateExpectedBlock(need));
    }
  }

  /** @internal Leaves the written bytes where they are, and continues in a new block. */
  continueInNewBlock(n: number, size: number): void {
    const block = allocateFurtherBlock(n, size);
    this.earlierBlocks ??= new EarlierBlocks();
    this.earlierBlocks.push(this.memory.subarray(0, this.at));
    this.setMemory(block);
    this.base = -this.earlierBlocks.size;
    this.at = 0;
  }

  /**
   * @internal Copies the message to a block that only this Writer uses: to `block`, or to a new block of `need` bytes if `block`
   * is null. The Writer then leaves its arena, if it has one.
   */
  protected moveToOwnBlock(need: number, block: Uint8Array<ArrayBuffer> | null = null): void {
    this.moveTo(block ?? allocateBlock(need), 0);
    this.ownsMemory = true;
    const { arena } = this;
    if (arena === null) return;
    // This Writer keeps the table of lengths, so the arena's next Writer gets a new one.
    arena.nested = createLengthTable();
    releaseArena(arena, arena.used);
    this.arena = null;
  }

  /** @internal Copies the message to `bytes` at `base`, and continues there. */
  moveTo(bytes: Uint8Array<ArrayBuffer>, base: number, view?: DataView<ArrayBuffer>): void {
    const { at } = this;
    // Not for an empty message: `subarray` throws if the memory was transferred.
    if (at > this.base) bytes.set(this.memory.subarray(this.base, at), base);
    this.setMemory(bytes, view);
    this.at = at + base - this.base;
    this.base = base;
  }

  /** @internal Writes to `bytes` from now on. */
  setMemory(bytes: Uint8Array<ArrayBuffer>, view = new DataView(bytes.buffer)): void {
    this.memory = bytes;
    this.memoryView = view;
    this.limit = bytes.length;
    this.isExposed = false;
  }

  /** @internal Continues in one block that holds the whole message of `size` bytes. */
  protected replaceMemory(block: Uint8Array<ArrayBuffer>, size: number): void {
    this.earlierBlocks = null;
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

  /**
   * @internal Returns a view of the message for the caller, who may transfer it. So the message moves out of the shared arena
   * before.
   */
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

  /**
   * @internal Forgets the message. A block that belongs to this Writer is kept for the next message, unless several messages
   * in a row have left most of it unused.
   */
  protected forgetMessage(): void {
    if (this.arena !== null) releaseArena(this.arena, this.base);
    if (this.earlierBlocks !== null) this.replaceBlocks(this.at - this.base);
    if (!this.ownsMemory || this.noteUse()) {
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

  /**
   * @internal Releases the blocks of a message of `size` bytes. The next message gets one block of this size; above
   * KEPT_IN_USE_BYTES it begins without memory.
   */
  replaceBlocks(size: number): void {
    this.earlierBlocks = null;
    if (size <= KEPT_IN_USE_BYTES) this.setMemory(allocateBlock(size));
    this.base = 0;
    this.at = size;
  }

  /** @internal Notes how much of the block this message used. Returns true if the block is to be released. */
  noteUse(): boolean {
    const size = Math.max(this.memory.length, this.at);
    this.idleMessages = idleAfter(this.idleMessages, this.at, size);
    return this.idleMessages < 0;
  }

  /** @internal Forgets the bytes from `offset` of the message on. */
  protected truncate(offset: number): void {
    if (this.base + offset < 0) {
      this.earlierBlocks!.truncate(offset);
      this.base = -offset;
    }
    this.at = this.base + offset;
  }

  /** @internal Until `unlock`, every call that changes the message throws: see `isLocked`. */
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

  /** @internal Throws `ERR_CLOSED` if the caller transferred a view: the memory is detached, and the message is lost. */
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
