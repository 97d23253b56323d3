/** Errors of the client as errors of a store. */
import { SeriesError } from "@moonpack/series";
import { MoonpackError } from "moonpack/bytes";

/** True if it is not known whether a write has reached all backups. */
export function isIndeterminate(error: unknown): boolean {
  return nameOf(error) === "IndeterminateOperationStateError";
}

/** The error of a call as one with a code; errors that have one of ours stay as they are. */
export function clusterError(error: unknown, column?: string): MoonpackError {
  if (error instanceof MoonpackError) return error;
  const place = column === undefined ? {} : { column };
  const said = error instanceof Error ? error.message : String(error);
  if (nameOf(error) === "ReachedMaxSizeError")
    return new SeriesError("ERR_SERIES_FULL", `the cluster takes no more entries: ${said}`, place, error);
  return new SeriesError("ERR_SERIES_STORE", `hazelcast failed: ${said}`, place, error);
}

/** The error of a write into a store that is open for reading. */
export function readOnlyError(): SeriesError {
  return new SeriesError("ERR_SERIES_READ_ONLY", "the store is open for reading");
}

/** The class of an error. A program may have several copies of the client, so `instanceof` does not tell. */
function nameOf(error: unknown): string | undefined {
  return error instanceof Error ? error.constructor.name : undefined;
}
