/** One request and its response. tRPC handles JSON with indexes in the place of values; a transformer maps indexes to values and back. */

import { RequestError } from "@moonpack/http";
import { type AnyTRPCRouter, getTRPCErrorFromUnknown, TRPCError } from "@trpc/server";
import { DecodeError, recordOf } from "moonpack/bytes";
import { encode } from "moonpack/msgpack";
import type { Codec } from "../codec.js";
import { envelopeBytes } from "../envelope.js";
import { MSGPACK_TYPE } from "../media-types.js";

/** The formats of a request. */
export interface Forms {
  /** True for a body in MessagePack. */
  readonly isBinary: boolean;
  /** True if the response must be MessagePack. */
  readonly wantsBinary: boolean;
  /** True for a GET, whose inputs are in the URL. */
  readonly isGet: boolean;
}

/** The inputs of a body, or the error of an invalid body. */
export type Inputs = { readonly value: unknown } | { readonly error: unknown };

/** Resolves with the inputs or the error; never rejects. */
export async function inputsOf(read: Promise<unknown>): Promise<Inputs> {
  try {
    return { value: await read };
  } catch (error) {
    return { error };
  }
}

/** One request and its response. */
export class Exchange {
  readonly #codec: Codec;
  readonly #forms: Forms;
  readonly #inputs: Inputs;
  readonly #values: unknown[] = [];
  readonly #outputs: Uint8Array[] = [];

  constructor(codec: Codec, forms: Forms, inputs: Inputs) {
    this.#codec = codec;
    this.#forms = forms;
    this.#inputs = inputs;
  }

  /** Returns the body for tRPC: indexes in the place of inputs; null without an input. */
  body(isBatch: boolean): string | null {
    // The error is thrown when a procedure reads its input, as for a body of JSON.
    if ("error" in this.#inputs) return isBatch ? '{"0":0}' : "0";
    const { value } = this.#inputs;
    if (value === undefined) return null;
    if (!isBatch) return String(this.#values.push(value) - 1);
    // tRPC refuses this body.
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "0";
    const indexes = Object.entries(value).map(([index, input]) => [index, this.#values.push(input) - 1] as const);
    return JSON.stringify(recordOf(indexes));
  }

  /** Returns the router with the transformer of this exchange. Everything else is shared. */
  routerOf<TRouter extends AnyTRPCRouter>(router: TRouter): TRouter {
    const { _config: config } = router._def;
    const { isBinary, wantsBinary, isGet } = this.#forms;
    const given = config.transformer;
    const transformer = {
      input: isBinary || (isGet && wantsBinary) ? { ...given.input, deserialize: this.#deserialize } : given.input,
      output: wantsBinary ? { ...given.output, serialize: this.#serialize } : given.output,
    };
    return Object.create(router, { _def: { value: { ...router._def, _config: { ...config, transformer } } } });
  }

  /** Returns the response of tRPC with the values. */
  async answer(response: Response): Promise<Response> {
    if (!this.#forms.wantsBinary || response.body === null) return response;
    if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
      await response.body.cancel();
      return failed(406, { code: -32_005, message: SUBSCRIPTION, data: { code: "NOT_ACCEPTABLE", httpStatus: 406 } });
    }
    const bytes = envelopeBytes(JSON.parse(await response.text()), this.#outputs);
    const headers = new Headers(response.headers);
    headers.set("content-type", MSGPACK_TYPE);
    headers.set("content-length", String(bytes.length));
    return new Response(bytes, { status: response.status, headers });
  }

  /** Returns the response when tRPC itself fails: an error formatter threw, or returned an unsupported value. It has no details. */
  broken(router: AnyTRPCRouter): Response {
    if (this.#forms.wantsBinary) return failed(500, BROKEN);
    const error: unknown = router._def._config.transformer.output.serialize(BROKEN);
    return Response.json({ error }, { status: 500 });
  }

  #deserialize = (placed: unknown): unknown => {
    try {
      if ("error" in this.#inputs) throw this.#inputs.error;
      return this.#forms.isBinary ? this.#values[placed as number] : this.#codec.ofText(placed);
    } catch (error) {
      throw inputError(error);
    }
  };

  #serialize = (value: unknown): number | undefined => {
    if (value === undefined) return undefined;
    try {
      return this.#outputs.push(this.#codec.encode(value)) - 1;
    } catch (cause) {
      const message = `the result cannot be encoded: ${(cause as Error).message}`;
      throw new TRPCError({ code: "INTERNAL_SERVER_ERROR", message, cause });
    }
  };
}

const SUBSCRIPTION = "subscriptions have no response in MessagePack: use httpSubscriptionLink or wsLink";

const BROKEN = {
  code: -32_603,
  message: "Internal server error",
  data: { code: "INTERNAL_SERVER_ERROR", httpStatus: 500 },
};

/** Returns the argument of `onError` for an error of the whole request. `path` names all its calls. */
export function unknownError(cause: unknown, path: string) {
  const error = getTRPCErrorFromUnknown(cause);
  return { error, type: "unknown", path, input: undefined, ctx: undefined } as const;
}

function failed(status: number, error: object): Response {
  return new Response(encode({ error }), { status, headers: { "content-type": MSGPACK_TYPE } });
}

const CODES = {
  400: "BAD_REQUEST",
  406: "BAD_REQUEST",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  500: "INTERNAL_SERVER_ERROR",
} as const;

/** Returns the error of an input as a TRPCError, with code and offset in the text. */
function inputError(error: unknown): TRPCError {
  if (error instanceof RequestError) {
    return new TRPCError({ code: CODES[error.status], message: `${error.code}: ${error.message}`, cause: error });
  }
  const message = error instanceof DecodeError ? `${error.code}: ${error.message}` : "the input cannot be read";
  return new TRPCError({ code: "BAD_REQUEST", message, cause: error });
}
