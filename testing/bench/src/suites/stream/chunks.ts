import { Readable } from "node:stream";
import { pullStream } from "./web.js";

/** Bytes cut in one step: few enough chunks to stay in the young generation, enough to read the clock rarely. */
const GROUP_CHUNKS = 4096;
const GROUP_BYTES = 262_144;

/**
 * Bytes in chunks of one size, each in memory that no decoder has seen. Chunks are cut while they are consumed: all 1.6 million
 * chunks of one byte would fill the old generation. `cuttingMs` is the time for cutting.
 */
export class Chunks {
  cuttingMs = 0;
  readonly #bytes: Uint8Array;
  readonly #size: number;
  #offset = 0;

  constructor(bytes: Uint8Array, size: number) {
    this.#bytes = bytes;
    this.#size = size;
  }

  /** The next chunks; empty at the end. */
  next(): Uint8Array[] {
    const start = performance.now();
    const size = this.#size;
    const end = Math.min(
      this.#bytes.length,
      this.#offset + Math.max(size, Math.min(GROUP_CHUNKS * size, Math.floor(GROUP_BYTES / size) * size)),
    );
    const group: Uint8Array[] = [];
    // A socket delivers at most 64 KiB; chunks of that size have their own memory.
    const shared = size < 4096 ? this.#bytes.slice(this.#offset, end) : null;
    for (let from = this.#offset; from < end; from += size) {
      const to = Math.min(end, from + size);
      group.push(
        shared === null ? this.#bytes.slice(from, to) : shared.subarray(from - this.#offset, to - this.#offset),
      );
    }
    this.#offset = end;
    this.cuttingMs += performance.now() - start;
    return group;
  }

  /** For functions that take an async iterable. Written by hand: an async generator takes longer than some decoders. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Uint8Array> {
    const next = this.#oneByOne();
    const iterator: AsyncIterableIterator<Uint8Array> = {
      next: () => {
        const value = next();
        return Promise.resolve(value === undefined ? { done: true, value } : { done: false, value });
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return iterator;
  }

  /** For Node's streams: delivers a chunk whenever one is requested, like a file. */
  readable(): Readable {
    const next = this.#oneByOne();
    return new Readable({
      read() {
        this.push(next() ?? null);
      },
    });
  }

  /** For Web streams. */
  web(): ReadableStream<Uint8Array> {
    return pullStream(this.#oneByOne());
  }

  #oneByOne(): () => Uint8Array | undefined {
    let group: Uint8Array[] = [];
    let index = 0;
    return () => {
      if (index === group.length) {
        group = this.next();
        index = 0;
      }
      return group[index++];
    };
  }
}

/** Milliseconds that `consume` takes, without the cutting. */
export async function timeChunks(
  bytes: Uint8Array,
  size: number,
  consume: (chunks: Chunks) => unknown,
): Promise<number> {
  const chunks = new Chunks(bytes, size);
  const start = performance.now();
  await consume(chunks);
  return performance.now() - start - chunks.cuttingMs;
}
