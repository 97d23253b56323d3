/** The largest `maxDepth`. Every level costs stack or heap, also in the code that handles the value next. */
export const MAX_DEPTH_CEILING = 4096;
/** The default of `maxDepth`: this many containers may be open at once. */
export const DEFAULT_MAX_DEPTH = 512;
/**
 * The deepest nesting of keys that are containers, where keys are compared (MessagePack's `strict` and `canonical`). Each key is
 * compared by all of its bytes, so the innermost bytes are compared once for each level.
 */
export const MAX_NESTED_KEYS = 8;

/** The error text for a map inside more than MAX_NESTED_KEYS keys. */
export function nestedKeys(option: "strict" | "canonical"): string {
  return `${option}: a map inside more than ${MAX_NESTED_KEYS} nested keys`;
}

/**
 * The most elements of a list, in every format: 2^26. V8 aborts the process, without an exception, when a growing array needs
 * 2^27 slots. Arrays grow by half, so some abort at 90 million elements.
 */
export const MAX_LIST_ELEMENTS = 2 ** 26;
/**
 * The most keys of a map, and members of a Set, in every format: 2^24. V8's Map and Set cannot hold more, and an object of 22
 * million keys aborts the process.
 */
export const MAX_KEYS = 2 ** 24;

/** The default of `maxFrameBytes` and `maxBufferedBytes`: 64 MiB. */
export const DEFAULT_MAX_FRAME_BYTES = 0x4000000;

/** The limits that every reader accepts. They apply to a whole message. */
export interface Limits {
  /** The most containers that may be open at once, 1 to 4,096. Default 512. */
  readonly maxDepth?: number;
  /**
   * The most elements that a message may create: array elements and map members, empty containers included. A Map under
   * `maps: "map"` counts three more. By default a message may create 2^20 elements and two for each of its bytes, which only
   * Maps and values without bytes can reach.
   */
  readonly maxElements?: number;
  /** The most bytes that a message may have. Default: no limit; the input, or a stream's other limits, bound the memory. */
  readonly maxBytes?: number;
  /** The most bytes that a length-prefixed frame may declare. Default 64 MiB. Used by frames and streams. */
  readonly maxFrameBytes?: number;
  /** The most bytes of an unfinished string or binary that a stream buffers. Default 64 MiB. Used by streams. */
  readonly maxBufferedBytes?: number;
}

/** The rules of {@link Limits} for `readOptions`: separate, so that a bundle carries only those in use. */
export const DEPTH_RULE = [DEFAULT_MAX_DEPTH, 1, MAX_DEPTH_CEILING] as const;
export const BYTES_RULE = [Infinity, 1, Infinity] as const;
export const FRAME_BYTES_RULE = [DEFAULT_MAX_FRAME_BYTES, 1, Infinity] as const;

/**
 * Returns true for the engine's error that the call stack is exhausted: the caller left too little stack for the nesting. Firefox says "too
 * much recursion".
 */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof Error && /call stack|much recursion/.test(error.message);
}
