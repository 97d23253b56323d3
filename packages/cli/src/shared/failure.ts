import { createReadStream } from "node:fs";
import { DecodeError, type ErrorCode, MoonpackError } from "moonpack/bytes";
import { statusOf } from "./status.js";

/** Bad usage: arguments that cannot be used. Exit code 2; all other failures have exit code 1. */
export class UsageError extends Error {}

/** A failure that the user can act on, such as a file that cannot be read. Exit code 1, printed without a stack. */
export class Failure extends Error {}

/** Several failures, printed one per line. */
export class Failures extends Failure {
  readonly texts: readonly string[];

  constructor(texts: readonly string[]) {
    super(texts.join("; "));
    this.texts = texts;
  }
}

/** Bad data in one file. The text names the file first; for text files it ends with the line and column. */
export class DataError extends Error {
  constructor(file: string, what: string, cause: unknown) {
    super(file === "" ? what : `${file}: ${what}`, { cause });
  }

  /**
   * Adds the file's name, and in text the line and column: of a file that can be read again, or of `window`, which has its last
   * bytes.
   */
  static async of(file: string, isText: boolean, error: MoonpackError, window?: Lines): Promise<DataError> {
    const place = isText && error instanceof DecodeError ? await placeOf(file, error.offset, window) : "";
    return new DataError(file === "-" ? "standard input" : file, describeError(error) + place, error);
  }
}

/** The positions of lines in an input. */
export interface Lines {
  /** Returns the line and column of an offset, from 1; undefined if its bytes are gone. */
  lineOf(offset: number): { readonly line: number; readonly column: number } | undefined;
}

/** `, line 3 column 14` for a byte offset; nothing if it is not known. */
async function placeOf(file: string, offset: number, window: Lines | undefined): Promise<string> {
  const known = window?.lineOf(offset);
  if (known !== undefined) return `, line ${known.line} column ${known.column}`;
  return file === "-" ? "" : await linePlace(file, offset);
}

/** The same for a file that can be read again. */
async function linePlace(file: string, offset: number): Promise<string> {
  let line = 1;
  let lineStart = 0;
  let position = 0;
  try {
    // A named pipe cannot be read again: opening it would wait for another writer.
    if (statusOf(file)?.isFile() !== true) return "";
    if (offset > 0) {
      for await (const chunk of createReadStream(file, { end: offset - 1 }) as AsyncIterable<Buffer>) {
        for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) {
          line++;
          lineStart = position + at + 1;
        }
        position += chunk.length;
      }
    }
  } catch {
    return "";
  }
  return `, line ${line} column ${offset - lineStart + 1}`;
}

/** Creates an error about a text or binary file; `offset` counts from the start of the file. */
export function badInput(code: ErrorCode, message: string, offset: number, needMore = 0): DecodeError {
  return new DecodeError(code, message, offset, needMore);
}

/** One line for the user: `ERR_CODE: text (at byte N)` for bad data, the text alone otherwise. */
export function describeError(error: unknown): string {
  if (error instanceof MoonpackError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

/**
 * Turns a system error about a file into plain words. `where` is appended, to name a place other than the file itself.
 */
export function fileError(doing: string, file: string, error: unknown, where = ""): Failure {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return new Failure(`cannot ${doing} ${file}: ${SYSTEM_WORDS.get(code) ?? describeError(error)}${where}`);
}

const SYSTEM_WORDS = new Map([
  ["ENOENT", "no such file or folder"],
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EISDIR", "it is a folder, not a file"],
  ["ENOTDIR", "a part of the path is not a folder"],
  ["ENOSPC", "no space left on the disk"],
  ["EROFS", "the disk is read-only"],
  ["EMFILE", "too many open files"],
  ["EBADF", "no such open descriptor"],
  ["EEXIST", "a file with that name already exists"],
  ["EADDRINUSE", "the address is in use"],
  ["EADDRNOTAVAIL", "this machine does not have the address"],
]);

/** True when the reader of our output has closed it, which is not an error of ours. */
export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED");
}
