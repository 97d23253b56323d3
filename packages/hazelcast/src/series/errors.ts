/** Converts errors of the client to errors of a store. */
import { SeriesError } from "@moonpack/series";
import { MoonpackError } from "moonpack/bytes";

/** True if the client does not know whether a write has reached all backups. */
export function isIndeterminate(error: unknown): boolean {
  return nameOf(error) === "IndeterminateOperationStateError";
}

/** Returns the error of a call as a coded error. Errors of moonpack are returned unchanged. */
export function clusterError(error: unknown, column?: string): MoonpackError {
  if (error instanceof MoonpackError) return error;
  const place = column === undefined ? {} : { column };
  const message = error instanceof Error ? error.message : String(error);
  if (nameOf(error) === "ReachedMaxSizeError")
    return new SeriesError("ERR_SERIES_FULL", `the cluster is full: ${message}`, place, error);
  return new SeriesError("ERR_SERIES_STORE", `hazelcast failed: ${message}`, place, error);
}

/** Returns the error of a write into a read-only store. */
export function readOnlyError(): SeriesError {
  return new SeriesError("ERR_SERIES_READ_ONLY", "the store is open for reading");
}

/** Returns the name of an error's class. `instanceof` would miss errors of a second copy of the client. */
function nameOf(error: unknown): string | undefined {
  return error instanceof Error ? error.constructor.name : undefined;
}
