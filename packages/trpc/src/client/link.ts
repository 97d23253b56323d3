/** A link that sends batches in MessagePack. tRPC's own link makes the batches; here are only the bytes. */
import { type HTTPBatchLinkOptions, httpBatchLink, type TRPCLink } from "@trpc/client";
import type { AnyTRPCRouter } from "@trpc/server";
import { own } from "moonpack/bytes";
import { codecOf, fromBase64, type MsgpackOptions } from "../codec.js";
import { msgpackFetch, Received } from "./fetch.js";

/** Options of {@link moonpackLink}: those of tRPC's `httpBatchLink`, and of MessagePack. */
export interface MoonpackLinkOptions
  extends MsgpackOptions,
    Omit<HTTPBatchLinkOptions<{ transformer: false; errorShape: never }>, "transformer" | "fetch"> {
  /** The function that sends requests, in place of the global one. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** The router of a client must have a transformer: without one, tRPC's types say that a Date arrives as text. */
export type WithTransformer<TRouter extends AnyTRPCRouter> =
  TRouter["_def"]["_config"]["$types"]["transformer"] extends true
    ? unknown
    : {
        readonly transformer: "The router needs a transformer: initTRPC.create({ transformer: msgpackTransformer() })";
      };

/**
 * A terminating link: calls of one moment are one request, bodies and answers are MessagePack. The server needs `moonpackFetchHandler` or
 * `moonpackHandler`. Inputs of queries are in the URL, as base64; `methodOverride: "POST"` sends them as bytes.
 *
 * A call rejects with a `TRPCClientError`: of the server's shape, or with a `cause`: an `EncodeError` for an input that cannot be sent, a
 * `DecodeError` for an answer that is broken, `ERR_HTTP_STATUS` for one that is not of tRPC.
 *
 * @example
 * const client = createTRPCClient<AppRouter>({ links: [moonpackLink({ url: "/trpc" })] });
 */
export function moonpackLink<TRouter extends AnyTRPCRouter>(
  options: MoonpackLinkOptions & WithTransformer<TRouter>,
): TRPCLink<TRouter> {
  const { encoder, decoder, fetch, ...rest } = own<MoonpackLinkOptions>(options);
  const codec = codecOf({ ...(encoder && { encoder }), ...(decoder && { decoder }) });
  const transformer = {
    // Text, since tRPC puts it into JSON: of the URL, which is sent so, or of a body, which is made of its bytes.
    serialize: (value: unknown) => (value === undefined ? undefined : codec.toText(value)),
    deserialize(value: unknown) {
      if (value instanceof Received) return value.value;
      return value === undefined ? undefined : codec.decode(fromBase64(value));
    },
  };
  const send = msgpackFetch(codec, fetch ?? ((url, init) => globalThis.fetch(url, init)));
  const batching = { ...rest, transformer, fetch: send } as unknown as Parameters<typeof httpBatchLink<TRouter>>[0];
  return httpBatchLink<TRouter>(batching);
}
