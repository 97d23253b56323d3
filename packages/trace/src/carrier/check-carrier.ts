/** Carriers, and their checks: they come from outside, so the rules for headers apply. */
import { isAcceptableId } from "../inbound/request-id.js";
import { shared } from "../shared.js";
import { parseTraceparent, type Traceparent } from "../w3c/traceparent.js";
import { parseTracestate, sendable } from "../w3c/tracestate.js";

/** A value of a carrier. */
export type CarriedValue = null | boolean | number | string;

/** A context as plain data, from `carrier()`. A class without methods, so that MessagePack's extension recognises it. */
export interface TraceCarrier {
  /** Undefined if the id is neither a number nor printable. */
  readonly id: string | number | undefined;
  /** The header `traceparent` of the context; undefined without a trace. */
  readonly traceparent: string | undefined;
  /** The header `tracestate` of the context; undefined if there is none. */
  readonly tracestate: string | undefined;
  /** The values that are carried, by their names; undefined without values. */
  readonly values: Readonly<Record<string, CarriedValue>> | undefined;
}

/** The class of {@link TraceCarrier}, one for a process. */
export const TraceCarrier: new (
  id?: string | number,
  traceparent?: string,
  tracestate?: string,
  values?: Readonly<Record<string, CarriedValue>>,
) => TraceCarrier = /* @__PURE__ */ shared(
  "TraceCarrier",
  () =>
    class TraceCarrier {
      readonly id: string | number | undefined;
      readonly traceparent: string | undefined;
      readonly tracestate: string | undefined;
      readonly values: Readonly<Record<string, CarriedValue>> | undefined;

      constructor(
        id?: string | number,
        traceparent?: string,
        tracestate?: string,
        values?: Readonly<Record<string, CarriedValue>>,
      ) {
        this.id = id;
        this.traceparent = traceparent;
        this.tracestate = tracestate;
        this.values = values;
      }
    },
);

/** The valid parts of a carrier. */
export interface CheckedCarrier {
  readonly id: string | number | undefined;
  readonly trace: Traceparent | undefined;
  readonly tracestate: string | undefined;
  readonly values: readonly (readonly [key: string, value: CarriedValue])[];
}

/** The most values of a carrier. */
export const MAX_VALUES = 255;

/** The longest text of a carrier's value, in characters. */
const MAX_TEXT = 1024;

/** The longest key, in bytes of UTF-8. */
const MAX_KEY_BYTES = 255;

/** True for null, booleans, numbers and well-formed text up to 1,024 characters. */
export function isCarriable(value: unknown): value is CarriedValue {
  if (typeof value === "string") return value.length <= MAX_TEXT && value.isWellFormed();
  return value === null || typeof value === "boolean" || typeof value === "number";
}

/** True for well-formed text up to 255 bytes of UTF-8. */
export function isCarriableKey(key: string): boolean {
  if (key.length > MAX_KEY_BYTES || !key.isWellFormed()) return false;
  return key.length * 3 <= MAX_KEY_BYTES || new TextEncoder().encode(key).length <= MAX_KEY_BYTES;
}

/** True for an id that `runWithCarrier` accepts: a number, or text by the rule for headers. */
export function isCarriableId(id: unknown): id is string | number {
  return typeof id === "number" || (typeof id === "string" && isAcceptableId(id));
}

/** Returns the valid parts of data; nothing if it is not a carrier. Never throws. */
export function checkCarrier(data: unknown): CheckedCarrier {
  try {
    return checked(data);
  } catch {
    return checked(undefined); // a getter or a proxy
  }
}

function checked(data: unknown): CheckedCarrier {
  const id = ownOf(data, "id");
  const trace = parseTraceparent(ownOf(data, "traceparent"));
  const state = trace === undefined ? undefined : ownOf(data, "tracestate");
  const members = typeof state === "string" ? parseTracestate(state) : undefined;
  return {
    id: isCarriableId(id) ? id : undefined,
    trace,
    tracestate: members === undefined ? undefined : sendable(members) || undefined,
    values: checkedValues(ownOf(data, "values")),
  };
}

function checkedValues(values: unknown): [string, CarriedValue][] {
  if (typeof values !== "object" || values === null) return [];
  const found: [string, CarriedValue][] = [];
  for (const key of Object.keys(values)) {
    if (found.length === MAX_VALUES) break;
    const value = (values as Record<string, unknown>)[key];
    if (isCarriableKey(key) && isCarriable(value)) found.push([key, value]);
  }
  return found;
}

function ownOf(data: unknown, name: string): unknown {
  return typeof data === "object" && data !== null && Object.hasOwn(data, name)
    ? (data as Record<string, unknown>)[name]
    : undefined;
}
