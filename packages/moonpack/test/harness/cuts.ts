/** The same bytes in parts, and what must come of them: what the whole gives. */
import { Decoder, type DecoderOptions, MoonpackError } from "moonpack";
import { StreamDecoder } from "moonpack/stream";
import { differ } from "./same.ts";

/** Values, and the error that ended them. */
export interface Outcome {
  readonly values: unknown[];
  readonly error: (MoonpackError & { offset?: number; needMore?: number }) | null;
}

/** Collects what `run` gives to its argument, and what it throws at last. */
export function outcome(run: (take: (value: unknown) => void) => void): Outcome {
  const values: unknown[] = [];
  try {
    run((value) => values.push(value));
  } catch (error) {
    if (error instanceof MoonpackError) return { values, error };
    throw error;
  }
  return { values, error: null };
}

/** The messages of `bytes`, decoded as a whole. */
export function whole(bytes: Uint8Array, options: DecoderOptions): Outcome {
  return outcome((take) => {
    for (const value of new Decoder(options).decodeMulti(bytes)) take(value);
  });
}

/** The messages of the parts. Each is wiped as soon as it is the caller's again: nothing may go on reading it. */
export function inParts(parts: Iterable<Uint8Array>, options: DecoderOptions): Outcome {
  return outcome((take) => {
    const decoder = new StreamDecoder(options);
    feed(decoder, parts, options, take);
    decoder.end();
  });
}

/** Pushes the parts. */
export function feed(
  decoder: StreamDecoder,
  parts: Iterable<Uint8Array>,
  options: DecoderOptions,
  take: (value: unknown) => void,
): void {
  for (const part of parts) {
    const own = part.slice();
    for (const value of decoder.push(own)) take(value);
    if (options.binary !== "view") own.fill(0xc1);
  }
}

/** `bytes` in parts that end at the offsets given. */
export function cutAt(bytes: Uint8Array, offsets: Iterable<number>): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const to of offsets) {
    parts.push(bytes.subarray(from, to));
    from = to;
  }
  parts.push(bytes.subarray(from));
  return parts;
}

/** `bytes` in parts of `size`. */
export function cutEvery(bytes: Uint8Array, size: number): Uint8Array[] {
  return cutAt(bytes, {
    *[Symbol.iterator]() {
      for (let i = size; i < bytes.length; i += size) yield i;
    },
  });
}

/**
 * Null when the parts gave what the whole gives, else where they differ. That bytes are missing is known only at a
 * stream's end: what a whole input refuses for that at a header, a stream reads on, and may find another fault behind.
 */
export function disagree(parts: Outcome, all: Outcome): string | null {
  const problem = differ(parts.values, all.values);
  if (problem !== null) return problem;
  const [a, b] = [parts.error, all.error];
  if (a === null || b === null)
    return a === b ? null : `${a?.message ?? "no error"} against ${b?.message ?? "no error"}`;
  if (b.code === "ERR_TRUNCATED" && a.offset! >= b.offset!) return null;
  return a.code === b.code && a.offset === b.offset && a.message === b.message
    ? null
    : `${a.message} against ${b.message}`;
}
