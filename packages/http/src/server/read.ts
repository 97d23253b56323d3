/** Reads bodies of requests, whatever the framework. */
import { MoonpackError } from "moonpack/bytes";
import { decodeFrames, decodeStream } from "moonpack/stream";
import { RequestError } from "../errors.js";
import type { PckFormat } from "../formats/pck-format.js";
import { gather } from "../gather.js";
import { readLines } from "../json/lines.js";
import { bodyType } from "./body-type.js";
import type { Incoming } from "./incoming.js";
import { bodyError, cutError, tooLarge } from "./request-errors.js";
import { checkReadOptions, type ReadOptions, type ReadValueOptions, type Settings } from "./settings.js";

/**
 * Reads the value of a body; undefined without a body, or with an empty one without a Content-Type. Throws a {@link RequestError}: 400
 * for invalid bytes and values, and for a truncated body; 413 for a body above the limit; 415 for another type.
 */
export async function readValue<Out>(
  incoming: Incoming,
  settings: Settings,
  options: ReadValueOptions<Out> | undefined,
): Promise<Out | undefined> {
  const { pck, pick, maxBytes } = checkReadOptions(settings, options);
  const announced = incoming.header("content-length");
  // RFC 9112, 6.3: a request with neither header has no body, even with a Content-Type. In HTTP/2 it may have one.
  const isAnnounced = announced !== undefined || incoming.header("transfer-encoding") !== undefined;
  const read = () => gather(guarded(incoming.body()), maxBytes);
  let bytes = isAnnounced ? undefined : await read();
  if (bytes?.length === 0) return undefined;
  const type = bodyType(incoming, settings, pck, false, pick);
  if (type === undefined) {
    if (bytes === undefined) return checkAbsent(incoming);
    throw untyped();
  }
  if (Number(announced ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (bytes === undefined) bytes = await read();
  if (bytes === null) throw tooLarge(maxBytes);
  try {
    return type.decode(bytes) as Out;
  } catch (error) {
    throw bodyError(error);
  }
}

/** Yields the values of a body as they arrive. Reads on demand. Throws the errors of {@link readValue}. */
export async function* readValues<Out>(
  incoming: Incoming,
  settings: Settings,
  options: ReadOptions<Out> | undefined,
): AsyncGenerator<Out, void, undefined> {
  const { pck, maxBytes } = checkReadOptions(settings, options, true);
  const type = bodyType(incoming, settings, pck, true);
  if (type === undefined) return checkAbsent(incoming);
  const body = guarded(incoming.body());
  try {
    if (type.kind === "pck")
      yield* decodeFrames(body, { decode: type.decode, maxFrameBytes: maxBytes }) as AsyncIterable<Out>;
    else if (type.kind === "json") yield* lines(body, pck, maxBytes) as AsyncIterable<Out>;
    else {
      const values = decodeStream<Out>(body, { ...settings.msgpack?.decoderOptions, maxBytes });
      if (pck === undefined) yield* values;
      else for await (const value of values) yield pck.check(value);
    }
  } catch (error) {
    throw bodyError(error);
  }
}

async function* lines(
  body: AsyncIterable<Uint8Array>,
  pck: PckFormat | undefined,
  maxBytes: number,
): AsyncGenerator<unknown> {
  for await (const value of readLines(body, maxBytes)) {
    if (pck === undefined) yield value;
    else yield pck.fromJSON === undefined ? pck.check(value) : pck.fromJSON(value);
  }
}

/** Checks that the body of a request without a Content-Type is empty. */
async function checkAbsent(incoming: Incoming): Promise<undefined> {
  for await (const part of guarded(incoming.body())) if (part.length > 0) throw untyped();
  return undefined;
}

function untyped(): RequestError {
  return new RequestError(415, "ERR_HTTP_TYPE", "a body needs a Content-Type");
}

/** Yields the parts of a body. Throws an error of the connection as a {@link RequestError}. */
async function* guarded(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    yield* parts;
  } catch (error) {
    throw error instanceof MoonpackError ? error : cutError(error);
  }
}
