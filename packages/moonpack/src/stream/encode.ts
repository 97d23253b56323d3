import { describe, invalidArgument } from "../bytes/errors.js";
import { choiceOption, countOption, ownOption, ownOptions } from "../bytes/options.js";
import { copyOwned } from "../bytes/slab.js";
import { codecOptions } from "../msgpack/codec-options.js";
import { type EncoderOptions, type EncoderSettings, encoderSettings } from "../msgpack/options.js";
import { MessageBatch } from "./batch.js";
import { nextTurn } from "./next-turn.js";
import { aborted, signalOption, unlessAborted } from "./source.js";
import { isReadableWebStream, iterateWebStream, type ReadableWebStream } from "./web-streams.js";

/** Options for collecting messages into chunks. */
export interface ChunkOptions {
  /** Largest chunk in bytes; a larger message is a separate chunk. 1 KiB to 16 MiB, default 64 KiB. */
  readonly chunkSize?: number;
}

/** Options of {@link encodeStream}. */
export interface EncodeSourceOptions extends EncoderOptions, ChunkOptions {
  /**
   * When to yield a chunk before it is full. `size` (default): never, except at the end; for files and HTTP bodies. `turn`: when
   * the source has no further value in this turn of the event loop; for readers that wait. `each`: after every value.
   */
  readonly flush?: "size" | "turn" | "each";
  /** Ends the work with `ERR_ABORTED` (its reason is the `cause`) and closes the source. */
  readonly signal?: AbortSignal;
}

type FlushMode = NonNullable<EncodeSourceOptions["flush"]>;

/** A source of values: an (async) iterable, or a readable stream. */
export type ValuesInput = AsyncIterable<unknown> | Iterable<unknown> | ReadableWebStream<unknown>;

const SMALLEST_CHUNK = 1024;
const LARGEST_CHUNK = 16 * 1024 * 1024;
const DEFAULT_CHUNK = 65_536;

/** Reads the option `chunkSize`. `ERR_INVALID_ARGUMENT` unless it is in its range. */
export function chunkSizeOption(options: object | undefined): number {
  return countOption("chunkSize", ownOption(options, "chunkSize"), DEFAULT_CHUNK, SMALLEST_CHUNK, LARGEST_CHUNK);
}

/**
 * A batch whose chunks own their memory and have exactly the size of their content. They are copied: a chunk of one small
 * message must not pin a whole block.
 */
