import { refuseNames } from "#runtime";
import { DecodeError, invalidArgument } from "../bytes/errors.js";
import { emptyInput } from "../bytes/input.js";
import { ownOptions } from "../bytes/options.js";
import { codecOptions } from "../msgpack/codec-options.js";
import type { DecoderOptions } from "../msgpack/options.js";
import { StreamDecoder } from "./decoder.js";
import { type ChunkDecoder, ValueIterator } from "./iterate.js";
import { type ByteSource, openSource, signalOption } from "./source.js";

/** Options of the functions that decode a source. */
export interface DecodeSourceOptions extends DecoderOptions {
  /** Ends the work with `ERR_ABORTED` (its reason is the `cause`) and cancels the source. */
  readonly signal?: AbortSignal;
}

/** Options of {@link decodeStream} with a Picker. */
export interface PickSourceOptions<T> {
  /** A Picker of `moonpack/pick`. */
  readonly pick: PickerOf<T>;
  /** Ends the work with `ERR_ABORTED` (its reason is the `cause`) and cancels the source. */
  readonly signal?: AbortSignal;
}

/** The part of a Picker that streams use. */
export interface PickerOf<T> {
  /** @internal */
  chunks(): ChunkDecoder<T>;
}

/**
 * Decodes the messages of a source, one after the other. The source is read no faster than values are taken. Leaving the loop
 * early, an error and the signal cancel the source. An error of the source ends the loop as it is.
 *
 * `ERR_TRUNCATED` if the source ends inside a message. The offset of a `DecodeError` counts from the start of the stream.
 *
 * @example
 * for await (const value of decodeStream(await fetch(url))) console.log(value);
 */
export function decodeStream<T = unknown>(source: ByteSource, options?: DecodeSourceOptions): AsyncIterableIterator<T>;
/**
 * Picks from the messages of a source: each value is what the Picker returns for a message. The Picker has the options of a decoder.
 *
 * @example
 * const picker = new Picker({ level: "/level", ms: "/ms" }); // of moonpack/pick
 * for await (const { level, ms } of decodeStream(source, { pick: picker })) count(level, ms);
 */
export function decodeStream<T>(source: ByteSource, options: PickSourceOptions<T>): AsyncIterableIterator<T>;
export function decodeStream<T>(
  source: ByteSource,
  options?: DecodeSourceOptions | PickSourceOptions<T>,
): AsyncIterableIterator<T> {
  const held = ownOptions(options as DecodeSourceOptions & PickSourceOptions<T>);
  const pick: PickerOf<T> | undefined = held.pick;
  if (pick === undefined) return valuesOf(source, held, new StreamDecoder<T>(codecOptions(held, ["signal"])));
  if (typeof pick?.chunks !== "function") throw invalidArgument("pick must be a Picker of moonpack/pick");
  refuseNames(held, ["pick", "signal"]);
  return valuesOf(source, held, pick.chunks());
}

/**
 * Decodes one huge array or map piece by piece: yields the elements, or the pairs `[key, value]`, as they arrive, and keeps
 * none of them. Errors as in {@link decodeStream}; also `ERR_UNSUPPORTED_TYPE` if the message is neither an array nor a map,
 * and `ERR_TRAILING_BYTES` for bytes after it. Duplicate keys are yielded, unless `strict` is set.
 *
 * @example
 * for await (const record of decodeArrayStream(createReadStream("records.msgpack"))) insert(record);
 */
export function decodeArrayStream<T = unknown>(
  source: ByteSource,
  options?: DecodeSourceOptions,
): AsyncIterableIterator<T> {
  const held = ownOptions(options);
  return valuesOf(source, held, new StreamDecoder<T>(codecOptions(held, ["signal"]), "items"));
}

/**
 * Decodes a source that holds exactly one value. Errors as in `decode`, including `ERR_TRUNCATED` and `ERR_TRAILING_BYTES`.
 *
 * @example
 * const value = await decodeAsync(await fetch(url));
 */
export async function decodeAsync<T = unknown>(source: ByteSource, options?: DecodeSourceOptions): Promise<T> {
  const held = ownOptions(options);
  const decoder = new StreamDecoder<T>(codecOptions(held, ["signal"]));
  const values = valuesOf(source, held, decoder);
  const { done, value } = await values.next();
  if (done === true) throw emptyInput();
  const { offset } = decoder;
  if (await values.hasMoreBytes()) {
    values.return().catch(() => undefined); // not awaited: a source that hangs, or fails, must not delay the error
    throw new DecodeError("ERR_TRAILING_BYTES", "bytes after the value", offset);
  }
  return value;
}

function valuesOf<T>(
  source: ByteSource,
  options: { readonly binary?: unknown; readonly signal?: AbortSignal } | undefined,
  decoder: ChunkDecoder<T>,
): ValueIterator<T> {
  const signal = signalOption(options);
  return new ValueIterator(openSource(source, signal, options?.binary !== "view"), signal, decoder);
}
