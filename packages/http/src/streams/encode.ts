/** Streams of values as chunks of bytes. */
import { describe, encodeFrame, invalidArgument } from "moonpack/bytes";
import { encodeStream } from "moonpack/stream";
import type { MsgpackFormat } from "../formats/msgpack.js";
import type { PckFormat } from "../formats/pck-format.js";
import { inBatches } from "./batches.js";

/** Values of a stream. */
export type Values<T = unknown> = AsyncIterable<T> | Iterable<T>;

/** Throws `ERR_INVALID_ARGUMENT` for anything but values of a stream. */
export function checkValues(values: unknown): void {
  const source = Object(values);
  if (!(Symbol.asyncIterator in source || Symbol.iterator in source))
    throw invalidArgument(`values must be iterable, not ${describe(values)}`);
}

/** Chunks of a body. */
export interface Chunks extends AsyncIterable<Uint8Array<ArrayBuffer>> {
  next(): Promise<IteratorResult<Uint8Array<ArrayBuffer>, unknown>>;
  return(): Promise<IteratorResult<Uint8Array<ArrayBuffer>, unknown>>;
  [Symbol.asyncIterator](): Chunks;
}

/** Encodes values as MessagePack. A chunk ends when no more values arrive in this turn of the event loop. */
export function msgpackChunks(values: Values, format: MsgpackFormat | undefined): Chunks {
  return encodeStream(values, { ...format?.encoderOptions, flush: "turn" });
}

/** Encodes values as PCK messages, each prefixed with its length. */
export function pckChunks<In>(values: Values<In>, format: PckFormat<unknown, In>): Chunks {
  return inBatches(mapped(values, (value) => encodeFrame(format.encode(value))));
}

/** Yields `encode(value)` for each value. Leaving early closes the values. */
export async function* mapped<In>(
  values: Values<In>,
  encode: (value: In) => Uint8Array<ArrayBuffer>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  for await (const value of values) yield encode(value);
}

/** Returns a Web stream of chunks, which reads on demand. Cancelling closes the source. */
export function readableOf(
  chunks: Chunks,
  onError?: (error: unknown) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          onError?.(error);
          throw error;
        }
      },
      async cancel() {
        await chunks.return();
      },
    },
    { highWaterMark: 0 },
  );
}
