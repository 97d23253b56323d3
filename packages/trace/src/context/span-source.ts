/**
 * The span that `traceId()`, `spanId()`, `traceparent()` and log fields tell: the context's, or that of an SDK of OpenTelemetry
 * which the bridge follows.
 */
import type { Span } from "./span.js";
import { currentContext } from "./storage.js";

/** What is read of a span. */
export type SpanView = Pick<Span, "traceId" | "spanId" | "parentSpanId" | "flags" | "tracestate">;

let source: (() => SpanView | undefined) | undefined;

/**
 * From now on spans are asked of `next` first; where it answers undefined, the context's span counts. Undefined: the context's
 * alone. Returns the former source. It must not throw.
 */
export function followSpans(next: (() => SpanView | undefined) | undefined): (() => SpanView | undefined) | undefined {
  const former = source;
  source = next;
  return former;
}

/** The span that counts here; undefined outside of any. */
export function activeSpan(): SpanView | undefined {
  return source?.() ?? currentContext()?.span;
}
