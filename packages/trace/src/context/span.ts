/** Spans of W3C Trace Context. */
import { newSpanId, newTraceId } from "../ids/hex.js";

/** Bits of `flags`: the trace is recorded; its id is random. Others are not defined, and not sent. */
export const SAMPLED = 1;
export const RANDOM = 2;

/** A span of a request, of {@link runWithSpan} or of a carrier's receiver. Immutable. */
export class Span {
  /** 32 lower-case hexadecimal digits, not all zero. */
  readonly traceId: string;
  /** 16 lower-case hexadecimal digits, not all zero. */
  readonly spanId: string;
  /** The parent span, perhaps of another process; undefined in the first span of a trace. */
  readonly parentSpanId: string | undefined;
  /** {@link SAMPLED} and {@link RANDOM}. */
  readonly flags: number;
  /** The text of the header `tracestate`, valid, at most 512 characters; undefined if there is none. */
  readonly tracestate: string | undefined;

  constructor(
    traceId: string,
    spanId: string,
    parentSpanId: string | undefined,
    flags: number,
    tracestate: string | undefined,
  ) {
    this.traceId = traceId;
    this.spanId = spanId;
    this.parentSpanId = parentSpanId;
    this.flags = flags;
    this.tracestate = tracestate;
  }

  /** Returns the first span of a new trace. */
  static ofNewTrace(flags: number): Span {
    return new Span(newTraceId(), newSpanId(), undefined, flags, undefined);
  }

  /** Returns a new span within this one. */
  child(): Span {
    return new Span(this.traceId, newSpanId(), this.spanId, this.flags, this.tracestate);
  }

  /** Returns the header `traceparent` of this span. Outgoing requests send the header of a {@link child}. */
  traceparent(): string {
    return `00-${this.traceId}-${this.spanId}-0${this.flags}`;
  }
}
