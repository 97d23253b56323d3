/** Converts errors of databases to coded errors. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { type ErrorCode, MoonpackError } from "moonpack/bytes";
import { type Place, SeriesError } from "../errors.js";

/** Returns an error and its causes: bindings put the system's text into any of them. */
function chainOf(error: unknown): NodeJS.ErrnoException[] {
  const chain: NodeJS.ErrnoException[] = [];
  for (let e = error; e instanceof Error; e = e.cause) chain.push(e);
  return chain;
}

/** Returns the error of a driver as a coded error. Errors of moonpack are returned unchanged. */
export function storeError(error: unknown, driver: string, place: Place = {}): MoonpackError {
  if (error instanceof MoonpackError) return error;
  const chain = chainOf(error);
  const text = chain.map(({ code, message }) => `${code} ${message}`).join(" ");
  const as = (code: ErrorCode, message: string) => new SeriesError(code, message, place, error);
  if (/no space left|ENOSPC|EDQUOT|quota exceeded/i.test(text))
    return as("ERR_SERIES_FULL", "no space is left for the store");
  if (/lock/i.test(text) && /temporarily unavailable|already held|LEVEL_LOCKED|no locks/i.test(text))
    return as("ERR_SERIES_LOCKED", "another process has the store open");
  if (/read-only file system|EROFS|permission denied|EACCES|EPERM|not permitted/i.test(text))
    return as("ERR_SERIES_READ_ONLY", "the folder of the store cannot be written");
  // The innermost error has the cause.
  const message = chain.at(-1)?.message ?? String(error);
  if (/corruption/i.test(text)) return as("ERR_SERIES_CORRUPT", `${driver} found damage in its files: ${message}`);
  if (/no such file|ENOENT/i.test(text)) return as(...missing(chain, driver, message));
  return as("ERR_SERIES_STORE", `${driver} failed: ${message}`);
}

/** Returns code and text for a missing file. It is damage only if the folder of the file exists. */
function missing(chain: readonly NodeJS.ErrnoException[], driver: string, message: string): [ErrorCode, string] {
  const ofNode = chain.find(({ path }) => path !== undefined)?.path;
  // The messages of both bindings end with a path, a colon and the system's text.
  const file = /(\/[^:]*|[a-z]:\\[^:]*): no such file/i.exec(message)?.[1];
  if (ofNode === undefined && file !== undefined && existsSync(dirname(file)))
    return ["ERR_SERIES_CORRUPT", `${driver} misses one of its files: ${file} does not exist`];
  const what = ofNode ?? (file === undefined ? message : dirname(file));
  return [
    "ERR_SERIES_STORE",
    `${driver} failed: ${what} does not exist; was the folder of the store moved or deleted?`,
  ];
}

/** Returns the error of a call after closing. */
export function closedError(): MoonpackError {
  return new MoonpackError("ERR_CLOSED", "the store is closed");
}
