/** The sources of a stream's bytes. */
import { describe, invalidArgument, MoonpackError } from "../bytes/errors.js";
import type { BytesInput } from "../bytes/input.js";
import { ownOption } from "../bytes/options.js";
import { nextTurn } from "./next-turn.js";
import { cancelReader, isReadableWebStream, type ReadableWebStream, type WebStreamReader } from "./web-streams.js";

/**
 * A source of bytes: a ReadableStream (any object with `getReader()`), an async iterable of chunks (such as a Node
 * Readable), a Blob, a Response, an iterable of chunks, or the bytes themselves.
 */
export type ByteSource =
  | AsyncIterable<BytesInput>
  | Iterable<BytesInput>
  | ReadableWebStream<BytesInput>
  | Blob
  | Response
  | BytesInput;

/** Size of the buffer that is passed to a byte stream for each read (BYOB). */
const BYOB_BYTES = 65_536;

/** An opened source: its chunks, one after the other. */
export interface ChunkSource {
  /** Returns the next chunk, or null at the end. Read a chunk completely before you request the next one. */
  next(): Promise<BytesInput | null>;
  /** Cancels the source. Rejects with a failure that the source had before, or with an error of its closing. */
  close(reason?: unknown): Promise<void>;
}

/** Reads the option `signal`. `ERR_INVALID_ARGUMENT` unless it is an AbortSignal. */
export function signalOption(options: object | undefined): AbortSignal | null {
  const signal = ownOption(options, "signal");
  if (signal === undefined) return null;
  if (typeof AbortSignal === "function" && signal instanceof AbortSignal) return signal;
  throw invalidArgument("signal must be an AbortSignal");
}

/** The error of work that its caller aborted. */
export function aborted(signal: AbortSignal): MoonpackError {
  return new MoonpackError("ERR_ABORTED", "the caller aborted the work", signal.reason);
}

/**
 * Opens a source. With `reuses`, the memory of a chunk may be overwritten once the next chunk is requested. An abort ends a
 * wait immediately, with `ERR_ABORTED`, and cancels the source. `ERR_INVALID_ARGUMENT` for a value that is not a source.
 */
export function openSource(source: ByteSource, signal: AbortSignal | null, reuses: boolean): ChunkSource {
  const chunks = chunksOf(source, reuses);
  if (signal === null) return chunks;
  if (signal.aborted) chunks.close(signal.reason).catch(() => undefined);
  return abortable(chunks, signal);
}

function chunksOf(source: ByteSource, reuses: boolean): ChunkSource {
  if (typeof source === "object" && source !== null) {
    if (ArrayBuffer.isView(source) || source instanceof ArrayBuffer || isSharedArrayBuffer(source)) {
      return fromIterator([source as BytesInput][Symbol.iterator]());
    }
    if (isReadableWebStream(source)) return fromReadable(source as ReadableWebStream<BytesInput>, reuses);
    if (Symbol.asyncIterator in source) return fromIterator(source[Symbol.asyncIterator](), nodeReadable(source));
    if (Symbol.iterator in source) return fromIterator(source[Symbol.iterator]());
    if (typeof Blob === "function" && source instanceof Blob) return fromReadable(source.stream(), reuses);
    if (typeof Response === "function" && source instanceof Response) {
      if (source.bodyUsed) throw invalidArgument("the body of the Response has been read already");
      return source.body === null ? fromIterator([][Symbol.iterator]()) : fromReadable(source.body, reuses);
    }
  }
  throw invalidArgument(
    `expected a ReadableStream, an (async) iterable of chunks, a Blob, a Response or bytes, not ${describe(source)}`,
  );
}

/** Tests the tag: pages that are not cross-origin isolated do not have the global. */
function isSharedArrayBuffer(value: object): boolean {
  return Object.prototype.toString.call(value) === "[object SharedArrayBuffer]";
}

/** The members of a Node Readable that are used. */
interface NodeReadable {
  /** Its failure, or null. */
  readonly errored: unknown;
  destroy(): void;
}

/** The source if it is a Node Readable. The `return` of its iterator waits for the requested chunk. */
function nodeReadable(source: object): NodeReadable | null {
  const readable = source as NodeReadable;
  return "readableFlowing" in source && typeof readable.destroy === "function" ? readable : null;
}

/**
 * Reads an iterator. A Node Readable is destroyed directly while a chunk is awaited, and before the first chunk: the `return`
 * of an iterator that has not started does nothing.
 */
