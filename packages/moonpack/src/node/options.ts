import type { Transform } from "node:stream";
import { MoonpackError } from "../bytes/errors.js";
import { countOption, ownOption } from "../bytes/options.js";

/** Options of both streams, as every Node stream takes them. */
export interface StreamOptions {
  /** High-water mark of both sides: values on the side that carries values, bytes on the other. */
  readonly highWaterMark?: number;
  /** High-water mark of the readable side. */
  readonly readableHighWaterMark?: number;
  /** High-water mark of the writable side. */
  readonly writableHighWaterMark?: number;
  /** Destroys the stream with `ERR_ABORTED` (its reason is the `cause`). */
  readonly signal?: AbortSignal;
}

/** The names of {@link StreamOptions}. */
export const STREAM_OPTIONS = ["highWaterMark", "readableHighWaterMark", "writableHighWaterMark", "signal"] as const;
const MARKS = ["highWaterMark", "readableHighWaterMark", "writableHighWaterMark"] as const;

/** Reads the high-water marks that are given, as Node's constructors take them. `ERR_INVALID_ARGUMENT` for an invalid one. */
export function markOptions(options: object | undefined): Partial<Record<(typeof MARKS)[number], number>> {
  const marks: Partial<Record<(typeof MARKS)[number], number>> = {};
  for (const name of MARKS) {
    const value = ownOption(options, name);
    if (value !== undefined) marks[name] = countOption(name, value, 0, 0, Number.MAX_SAFE_INTEGER);
  }
  return marks;
}

/** Destroys the stream when the signal aborts. Returns a function that removes the listener. */
export function destroyOnAbort(stream: Transform, signal: AbortSignal | null): () => void {
  if (signal === null) return () => undefined;
  const abort = () => stream.destroy(new MoonpackError("ERR_ABORTED", "the caller aborted the work", signal.reason));
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return () => signal.removeEventListener("abort", abort);
}

/** The error of pending work when its stream or socket is closed. */
export function closed(what: string): MoonpackError {
  return new MoonpackError("ERR_CLOSED", `the ${what} is closed`);
}
