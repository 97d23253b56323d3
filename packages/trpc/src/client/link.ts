/** A link that sends batches in MessagePack. tRPC's own link makes the batches. */
import { type HTTPBatchLinkOptions, httpBatchLink, type TRPCLink } from "@trpc/client";
import type { AnyTRPCRouter } from "@trpc/server";
import { invalidArgument, ownOptions, refuseSimilar } from "moonpack/bytes";
import { codecOf, fromBase64, MSGPACK_NAMES, type MsgpackOptions } from "../codec.js";
import { msgpackFetch, Received } from "./fetch.js";

/** Options of {@link moonpackLink}: the options of tRPC's `httpBatchLink`, and options of MessagePack. */
export interface MoonpackLinkOptions
  extends MsgpackOptions,
    Omit<HTTPBatchLinkOptions<{ transformer: false; errorShape: never }>, "transformer" | "fetch"> {
  /** The function that sends requests. Default: the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** The names of {@link MoonpackLinkOptions}. Names that resemble none of them are passed on to tRPC. */
const NAMES = [
  ...[...MSGPACK_NAMES, "fetch"],
  ...["url", "headers", "maxItems", "maxURLLength", "methodOverride", "pathSeparator", "transformer"],
];

/** Requires a router with a transformer: without one, tRPC's types declare that a Date arrives as text. */
export type WithTransformer<TRouter extends AnyTRPCRouter> =
  TRouter["_def"]["_config"]["$types"]["transformer"] extends true
    ? unknown
    : {
        readonly transformer: "The router needs a transformer: initTRPC.create({ transformer: msgpackTransformer() })";
      };

/**
 * Returns a terminating link that batches calls. Bodies and responses are MessagePack. The server needs `moonpackFetchHandler` or
 * `moonpackHandler`. Inputs of queries are base64 in the URL; `methodOverride: "POST"` sends them as bytes.
 *
 * A call rejects with a `TRPCClientError`: with the server's shape, or with a `cause`: an `EncodeError` for an unsupported input, a
 * `DecodeError` for an invalid response, `ERR_HTTP_STATUS` for a response that is not from tRPC. Throws `ERR_INVALID_ARGUMENT` for an
 * invalid option of MessagePack, and for a name similar to one or to an option of tRPC; other options are passed on to tRPC.
 *
 * @example
 * const client = createTRPCClient<AppRouter>({ links: [moonpackLink({ url: "/trpc" })] });
 */
export function moonpackLink<TRouter extends AnyTRPCRouter>(
  options: MoonpackLinkOptions & WithTransformer<TRouter>,
): TRPCLink<TRouter> {
  const given = ownOptions<MoonpackLinkOptions>(options);
  refuseSimilar(given, NAMES);
  if ("transformer" in given) throw invalidArgument("transformer cannot be set: moonpackLink sends MessagePack");
  const { encoder: _, decoder: __, fetch, ...rest } = given;
  if (typeof rest.url !== "string" && !(rest.url instanceof URL)) throw invalidArgument("url must be a text or a URL");
  if (fetch !== undefined && typeof fetch !== "function") throw invalidArgument("fetch must be a function");
  const codec = codecOf(given);
  const transformer = {
    // Text, because tRPC puts it into JSON: of the URL, or of a body, which becomes bytes in `send`.
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
