/** Containers of PCK, as they come and as they are written. */
import { ownOption } from "../bytes/options.js";
import type { CodecInput } from "../pck/codec-input.js";
import type { ContainerOptions, ReadOptions } from "../pck/container/options.js";
import { ContainerReader } from "../pck/container/reader.js";
import { ContainerWriter } from "../pck/container/writer.js";
import { chunkSizeOption, chunksOf, type EncodeSourceOptions, type Gatherer, type GatherOptions } from "./encode.js";
import { type ByteSource, openSource, signalOption } from "./source.js";
import { Values } from "./values.js";

/** Options of {@link readContainer}. */
export interface ReadContainerOptions<Out = unknown> extends ReadOptions<Out> {
  /** Ends the work with `ERR_ABORTED` (its reason is the `cause`) and cancels the source. */
  readonly signal?: AbortSignal;
}

/** Options of {@link writeContainer}. */
export interface WriteContainerOptions
  extends ContainerOptions,
    GatherOptions,
    Pick<EncodeSourceOptions, "flush" | "signal"> {}

/**
 * The values of a `.pck` container, one after the other, as its bytes come. The source is read no faster than you take values;
 * leaving the loop early, an error and the signal cancel it. Every `DecodeError` has its offset in the whole.
 *
 * @example
 * for await (const player of readContainer(createReadStream("players.pck"), { reader: Player })) add(player);
 */
export function readContainer<Out = unknown>(
  source: ByteSource,
  options?: ReadContainerOptions<Out>,
): AsyncIterableIterator<Out> {
  const signal = signalOption(options);
  const reader = new ContainerReader<Out>(options);
  return new Values(openSource(source, signal, ownOption(options, "binary") !== "view"), signal, reader);
}

/**
 * Values as a `.pck` container: chunks of bytes, gathered up to `chunkSize`, which are yours. Values are taken no faster than
 * you take chunks. A value that cannot be encoded ends the loop with its `EncodeError` (`$[3].name` is in the fourth), after
 * the chunks of those before it.
 *
 * @example
 * await pipeline(writeContainer(Player, players), createWriteStream("players.pck"));
 */
export function writeContainer<In>(
  schema: CodecInput<unknown, In>,
  values: AsyncIterable<In> | Iterable<In>,
  options?: WriteContainerOptions,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const writer = new ContainerWriter(schema, options);
  const chunkSize = chunkSizeOption(options);
  return chunksOf(values, options, (emit) => new ContainerGather(writer, chunkSize, emit));
}

/** A container's bytes in chunks. */
class ContainerGather<In> implements Gatherer {
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
