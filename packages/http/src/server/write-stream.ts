/** Encodes streams as bodies of answers, whatever the framework. */
import type { PckFormat } from "../formats/pck-format.js";
import { invalidArgument, ownOptions } from "../options.js";
import { inBatches } from "../streams/batches.js";
import { type Chunks, mapped, msgpackChunks, pckChunks, type Values } from "../streams/encode.js";
import { accepted } from "./negotiate.js";
import { checkPck, type SendStreamOptions, type Settings } from "./settings.js";
import { jsonBytes } from "./write.js";

/** Values to send, or a function that returns them. Its signal aborts when the client has left, or all is sent. */
export type ValuesToSend<T = unknown> = Values<T> | ((signal: AbortSignal) => Values<T>);

/** A body that arrives in chunks, and its Content-Type. */
export interface StreamedBody {
  readonly type: string;
  /** Leaving it early closes the values. */
  readonly chunks: Chunks;
}

/**
 * Encodes values in the format that the client prefers. Resolves when the first chunk is there, or at once with `early`. Rejects with
 * a `RequestError` of status 406 if no format is accepted, and with the error of the values up to the first chunk.
 */
export async function encodeValues<In>(
  accept: string | undefined,
  values: ValuesToSend<In>,
  settings: Settings,
  options: SendStreamOptions<In> | undefined,
  isHead: boolean,
): Promise<StreamedBody> {
  const { pck, early = false } = ownOptions(options);
  checkPck(pck);
  if (typeof early !== "boolean") throw invalidArgument("early must be a boolean");
  const { kind, type } = accepted(accept, settings, pck, true)[0]!;
  if (isHead) return { type, chunks: await noChunks(values) };
  const leaving = new AbortController();
  const source = typeof values === "function" ? values(leaving.signal) : values;
  const chunks =
    kind === "pck"
      ? pckChunks(source, pck!)
      : kind === "json"
        ? lines(source, pck)
        : msgpackChunks(source, settings.msgpack);
  const first = early ? null : await chunks.next();
  return { type, chunks: whole(first, chunks, leaving) };
}

/** A line of JSON for each value. */
function lines<In>(values: Values<In>, pck: PckFormat<unknown, In> | undefined): Chunks {
  const line = (value: In): Uint8Array<ArrayBuffer> => {
    const json = jsonBytes(value, pck);
    const bytes = new Uint8Array(json.length + 1);
    bytes.set(json);
    bytes[json.length] = 0x0a;
    return bytes;
  };
  return inBatches(mapped(values, line));
}

/** All chunks, with the one that was asked for ahead. `return` aborts the signal at once, also while a chunk is awaited. */
function whole(first: IteratorResult<Uint8Array<ArrayBuffer>> | null, rest: Chunks, leaving: AbortController): Chunks {
  let ahead = first;
  return {
    async next() {
      try {
        const result = ahead ?? (await rest.next());
        ahead = null;
        if (result.done) leaving.abort();
        return result;
      } catch (error) {
        leaving.abort();
        throw error;
      }
    },
    return() {
      ahead = null;
      leaving.abort();
      return rest.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The body of an answer to HEAD: none of the values is asked for, and they are closed. */
async function noChunks<In>(values: ValuesToSend<In>): Promise<Chunks> {
  if (typeof values !== "function") {
    const iterator = Symbol.asyncIterator in values ? values[Symbol.asyncIterator]() : values[Symbol.iterator]();
    await iterator.return?.();
  }
  return (async function* (): AsyncGenerator<never, void> {})();
}
