/** The headers that an outgoing request gets. */
import { activeSpan } from "../context/span-source.js";
import { currentContext } from "../context/storage.js";
import { newSpanId } from "../ids/hex.js";
import { DEFAULT_HEADER } from "../inbound/header-name.js";
import { echoText } from "../inbound/request-id.js";

/** A header: its name and its value. */
export type HeaderLine = [name: string, value: string];

/** The id and the trace that an outgoing request sends. */
export interface Outgoing {
  /** Undefined if the id is not valid in a header. */
  readonly id: string | undefined;
  /** Undefined without a trace, and if an SDK of OpenTelemetry sends its own. */
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
}

/** Returns the id and the trace that a request from the current context sends; undefined outside. Makes a new span id. */
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
 * Returns the headers for clients other than `http`, `fetch` and undici: `X-Request-Id`, `traceparent` with a new span id, and
 * `tracestate`, each if there is one; undefined outside of a request. Check yourself that the receiver may get them.
 *
 * @example
 * for (const [name, value] of outgoingHeaders() ?? []) metadata.set(name, value);
 */
export function outgoingHeaders(): HeaderLine[] | undefined {
  const here = outgoing();
  return here && missingLines(here, [DEFAULT_HEADER], () => false);
}

/**
 * Returns the headers to add to a request: those that the caller set stay. If it set traceparent or tracestate, neither is added,
 * since they belong together.
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
