/** The trace of a new request: the one of its headers, or a new one. */
import type { Context } from "../context/context.js";
import { Span } from "../context/span.js";
import { newSpanId } from "../ids/hex.js";
import { parseTraceparent, type Traceparent } from "../w3c/traceparent.js";
import { parseTracestate, sendable } from "../w3c/tracestate.js";
import { type HeaderSource, headerText, isRepeated } from "./headers.js";
import type { RequestMessage } from "./open-request.js";
import type { Settings } from "./options.js";

/**
 * Sets the trace of a request's context. For a new trace it sets only the flags: ids are generated on demand. Within the context of an
 * outer middleware the existing trace stays, unless this middleware restarts it, or continues one that the outer did not.
 */
export function placeInTrace(context: Context, settings: Settings, request: unknown, message: RequestMessage): void {
  const { traceContext, sampled } = settings;
  if (traceContext === true) {
    const received = receivedTrace(message);
    if (received !== undefined) {
      if (context.ownSpan?.traceId !== received.traceId)
        context.ownSpan = continuedSpan(received, receivedState(message.headers));
      return;
    }
  } else if (traceContext === "restart") {
    context.ownSpan = undefined;
  }
  if (context.ownSpan === undefined && sampled !== true)
    context.startTrace(typeof sampled === "function" ? isSampled(sampled, request) : sampled);
}

function receivedTrace(message: RequestMessage): Traceparent | undefined {
  const text = headerText(message.headers, "traceparent");
  return text === undefined || isRepeated(message, "traceparent", text) ? undefined : parseTraceparent(text);
}

function receivedState(headers: HeaderSource): string | undefined {
  const text = headerText(headers, "tracestate");
  const members = text === undefined ? undefined : parseTracestate(text);
  return members === undefined ? undefined : sendable(members) || undefined;
}

/** Returns a new span of a trace that began in another process. */
export function continuedSpan({ traceId, spanId, flags }: Traceparent, tracestate: string | undefined): Span {
  return new Span(traceId, newSpanId(), spanId, flags, tracestate);
}

/** Only the factory's errors reach the request: true for a function that throws. */
function isSampled(sampled: (request: unknown) => unknown, request: unknown): boolean {
  try {
    return Boolean(sampled(request));
  } catch {
    return true;
  }
}
