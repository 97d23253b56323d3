import { describe, invalidArgument, MoonpackError } from "../bytes/errors.js";
import type { BytesInput } from "../bytes/input.js";
import { ownOption } from "../bytes/options.js";
import { nextTurn } from "./turn.js";

/**
 * Where bytes come from: any async iterable of chunks (a Node Readable is one), a ReadableStream, a Blob, a Response, an
 * iterable of chunks, or the bytes themselves.
 */
export type ByteSource =
  | AsyncIterable<BytesInput>
  | Iterable<BytesInput>
  | ReadableStream<BytesInput>
  | Blob
  | Response
  | BytesInput;

/** Bytes that are read into one buffer again and again, where the source fills the reader's memory (BYOB). */
const BYOB_BYTES = 65_536;

/** Chunks one after the other. */
export interface Chunks {
  /** The next chunk, or null at the end. A chunk is read before the next is asked for. */
  next(): Promise<BytesInput | null>;
  /** Tells the source that nobody wants more. Rejects with the failure that the source had before, and with one of its closing. */
  close(reason?: unknown): Promise<void>;
}

/** The option `signal`, checked. */
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
 * Opens a source. `reuses`: a chunk's memory may be written to again once the next one is asked for. `ERR_INVALID_ARGUMENT`
 * for what is no source; the signal ends a wait at once, with `ERR_ABORTED`, and cancels the source.
 */
export function openSource(source: ByteSource, signal: AbortSignal | null, reuses: boolean): Chunks {
  const chunks = chunksOf(source, reuses);
  if (signal === null) return chunks;
  if (signal.aborted) chunks.close(signal.reason).catch(() => undefined);
  return abortable(chunks, signal);
}

function chunksOf(source: ByteSource, reuses: boolean): Chunks {
  if (typeof source === "object" && source !== null) {
    if (ArrayBuffer.isView(source) || source instanceof ArrayBuffer || isNamed(source, "SharedArrayBuffer")) {
      return fromIterator([source as BytesInput][Symbol.iterator]());
    }
    if ("getReader" in source) return fromReadable(source, reuses);
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

function isNamed(value: object, name: string): boolean {
  return Object.prototype.toString.call(value) === `[object ${name}]`;
}

/** As much of a Node Readable as is needed. */
interface NodeReadable {
  /** Its failure, or null. */
  readonly errored: unknown;
  destroy(): void;
}

/** The source if it is a Node Readable, whose iterator's `return` waits until the chunk comes that is asked for. */
function nodeReadable(source: object): NodeReadable | null {
  const readable = source as NodeReadable;
  return "readableFlowing" in source && typeof readable.destroy === "function" ? readable : null;
}

/** A `readable` is destroyed while a chunk is awaited, and before the first: an iterator that has not begun ends nothing. */
function fromIterator(
  iterator: AsyncIterator<BytesInput> | Iterator<BytesInput>,
  readable: NodeReadable | null = null,
): Chunks {
  let isOver = false;
  /** What is awaited; null between two chunks. */
  let asked: Promise<IteratorResult<BytesInput>> | IteratorResult<BytesInput> | null = null;
  let isBegun = false;
  return {
    async next() {
      try {
        isBegun = true;
        asked = iterator.next();
        const { done, value } = await asked;
        isOver = done === true;
        return isOver ? null : chunkOf(value as BytesInput);
      } catch (error) {
        isOver = true; // by its own error
        throw error;
      } finally {
        asked = null;
      }
    },
    async close() {
      if (isOver) return;
      const failure = readable?.errored ?? null;
      // Rejects if what is awaited has failed by now, though nobody has been told yet.
      if (asked !== null) await Promise.race([asked, null]);
      if (isOver) return;
      if (readable !== null && (asked !== null || !isBegun)) readable.destroy();
      else await iterator.return?.();
      if (failure !== null) throw failure;
    },
  };
}

/** null would be taken for the end, and what followed it for lost. */
function chunkOf(value: BytesInput): BytesInput {
  if (typeof value === "object" && value !== null) return value;
  throw invalidArgument(`a chunk is ${describe(value)}, not bytes`);
}

function fromReadable(stream: ReadableStream<BytesInput>, reuses: boolean): Chunks {
  const own = reuses ? byobReader(stream) : null;
  return own === null ? fromReader(stream.getReader()) : fromByteReader(own);
}

function fromReader(reader: ReadableStreamDefaultReader<BytesInput>): Chunks {
  return {
    async next() {
      const { done, value } = await reader.read();
      if (done) reader.releaseLock();
      return done ? null : chunkOf(value);
    },
    async close(reason) {
      try {
        await reader.cancel(reason);
      } finally {
        reader.releaseLock();
      }
    },
  };
}

function fromByteReader(reader: ReadableStreamBYOBReader): Chunks {
  let memory = new ArrayBuffer(BYOB_BYTES);
  // A source that closes without answering the last request leaves the read waiting for ever (Streams Standard, 4.7.3).
  // One that answers and closes at once settles the read within the turn, maybe after `closed`.
  let isClosed = false;
  let noMore: (() => void) | null = null;
  const close = () => {
    isClosed = true;
    noMore?.();
  };
  reader.closed.then(close, () => undefined); // an error comes by the read
  return {
    async next() {
      const read = reader.read(new Uint8Array(memory));
      const result = await new Promise<Awaited<typeof read> | null>((resolve, reject) => {
        read.then(resolve, reject);
        noMore = () => void nextTurn().then(() => resolve(null));
        if (isClosed) noMore();
      });
      noMore = null;
      if (result?.value === undefined || result.done) {
        if (result !== null) reader.releaseLock();
        return null;
      }
      memory = result.value.buffer as ArrayBuffer;
      return result.value;
    },
    async close(reason) {
      try {
        await reader.cancel(reason);
      } finally {
        reader.releaseLock();
      }
    },
  };
}

/** A reader that brings its own buffer, where the stream offers that. */
function byobReader(stream: ReadableStream<BytesInput>): ReadableStreamBYOBReader | null {
  try {
    return stream.getReader({ mode: "byob" });
  } catch {
    return null; // not a byte stream; or locked, which the other reader's error says better
  }
}

function abortable(chunks: Chunks, signal: AbortSignal): Chunks {
  // At once, also while nobody asks for a chunk.
  const abort = () => void chunks.close(signal.reason).catch(() => undefined);
  const over = () => signal.removeEventListener("abort", abort);
  signal.addEventListener("abort", abort, { once: true });
  return {
    async next() {
      if (signal.aborted) throw aborted(signal);
      const chunk = await unlessAborted(chunks.next(), signal);
      if (chunk === null) over();
      return chunk;
    },
    async close(reason) {
      over();
      if (!signal.aborted) await chunks.close(reason);
    },
  };
}

/** What is awaited, or `ERR_ABORTED` as soon as the signal says so. */
export async function unlessAborted<T>(awaited: Promise<T> | T, signal: AbortSignal): Promise<T> {
  let stop: () => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(aborted(signal));
  });
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([awaited, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
