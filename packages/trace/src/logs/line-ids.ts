/** The ids of log lines: read when a line is logged, which may be long before it is formatted. */
import { activeSpan } from "../context/span-source.js";
import { currentContext } from "../context/storage.js";
import type { FieldNames } from "./keys.js";

/** The ids of the context in which a line was logged. */
export interface LinePlace {
  readonly requestId: unknown;
  readonly traceId: string | undefined;
  readonly spanId: string | undefined;
}

/** For a line outside of any request. */
export const OUTSIDE: LinePlace = { requestId: undefined, traceId: undefined, spanId: undefined };

/** Returns the ids of the current context. */
export function placeHere(): LinePlace {
  const here = currentContext();
  const span = activeSpan();
  if (here === undefined && span === undefined) return OUTSIDE;
  return { requestId: here?.id, traceId: span?.traceId, spanId: span?.spanId };
}

/** Adds the fields that a line does not have: its own fields stay, whatever their value. */
export function addFields(line: Record<string, unknown>, place: LinePlace, names: FieldNames): void {
  add(line, names.requestId, place.requestId);
  add(line, names.traceId, place.traceId);
  add(line, names.spanId, place.spanId);
}

function add(line: Record<string, unknown>, name: string | undefined, value: unknown): void {
  if (name !== undefined && value !== undefined && !Object.hasOwn(line, name)) line[name] = value;
}