export function owningBatch(
  settings: EncoderSettings,
  chunkSize: number,
  emit: (chunk: Uint8Array<ArrayBuffer>) => void,
): MessageBatch {
  const memory = new Uint8Array(chunkSize);
  return new MessageBatch(
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
 * Encodes values one after the other. Yields chunks of up to `chunkSize` bytes, which the caller owns. Values are taken no
 * faster than chunks are. A value that cannot be encoded ends the loop with its `EncodeError`, after the chunks of the values
 * before it. Leaving the loop early closes the source.
 *
 * @example
 * for await (const chunk of encodeStream(records)) await file.write(chunk);
 */
export function encodeStream(
  values: AsyncIterable<unknown> | Iterable<unknown> | ReadableWebStream<unknown>,
  options?: EncodeSourceOptions,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const held = ownOptions(options);
  const settings = encoderSettings(codecOptions(held, ["chunkSize", "flush", "signal"]));
  const chunkSize = chunkSizeOption(held);
  return encodeChunks(values, held, (emit) => owningBatch(settings, chunkSize, emit));
}

/** Collects encoded values and emits them as chunks. */
export interface ChunkBuilder {
  /** Bytes of the next chunk so far. */
  readonly used: number;
  /** Encodes a value; may emit chunks. */
  add(value: unknown): void;
  /** Emits the collected bytes. */
  flush(): void;
}

/** Yields the chunks that a builder emits for the values of a source. */
export function encodeChunks(
  values: ValuesInput,
  options: Pick<EncodeSourceOptions, "flush" | "signal"> | undefined,
  builderOf: (emit: (chunk: Uint8Array<ArrayBuffer>) => void) => ChunkBuilder,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const flush = choiceOption("flush", ownOption(options, "flush"), ["size", "turn", "each"]);
  const source = new ValueSource(values, signalOption(options));
  const emitted: Uint8Array<ArrayBuffer>[] = [];
  const builder = builderOf((chunk) => emitted.push(chunk));
  const chunks = generateChunks(source, builder, emitted, flush);
  // A generator's own `return` waits for the previous `next`, and so for a source that hangs.
  const generatorReturn = chunks.return.bind(chunks);
  const leave: typeof chunks.return = async (value) => {
    try {
      source.leave();
    } finally {
      await generatorReturn();
    }
    return { done: true, value: await value };
  };
  // Defined, not assigned: node --frozen-intrinsics freezes the property that it inherits.
  return Object.defineProperty(chunks, "return", { value: leave, writable: true, configurable: true });
}

async function* generateChunks(
  source: ValueSource,
  builder: ChunkBuilder,
  emitted: Uint8Array<ArrayBuffer>[],
  flush: FlushMode,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  let hasFailed = false;
  try {
    for (;;) {
      const isWaiting = flush === "turn" && builder.used > 0 && !(await source.comesThisTurn());
      if (isWaiting) builder.flush();
      else {
        const { done, value } = await source.next();
        if (done === true) break;
        builder.add(value);
        if (flush === "each") builder.flush();
      }
      while (emitted.length > 0) yield emitted.shift()!;
    }
  } catch (error) {
    hasFailed = true;
    // The values before the failed one are yielded first.
    builder.flush();
    yield* emitted;
    throw error;
  } finally {
    source.close(hasFailed);
  }
  if (source.isLeft) return;
  builder.flush();
  yield* emitted;
}

/** The result for a consumer that leaves while a value is awaited. */
const LEFT: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** Reads values one after the other, and closes their source when the consumer leaves or aborts. */
class ValueSource {
  readonly #iterator: AsyncIterator<unknown> | Iterator<unknown>;
  readonly #signal: AbortSignal | null;
  /** A requested result that was not taken yet. */
  #pending: Promise<IteratorResult<unknown>> | IteratorResult<unknown> | null = null;
  #isOver = false;
  #isLeft = false;
  /** True while the source's own code runs: an iterator cannot be closed from within. */
  #isAsking = false;
  /** Ends the wait for a value. */
  #endWait: (() => void) | null = null;

  constructor(values: ValuesInput, signal: AbortSignal | null) {
    this.#iterator = iteratorOf(values);
    this.#signal = signal;
    // Closes the source immediately, also while no value is awaited.
    if (signal?.aborted === true) this.#abort();
    else signal?.addEventListener("abort", this.#abort, { once: true });
  }

  async next(): Promise<IteratorResult<unknown>> {
    if (this.#isLeft) return LEFT;
    if (this.#signal?.aborted === true) throw aborted(this.#signal);
    const pending = this.#pending ?? this.#ask();
    this.#pending = null;
    try {
      const coming = pending instanceof Promise ? this.#unlessLeft(pending) : pending;
      const result = await (this.#signal === null ? coming : unlessAborted(coming, this.#signal));
      if (result.done === true) this.#end();
      return result;
    } catch (error) {
      if (!this.#isAborted) this.#end(); // an iterator that has thrown is not closed
      throw error;
    }
  }

  /** Resolves as `pending` does, or with the end as soon as the consumer leaves. */
  #unlessLeft(pending: Promise<IteratorResult<unknown>>): Promise<IteratorResult<unknown>> {
    return new Promise((resolve, reject) => {
      pending.then(resolve, reject);
      // One microtask later, so that an earlier failure is reported first.
      this.#endWait = () => void Promise.resolve().then(() => resolve(LEFT));
    });
  }

  /** Called when the consumer leaves, possibly while a value is awaited. Throws the error of closing the source. */
  leave(): void {
    this.#isLeft = true;
    this.#endWait?.();
    this.close(false);
  }

  /** True once the consumer has left: the collected values can be discarded. */
  get isLeft(): boolean {
    return this.#isLeft;
  }

  #ask(): Promise<IteratorResult<unknown>> | IteratorResult<unknown> {
    this.#isAsking = true;
    try {
      return this.#iterator.next();
    } finally {
      this.#isAsking = false;
      if (this.#isAborted) this.#abort();
    }
  }

  get #isAborted(): boolean {
    return this.#signal?.aborted === true;
  }

  #abort = (): void => {
    if (!this.#isAsking) this.close(true);
  };

  #end(): void {
    this.#isOver = true;
    this.#signal?.removeEventListener("abort", this.#abort);
  }

  /** True if the next value comes within this turn of the event loop. */
  async comesThisTurn(): Promise<boolean> {
    this.#pending ??= this.#ask();
    if (!(this.#pending instanceof Promise)) return true;
    const settled = this.#pending.then(
      () => true,
      () => true,
    );
    return Promise.race([settled, nextTurn().then(() => false)]);
  }

  /**
   * Closes the source. Not awaited: a source that hangs closes when the awaited value has arrived. As in a for-of loop, an error
   * from closing does not replace an earlier error.
   */
  close(hasFailed: boolean): void {
    if (this.#isOver) return;
    this.#end();
    try {
      const closing = this.#iterator.return?.();
      if (closing instanceof Promise) closing.catch(() => undefined);
    } catch (error) {
      if (!hasFailed) throw error;
    }
  }
}

function iteratorOf(values: ValuesInput): AsyncIterator<unknown> | Iterator<unknown> {
  if (typeof values === "object" && values !== null) {
    if (isReadableWebStream(values)) return iterateWebStream(values);
    if (Symbol.asyncIterator in values) return values[Symbol.asyncIterator]();
    if (Symbol.iterator in values) return values[Symbol.iterator]();
  }
  throw invalidArgument(`expected an (async) iterable of values or a ReadableStream, not ${describe(values)}`);
}
