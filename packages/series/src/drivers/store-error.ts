/** Errors of databases as errors of the family. */
import { MoonpackError } from "moonpack/bytes";
import { SeriesError } from "../errors.js";

/** All texts of an error and its causes: bindings put the system's text into either. */
function textOf(error: unknown): string {
  let text = "";
  for (let e = error; e instanceof Error; e = e.cause)
    text += `${(e as NodeJS.ErrnoException).code ?? ""} ${e.message} `;
  return text;
}

/** The error of a driver as one with a code; errors that have one of ours stay as they are. */
export function storeError(error: unknown, driver: string): MoonpackError {
  if (error instanceof MoonpackError) return error;
  const text = textOf(error);
  if (/no space left|ENOSPC|EDQUOT|quota exceeded/i.test(text))
    return new SeriesError("ERR_SERIES_FULL", "no space is left for the store", {}, error);
  if (/lock/i.test(text) && /temporarily unavailable|already held|LEVEL_LOCKED|no locks/i.test(text))
    return new SeriesError("ERR_SERIES_LOCKED", "another process has the store open", {}, error);
  if (/read-only file system|EROFS|permission denied|EACCES|EPERM/i.test(text))
    return new SeriesError("ERR_SERIES_READ_ONLY", "the folder of the store cannot be written", {}, error);
  return new SeriesError(
    "ERR_SERIES_STORE",
    `${driver} failed: ${(error as Error)?.message ?? String(error)}`,
    {},
    error,
  );
}
