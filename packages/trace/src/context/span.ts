/** A place in a trace, as W3C Trace Context has it. */
import { newSpanId, newTraceId } from "../ids/hex.js";

/** Bits of `flags`: the trace is recorded; its id is random. No others are defined, and no others are sent. */
export const SAMPLED = 1;
export const RANDOM = 2;

/** One span: what a request, a {@link runWithSpan} or a carrier's receiver has. Never changed once made. */
export class Span {
  /** 32 lower-case hexadecimal digits, not all zero. */
  readonly traceId: string;
  /** 16 lower-case hexadecimal digits, not all zero. */
  readonly spanId: string;
  /** The span that this one belongs to, perhaps of another process; undefined in the first span of a trace. */
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

  /** The first span of a new trace. */
  static ofNewTrace(flags: number): Span {
    return new Span(newTraceId(), newSpanId(), undefined, flags, undefined);
  }

  /** A new span within this one. */
  child(): Span {
    return new Span(this.traceId, newSpanId(), this.spanId, this.flags, this.tracestate);
  }

  /** The header `traceparent` of this span. An outgoing request sends that of a {@link child}. */
  traceparent(): string {
    return `00-${this.traceId}-${this.spanId}-0${this.flags}`;
  }
}
