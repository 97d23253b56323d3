/** Fetches one value. */
import { decode } from "moonpack/msgpack";
import { isMsgpack } from "../media-types.js";
import { bytesOf } from "./bytes-of.js";
import { connectionError, ResponseError } from "./errors.js";
import { type Answer, type FetchOptions, send } from "./send.js";

/** Statuses whose answers have no body. */
const BODILESS = [204, 205, 304];

/**
 * Sends a request, with `value` as its body if there is one, and returns the value of the answer; undefined for an answer without a
 * body: to HEAD, 204, 205, 304, and one without a type and without bytes.
 *
 * Throws a {@link ResponseError} for the server's error and for an answer in another format, a `DecodeError` for invalid bytes,
 * `ERR_LIMIT_BYTES` above `maxBytes`, `ERR_HTTP_CONNECTION` if the connection failed or ended early, `ERR_ABORTED` after an abort, and
 * the `EncodeError` of `value`. If the answer is MessagePack and `response` is PCK, it throws an `EncodeError` with a path for a value
 * that does not match the schema.
 *
 * @example
 * const user = await fetchValue<User>("/users/1");
 * const made = await fetchValue<User>("/users", { value: { name: "Ada" } }); // POST
 */
export async function fetchValue<Out = unknown, In = unknown>(
  url: string | URL,
  options?: FetchOptions<Out, In>,
): Promise<Out> {
  const answer = await send(url, options, false);
  const { response, essence, maxBytes, isHead, signal } = answer;
  const mayBeEmpty = essence === "" || isHead || BODILESS.includes(response.status);
  const read = decoderOf(answer);
  if (read === undefined && !mayBeEmpty) throw wrongType(answer);
  try {
    const bytes = await bytesOf(response, maxBytes);
    if (mayBeEmpty && bytes.length === 0) return undefined as Out;
    if (read === undefined) throw wrongType(answer);
    return read(bytes) as Out;
  } catch (error) {
    throw connectionError(error, signal);
  }
}

/** Returns the decoder of an answer with one value; undefined for another format. */
function decoderOf({ type, essence, format }: Answer): ((bytes: Uint8Array) => unknown) | undefined {
  if (!isMsgpack(essence)) return format?.kind === "pck" ? format.decoderOf(type, false) : undefined;
  if (format?.kind === "pck") return (bytes) => format.check(decode(bytes));
  return format?.decode ?? decode;
}

/** Returns the error for an answer in an unexpected format. Its body is not read. */
export function wrongType({ response, essence }: Answer): ResponseError {
  if (!response.bodyUsed) response.body?.cancel().catch(() => undefined);
  return new ResponseError(response, "ERR_HTTP_TYPE", `the answer is ${essence || "of no media type"}`);
}
