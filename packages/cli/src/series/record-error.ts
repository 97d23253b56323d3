/** The error of one record of an input: a line, or a row of CSV. The reader of the input adds the file and the line. */
import { type ErrorCode, MoonpackError } from "moonpack/bytes";

/** A record that cannot be imported. */
export class RecordError extends MoonpackError {
  /** The first wrong character of the record, from 1; undefined when the record is wrong as a whole. */
  readonly column: number | undefined;

  constructor(code: ErrorCode, message: string, column?: number) {
    super(code, message);
    this.column = column;
  }
  override get name(): string {
    return "RecordError";
  }
}

const SHOWN = 40;

/** A text of the input as errors show it: in quotes, and not longer than a line. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}..` : text);
}
