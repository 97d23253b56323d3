/** The current span, as text. */
import { activeSpan } from "./span-source.js";

/** Returns the id of the current trace: 32 hexadecimal digits; undefined outside. */
export function traceId(): string | undefined {
  return activeSpan()?.traceId;
}

/** Returns the id of the current span: 16 hexadecimal digits; undefined outside. */
export function spanId(): string | undefined {
  return activeSpan()?.spanId;
}

/** Returns the id of the parent span; undefined outside, and in the first span of a trace. */
export function parentSpanId(): string | undefined {
  return activeSpan()?.parentSpanId;
}

/** Returns the header `traceparent` of the current span; undefined outside. */
export function traceparent(): string | undefined {
  const span = activeSpan();
  return span === undefined ? undefined : `00-${span.traceId}-${span.spanId}-0${span.flags & 3}`;
}

/** Returns the header `tracestate` of the current trace; undefined outside, and if there is none. */
export function tracestate(): string | undefined {
  return activeSpan()?.tracestate;
}
