import type { Transform } from "node:stream";
import { MoonpackError } from "../bytes/errors.js";
import { countOption, ownOption } from "../bytes/options.js";

/** Options that both streams take as every Node stream does. */
export interface StreamOptions {
  /** Of both sides: values on the one that carries values, bytes on the other. */
  readonly highWaterMark?: number;
  /** Of the side that is read. */
  readonly readableHighWaterMark?: number;
  /** Of the side that is written to. */
  readonly writableHighWaterMark?: number;
  /** Destroys the stream with `ERR_ABORTED`; its reason is the `cause`. */
  readonly signal?: AbortSignal;
}

const MARKS = ["highWaterMark", "readableHighWaterMark", "writableHighWaterMark"] as const;

/** The marks that are given, checked: what Node's constructors take. `ERR_INVALID_ARGUMENT` otherwise. */
export function markOptions(options: object | undefined): Partial<Record<(typeof MARKS)[number], number>> {
  const marks: Partial<Record<(typeof MARKS)[number], number>> = {};
  for (const name of MARKS) {
    const value = ownOption(options, name);
    if (value !== undefined) marks[name] = countOption(name, value, 0, 0, Number.MAX_SAFE_INTEGER);
  }
  return marks;
}

/** Destroys the stream when the signal says so; answers what has to be called once the stream is over. */
export function destroyOnAbort(stream: Transform, signal: AbortSignal | null): () => void {
  if (signal === null) return () => undefined;
  const abort = () => stream.destroy(new MoonpackError("ERR_ABORTED", "the caller aborted the work", signal.reason));
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return () => signal.removeEventListener("abort", abort);
}

/** The error of work that was under way when its stream or socket was closed. */
export function closed(what: string): MoonpackError {
  return new MoonpackError("ERR_CLOSED", `the ${what} is closed`);
}
