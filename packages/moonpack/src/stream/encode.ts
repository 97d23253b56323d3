import { describe, invalidArgument } from "../bytes/errors.js";
import { choiceOption, countOption, ownOption } from "../bytes/options.js";
import { copyOwned } from "../bytes/slab.js";
import { type EncoderOptions, type EncoderSettings, encoderSettings } from "../msgpack/options.js";
import { Gather } from "./gather.js";
import { aborted, signalOption, unlessAborted } from "./source.js";
import { nextTurn } from "./turn.js";

/** How the values of a stream become chunks. */
export interface GatherOptions {
  /** Bytes that a chunk gathers at most; larger messages are chunks of their own. 1 KiB to 16 MiB, default 64 KiB. */
  readonly chunkSize?: number;
}

type Flush = "size" | "turn" | "each";

/** Options of {@link encodeStream}. */
export interface EncodeSourceOptions extends EncoderOptions, GatherOptions {
  /**
   * When a chunk goes out before it is full. `size` (default): never, but at the end: for files and HTTP bodies. `turn`: when
   * the source has nothing more in this turn of the event loop: for what somebody waits for. `each`: after every value.
   */
  readonly flush?: Flush;
  /** Ends the work with `ERR_ABORTED` and the source's iteration. */
  readonly signal?: AbortSignal;
}

const SMALLEST_CHUNK = 1024;
const LARGEST_CHUNK = 16 * 1024 * 1024;
const DEFAULT_CHUNK = 65_536;

/** The option `chunkSize`, checked. */
export function chunkSizeOption(options: object | undefined): number {
  return countOption("chunkSize", ownOption(options, "chunkSize"), DEFAULT_CHUNK, SMALLEST_CHUNK, LARGEST_CHUNK);
}

/**
 * Gathers messages into chunks that are no larger than what is in them: a copy is made, since
 * a chunk of one small message must not pin the room for thousands.
 */
export function gatherChunks(
  settings: EncoderSettings,
  chunkSize: number,
  emit: (chunk: Uint8Array<ArrayBuffer>) => void,
): Gather {
  const memory = new Uint8Array(chunkSize);
  return new Gather(
    settings,
    chunkSize,
    () => memory,
    (chunk) => {
      const pins = chunk.buffer === memory.buffer || chunk.buffer.byteLength > 2 * chunk.length;
      emit(pins ? copyOwned(chunk, 0, chunk.length) : chunk);
    },
  );
}

/**
 * Encodes values one after the other: chunks of bytes, gathered up to `chunkSize`, which are yours. Values are taken no
 * faster than you take chunks. A value that cannot be encoded ends the loop with its `EncodeError`, after the chunks of
 * the values before it; leaving the loop early ends the source's iteration.
 *
 * @example
 * for await (const chunk of encodeStream(records)) await file.write(chunk);
 */
export function encodeStream(
  values: AsyncIterable<unknown> | Iterable<unknown>,
  options?: EncodeSourceOptions,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const settings = encoderSettings(options);
  const chunkSize = chunkSizeOption(options);
  return chunksOf(values, options, (emit) => gatherChunks(settings, chunkSize, emit));
}

/** What gathers values into chunks. */
export interface Gatherer {
  /** Bytes that have been gathered for the next chunk. */
  readonly used: number;
  add(value: unknown): void;
  /** Makes what has been gathered a chunk. */
  flush(): void;
}

/** The chunks that a gatherer makes of values, which hands each to `emit`. */
export function chunksOf(
  values: AsyncIterable<unknown> | Iterable<unknown>,
  options: Pick<EncodeSourceOptions, "flush" | "signal"> | undefined,
  gatherer: (emit: (chunk: Uint8Array<ArrayBuffer>) => void) => Gatherer,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const flush = choiceOption("flush", ownOption(options, "flush"), ["size", "turn", "each"]) as Flush;
  const source = new ValueSource(values, signalOption(options));
  const ready: Uint8Array<ArrayBuffer>[] = [];
  const gather = gatherer((chunk) => ready.push(chunk));
  const chunks = gathered(source, gather, ready, flush);
  // By itself a generator's `return` waits for the `next` before it, so for a source that hangs.
  const end = chunks.return.bind(chunks);
  chunks.return = async (value) => {
    try {
      source.leave();
    } finally {
      await end();
    }
    return { done: true, value: await value };
  };
  return chunks;
}

