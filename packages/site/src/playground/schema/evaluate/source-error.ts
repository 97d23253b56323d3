// Errors that have a place in the text of a schema.

/** A part of a text, by offsets of characters. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** Something in a text that cannot be read, and where. */
export class SourceError extends Error implements Place {
  readonly start: number;
  readonly end: number;
  /** The code of moonpack's error; undefined for the playground's errors. */
  readonly code: string | undefined;

  constructor(message: string, { start, end }: Place, code?: string) {
    super(message);
    this.start = start;
    this.end = end;
    this.code = code;
  }
}

/** An evaluation that takes too much, and ends. */
export class LimitError extends SourceError {}

/** The use of something outside the text, or that does not belong to a schema: a codec, an import of another file. */
export class OutsideError extends SourceError {}

/** The same within a part of a schema, which cannot be made without it. */
export class MissingError extends SourceError {}

/** The use of a constant that has an error itself. That error is reported once, at the constant. */
export class BrokenError extends SourceError {}

/** Returns an error for syntax that the playground does not evaluate. */
export function unsupported(what: string, place: Place): SourceError {
  return new SourceError(
    `The playground evaluates only constants that are made of literals and of calls of @moonpack/pck, not ${what}.`,
    place,
  );
}
