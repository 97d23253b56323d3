/** The place of the caller in its trace, as text. */
import { activeSpan } from "./span-source.js";

/** The id of the current trace: 32 hexadecimal digits; undefined outside. */
export function traceId(): string | undefined {
  return activeSpan()?.traceId;
}

/** The id of the current span: 16 hexadecimal digits; undefined outside. */
export function spanId(): string | undefined {
  return activeSpan()?.spanId;
}

/** The id of the span that the current one belongs to; undefined outside, and where the trace begins. */
export function parentSpanId(): string | undefined {
  return activeSpan()?.parentSpanId;
}

/** The header `traceparent` of the current span; undefined outside. */
export function traceparent(): string | undefined {
  const span = activeSpan();
  return span === undefined ? undefined : `00-${span.traceId}-${span.spanId}-0${span.flags & 3}`;
}

/** The header `tracestate` of the current trace; undefined outside, and if there is none. */
export function tracestate(): string | undefined {
  return activeSpan()?.tracestate;
}
