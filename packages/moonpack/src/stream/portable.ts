/** Makes the readable sides of this package work alike in all engines, and with the streams of a polyfill. */
import {
  isWritableWebStream,
  iterateWebStream,
  type ReadableWebStream,
  type WebStreamReader,
  type WebStreamWriter,
  type WritableWebStream,
} from "./web-streams.js";

/**
 * Adds features that the engine's stream may lack: an async iterator (Safari), and pipes into a polyfill's streams, which
 * the engine's `pipeTo` and `pipeThrough` refuse. Returns the same stream.
 */
export function portable<T>(stream: ReadableStream<T>): ReadableStream<T> {
  const pipeTo = stream.pipeTo.bind(stream);
  const pipeThrough = stream.pipeThrough.bind(stream);
  stream.pipeTo = (destination, options) =>
    isForeign(destination) ? pipe<T>(stream, destination, options) : pipeTo(destination, options);
  stream.pipeThrough = (pair, options) => {
    if (!isForeign(pair?.writable)) return pipeThrough(pair, options);
    pipe<T>(stream, pair.writable, options).catch(() => undefined); // the error reaches the pair's readable side
    return pair.readable;
  };
  if (!(Symbol.asyncIterator in stream))
    Object.assign(stream, { [Symbol.asyncIterator]: () => iterateWebStream<T>(stream) });
  return stream;
}

function isForeign(destination: unknown): destination is WritableWebStream<unknown> {
  return isWritableWebStream(destination) && !(destination instanceof WritableStream);
}

/**
 * `pipeTo` (Streams Standard, 4.9) by the public methods of both sides. An error of one side is passed to the other, and so
 * is the signal's reason, unless the options prevent that; both sides are unlocked at the end.
 */
async function pipe<T>(
  source: ReadableWebStream<T>,
  destination: WritableWebStream<T>,
  options: StreamPipeOptions = {},
): Promise<void> {
  const { preventAbort, preventCancel, preventClose, signal } = options;
  const reader = source.getReader();
  let writer: WebStreamWriter<T>;
  try {
    writer = destination.getWriter();
  } catch (error) {
    reader.releaseLock();
    throw error;
  }
  try {
    await copy(reader, writer, signal);
    if (preventClose !== true) await writer.close();
  } catch (error) {
    // The side that has failed ignores this, or rejects with the same error.
    const others: Promise<unknown>[] = [];
    if (preventCancel !== true) others.push(reader.cancel(error));
    if (preventAbort !== true) others.push(writer.abort(error));
    await Promise.allSettled(others);
    throw error;
  } finally {
    reader.releaseLock();
    writer.releaseLock();
  }
}

/** Copies all chunks; rejects as soon as either side fails or the signal aborts, also while the other side hangs. */
async function copy<T>(
  reader: WebStreamReader<T>,
  writer: WebStreamWriter<T>,
  signal: AbortSignal | undefined,
): Promise<void> {
  let stopped: { readonly reason: unknown } | null = null;
  let rejectWait: (reason: unknown) => void = () => undefined;
  const stop = (reason: unknown) => {
    stopped ??= { reason };
    rejectWait(reason);
  };
  // One promise for each wait: races against one long-lived promise would leave a reaction on it for each chunk.
  const wait = <R>(start: () => Promise<R> | undefined) =>
    new Promise<R | undefined>((resolve, reject) => {
      if (stopped !== null) return reject(stopped.reason);
      rejectWait = reject;
      Promise.resolve(start()).then(resolve, reject);
    });
  const abort = () => stop(signal?.reason);
  writer.closed?.then(() => stop(new TypeError("the destination of a pipe was closed")), stop);
  if (signal?.aborted === true) abort();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    for (;;) {
      await wait(() => writer.ready);
      const { done, value } = (await wait(() => reader.read()))!;
      if (done) return;
      await wait(() => writer.write(value as T));
    }
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}
