/**
 * Where the bytes of messages come from: arenas, which short messages share, and blocks that belong to one Writer.
 *
 * An arena is used by one Writer after the other. Each writes into a part that no other Writer ever writes to, so a Writer
 * finds its bytes again however often `finish` is called. A message that outgrows the arena moves into a separate block. So
 * does a message that begins while another is unfinished: each unfinished message would keep a whole arena.
 */
import { allocate, MoonpackError, Slab } from "moonpack/bytes";
import { createLengthTable, type LengthTable } from "./length-table.js";

/** Memory that short messages share. It belongs to one Writer from the first byte of its message until `finish`. */
export interface Arena {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A view over the same memory. */
  readonly view: DataView<ArrayBuffer>;
  /** The same memory as words. */
  readonly words: Int32Array<ArrayBuffer>;
  /** Where the free part begins: a multiple of 8. */
  used: number;
  /** The table of lengths of nested messages, for the same Writer. */
  nested: LengthTable;
}

const ARENA_BYTES = 32_768;
/** An arena with less space than this is not used again. */
const MIN_ROOM = 1024;
/** How many Writers may find the arena in use before a new one is made: its Writer may have been dropped. */
const REFUSALS = 64;
/** The least size of a block that belongs to one Writer. */
const MIN_BLOCK = 512;
/** The least size of a further block of a large message. */
const MIN_FURTHER_BLOCK = 256 * 1024;
/** How many finished messages that outgrew an arena say how large the next one will be. */
const REMEMBERED = 4;
/** The largest block that is allocated before a message has as many bytes. */
const LARGEST_EXPECTED = 1024 * 1024;
/** The largest message: Protocol Buffers, "Proto Limits". */
const MAX_BYTES = 0x7fffffff;

/** The arena that no Writer uses. A Writer that takes it sets this to null, so a nested Writer cannot take it too. */
let free: Arena | null = null;
/** True while a Writer has an arena. */
let isTaken = false;
/** How many Writers have found the arena in use since it was taken. */
let refused = 0;
/** Small results are slices of this slab, which all Writers share. */
let resultSlab: Slab | null = null;

/** Sizes of the last finished messages that outgrew an arena. */
const outgrown: number[] = [];
let nextOutgrown = 0;

/** Remembers the size of a finished message that outgrew its arena. */
export function rememberSize(size: number): void {
  outgrown[nextOutgrown] = size;
  nextOutgrown = (nextOutgrown + 1) % REMEMBERED;
}

/** Takes the free arena. null if there is none: then nothing is allocated. */
export function takeFreeArena(): Arena | null {
  const arena = free;
  if (arena === null) return null;
  free = null;
  isTaken = true;
  refused = 0;
  return arena;
}

/** Takes the free arena, or a new one. null while another Writer has one: then the Writer needs a separate block. */
export function takeOrCreateArena(): Arena | null {
  let arena = free;
  if (arena === null) {
    if (isTaken && ++refused < REFUSALS) return null;
    arena = createArena();
  }
  free = null;
  isTaken = true;
  refused = 0;
  return arena;
}

/** Gives an arena back. Its bytes before `used` are never written to again. */
export function releaseArena(arena: Arena, used: number): void {
  arena.used = (used + 7) & ~7;
  isTaken = false;
  if (arena.bytes.length - arena.used >= MIN_ROOM) free = arena;
}

function createArena(): Arena {
  const bytes = allocate(ARENA_BYTES);
  const { buffer } = bytes;
  return { bytes, view: new DataView(buffer), words: new Int32Array(buffer), used: 0, nested: createLengthTable() };
}

/** Returns the slab whose slices are small results. */
export function slabForResults(): Slab {
  return (resultSlab ??= new Slab());
}

/** Returns a block for a message of at least `need` bytes. Throws `ERR_LIMIT_BYTES` above 2 GiB, or when memory runs out. */
export function allocateBlock(need: number): Uint8Array<ArrayBuffer> {
  if (need > MAX_BYTES) throw tooLarge();
  let size = MIN_BLOCK;
  while (size < need) size *= 2;
  try {
    return allocate(size);
  } catch {
    return allocate(need); // not enough memory for room to spare
  }
}

/**
 * Returns a block for a message that has outgrown its arena, as large as such messages were: then it need not grow step by step, with
 * a copy for each. null if that is less than `need`. The least of the last sizes counts, so that a rare large message makes no
 * other one take its memory.
 */
export function allocateExpectedBlock(need: number): Uint8Array<ArrayBuffer> | null {
  if (outgrown.length < REMEMBERED) return null;
  const size = Math.min(...outgrown, LARGEST_EXPECTED);
  return need > size ? null : allocate(size + (size >> 3)); // sizes vary a little
}

/**
 * Returns a further block for a message that has `size` bytes and needs at least `need` more; it is at least a quarter of the
 * message. Throws as {@link allocateBlock}.
 */
export function allocateFurtherBlock(need: number, size: number): Uint8Array<ArrayBuffer> {
  if (size + need > MAX_BYTES) throw tooLarge();
  try {
    return allocate(Math.max(need, size >> 2, MIN_FURTHER_BLOCK));
  } catch {
    return allocate(need);
  }
}

/** Memory for a result of exactly `size` bytes. Throws as {@link allocateBlock}. */
export function allocateResult(size: number): Uint8Array<ArrayBuffer> {
  if (size > MAX_BYTES) throw tooLarge();
  return allocate(size);
}

function tooLarge(): MoonpackError {
  return new MoonpackError("ERR_LIMIT_BYTES", "a Protobuf message cannot be larger than 2 GiB");
}
