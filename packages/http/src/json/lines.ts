/** Streams of values as lines of JSON. */
import { MoonpackError, shifted } from "moonpack/bytes";
import { readJson } from "./read.js";

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Yields the values of lines, which end with LF or CRLF. Empty lines are skipped, and the last line may lack its end. Throws
 * `ERR_LIMIT_BYTES` for a line longer than `maxBytes`, and errors of {@link readJson} with their offset in the stream.
 */
export async function* readLines(parts: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<unknown, void> {
  let line = new Uint8Array(0);
  let length = 0;
  /** Offset of the line in the stream. */
  let start = 0;
  const take = (part: Uint8Array): void => {
    if (length + part.length > maxBytes)
      throw new MoonpackError("ERR_LIMIT_BYTES", `a line longer than ${maxBytes} bytes`);
    if (length + part.length > line.length) {
      const larger = new Uint8Array(Math.max(length + part.length, Math.min(maxBytes, line.length * 2)));
      larger.set(line.subarray(0, length));
      line = larger;
    }
    line.set(part, length);
    length += part.length;
  };
  for await (const part of parts) {
    let at = 0;
    for (let end = part.indexOf(NEWLINE); end !== -1; end = part.indexOf(NEWLINE, at)) {
      take(part.subarray(at, end));
      if (!isEmpty(line, length)) yield valueAt(line.subarray(0, length), start);
      start += length + 1;
      length = 0;
      at = end + 1;
    }
    take(part.subarray(at));
  }
  if (!isEmpty(line, length)) yield valueAt(line.subarray(0, length), start);
}

/** True for an empty line. A CR belongs to the line's end. */
function isEmpty(line: Uint8Array, length: number): boolean {
  return length === 0 || (length === 1 && line[0] === CARRIAGE_RETURN);
}

function valueAt(line: Uint8Array, start: number): unknown {
  try {
    return readJson(line);
  } catch (error) {
    throw error instanceof MoonpackError ? shifted(error, start) : error;
  }
}
