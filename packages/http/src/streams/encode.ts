/** Streams of values as chunks of bytes. */
import { encodeFrame } from "moonpack/bytes";
import { encodeStream } from "moonpack/stream";
import type { MsgpackFormat } from "../formats/msgpack.js";
import type { PckFormat } from "../formats/pck-format.js";
import { inBatches } from "./batches.js";

/** Values of a stream. */
export type Values<T = unknown> = AsyncIterable<T> | Iterable<T>;

/** Chunks of a body. */
export interface Chunks extends AsyncIterable<Uint8Array<ArrayBuffer>> {
  next(): Promise<IteratorResult<Uint8Array<ArrayBuffer>, unknown>>;
  return(): Promise<IteratorResult<Uint8Array<ArrayBuffer>, unknown>>;
  [Symbol.asyncIterator](): Chunks;
}

/** Encodes values as MessagePack. A chunk leaves when no further value comes in this turn of the event loop. */
export function msgpackChunks(values: Values, format: MsgpackFormat | undefined): Chunks {
  return encodeStream(values, { ...format?.encoderOptions, flush: "turn" });
}

/** Encodes values as PCK messages, each behind its length. */
export function pckChunks<In>(values: Values<In>, format: PckFormat<unknown, In>): Chunks {
  return inBatches(mapped(values, (value) => encodeFrame(format.encode(value))));
}

/** Yields `encode` of each value, and closes the values when it is left. */
export async function* mapped<In>(
  values: Values<In>,
  encode: (value: In) => Uint8Array<ArrayBuffer>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  for await (const value of values) yield encode(value);
}

/** A Web stream of chunks. Each is asked for only when it is wanted; cancelling closes the source. */
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
