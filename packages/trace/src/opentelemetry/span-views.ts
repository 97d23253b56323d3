/** Converts our spans to OpenTelemetry's, and back. */
import type { Span } from "../context/span.js";
import type { SpanView } from "../context/span-source.js";
import type { OpenTelemetryApi, OtelContext, OtelSpan, OtelSpanContext } from "./api.js";

/** Converts spans in both directions. */
export class SpanViews {
  readonly #api: OpenTelemetryApi;
  /** Our spans for OpenTelemetry. Spans that its API makes without an SDK have the same object. */
  readonly #ours = new WeakSet<OtelSpanContext>();
  readonly #shown = new WeakMap<Span, OtelSpanContext>();

  constructor(api: OpenTelemetryApi) {
    this.#api = api;
  }

  /** Returns a context with a span of ours. */
  withOurs(context: OtelContext, span: Span): OtelContext {
    return this.#api.trace.setSpanContext(context as never, this.#show(span) as never);
  }

  /** Returns the span of a context if it is not ours: an SDK's, or a remote one. */
  foreign(context: OtelContext): SpanView | undefined {
    const span = this.#api.trace.getSpan(context as never);
    const identity = span?.spanContext();
    if (span === undefined || identity === undefined || this.#ours.has(identity)) return undefined;
    return this.#api.trace.isSpanContextValid(identity as never) ? viewOf(span, identity) : undefined;
  }

  #show(span: Span): OtelSpanContext {
    const known = this.#shown.get(span);
    if (known !== undefined) return known;
    const { traceId, spanId, flags, tracestate } = span;
    const traceState = tracestate === undefined ? undefined : this.#api.createTraceState(tracestate);
    const made = { traceId, spanId, traceFlags: flags, traceState } as OtelSpanContext;
    this.#shown.set(span, made);
    this.#ours.add(made);
    return made;
  }
}

function viewOf(span: OtelSpan, { traceId, spanId, traceFlags, traceState }: OtelSpanContext): SpanView {
  // Not in the API: the ReadableSpan of SDK 2 and SDK 1.
  const { parentSpanContext, parentSpanId } = span as {
    parentSpanContext?: { spanId?: unknown };
    parentSpanId?: unknown;
  };
  const parent = parentSpanContext?.spanId ?? parentSpanId;
  return {
    traceId,
    spanId,
    parentSpanId: typeof parent === "string" ? parent : undefined,
    flags: traceFlags & 3,
    tracestate: traceState?.serialize() || undefined,
  };
}
