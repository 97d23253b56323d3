import { invalidArgument } from "./errors.js";

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

/** An option that counts something: an integer from `min` to `max`, or its default when undefined. `ERR_INVALID_ARGUMENT` otherwise. */
export function countOption(name: string, value: unknown, fallback: number, min: number, max: number): number {
  if (value === undefined) return fallback;
  if (typeof value === "number" && value >= min && value <= max && (Number.isInteger(value) || value === Infinity)) return value;
  throw invalidArgument(`${name} must be an integer from ${min} to ${max}`);
}

/** An option that is one of a few words, or its default when undefined. `ERR_INVALID_ARGUMENT` otherwise. */
export function wordOption<const W extends string>(name: string, value: unknown, words: readonly W[]): W {
  if (value === undefined) return words[0]!;
  for (const word of words) if (value === word) return word;
  throw invalidArgument(`${name} must be ${words.map((word) => `"${word}"`).join(" or ")}`);
}

/** An option that is true or false, or its default when undefined. `ERR_INVALID_ARGUMENT` otherwise. */
export function flagOption(name: string, value: unknown, fallback: boolean): boolean {
  if (value === undefined) return fallback;
  if (typeof value === "boolean") return value;
  throw invalidArgument(`${name} must be true or false`);
}

/**
 * An options argument as given, checked to be an object (or undefined, which is none). Only own properties of it are
 * read by {@link ownOption}, so that a polluted prototype reaches nothing.
 */
export function optionsObject(options: unknown): object {
  if (options === undefined) return NO_OPTIONS;
  if (typeof options === "object" && options !== null && !Array.isArray(options)) return options;
  throw invalidArgument("options must be an object");
}
const NO_OPTIONS: object = /* @__PURE__ */ Object.freeze({ __proto__: null });

/** Reads one option, own only: never what somebody put on Object.prototype. */
export function ownOption(options: object, name: string): unknown {
  return Object.hasOwn(options, name) ? (options as Record<string, unknown>)[name] : undefined;
}
