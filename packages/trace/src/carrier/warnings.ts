/** Telling that something does not go along: once in a process, since it would be so for each job. */
import { warnOnce } from "../outgoing/warning.js";

/** Warns (`MOONPACK_TRACE_CARRIER`) that an id does not reach `runWithCarrier`. Strangers may have chosen it: it is not printed. */
export function warnOfId(): void {
  warn("its id, which is neither a number nor 1 to 128 characters of A-Za-z0-9-._~:;/+=@|");
}

/** Warns (`MOONPACK_TRACE_CARRIER`) that a value does not go along. */
export function warnOfValue(why: string): void {
  warn(`a value, which ${why}`);
}

function warn(what: string): void {
  warnOnce("MOONPACK_TRACE_CARRIER", `A carrier goes along without ${what}`);
}
