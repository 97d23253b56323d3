/** Decodes the same bytes whole and in parts. Both must give the same values and the same error. */
import { Decoder, type DecoderOptions, MoonpackError } from "moonpack";
import { StreamDecoder } from "moonpack/stream";
import { differ } from "./same.ts";

/** The decoded values, and the error that ended decoding. */
export interface Outcome {
  readonly values: unknown[];
  readonly error: (MoonpackError & { offset?: number; needMore?: number }) | null;
}

/** Collects the values that `run` passes to its argument, and the MoonpackError that it throws. */
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

/** Decodes the messages in `bytes` from one buffer. */
export function whole(bytes: Uint8Array, options: DecoderOptions): Outcome {
  return outcome((take) => {
    for (const value of new Decoder(options).decodeMulti(bytes)) take(value);
  });
}

/** Decodes the messages in `parts` as a stream. `feed` overwrites each part after use, which shows late reads. */
export function inParts(parts: Iterable<Uint8Array>, options: DecoderOptions): Outcome {
  return outcome((take) => {
    const decoder = new StreamDecoder(options);
    feed(decoder, parts, options, take);
    decoder.end();
  });
}

/** Pushes a copy of each part, and overwrites the copy after its values are taken, except with `binary: "view"`. */
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

/** Splits `bytes` at the given offsets. */
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

/** Splits `bytes` into parts of `size` bytes. */
export function cutEvery(bytes: Uint8Array, size: number): Uint8Array[] {
  return cutAt(bytes, {
    *[Symbol.iterator]() {
      for (let i = size; i < bytes.length; i += size) yield i;
    },
  });
}

/**
 * Returns null if both outcomes agree, else a text that says where they differ. A stream learns only at its end that
 * bytes are missing. A whole input rejects a header for missing bytes; a stream reads on, and may find another error.
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