async function* gathered(
  source: ValueSource,
  gather: Gatherer,
  ready: Uint8Array<ArrayBuffer>[],
  flush: Flush,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  let hasFailed = false;
  try {
    for (;;) {
      const isLate = flush === "turn" && gather.used > 0 && !(await source.isQuick());
      if (isLate) gather.flush();
      else {
        const { done, value } = await source.next();
        if (done === true) break;
        gather.add(value);
        if (flush === "each") gather.flush();
      }
      while (ready.length > 0) yield ready.shift()!;
    }
  } catch (error) {
    hasFailed = true;
    // What came before the value that failed is not lost with it.
    gather.flush();
    yield* ready;
    throw error;
  } finally {
    source.close(hasFailed);
  }
  if (source.isLeft) return;
  gather.flush();
  yield* ready;
}

/** What a reader that leaves gets in place of the value that is awaited. */
const LEFT: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** Values one after the other. */
class ValueSource {
  readonly #iterator: AsyncIterator<unknown> | Iterator<unknown>;
  readonly #signal: AbortSignal | null;
  /** What was asked for and has not come. */
  #asked: Promise<IteratorResult<unknown>> | IteratorResult<unknown> | null = null;
  #isOver = false;
  #isLeft = false;
  /** Ends the wait for a value. */
  #stop: (() => void) | null = null;

  constructor(values: AsyncIterable<unknown> | Iterable<unknown>, signal: AbortSignal | null) {
    this.#iterator = iteratorOf(values);
    this.#signal = signal;
  }

  async next(): Promise<IteratorResult<unknown>> {
    if (this.#isLeft) return LEFT;
    if (this.#signal?.aborted === true) throw aborted(this.#signal);
    const asked = this.#asked ?? this.#ask();
    this.#asked = null;
    try {
      const coming = asked instanceof Promise ? this.#unlessLeft(asked) : asked;
      const result = await (this.#signal === null ? coming : unlessAborted(coming, this.#signal));
      if (result.done === true) this.#isOver = true;
      return result;
    } catch (error) {
      this.#isOver ||= this.#signal === null || !this.#signal.aborted; // its own error has ended it
      throw error;
    }
  }

  /** What is awaited, or the end as soon as the reader has left. */
  #unlessLeft(asked: Promise<IteratorResult<unknown>>): Promise<IteratorResult<unknown>> {
    return new Promise((resolve, reject) => {
      asked.then(resolve, reject);
      // A step later, so that a failure comes first that was there before and that nobody has been told of.
      this.#stop = () => void Promise.resolve().then(() => resolve(LEFT));
    });
  }

  /** The reader has left, maybe while a value is awaited. Throws what the source throws at that. */
  leave(): void {
    this.#isLeft = true;
    this.#stop?.();
    this.close(false);
  }

  /** Nobody wants what has been gathered. */
  get isLeft(): boolean {
    return this.#isLeft;
  }

  #ask(): Promise<IteratorResult<unknown>> | IteratorResult<unknown> {
    return this.#iterator.next();
  }

  /** Does the next value come within this turn of the event loop? */
  async isQuick(): Promise<boolean> {
    this.#asked ??= this.#ask();
    if (!(this.#asked instanceof Promise)) return true;
    const settled = this.#asked.then(
      () => true,
      () => true,
    );
    return Promise.race([settled, nextTurn().then(() => false)]);
  }

  /**
   * Nobody wants more. Not awaited: a source that hangs on a value ends once that has come. What a source throws now takes
   * no other error's place, as in a for-of loop.
   */
  close(hasFailed: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    try {
      const closing = this.#iterator.return?.();
      if (closing instanceof Promise) closing.catch(() => undefined);
    } catch (error) {
      if (!hasFailed) throw error;
    }
  }
}

function iteratorOf(values: AsyncIterable<unknown> | Iterable<unknown>): AsyncIterator<unknown> | Iterator<unknown> {
  if (typeof values === "object" && values !== null) {
    if (Symbol.asyncIterator in values) return values[Symbol.asyncIterator]();
    if (Symbol.iterator in values) return values[Symbol.iterator]();
  }
  throw invalidArgument(`expected an (async) iterable of values, not ${describe(values)}`);
}
