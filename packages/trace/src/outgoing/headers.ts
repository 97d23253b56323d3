/** The headers that an outgoing request gets. */
import { activeSpan } from "../context/span-source.js";
import { currentContext } from "../context/storage.js";
import { newSpanId } from "../ids/hex.js";
import { echoText } from "../inbound/request-id.js";

/** A header: its name and its value. */
export type HeaderLine = [name: string, value: string];

/** The header that an id is sent with, unless an option says otherwise. */
export const DEFAULT_HEADER = "X-Request-Id";

/** What a request from here tells: its id, and a span of its own within the trace. */
export interface Outgoing {
  /** Undefined if the id has no text for a header. */
  readonly id: string | undefined;
  /** Undefined where there is no trace, and where an SDK of OpenTelemetry sends its own. */
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
}

/** What a request from here tells; undefined outside of a context. Each call makes a new span id. */
export function outgoing(): Outgoing | undefined {
  const here = currentContext();
  if (here === undefined) return undefined;
  const { span } = here;
  const isOurs = span !== undefined && activeSpan() === span;
  return {
    id: echoText(here.id),
    traceparent: isOurs ? `00-${span.traceId}-${newSpanId()}-0${span.flags & 3}` : undefined,
    tracestate: isOurs ? span.tracestate : undefined,
  };
}

/**
 * The headers to send with a request by other means than `http`, `fetch` and undici: `X-Request-Id`, `traceparent` with a new
 * span id, and `tracestate`, each if there is one; undefined outside of a request. Check yourself that the receiver may know.
 *
 * @example
 * for (const [name, value] of outgoingHeaders() ?? []) metadata.set(name, value);
 */
export function outgoingHeaders(): HeaderLine[] | undefined {
  const told = outgoing();
  if (told === undefined) return undefined;
  return missingLines(told, [DEFAULT_HEADER], () => false);
}

/**
 * The lines to add to a request that has some headers already: what the caller set stays. Where it set traceparent or
 * tracestate neither is added, for they belong together.
 */
export function missingLines(
  { id, traceparent, tracestate }: Outgoing,
  headerNames: readonly string[],
  has: (lowerCaseName: string) => boolean,
): HeaderLine[] {
  const lines: HeaderLine[] = [];
  for (const name of headerNames) {
    if (id === undefined || has(name.toLowerCase())) continue;
    if (!lines.some(([other]) => other.toLowerCase() === name.toLowerCase())) lines.push([name, id]);
  }
  if (traceparent === undefined || has("traceparent") || has("tracestate")) return lines;
  lines.push(["traceparent", traceparent]);
  if (tracestate !== undefined) lines.push(["tracestate", tracestate]);
  return lines;
}
