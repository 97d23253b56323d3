// Times of one codec, in its worker.
import type { ReadyCodec } from "./codecs.ts";

/** The measured directions. */
export const DIRECTIONS = ["encode", "decode"] as const;

/** One of {@link DIRECTIONS}. */
export type Direction = (typeof DIRECTIONS)[number];

/** A batch takes at least this many steps of the clock, so that the error of one step is at most 2 %. */
const BATCH_STEPS = 50;
/** Inputs of a batch stay in the cache of the processor. A call that is longer than all this is a batch by itself. */
const BATCH_CALLS = 16_384;
const BATCH_BYTES = 1_048_576;
const LOOKS = 20;

/** The step of `performance.now()` here in milliseconds: from 5 microseconds to a whole millisecond. */
export function clockStep(): number {
  let step = Number.POSITIVE_INFINITY;
  for (let look = 0; look < LOOKS; look++) {
    const start = performance.now();
    let now = start;
    while (now === start) now = performance.now();
    step = Math.min(step, now - start);
  }
  return step;
}

/** Measures a codec with some messages, by turns. */
export class Sampler {
  readonly #codec: ReadyCodec;
  readonly #messages: readonly unknown[];
  readonly #encoded: readonly Uint8Array[];
  readonly #batchMs: number;
  readonly #most: number;
  readonly #batches = { encode: 1, decode: 1 };
  #next = 0;
  /** The last result, so that engines do not remove the calls. */
  #kept: unknown;

  constructor(codec: ReadyCodec, messages: readonly unknown[], encoded: readonly Uint8Array[], clockMs: number) {
    this.#codec = codec;
    this.#messages = messages;
    this.#encoded = encoded;
    this.#batchMs = clockMs * BATCH_STEPS;
    const mean = encoded.reduce((sum, { length }) => sum + length, 0) / encoded.length;
    this.#most = Math.max(1, Math.min(BATCH_CALLS, Math.floor(BATCH_BYTES / Math.max(1, mean))));
  }

  /** Takes a sample of `sampleMs` milliseconds, or of one call that takes longer. Returns the nanoseconds of a message. */
  sample(direction: Direction, sampleMs: number): number {
    let elapsed = 0;
    let calls = 0;
    while (calls === 0 || elapsed < sampleMs) {
      const batch = this.#batches[direction];
      const time = direction === "encode" ? this.#timeEncode(batch) : this.#timeDecode(batch);
      if (time < this.#batchMs && batch < this.#most) {
        // Too short to be measured: it was a part of the warming up.
        this.#batches[direction] = Math.min(this.#most, batch * 2);
        elapsed = 0;
        calls = 0;
      } else {
        elapsed += time;
        calls += batch;
      }
    }
    return (elapsed * 1e6) / calls;
  }

  /** The last result. */
  get kept(): unknown {
    return this.#kept;
  }

  // Each direction has a separate loop: engines compile a call for the functions that they see there.

  #timeEncode(count: number): number {
    const codec = this.#codec;
    const inputs = this.#turn(count, this.#messages, (message) => message);
    let kept: unknown;
    const start = performance.now();
    for (let i = 0; i < inputs.length; i++) kept = codec.encode(inputs[i]);
    const time = performance.now() - start;
    this.#kept = kept;
    return time;
  }

  #timeDecode(count: number): number {
    const codec = this.#codec;
    // Copies: no decoder reads the same bytes twice.
    const inputs = this.#turn(count, this.#encoded, (bytes) => bytes.slice());
    let kept: unknown;
    const start = performance.now();
    for (let i = 0; i < inputs.length; i++) kept = codec.decode(inputs[i]!);
    const time = performance.now() - start;
    this.#kept = kept;
    return time;
  }

  #turn<T>(count: number, list: readonly T[], copy: (one: T) => T): T[] {
    const inputs: T[] = [];
    for (let i = 0; i < count; i++) inputs.push(copy(list[this.#next++ % list.length]!));
    return inputs;
  }
}
