/**
 * The source of `traceId()`, `spanId()`, `traceparent()` and log fields: the context's span, or the span of an OpenTelemetry SDK that
 * the bridge follows.
 */
import { shared } from "../shared.js";
import type { Span } from "./span.js";
import { currentContext } from "./storage.js";

/** The members of a span that are read. */
export type SpanView = Pick<Span, "traceId" | "spanId" | "parentSpanId" | "flags" | "tracestate">;

const spans = /* @__PURE__ */ shared("spanSource", () => ({
  source: undefined as (() => SpanView | undefined) | undefined,
}));

/**
 * Makes `next` the first source of spans. Where it returns undefined, the context's span counts. Undefined removes it. Returns the former
 * source. `next` must not throw.
 */
export function followSpans(next: (() => SpanView | undefined) | undefined): (() => SpanView | undefined) | undefined {
  const former = spans.source;
  spans.source = next;
  return former;
}

/** Returns the current span; undefined outside. */
export function activeSpan(): SpanView | undefined {
  return spans.source?.() ?? currentContext()?.span;
}
