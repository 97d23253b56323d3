/** The options of every middleware, plugin and handler. They are read once and checked; later changes have no effect. */
import { describe, invalidArgument } from "../errors.js";

/** Options of the middlewares, plugins and handlers. `Request` is what the framework calls the request. */
export interface TraceOptions<Request = unknown> {
  /** Takes the id of the request's header, if it is acceptable. Default false. */
  useHeader?: boolean;
  /**
   * The header that is read (in any case) and echoed (as spelt here). Default `X-Request-Id`. Throws for what is not a token, and
   * for headers of the connection (`TE`, `Content-Length`).
   */
  headerName?: string;
  /**
   * Makes the id if no header gives it. Called with the request, in the new context: `traceId()` works, `id()` is undefined.
   * A promise is awaited. Undefined: a UUID is generated. Every other result is kept, falsy ones too. Default {@link uuidv4}.
   */
  requestIdFactory?: (request: Request) => unknown;
  /** Writes the id to the response's header, on error responses too. Default false. */
  echoHeader?: boolean;
  /** Only for Fastify's plugin: takes Fastify's `request.id`, if no header gives the id. Default false. */
  useFastifyRequestId?: boolean;
  /** The longest id that is taken from a header, in characters. Default 128. */
  maxIdLength?: number;
  /** Instead of the rule for characters: true takes the header's value, a text takes that text, anything else refuses. */
  acceptId?: (value: string, request: Request) => boolean | string;
  /** True continues the trace of the header `traceparent`. `"restart"` begins a new one. Default false: a new one too. */
  traceContext?: boolean | "restart";
  /** The flag `sampled` of new traces. Default true. */
  sampled?: boolean | ((request: Request) => boolean);
  /** False: requests pass through untouched, and nothing is switched on. Default true. */
  enabled?: boolean;
}

/**
 * Options of the plugins for Fastify and Hapi. `Request` is what all versions of the framework have. The functions are methods, so
 * that their parameter may also be declared with the framework's own type.
 */
export interface PluginOptions<Request>
  extends Omit<TraceOptions<Request>, "requestIdFactory" | "acceptId" | "sampled"> {
  /** As in {@link TraceOptions}. */
  requestIdFactory?(request: Request): unknown;
  /** As in {@link TraceOptions}. */
  acceptId?(value: string, request: Request): boolean | string;
  /** As in {@link TraceOptions}. */
  sampled?: boolean | { method(request: Request): boolean }["method"];
}

/** {@link TraceOptions} as read and checked. */
export interface Settings {
  readonly useHeader: boolean;
  /** As it is echoed. */
  readonly headerName: string;
  /** As it is looked up. */
  readonly headerKey: string;
  readonly requestIdFactory: ((request: unknown) => unknown) | undefined;
  readonly echoHeader: boolean;
  readonly useFastifyRequestId: boolean;
  readonly maxIdLength: number;
  readonly acceptId: ((value: string, request: unknown) => unknown) | undefined;
  readonly traceContext: boolean | "restart";
  readonly sampled: boolean | ((request: unknown) => unknown);
  readonly enabled: boolean;
}

/** A token, as RFC 9110 calls what names of headers are. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * Headers of the connection and of framing (RFC 9110, 7.6.1; RFC 9113, 8.2.2). Written to a response or request they break it, or
 * HTTP/2 refuses them.
 */
const CONNECTION_HEADERS =
  /^(?:connection|content-length|http2-settings|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;

/** Reads and checks options. Only own properties count. Throws `ERR_INVALID_ARGUMENT`. */
export function readOptions(options: TraceOptions<never> | PluginOptions<never> | undefined): Settings {
  if (options !== undefined && (typeof options !== "object" || options === null))
    throw invalidArgument(`options must be an object, not ${describe(options)}`);
  const given: object = options ?? {};
  const read = (name: keyof TraceOptions): unknown =>
    Object.hasOwn(given, name) ? (given as Record<string, unknown>)[name] : undefined;
  const headerName = read("headerName") ?? "X-Request-Id";
  if (typeof headerName !== "string" || !TOKEN.test(headerName))
    throw invalidArgument(`headerName must be the name of a header, not ${describe(headerName)}`);
  if (CONNECTION_HEADERS.test(headerName))
    throw invalidArgument(`headerName must not be a header of the connection, as ${describe(headerName)} is`);
  const maxIdLength = read("maxIdLength") ?? 128;
  if (typeof maxIdLength !== "number" || !Number.isInteger(maxIdLength) || maxIdLength < 1)
    throw invalidArgument(`maxIdLength must be an integer of at least 1, not ${describe(maxIdLength)}`);
  const traceContext = read("traceContext") ?? false;
  if (typeof traceContext !== "boolean" && traceContext !== "restart")
    throw invalidArgument(`traceContext must be true, false or "restart", not ${describe(traceContext)}`);
  const sampled = read("sampled") ?? true;
  if (typeof sampled !== "boolean" && typeof sampled !== "function")
    throw invalidArgument(`sampled must be true, false or a function, not ${describe(sampled)}`);
  return {
    // As cls-rtracer: anything that is truthy.
    useHeader: Boolean(read("useHeader")),
    headerName,
    headerKey: headerName.toLowerCase(),
    requestIdFactory: functionOf("requestIdFactory", read("requestIdFactory")),
    echoHeader: Boolean(read("echoHeader")),
    useFastifyRequestId: Boolean(read("useFastifyRequestId")),
    maxIdLength,
    acceptId: functionOf("acceptId", read("acceptId")),
    traceContext,
    sampled: sampled as Settings["sampled"],
    enabled: Boolean(read("enabled") ?? true),
  };
}

function functionOf(name: string, value: unknown): ((...args: unknown[]) => unknown) | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "function") throw invalidArgument(`${name} must be a function, not ${describe(value)}`);
  return value as (...args: unknown[]) => unknown;
}
