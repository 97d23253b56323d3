/**
 * The parts of the Streams Standard that this package uses. Any object with `getReader()` or `getWriter()` is taken: a
 * polyfill's stream is not an instance of the global class, and Safari's ReadableStream has no async iterator.
 */
import { describe, invalidArgument } from "../bytes/errors.js";

/** A readable stream: the global ReadableStream, or a polyfill's. */
export interface ReadableWebStream<T> {
  /** Locks the stream and returns its reader. */
  getReader(): WebStreamReader<T>;
}

/** A default reader (Streams Standard, 4.3). */
export interface WebStreamReader<T> {
  /** Resolves with the next chunk, or with `done: true` at the end. */
  read(): Promise<{ readonly done: boolean; readonly value?: T | undefined }>;
  /** Cancels the stream. */
  cancel(reason?: unknown): Promise<unknown>;
  /** Unlocks the stream. */
  releaseLock(): void;
}

/** A writable stream: the global WritableStream, or a polyfill's. */
export interface WritableWebStream<T> {
  /** Locks the stream and returns its writer. */
  getWriter(): WebStreamWriter<T>;
}

/** A default writer (Streams Standard, 5.3). */
export interface WebStreamWriter<T> {
  /** Resolves when the stream wants more. */
  readonly ready?: Promise<unknown>;
  /** Resolves when the stream has closed; rejects when it has failed. */
  readonly closed?: Promise<unknown>;
  /** Writes a chunk. */
  write(chunk: T): Promise<unknown>;
  /** Closes the stream after the chunks that were written. */
  close(): Promise<unknown>;
  /** Fails the stream. */
  abort(reason?: unknown): Promise<unknown>;
  /** Unlocks the stream. */
  releaseLock(): void;
}

/** Returns true for an object with `getReader()`. */
export function isReadableWebStream(value: object): value is ReadableWebStream<unknown> {
  return "getReader" in value && typeof value.getReader === "function";
}

/** True for an object with `getWriter()`. */
export function isWritableWebStream(value: unknown): value is WritableWebStream<unknown> {
  return typeof (value as Partial<WritableWebStream<unknown>> | null | undefined)?.getWriter === "function";
}

/** Cancels the stream of a reader and unlocks it. */
export async function cancelReader(
  reader: Pick<WebStreamReader<unknown>, "cancel" | "releaseLock">,
  reason?: unknown,
): Promise<void> {
  try {
    await reader.cancel(reason);
  } finally {
    reader.releaseLock();
  }
}

/**
 * Iterates over the chunks of a stream: a stand-in for the stream's own async iterator, which some runtimes lack. `return` cancels
 * the stream immediately, even while `next` waits for a chunk. Throws `ERR_INVALID_ARGUMENT` for a value without `getReader()`.
 *
 * @example
 * for await (const chunk of iterateWebStream(response.body)) parts.push(chunk);
 */
export function iterateWebStream<T>(stream: ReadableWebStream<T>): AsyncIterableIterator<T, undefined> {
  if (typeof stream?.getReader !== "function")
    throw invalidArgument(`expected a ReadableStream, not ${describe(stream)}`);
  const reader = stream.getReader();
  const end = { done: true, value: undefined } as const;
  let isOver = false;
  const unlock = () => {
    if (!isOver) reader.releaseLock();
    isOver = true;
  };
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      try {
        if (!isOver) {
          const result = await reader.read();
          if (!result.done) return result as IteratorYieldResult<T>;
        }
      } catch (error) {
        unlock();
        throw error;
      }
      unlock();
      return end;
    },
    async return() {
      if (!isOver) {
        isOver = true;
        await cancelReader(reader);
      }
      return end;
    },
  };
}
