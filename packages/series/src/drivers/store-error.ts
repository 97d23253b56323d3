/** Errors of databases as errors of the family. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { type ErrorCode, MoonpackError } from "moonpack/bytes";
import { type Place, SeriesError } from "../errors.js";

/** An error and its causes: bindings put the system's text into either. */
function chainOf(error: unknown): NodeJS.ErrnoException[] {
  const chain: NodeJS.ErrnoException[] = [];
  for (let e = error; e instanceof Error; e = e.cause) chain.push(e);
  return chain;
}

/** The error of a driver as one with a code; errors that have one of ours stay as they are. */
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
  // The innermost one says what happened.
  const said = chain.at(-1)?.message ?? String(error);
  if (/corruption/i.test(text)) return as("ERR_SERIES_CORRUPT", `${driver} found damage in its files: ${said}`);
  if (/no such file|ENOENT/i.test(text)) return as(...missing(chain, driver, said));
  return as("ERR_SERIES_STORE", `${driver} failed: ${said}`);
}

/** The code and the text for a file that does not exist. Only a file that is gone while its folder is there is damage of a database. */
function missing(chain: readonly NodeJS.ErrnoException[], driver: string, said: string): [ErrorCode, string] {
  const ofNode = chain.find(({ path }) => path !== undefined)?.path;
  // Both bindings end in: a path, a colon, the system's text.
  const file = /(\/[^:]*|[a-z]:\\[^:]*): no such file/i.exec(said)?.[1];
  if (ofNode === undefined && file !== undefined && existsSync(dirname(file)))
    return ["ERR_SERIES_CORRUPT", `${driver} misses one of its files: ${file} does not exist`];
  const what = ofNode ?? (file === undefined ? said : dirname(file));
  return [
    "ERR_SERIES_STORE",
    `${driver} failed: ${what} does not exist; was the folder of the store moved or deleted?`,
  ];
}

/** The error of a write into a store that is open for reading. */
export function readOnlyError(): SeriesError {
  return new SeriesError("ERR_SERIES_READ_ONLY", "the store is open for reading");
}

/** The error of a call after closing. */
export function closedError(): MoonpackError {
  return new MoonpackError("ERR_CLOSED", "the store is closed");
}
