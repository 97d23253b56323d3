/** The options of every middleware, plugin and handler. They are read once and checked; later changes have no effect. */
import { describe, invalidArgument } from "../errors.js";
import { optionsObject, ownOption, refuseUnknown } from "../options.js";
import { readHeaderName } from "./header-name.js";

/** Options of the middlewares, plugins and handlers. `Request` is the framework's type of requests. */
export interface TraceOptions<Request = unknown> {
  /** Takes the id from the request's header, if it is acceptable. Default false. */
  readonly useHeader?: boolean;
  /**
   * The header that is read (upper and lower case are the same) and echoed (as spelt here). Default `X-Request-Id`. Must be a token, and
   * not a header of the connection (`TE`, `Content-Length`).
   */
  readonly headerName?: string;
  /**
   * Makes the id if the header has none. Called with the request, in the new context: `traceId()` works, `id()` is undefined.
   * A promise is awaited. Undefined: a UUID is generated. Any other result is the id, falsy values too. Default {@link uuidv4}.
   */
  readonly requestIdFactory?: (request: Request) => unknown;
  /** Writes the id to the response's header, on error responses too. Default false. */
  readonly echoHeader?: boolean;
  /** Only for Fastify's plugin: takes Fastify's `request.id` if the header has no id. Default false. */
  readonly useFastifyRequestId?: boolean;
  /** The longest id that a header may have, in characters. Default 128. */
  readonly maxIdLength?: number;
  /**
   * Decides about the id in the header, in place of the rule for characters. If it returns true, the header's value is the id. If it returns
   * a text that is not empty, this text is the id. Anything else: the header has no id.
   */
  readonly acceptId?: (value: string, request: Request) => boolean | string;
  /**
   * True continues the trace of the header `traceparent`. False and `"restart"` ignore the header: false keeps the trace of an outer
   * middleware, if there is one; `"restart"` always begins a new trace. Default false.
   */
  readonly traceContext?: boolean | "restart";
  /** The flag `sampled` of new traces. Default true. */
  readonly sampled?: boolean | ((request: Request) => boolean);
  /** False: requests pass through untouched, and nothing is switched on. Default true. */
  readonly enabled?: boolean;
}

/**
 * Options of the plugins for Fastify and Hapi. `Request` has only members that every version of the framework has. The functions are
 * declared as methods, because TypeScript then also accepts a function whose parameter has the framework's own request type.
 */
export interface PluginOptions<Request>
  extends Omit<TraceOptions<Request>, "requestIdFactory" | "acceptId" | "sampled"> {
  /** Makes the id if the header has none, see {@link TraceOptions}. */
  requestIdFactory?(request: Request): unknown;
  /** Replaces the rule for characters of ids, see {@link TraceOptions}. */
  acceptId?(value: string, request: Request): boolean | string;
  /** The flag `sampled` of new traces, see {@link TraceOptions}. */
  readonly sampled?: boolean | { method(request: Request): boolean }["method"];
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

/** The names of {@link TraceOptions}. */
const NAMES: readonly (keyof TraceOptions)[] = [
  "useHeader",
  "headerName",
  "requestIdFactory",
  "echoHeader",
  "useFastifyRequestId",
  "maxIdLength",
  "acceptId",
  "traceContext",
  "sampled",
  "enabled",
];

/**
 * Reads and checks options. Only own properties count. `others` are names that the framework reads. Throws `ERR_INVALID_ARGUMENT`.
 */
export function readOptions(
  options: TraceOptions<never> | PluginOptions<never> | undefined,
  others: readonly string[] = [],
): Settings {
  const given = optionsObject(options);
  refuseUnknown(given, [...NAMES, ...others]);
  const read = (name: keyof TraceOptions): unknown => ownOption(given, name);
  const headerName = readHeaderName(read("headerName"));
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
    useHeader: flagOf("useHeader", read("useHeader"), false),
    headerName,
    headerKey: headerName.toLowerCase(),
    requestIdFactory: functionOf("requestIdFactory", read("requestIdFactory")),
    echoHeader: flagOf("echoHeader", read("echoHeader"), false),
    useFastifyRequestId: flagOf("useFastifyRequestId", read("useFastifyRequestId"), false),
    maxIdLength,
    acceptId: functionOf("acceptId", read("acceptId")),
    traceContext,
    sampled: sampled as Settings["sampled"],
    enabled: flagOf("enabled", read("enabled"), true),
  };
}

function flagOf(name: string, value: unknown, fallback: boolean): boolean {
  const flag = value ?? fallback;
  if (typeof flag !== "boolean") throw invalidArgument(`${name} must be true or false, not ${describe(flag)}`);
  return flag;
}

function functionOf(name: string, value: unknown): ((...args: unknown[]) => unknown) | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "function") throw invalidArgument(`${name} must be a function, not ${describe(value)}`);
  return value as (...args: unknown[]) => unknown;
}
