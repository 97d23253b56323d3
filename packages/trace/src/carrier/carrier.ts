/** A context as plain data, which a job takes to a worker, a queue or another process, and its use there. */
import { Contexts } from "../context/context.js";
import { currentContext, runIn } from "../context/storage.js";
import { traceparent, tracestate } from "../context/trace.js";
import { describe, invalidArgument } from "../errors.js";
import { echoText } from "../inbound/request-id.js";
import { continuedSpan } from "../inbound/request-trace.js";
import { optionsObject, ownOption, refuseUnknown } from "../options.js";
import {
  type CarriedValue,
  checkCarrier,
  isCarriable,
  isCarriableId,
  isCarriableKey,
  MAX_VALUES,
  TraceCarrier,
} from "./check-carrier.js";
import { warnOfId, warnOfValue } from "./warnings.js";

/** Options of {@link carrier}. */
export interface CarrierOptions {
  /**
   * Keys of the context's values to carry: at most 255, each well-formed text of up to 255 bytes of UTF-8. A value is carried if it is
   * null, a boolean, a number or well-formed text of up to 1,024 characters.
   */
  readonly values?: readonly string[];
}

/**
 * Returns the current context as plain data, to be posted, stored as JSON or sent as a MessagePack extension; undefined outside. It has
 * the id if that is a number or printable text. One process warning (`MOONPACK_TRACE_CARRIER`) reports a value that is not carried, or
 * an id that {@link runWithCarrier} will not accept. Throws `ERR_INVALID_ARGUMENT` for invalid options and keys.
 *
 * @example
 * worker.postMessage({ job, trace: carrier({ values: ["user"] }) });
 * // there:
 * parentPort.on("message", ({ job, trace }) => runWithCarrier(trace, () => run(job)));
 */
export function carrier(options?: CarrierOptions): TraceCarrier | undefined {
  const keys = valueKeys(options);
  const here = currentContext();
  if (here === undefined) return undefined;
  const id = typeof here.id === "number" ? here.id : echoText(here.id);
  if (here.id !== undefined && !isCarriableId(id)) warnOfId();
  const values: [string, CarriedValue][] = [];
  for (const key of keys) {
    const value = here.get(key);
    if (isCarriable(value)) values.push([key, value]);
    else if (value !== undefined) warnOfValue(`is not plain, or too long: key ${describe(key)}`);
  }
  return new TraceCarrier(
    id,
    traceparent(),
    tracestate(),
    values.length === 0 ? undefined : Object.fromEntries(values),
  );
}

/**
 * Calls `fn` in a new context with the id and the values of a {@link carrier}, and a new span of its trace. Returns the result. The data
 * is not trusted: an id or a trace that breaks the rules for headers is ignored, and a new one is generated.
 */
export function runWithCarrier<T>(data: unknown, fn: () => T): T {
  if (typeof fn !== "function") throw invalidArgument(`expected a function, not ${describe(fn)}`);
  const { id, trace, tracestate: state, values } = checkCarrier(data);
  const inner = Contexts.root();
  if (id !== undefined) inner.requestId = id;
  if (trace !== undefined) inner.ownSpan = continuedSpan(trace, state);
  for (const [key, value] of values) inner.set(key, value);
  return runIn(inner, fn);
}

function valueKeys(options: CarrierOptions | undefined): readonly string[] {
  if (options === undefined) return [];
  const given = optionsObject(options);
  refuseUnknown(given, ["values"]);
  const keys = ownOption(given, "values");
  if (keys === undefined) return [];
  if (!Array.isArray(keys) || !keys.every((key) => typeof key === "string"))
    throw invalidArgument(`values must be a list of keys that are text, not ${describe(keys)}`);
  if (keys.length > MAX_VALUES) throw invalidArgument(`values has ${keys.length} keys, more than ${MAX_VALUES}`);
  const bad = keys.find((key) => !isCarriableKey(key));
  if (bad !== undefined)
    throw invalidArgument(`values has the key ${describe(bad)}, which is not well-formed text of up to 255 bytes`);
  return keys;
}
