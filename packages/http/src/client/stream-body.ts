/** Streams of values as bodies of requests. */
import type { MsgpackFormat } from "../formats/msgpack.js";
import { checkFormat, type PckFormat } from "../formats/pck-format.js";
import { MSGPACK_TYPE, pckType } from "../media-types.js";
import { checkValues, msgpackChunks, pckChunks, readableOf, type Values } from "../streams/encode.js";

/** A body for one request, from {@link streamBody}. */
export interface StreamBody {
  /** Its Content-Type. */
  readonly type: string;
  /** @internal The options for `fetch`. */
  init(): Promise<RequestInit>;
  /** @internal The error of the values; undefined if there is none. */
  failure(): unknown;
}

/**
 * Returns a stream of values as the body of one request. Values are read as fast as the connection sends them. Their error fails the
 * request, and the server gets a truncated body.
 *
 * Firefox and Safari cannot send streams. There all values are encoded first, and sent together. Throws `ERR_INVALID_ARGUMENT` for
 * values that are not iterable, and for another format.
 *
 * @example
 * await fetchValue("/import", { body: streamBody(rows()) });
 */
export function streamBody<In = unknown>(
  values: Values<In>,
  format?: MsgpackFormat | PckFormat<unknown, In>,
): StreamBody {
  checkValues(values);
  checkFormat("format", format);
  const isPck = format?.kind === "pck";
  let failure: unknown;
  return {
    type: isPck ? pckType(format.fingerprint, true) : MSGPACK_TYPE,
    failure: () => failure,
    async init() {
      const chunks = isPck ? pckChunks(values, format) : msgpackChunks(values, format);
      if (canSendStreams()) {
        const body = readableOf(chunks, (error) => {
          failure = error;
        });
        return { body, duplex: "half" } as RequestInit;
      }
      const parts: Uint8Array<ArrayBuffer>[] = [];
      for await (const chunk of chunks) parts.push(chunk);
      return { body: new Blob(parts) };
    },
  };
}

/** Engines that cannot send streams do not read `duplex`, and would send the text "[object ReadableStream]". */
function canSendStreams(): boolean {
  let isRead = false;
  const init = {
    method: "POST",
    body: new ReadableStream(),
    get duplex() {
      isRead = true;
      return "half";
    },
  };
  const { headers } = new Request("http://localhost", init);
  return isRead && !headers.has("content-type");
}
