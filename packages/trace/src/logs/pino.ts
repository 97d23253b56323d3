/** Fields for pino's lines. */
import { activeSpan } from "../context/span-source.js";
import { currentContext } from "../context/storage.js";
import { type LogKeys, readKeys } from "./keys.js";
import { PinoBindings } from "./pino-bindings.js";

/** A function for pino's option `mixin`. Pino calls it for each line, with the line's object, the level's number and the logger. */
export type PinoMixin = (line?: object, level?: number, logger?: object) => Record<string, unknown>;

/**
 * Returns a mixin for pino: each line within a request gets the fields `requestId`, `traceId` and `spanId`. A line's own fields win,
 * and so do the fields of a child logger, which are read at its first line. Throws `ERR_INVALID_ARGUMENT` for invalid names.
 *
 * @example
 * const logger = pino({ mixin: pinoMixin({ traceId: "trace.id", spanId: false }) });
 */
export function pinoMixin(keys?: LogKeys): PinoMixin {
  const names = readKeys(keys);
  const { requestId, traceId, spanId } = names;
  const needsSpan = traceId !== undefined || spanId !== undefined;
  const bindings = new PinoBindings(names);
  // A new object each time: pino assigns the line's own fields to it.
  return (_line, _level, logger) => {
    const fields: Record<string, unknown> = {};
    const here = currentContext();
    if (here !== undefined && requestId !== undefined) fields[requestId] = here.id;
    const span = needsSpan ? activeSpan() : undefined;
    if (span !== undefined) {
      if (traceId !== undefined) fields[traceId] = span.traceId;
      if (spanId !== undefined) fields[spanId] = span.spanId;
    }
    if (logger !== undefined) bindings.removeFrom(fields, logger);
    return fields;
  };
}
