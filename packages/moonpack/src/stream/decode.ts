import { DecodeError } from "../bytes/errors.js";
import { emptyInput } from "../bytes/input.js";
import type { DecoderOptions } from "../msgpack/options.js";
import { StreamDecoder } from "./decoder.js";
import { type ByteSource, openSource, signalOption } from "./source.js";
import { Values } from "./values.js";

/** Options of the functions that decode a source. */
export interface DecodeSourceOptions extends DecoderOptions {
  /** Ends the work with `ERR_ABORTED` (its reason is the `cause`) and cancels the source. */
  readonly signal?: AbortSignal;
}

/**
 * Decodes the messages of a source, one after the other. The source is read no faster than you take values; leaving the
 * loop early, an error and the signal cancel it. A source that fails ends the loop with its own error.
 *
 * `ERR_TRUNCATED` when it ends inside a message; every `DecodeError` has its offset in the whole stream.
 *
 * @example
 * for await (const value of decodeStream(await fetch(url))) console.log(value);
 */
export function decodeStream<T = unknown>(source: ByteSource, options?: DecodeSourceOptions): AsyncIterableIterator<T> {
  return valuesOf(source, options, new StreamDecoder<T>(options));
}

/**
 * Decodes one huge array, or one huge map, piece by piece: yields the elements, or the pairs `[key, value]`, as they come;
 * nothing is kept of those before. Errors as `decodeStream`; `ERR_UNSUPPORTED_TYPE` for a message that is neither, and
 * `ERR_TRAILING_BYTES` for bytes after it. Duplicate keys come as they are, unless `strict`.
 *
 * @example
 * for await (const record of decodeArrayStream(createReadStream("records.msgpack"))) insert(record);
 */
export function decodeArrayStream<T = unknown>(
  source: ByteSource,
  options?: DecodeSourceOptions,
): AsyncIterableIterator<T> {
  return valuesOf(source, options, new StreamDecoder<T>(options, true));
}

/**
 * Decodes the one value that the whole source is. `ERR_TRUNCATED`, `ERR_TRAILING_BYTES` and the others as `decode`.
 *
 * @example
 * const value = await decodeAsync(await fetch(url));
 */
export async function decodeAsync<T = unknown>(source: ByteSource, options?: DecodeSourceOptions): Promise<T> {
  const decoder = new StreamDecoder<T>(options);
  const values = valuesOf(source, options, decoder);
  const { done, value } = await values.next();
  if (done === true) throw emptyInput();
  const { offset } = decoder;
  if (await values.more()) {
    values.return().catch(() => undefined); // not awaited: a source that hangs, or fails, must not keep the error back
    throw new DecodeError("ERR_TRAILING_BYTES", "bytes after the value", offset);
  }
  return value;
}

function valuesOf<T>(
  source: ByteSource,
  options: DecodeSourceOptions | undefined,
  decoder: StreamDecoder<T>,
): Values<T> {
  const signal = signalOption(options);
  return new Values(openSource(source, signal, options?.binary !== "view"), signal, decoder);
}
