/**
 * The source of `traceId()`, `spanId()`, `traceparent()` and log fields: the context's span, or the span of an OpenTelemetry SDK that
 * the bridge follows.
 */
import type { Span } from "./span.js";
import { currentContext } from "./storage.js";

/** The members of a span that are read. */
export type SpanView = Pick<Span, "traceId" | "spanId" | "parentSpanId" | "flags" | "tracestate">;

let source: (() => SpanView | undefined) | undefined;

/**
 * Makes `next` the first source of spans. Where it returns undefined, the context's span counts. Undefined removes it. Returns the former
 * source. `next` must not throw.
 */
export function followSpans(next: (() => SpanView | undefined) | undefined): (() => SpanView | undefined) | undefined {
  const former = source;
  source = next;
  return former;
}

/** Returns the current span; undefined outside. */
export function activeSpan(): SpanView | undefined {
  return source?.() ?? currentContext()?.span;
}
