/** The `fetch` of the link. It converts tRPC's JSON to MessagePack, and MessagePack to the parsed JSON that tRPC expects. */
import { MoonpackError, printable } from "moonpack/bytes";
import { type Codec, fromBase64 } from "../codec.js";
import { inputsBytes } from "../envelope.js";
import { isMsgpack, MSGPACK_TYPE } from "../media-types.js";

/** A value from MessagePack. Other values are base64 from JSON. */
export class Received {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

/** Sends a request. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/** The request options that tRPC passes. */
interface TrpcInit {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** Returns the function for tRPC's option `fetch`. */
export function msgpackFetch(codec: Codec, send: Send) {
  return async (url: string, { method = "GET", body, headers, signal }: TrpcInit = {}): Promise<Response> => {
    const head = new Headers(headers);
    if (!head.has("accept")) head.set("accept", `${MSGPACK_TYPE}, application/json;q=0.5`);
    const init: RequestInit = { method, headers: head };
    if (signal) init.signal = signal;
    if (typeof body === "string") {
      head.set("content-type", MSGPACK_TYPE);
      const inputs = JSON.parse(body) as Record<string, string>;
      init.body = inputsBytes(Object.entries(inputs).map(([index, text]) => [index, fromBase64(text)]));
    }
    const response = await send(url, init);
    const type = response.headers.get("content-type") ?? "";
    if (isMsgpack(type)) {
      const json = async (): Promise<unknown> => received(codec.decode(new Uint8Array(await response.arrayBuffer())));
      // tRPC reads a response only by `json()`. The prototype is unchanged.
      return Object.defineProperty(response, "json", { value: json });
    }
    if (/^application\/json\b/i.test(type)) return response;
    throw notOfTrpc(response, type);
  };
}

function notOfTrpc({ status }: Response, type: string): MoonpackError {
  const what = type === "" ? "no Content-Type" : `the Content-Type ${printable(type.slice(0, 100))}`;
  return new MoonpackError(
    "ERR_HTTP_STATUS",
    `the server answered ${status} with ${what}, which is not a tRPC response`,
  );
}

/** Returns the envelope with values that tRPC passes to the transformer. */
function received(envelope: unknown): unknown {
  return Array.isArray(envelope) ? envelope.map(receivedItem) : receivedItem(envelope);
}

function receivedItem(item: unknown): unknown {
  const { error, result } = Object(item) as { readonly error?: unknown; readonly result?: { readonly data?: unknown } };
  if (error !== undefined) return { error: new Received(error) };
  if (typeof result === "object" && result !== null) return { result: { data: new Received(result.data) } };
  throw new MoonpackError("ERR_HTTP_TYPE", "the MessagePack body is not a tRPC response");
}
