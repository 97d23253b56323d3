/** Warnings about parts that are not carried. Once in a process: each job would cause the same. */
import { warnOnce } from "../outgoing/warning.js";

/** Warns (`MOONPACK_TRACE_CARRIER`) that `runWithCarrier` does not accept an id. It may be a stranger's, so it is not printed. */
export function warnOfId(): void {
  warn("its id, which is neither a number nor 1 to 128 characters of A-Za-z0-9-._~:;/+=@|");
}

/** Warns (`MOONPACK_TRACE_CARRIER`) that a value is not carried. */
export function warnOfValue(why: string): void {
  warn(`a value, which ${why}`);
}

function warn(what: string): void {
  warnOnce("MOONPACK_TRACE_CARRIER", `A carrier does not contain ${what}`);
}
