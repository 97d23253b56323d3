/** The header `traceparent` of W3C Trace Context, level 2. */
import { describe, invalidArgument } from "../errors.js";
import { optionsObject } from "../options.js";

/** The fields of a `traceparent`. */
export interface Traceparent {
  /** 32 lower-case hexadecimal digits, not all zero. */
  readonly traceId: string;
  /** The sender's span: 16 lower-case hexadecimal digits, not all zero. */
  readonly spanId: string;
  /** 1: sampled, 2: the trace id is random. Other bits are dropped. */
  readonly flags: number;
}

/** The longest text that is read. */
const MAX_LENGTH = 512;
/** The length of version 00, and of the same fields in later versions. */
const LENGTH = 55;

const FORMAT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-|$)/;
const TRACE_ID = /^[0-9a-f]{32}$/;
const SPAN_ID = /^[0-9a-f]{16}$/;
const NO_TRACE_ID = "00000000000000000000000000000000";
const NO_SPAN_ID = "0000000000000000";

/**
 * Reads a `traceparent`. Returns undefined if it is invalid: upper case, zero ids, version ff, text after version 00. Spaces and tabs
 * around it are allowed. Of versions 01 to fe, the fields of version 00 are read.
 *
 * @example
 * parseTraceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")?.spanId; // "b7ad6b7169203331"
 */
export function parseTraceparent(text: unknown): Traceparent | undefined {
  if (typeof text !== "string" || text.length < LENGTH || text.length > MAX_LENGTH) return undefined;
  const trimmed = withoutSpacesAround(text);
  const parts = FORMAT.exec(trimmed);
  if (parts === null) return undefined;
  const [, version, traceId, spanId, flags] = parts as unknown as [string, string, string, string, string];
  if (version === "ff" || (version === "00" && trimmed.length !== LENGTH)) return undefined;
  if (traceId === NO_TRACE_ID || spanId === NO_SPAN_ID) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) & 3 };
}

/**
 * Writes a `traceparent` of version 00; only the flags sampled and random are written. Throws `ERR_INVALID_ARGUMENT` for ids
 * that are not valid.
 *
 * @example
 * formatTraceparent({ traceId: newTraceId(), spanId: newSpanId(), flags: 3 });
 */
export function formatTraceparent(parts: Traceparent): string {
  const { traceId, spanId, flags } = optionsObject(parts, "traceparent") as Partial<Traceparent>;
  if (typeof traceId !== "string" || !TRACE_ID.test(traceId) || traceId === NO_TRACE_ID)
    throw invalidArgument(`traceId must be 32 lower-case hexadecimal digits, not all zero, not ${describe(traceId)}`);
  if (typeof spanId !== "string" || !SPAN_ID.test(spanId) || spanId === NO_SPAN_ID)
    throw invalidArgument(`spanId must be 16 lower-case hexadecimal digits, not all zero, not ${describe(spanId)}`);
  if (typeof flags !== "number" || !Number.isInteger(flags) || flags < 0 || flags > 255)
    throw invalidArgument(`flags must be an integer from 0 to 255, not ${describe(flags)}`);
  return `00-${traceId}-${spanId}-0${flags & 3}`;
}

/** Returns a text without the spaces and tabs around it (HTTP: optional white space). */
export function withoutSpacesAround(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
