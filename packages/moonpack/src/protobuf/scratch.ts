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
/** The largest message: Protocol Buffers, "Proto Limits". */
export const MAX_BYTES = 0x7fffffff;
/** Memory up to here is kept for the next Writer. */
const KEPT_BYTES = 1024 * 1024;
/** Memory up to here is kept while messages need it; more never: one huge message must not pin its size. */
const KEPT_IN_USE_BYTES = 16 * 1024 * 1024;
/** So many messages in a row that leave three quarters of it unused give it back. */
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
  const size = scratch.bytes.length;
  if (size > KEPT_BYTES) {
    scratch.idle = touched < size / 4 ? scratch.idle + 1 : 0;
    if (size > KEPT_IN_USE_BYTES || scratch.idle > MAX_IDLE) return;
  }
  if (scratch.starts.length > KEPT_NESTED) return;
  free = scratch;
}

/** Gives the memory room for `need` bytes, of which `used` are kept. `ERR_LIMIT_BYTES` above 2 GiB, or where there is none. */
export function enlarge(scratch: Scratch, used: number, need: number): void {
  if (need > MAX_BYTES) throw new MoonpackError("ERR_LIMIT_BYTES", "a Protobuf message has 2 GiB at most");
  const bytes = allocateFor(need, scratch.bytes.length);
  if (used > 0) bytes.set(scratch.bytes.subarray(0, used)); // what was transferred away has no views
  scratch.bytes = bytes;
  scratch.view = new DataView(bytes.buffer);
}

function allocateFor(need: number, before: number): Uint8Array<ArrayBuffer> {
  let size = Math.max(before, FIRST_BYTES);
  while (size < need) size *= 2;
  try {
    return allocate(size);
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
