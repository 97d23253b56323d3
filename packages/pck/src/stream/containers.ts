/** Reads and writes PCK containers in parts. */
import { ownOptions } from "moonpack/bytes";
import {
  type ByteSource,
  type ChunkBuilder,
  type ChunkOptions,
  chunkSizeOption,
  type EncodeSourceOptions,
  encodeChunks,
  openSource,
  type ReadableWebStream,
  signalOption,
  ValueIterator,
} from "moonpack/stream";
import type { CodecInput } from "../codec-input.js";
import { type ContainerOptions, type ReadOptions, refuseUnknownOptions } from "../container/options.js";
import { ContainerReader } from "../container/reader.js";
import { ContainerWriter } from "../container/writer.js";

/** Options of {@link readContainer}. */
export interface ReadContainerOptions<Out = unknown> extends ReadOptions<Out> {
  /** Ends the work with `ERR_ABORTED` (its reason is the `cause`) and cancels the source. */
  readonly signal?: AbortSignal;
}

/** Options of {@link writeContainer}. */
export interface WriteContainerOptions
  extends ContainerOptions,
    ChunkOptions,
    Pick<EncodeSourceOptions, "flush" | "signal"> {}

/**
 * Reads the values of a `.pck` container, one after the other, as its bytes arrive. The source is read no faster than values
 * are taken. Leaving the loop early, an error and the signal cancel the source. The offset of a `DecodeError` counts from the
 * start of the container.
 *
 * @example
 * for await (const player of readContainer(createReadStream("players.pck"), { reader: Player })) add(player);
 */
export function readContainer<Out = unknown>(
  source: ByteSource,
  options?: ReadContainerOptions<Out>,
): AsyncIterableIterator<Out> {
  const given = ownOptions(options);
  refuseUnknownOptions(given, "reader", "signal");
  const signal = signalOption(given);
  const { signal: _, ...reading } = given;
  const reader = new ContainerReader<Out>(reading);
  return new ValueIterator(openSource(source, signal, given.binary !== "view"), signal, reader);
}

/**
 * Writes values as a `.pck` container. Yields chunks of up to `chunkSize` bytes, which the caller owns. Values are taken no
 * faster than chunks are. A value that cannot be encoded ends the loop with its `EncodeError`, after the chunks of the values
 * before it; the path begins with the value's index (`$[3].name` is in the fourth).
 *
 * @example
 * await pipeline(writeContainer(Player, players), createWriteStream("players.pck"));
 */
export function writeContainer<In>(
  schema: CodecInput<unknown, In>,
  values: AsyncIterable<In> | Iterable<In> | NoInfer<ReadableWebStream<In>>,
  options?: WriteContainerOptions,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const given = ownOptions(options);
  refuseUnknownOptions(given, "chunkSize", "flush", "signal");
  const { chunkSize: _, flush: __, signal: ___, ...writing } = given;
  const writer = new ContainerWriter(schema, writing);
  const chunkSize = chunkSizeOption(given);
  return encodeChunks(values, given, (emit) => new ContainerChunkBuilder(writer, chunkSize, emit));
}

/** Splits a container's bytes into chunks. */
class ContainerChunkBuilder<In> implements ChunkBuilder {
  readonly #writer: ContainerWriter<In>;
  readonly #chunkSize: number;
  readonly #emit: (chunk: Uint8Array<ArrayBuffer>) => void;

  constructor(writer: ContainerWriter<In>, chunkSize: number, emit: (chunk: Uint8Array<ArrayBuffer>) => void) {
    this.#writer = writer;
    this.#chunkSize = chunkSize;
    this.#emit = emit;
  }

  get used(): number {
    return this.#writer.used;
  }

  add(value: unknown): void {
    const before = this.used;
    this.#writer.add(value as In);
    if (this.used > this.#chunkSize && before > 0) this.#emit(this.#writer.take(before));
    if (this.used >= this.#chunkSize) this.flush();
  }

  flush(): void {
    if (this.used > 0) this.#emit(this.#writer.take());
  }
}
