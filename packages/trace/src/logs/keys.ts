/** The options of log fields. */
import { describe, invalidArgument } from "../errors.js";
import { optionsObject, ownOption, refuseUnknown } from "../options.js";

/** The names of the fields that log lines get; `false` leaves a field out. */
export interface LogKeys {
  /** The request's id. Default `requestId`. */
  readonly requestId?: string | false;
  /** The trace's id. Default `traceId`. */
  readonly traceId?: string | false;
  /** The span's id. Default `spanId`. */
  readonly spanId?: string | false;
}

/** {@link LogKeys} as read; undefined for a field that is left out. */
export interface FieldNames {
  readonly requestId: string | undefined;
  readonly traceId: string | undefined;
  readonly spanId: string | undefined;
}

/** Reads and checks the names: own properties only, all different. Throws `ERR_INVALID_ARGUMENT`. */
export function readKeys(keys: LogKeys | undefined): FieldNames {
  const given = optionsObject(keys, "keys");
  refuseUnknown(given, ["requestId", "traceId", "spanId"], "field");
  const seen = new Set<string>();
  const nameOf = (field: keyof LogKeys): string | undefined => {
    const name = ownOption(given, field) ?? field;
    if (name === false) return undefined;
    // A logger that assigns a field of this name would set the line's prototype.
    if (typeof name !== "string" || name === "" || name === "__proto__")
      throw invalidArgument(`keys.${field} must be the name of a field or false, not ${describe(name)}`);
    if (seen.has(name)) throw invalidArgument(`keys contains the name ${describe(name)} twice`);
    seen.add(name);
    return name;
  };
  return { requestId: nameOf("requestId"), traceId: nameOf("traceId"), spanId: nameOf("spanId") };
}
