import { createReadStream } from "node:fs";
import { DecodeError, type ErrorCode, MoonpackError } from "moonpack/bytes";

/** Bad usage: arguments that make no sense. Exit code 2; everything else that fails is 1. */
export class UsageError extends Error {}

/** A failure that is the user's to know, not ours to debug: a file that cannot be read, a verdict. Exit code 1, no stack. */
export class Failure extends Error {}

/** What the data of one file got wrong: says which file before it says what, and in text also in which line. */
export class DataError extends Error {
  constructor(file: string, what: string, cause: unknown) {
    super(file === "" ? what : `${file}: ${what}`, { cause });
  }

  /** Names the file, and the line and column in it when it is a text that can be read again. */
  static async of(file: string, isText: boolean, error: MoonpackError): Promise<DataError> {
    const place = isText && file !== "-" && error instanceof DecodeError ? await linePlace(file, error.offset) : "";
    return new DataError(file === "-" ? "standard input" : file, describeError(error) + place, error);
  }
}

/** `, line 3 column 14` for a byte offset; nothing when the file cannot be read again. */
async function linePlace(file: string, offset: number): Promise<string> {
  let line = 1;
  let lineStart = 0;
  let position = 0;
  try {
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

/** An error in a text or byte file, at an offset counted from the start of that file. */
export function badInput(code: ErrorCode, message: string, offset: number, needMore = 0): DecodeError {
  return new DecodeError(code, message, offset, needMore);
}

/** The same decode error for a reader who sees the whole file where the decoder saw a window of it that begins at `by`. */
export function rebase(error: DecodeError, by: number): DecodeError {
  const text = error.message.replace(/ \(at byte \d+(?:, \d+ more needed)?\)$/, "");
  return new DecodeError(error.code, text, error.offset + by, error.needMore, error.cause);
}

/** One line for a person: `ERR_CODE: text (at byte N)` for bad data, the text alone for the rest. */
export function describeError(error: unknown): string {
  if (error instanceof MoonpackError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

/** What the operating system said about a file, in words. */
export function fileError(doing: string, file: string, error: unknown): Failure {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return new Failure(`cannot ${doing} ${file}: ${SYSTEM_WORDS.get(code) ?? describeError(error)}`);
}

const SYSTEM_WORDS = new Map([
  ["ENOENT", "no such file or folder"],
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EISDIR", "it is a folder"],
  ["ENOTDIR", "a part of the path is not a folder"],
  ["ENOSPC", "no space left on the disk"],
  ["EROFS", "the disk is read-only"],
  ["EMFILE", "too many open files"],
  ["EEXIST", "a file of that name is in the way"],
]);

/** Is this the system telling us that whoever read our output has gone? That is no error of ours. */
export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED");
}
