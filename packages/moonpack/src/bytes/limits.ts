/** Deepest nesting that can be asked for: every level costs stack or heap in whoever handles the value next. */
export const MAX_DEPTH_CEILING = 4096;
/** Default of `maxDepth`: this many containers may be open, the next header is `ERR_LIMIT_DEPTH`. */
export const DEFAULT_MAX_DEPTH = 512;
/** Default of `maxFrameBytes` and `maxBufferedBytes`: 64 MiB. */
export const DEFAULT_MAX_FRAME_BYTES = 64 * 1024 * 1024;

/** The limits that every reader takes. They count over a whole message. */
export interface Limits {
  /** Containers that may be open at once, 1 to 4,096. Default 512. Costs nothing. */
  readonly maxDepth?: number;
  /** Bytes that a whole message may have. Default: no limit (memory is bounded by the input, or by a stream's other limits). */
  readonly maxBytes?: number;
  /** Bytes that one length-prefixed frame may declare. Default 64 MiB. Used by frames and streams. */
  readonly maxFrameBytes?: number;
  /** Bytes of an unfinished string or binary that a stream may hold back. Default 64 MiB. Used by streams. */
  readonly maxBufferedBytes?: number;
}

/** The rules of {@link Limits}, for `readOptions`. Apart, so that bundles have those that are used. */
export const DEPTH_RULE = [DEFAULT_MAX_DEPTH, 1, MAX_DEPTH_CEILING] as const;
export const BYTES_RULE = [Infinity, 1, Infinity] as const;
export const FRAME_BYTES_RULE = [DEFAULT_MAX_FRAME_BYTES, 1, Infinity] as const;

/** Did the caller leave too little of the stack? Then it is nested too deeply, whatever the limits say. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes("call stack");
}
