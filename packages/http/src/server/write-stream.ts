/** Encodes streams as bodies of answers, whatever the framework. */
import type { PckFormat } from "../formats/pck-format.js";
import { inBatches } from "../streams/batches.js";
import { type Chunks, checkValues, mapped, msgpackChunks, pckChunks, type Values } from "../streams/encode.js";
import { accepted } from "./negotiate.js";
import { checkSendStreamOptions, type SendStreamOptions, type Settings } from "./settings.js";
import { jsonBytes } from "./write.js";

/** Values to send, or a function that returns them. Its signal aborts when the client has left or all values are sent. */
export type ValuesToSend<T = unknown> = Values<T> | ((signal: AbortSignal) => Values<T>);

type Chunk = Awaited<ReturnType<Chunks["next"]>>;

/** A body that arrives in chunks, and its Content-Type. */
export interface StreamedBody {
  readonly type: string;
  /** Leaving it early closes the values. */
  readonly chunks: Chunks;
}

/** The client that a stream is for. */
export interface Recipient {
  /** The header Accept; undefined if there is none. */
  readonly accept: string | undefined;
  /** True for HEAD: the answer has no values. */
  readonly isHead: boolean;
  /** Aborts when the client has left. */
  readonly left: AbortSignal;
}

/**
 * Encodes values in the format that the client prefers. Resolves with the first chunk, or immediately with `early`. Rejects with a
 * `RequestError` of status 406 if no format is accepted, and with the error of the values before the first chunk. When the client
 * leaves, the values are closed and the chunks end.
 */
export async function encodeValues<In>(
  { accept, isHead, left }: Recipient,
  values: ValuesToSend<In>,
  settings: Settings,
  options: SendStreamOptions<In> | undefined,
): Promise<StreamedBody> {
  const { pck, early } = checkSendStreamOptions(options);
  if (typeof values !== "function") checkValues(values);
  const { kind, type } = accepted(accept, settings, pck, true)[0]!;
  if (isHead || left.aborted) return { type, chunks: await noChunks(values) };
  const leaving = new AbortController();
  const source = typeof values === "function" ? values(leaving.signal) : values;
  checkValues(source);
  const encoded =
    kind === "pck"
      ? pckChunks(source, pck!)
      : kind === "json"
        ? lines(source, pck)
        : msgpackChunks(source, settings.msgpack);
  const chunks = new BodyChunks(encoded, leaving, left);
  if (!early) await chunks.begin();
  return { type, chunks };
}

/** Returns a line of JSON for each value. */
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

/**
 * The chunks of a body. `return`, and a client that leaves, abort the signal of the values immediately, also while a chunk is awaited.
 */
class BodyChunks implements Chunks {
  readonly #encoded: Chunks;
  readonly #leaving: AbortController;
  readonly #left: AbortSignal;
  /** A chunk that was read ahead. */
  #ahead: Chunk | null = null;

  constructor(encoded: Chunks, leaving: AbortController, left: AbortSignal) {
    this.#encoded = encoded;
    this.#leaving = leaving;
    this.#left = left;
    // Not awaited: a pending source closes when its awaited value arrives.
    left.addEventListener("abort", () => void this.return().catch(() => undefined), { signal: leaving.signal });
  }

  /** Waits for the first chunk, or until the client has left. */
  async begin(): Promise<void> {
    this.#ahead = await new Promise<Chunk>((resolve, reject) => {
      const leave = (): void => resolve({ done: true, value: undefined });
      this.#left.addEventListener("abort", leave);
      this.next()
        .then(resolve, reject)
        .finally(() => this.#left.removeEventListener("abort", leave));
    });
  }

  async next(): Promise<Chunk> {
    try {
      const chunk = this.#ahead ?? (await this.#encoded.next());
      this.#ahead = null;
      if (chunk.done) this.#leaving.abort();
      return chunk;
    } catch (error) {
      this.#leaving.abort();
      throw error;
    }
  }

  return(): Promise<Chunk> {
    this.#ahead = null;
    this.#leaving.abort();
    return this.#encoded.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/** Empty body for HEAD, or for a client that has left: closes the values unread. */
async function noChunks<In>(values: ValuesToSend<In>): Promise<Chunks> {
  if (typeof values !== "function") {
    const iterator = Symbol.asyncIterator in values ? values[Symbol.asyncIterator]() : values[Symbol.iterator]();
    await iterator.return?.();
  }
  return (async function* (): AsyncGenerator<never, void> {})();
}
