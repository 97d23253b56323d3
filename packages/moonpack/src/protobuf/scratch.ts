/**
 * Memory that Writers write into. A short message is written into a part of an arena that several share, one after the other: no
 * part is ever written to by a second one, so a Writer finds its bytes again however often it is asked to `finish`. A message
 * that outgrows the arena moves into memory of its Writer's own, and so begins one that is written while others are unfinished:
 * each of those would hold an arena.
 */
import { allocate } from "../bytes/buffer.js";
import { MoonpackError } from "../bytes/errors.js";

/**
 * Nested messages whose lengths are open, or have to be moved (see nesting.ts), in order. Typed arrays, counted by the Writer:
 * setting the `length` of an array costs more than all the rest of a short message.
 */
export interface Nest {
  /** Where the length stands, from the message's first byte on. */
  starts: Int32Array;
  /** Of closed ones their length, of open ones what `extra` was when they were opened. */
  lengths: Int32Array;
  /** The places of the open ones in `starts`, outermost first. */
  open: Int32Array;
}

/** Memory for short messages. A Writer has it to itself from its first byte to `finish`. */
export interface Arena {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly view: DataView<ArrayBuffer>;
  readonly words: Int32Array<ArrayBuffer>;
  /** Up to here it holds messages. */
  used: number;
  nest: Nest;
}

const ARENA_BYTES = 32_768;
/** With less room than this an arena is left to those who have written into it. */
const LEAST_ROOM = 1024;
/** So many Writers do without an arena while one is out; it may never come back, since its Writer was dropped. */
const PATIENCE = 64;
/** Memory of a Writer's own has so much at least. */
const OWN_BYTES = 512;
/** A large message goes on in memory of so much at least. */
const LEAST_NEXT = 256 * 1024;
/** Nested messages there is room for at first: as many as V8 keeps such arrays on its heap for. */
const NESTED = 16;
/** The largest message: Protocol Buffers, "Proto Limits". */
const MAX_BYTES = 0x7fffffff;

/** The arena that nobody writes to. Who takes it empties its place. */
let free: Arena | null = null;
/** Is one out? And how many did without since. */
let isOut = false;
let refused = 0;

/** Takes the arena that nobody writes to, if there is one. */
export function takeFree(): Arena | null {
  const arena = free;
  if (arena === null) return null;
  free = null;
  isOut = true;
  refused = 0;
  return arena;
}

/** Takes an arena with some room. null where others are unfinished: then {@link own} memory is for the best. */
export function acquire(): Arena | null {
  let arena = free;
  if (arena === null) {
    if (isOut && ++refused < PATIENCE) return null;
    arena = createArena();
  }
  free = null;
  isOut = true;
  refused = 0;
  return arena;
}

/** Gives it back, filled up to `used`. */
export function release(arena: Arena, used: number): void {
  arena.used = (used + 7) & ~7;
  isOut = false;
  if (arena.bytes.length - arena.used >= LEAST_ROOM) free = arena;
}

/** Memory for a message of `need` bytes and more. `ERR_LIMIT_BYTES` above 2 GiB, or where there is none. */
export function own(need: number): Uint8Array<ArrayBuffer> {
  if (need > MAX_BYTES) throw tooLarge();
  let size = OWN_BYTES;
  while (size < need) size *= 2;
  try {
    return allocate(size);
  } catch {
    return allocate(need); // no room for reserves
  }
}

/** Memory for `need` bytes more of a large message, which has `size`: a quarter of that and more. Errors as of {@link own}. */
export function ownNext(need: number, size: number): Uint8Array<ArrayBuffer> {
  if (size + need > MAX_BYTES) throw tooLarge();
  try {
    return allocate(Math.max(need, size >> 2, LEAST_NEXT));
  } catch {
    return allocate(need);
  }
}

/** Memory for a result of `size` bytes. Errors as of {@link own}. */
export function ownExactly(size: number): Uint8Array<ArrayBuffer> {
  if (size > MAX_BYTES) throw tooLarge();
  return allocate(size);
}

function tooLarge(): MoonpackError {
  return new MoonpackError("ERR_LIMIT_BYTES", "a Protobuf message has 2 GiB at most");
}

/** Room for nested messages. */
export function createNest(): Nest {
  return { starts: new Int32Array(NESTED), lengths: new Int32Array(NESTED), open: new Int32Array(NESTED) };
}

/** Makes twice the room. */
export function growNest(nest: Nest): void {
  nest.starts = doubled(nest.starts);
  nest.lengths = doubled(nest.lengths);
  nest.open = doubled(nest.open);
}

function doubled(numbers: Int32Array): Int32Array {
  const larger = new Int32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}

function createArena(): Arena {
  const bytes = allocate(ARENA_BYTES);
  const { buffer } = bytes;
  return { bytes, view: new DataView(buffer), words: new Int32Array(buffer), used: 0, nest: createNest() };
}
