/** Bytes in chunks, and the stream functions of @msgpack/msgpack and of its replacement. */
import { disagreement, face, type Library, original } from "./libraries.ts";

export const READINGS = ["decodeAsync", "decodeArrayStream", "decodeMultiStream"] as const;
export type Reading = (typeof READINGS)[number];

/** The values of a stream, and its error. */
export interface Streamed {
  readonly values: unknown[];
  readonly error?: unknown;
}

/** A stream of the chunks. */
export async function* streamOf(chunks: Iterable<unknown>): AsyncGenerator<unknown, void, unknown> {
  yield* chunks;
}

/** Collects the results of a promise or of an async iterable. */
export async function collect(result: Promise<unknown> | AsyncIterable<unknown>): Promise<Streamed> {
  const values: unknown[] = [];
  try {
    if (Symbol.asyncIterator in result) for await (const value of result) values.push(value);
    else values.push(await result);
  } catch (error) {
    return { values, error };
  }
  return { values };
}

export function read(
  library: Library,
  reading: Reading,
  chunks: Iterable<unknown>,
  options?: object,
): Promise<Streamed> {
  return collect(library[reading](streamOf(chunks), options));
}

/**
 * Null if both libraries give the same result for the chunks. Two rows of UPGRADING.md are errors only in the replacement, after
 * the same values: a truncated stream, and bytes after the array.
 */
export async function streamsDiffer(
  reading: Reading,
  chunks: readonly unknown[],
  options?: object,
): Promise<string | null> {
  const theirs = await read(original, reading, chunks, options);
  const ours = await read(face, reading, chunks, options);
  const problem = disagreement({ value: theirs.values }, { value: ours.values });
  if (problem !== null) return `${reading}: ${problem}`;
  const { code } = (ours.error ?? {}) as { code?: unknown };
  const isSilent =
    (code === "ERR_TRUNCATED" && reading !== "decodeAsync") ||
    (code === "ERR_TRAILING_BYTES" && reading === "decodeArrayStream");
  if ((theirs.error === undefined) === (ours.error === undefined)) return null;
  return isSilent ? null : `${reading}: original ${String(theirs.error)}, face ${String(ours.error)}`;
}

/** The bytes in two chunks, cut at each position in turn; and in chunks of one byte. */
export function* cuts(bytes: Uint8Array): Generator<Uint8Array[], void, unknown> {
  yield [bytes];
  for (let at = 1; at < bytes.length; at++) yield [bytes.slice(0, at), bytes.slice(at)];
  if (bytes.length > 2) yield Array.from(bytes, (byte) => Uint8Array.of(byte));
}

/** The bytes in chunks of up to `longest` bytes, some of them empty, but not the first and the last. */
export function randomChunks(bytes: Uint8Array, longest: number, random: (below: number) => number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const next = Math.min(bytes.length, at + random(longest + 1) + (at === 0 ? 1 : 0));
    chunks.push(bytes.slice(at, next));
    at = next;
  }
  return chunks;
}
