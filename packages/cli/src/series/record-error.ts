/** The error of one record of an input: a line, or a row of CSV. The reader of the input adds the file and the line. */
import { type ErrorCode, MoonpackError } from "moonpack/bytes";

/** A record that cannot be imported. */
export class RecordError extends MoonpackError {
  /** The first invalid character of the record, from 1; undefined when the record is invalid as a whole. */
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

/** Quotes and shortens a text of the input for an error. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}..` : text);
}