function fromIterator(
  iterator: AsyncIterator<BytesInput> | Iterator<BytesInput>,
  readable: NodeReadable | null = null,
): ChunkSource {
  let isOver = false;
  /** The result that is awaited; null between two chunks. */
  let pending: Promise<IteratorResult<BytesInput>> | IteratorResult<BytesInput> | null = null;
  let hasStarted = false;
  return {
    async next() {
      try {
        hasStarted = true;
        pending = iterator.next();
        const { done, value } = await pending;
        isOver = done === true;
        return isOver ? null : checkChunk(value as BytesInput);
      } catch (error) {
        isOver = true; // an iterator that has thrown is not closed
        throw error;
      } finally {
        pending = null;
      }
    },
    async close() {
      if (isOver) return;
      const failure = readable?.errored ?? null;
      // Rejects if the awaited result has already failed without a report.
      if (pending !== null) await Promise.race([pending, null]);
      if (isOver) return;
      if (readable !== null && (pending !== null || !hasStarted)) readable.destroy();
      else await iterator.return?.();
      if (failure !== null) throw failure;
    },
  };
}

/** Throws for a chunk that is not an object: null would look like the end, and the rest would be lost. */
function checkChunk(value: BytesInput | undefined): BytesInput {
  if (typeof value === "object" && value !== null) return value;
  throw invalidArgument(`a chunk is ${describe(value)}, not bytes`);
}

function fromReadable(stream: ReadableWebStream<BytesInput>, reuses: boolean): ChunkSource {
  const byobReader = reuses ? byobReaderOf(stream) : null;
  return byobReader === null ? fromReader(stream.getReader()) : fromByobReader(byobReader);
}

function fromReader(reader: WebStreamReader<BytesInput>): ChunkSource {
  return {
    async next() {
      const { done, value } = await reader.read();
      if (done) reader.releaseLock();
      return done ? null : checkChunk(value);
    },
    close: (reason) => cancelReader(reader, reason),
  };
}

function fromByobReader(reader: ReadableStreamBYOBReader): ChunkSource {
  let memory = new ArrayBuffer(BYOB_BYTES);
  // A source that closes without a response to the last request leaves the read pending for ever (Streams Standard, 4.7.3).
  // A source that responds and closes immediately settles the read within the turn, possibly after `closed`.
  let isClosed = false;
  let endRead: (() => void) | null = null;
  const close = () => {
    isClosed = true;
    endRead?.();
  };
  reader.closed.then(close, () => undefined); // `read` rejects with the error
  return {
    async next() {
      const read = reader.read(new Uint8Array(memory));
      const result = await new Promise<Awaited<typeof read> | null>((resolve, reject) => {
        read.then(resolve, reject);
        endRead = () => void nextTurn().then(() => resolve(null));
        if (isClosed) endRead();
      });
      endRead = null;
      if (result?.value === undefined || result.done) {
        unlock(reader);
        return null;
      }
      memory = result.value.buffer as ArrayBuffer;
      return result.value;
    },
    close: (reason) => cancelReader(reader, reason),
  };
}

/** Unlocks a closed stream, also while its last read is pending. Engines before 2022 refuse that, so it stays locked there. */
function unlock(reader: ReadableStreamBYOBReader): void {
  try {
    reader.releaseLock();
  } catch {}
}

/**
 * A reader that fills the caller's buffer; null if the stream does not support one. Only for the engine's own streams: another
 * `getReader` may ignore the mode and return a default reader.
 */
function byobReaderOf(stream: ReadableWebStream<BytesInput>): ReadableStreamBYOBReader | null {
  if (typeof ReadableStreamBYOBReader !== "function" || !(stream instanceof ReadableStream)) return null;
  let reader: unknown;
  try {
    reader = stream.getReader({ mode: "byob" });
  } catch {
    return null; // not a byte stream, or locked: then `getReader()` throws the better error
  }
  if (reader instanceof ReadableStreamBYOBReader) return reader;
  (reader as WebStreamReader<BytesInput>).releaseLock();
  return null;
}

function abortable(chunks: ChunkSource, signal: AbortSignal): ChunkSource {
  // Closes the source immediately, also while no chunk is awaited.
  const abort = () => void chunks.close(signal.reason).catch(() => undefined);
  const removeListener = () => signal.removeEventListener("abort", abort);
  signal.addEventListener("abort", abort, { once: true });
  return {
    async next() {
      if (signal.aborted) throw aborted(signal);
      const chunk = await unlessAborted(chunks.next(), signal);
      if (chunk === null) removeListener();
      return chunk;
    },
    async close(reason) {
      removeListener();
      if (!signal.aborted) await chunks.close(reason);
    },
  };
}

/** Resolves as `awaited` does, or rejects with `ERR_ABORTED` as soon as the signal aborts. */
export async function unlessAborted<T>(awaited: Promise<T> | T, signal: AbortSignal): Promise<T> {
  let stop: () => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(aborted(signal));
  });
  // The source's own code may have aborted when it was called.
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([awaited, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
