/**
 * Memory that Writers write into, lent by one Writer to the next. A Writer owns it from its first byte to `finish`; nobody
 * who finished holds on to it, so none can write into another's message.
 */
import { allocate } from "../bytes/buffer.js";
import { MoonpackError } from "../bytes/errors.js";

/** What a Writer works with. */
export interface Scratch {
  bytes: Uint8Array<ArrayBuffer>;
  /** A view over `bytes`. */
  view: DataView<ArrayBuffer>;
  /**
   * Nested messages whose lengths are open, or have to be moved (see nesting.ts), in order: where the length stands. Typed
   * arrays with counters of their own: setting the `length` of an array costs more than all the rest of a short message.
   */
  starts: Int32Array;
  /** Of closed ones their length, of open ones what `extra` was when they were opened. */
  lengths: Int32Array;
  /** The places of the open ones in `starts`, outermost first. */
  open: Int32Array;
  /** Messages in a row that left nearly all of a large one unused. */
  idle: number;
}

const FIRST_BYTES = 8192;
/** Nested messages there is room for at first. */
const NESTED = 64;
/** Up to here memory grows by doubling, then by leaps. */
const DOUBLED_BYTES = 256 * 1024;
/**
 * Sizes of large memory. Until it is touched it is address space, no more (calloc); and each step copies and leaves garbage
 * that V8 is slow to see: by doubling, a message of 18 MB peaked at 3.7 times its size.
 */
const LEAPS = [64 * 1024 * 1024, 256 * 1024 * 1024, 1024 * 1024 * 1024, 2 * 1024 * 1024 * 1024];
/** The largest message: Protocol Buffers, "Proto Limits". */
export const MAX_BYTES = 0x7fffffff;
/** Large memory of which more was touched is let go. */
const KEPT_TOUCHED_BYTES = 4 * 1024 * 1024;
/** Large memory is let go after so many small messages in a row. */
const MAX_IDLE = 32;

/** Room for more nested messages than this is let go. */
const KEPT_NESTED = 65_536;

/** Memory that nobody has. Not shared: who takes it empties its place. */
let free: Scratch | null = null;

/** Takes memory. */
export function acquire(): Scratch {
  const scratch = free;
  free = null;
  // Somebody may have transferred a view that `finish(true)` gave.
  return scratch !== null && scratch.bytes.length > 0 ? scratch : create(FIRST_BYTES);
}

/** Gives memory back of which `touched` bytes were written. */
export function release(scratch: Scratch, touched: number): void {
  if (scratch.bytes.length > DOUBLED_BYTES) {
    scratch.idle = touched > DOUBLED_BYTES ? 0 : scratch.idle + 1;
    if (touched > KEPT_TOUCHED_BYTES || scratch.idle > MAX_IDLE) return;
  }
  if (scratch.starts.length > KEPT_NESTED) return;
  free = scratch;
}

/** Gives the memory room for `need` bytes, of which `used` are kept. `ERR_LIMIT_BYTES` above 2 GiB, or where there is none. */
export function enlarge(scratch: Scratch, used: number, need: number): void {
  if (need > MAX_BYTES) throw new MoonpackError("ERR_LIMIT_BYTES", "a Protobuf message has 2 GiB at most");
  const bytes = allocateFor(need, scratch.bytes.length);
  bytes.set(scratch.bytes.subarray(0, used));
  scratch.bytes = bytes;
  scratch.view = new DataView(bytes.buffer);
}

function allocateFor(need: number, before: number): Uint8Array<ArrayBuffer> {
  if (need <= DOUBLED_BYTES) {
    let size = Math.max(before, FIRST_BYTES);
    while (size < need) size *= 2;
    return allocate(size);
  }
  try {
    return allocate(LEAPS.find((size) => size >= need)!);
  } catch {
    return allocate(need); // no room for reserves
  }
}

function create(size: number): Scratch {
  const bytes = allocate(size);
  return {
    bytes,
    view: new DataView(bytes.buffer),
    starts: new Int32Array(NESTED),
    lengths: new Int32Array(NESTED),
    open: new Int32Array(NESTED),
    idle: 0,
  };
}

/** The same numbers with room for twice as many. */
export function doubled(numbers: Int32Array): Int32Array {
  const larger = new Int32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}
