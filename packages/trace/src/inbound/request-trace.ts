/** The place in a trace that a request begins with: what its headers continue, or a new trace. */
import type { Context } from "../context/context.js";
import { Span } from "../context/span.js";
import { newSpanId } from "../ids/hex.js";
import { parseTraceparent, type Traceparent } from "../w3c/traceparent.js";
import { parseTracestate, sendable } from "../w3c/tracestate.js";
import { type HeaderSource, headerText, isRepeated } from "./headers.js";
import type { RequestMessage } from "./open-request.js";
import type { Settings } from "./options.js";

/**
 * Gives a request's context its place. Nothing is made for a new trace but its flags: ids are made when they are asked for. In a
 * context within an outer middleware's, a trace that is there already stays, unless this middleware restarts it or continues
 * one that the outer did not.
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

/** A new span of a trace that another process began. */
export function continuedSpan({ traceId, spanId, flags }: Traceparent, tracestate: string | undefined): Span {
  return new Span(traceId, newSpanId(), spanId, flags, tracestate);
}

/** Only the factory's errors reach the request: a function that throws counts as absent. */
function isSampled(sampled: (request: unknown) => unknown, request: unknown): boolean {
  try {
    return Boolean(sampled(request));
  } catch {
    return true;
  }
}
