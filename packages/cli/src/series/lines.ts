/** The lines of an input of any size, in blocks: a promise for each line would cost more than the line. */
import { TextDecoder } from "node:util";
import type { ByteWindow } from "../shared/input.js";

/** The longest line in bytes. Longer lines are reported and skipped. */
export const MAX_LINE = 16 * 1024 * 1024;
const LINE_FEED = 0x0a;
const MARK = [0xef, 0xbb, 0xbf];

/** The reason why a line cannot be read. `text` has U+FFFD for invalid UTF-8; a line that is too long has no text. */
export type BadLine =
  | { readonly bad: "too long"; readonly text?: undefined }
  | { readonly bad: "not UTF-8"; readonly text: string };

/** A line without its line break, which may be `\r\n`. */
export type Line = string | BadLine;

/** Consecutive lines. */
export interface LineBlock {
  readonly lines: readonly Line[];
  /** The number of the first line, from 1. */
  readonly first: number;
}

/**
 * Reads lines as they arrive: a block ends where the input pauses. A byte order mark at the start is skipped. The last line
 * needs no line break.
 */
export async function* lineBlocks(window: ByteWindow, maxLine = MAX_LINE): AsyncGenerator<LineBlock> {
  await skipMark(window);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let first = 1;
  /** Bytes of the window in which no line break was found. */
  let searched = 0;
  let isTooLong = false;
  for (;;) {
    const bytes = Buffer.from(window.bytes.buffer, window.start, window.size);
    const end = lastBreak(bytes, searched) + 1;
    if (end === 0) {
      searched = bytes.length;
      if (searched > maxLine) {
        isTooLong = true;
        window.consume(searched);
        searched = 0;
      }
      if (await window.more()) continue;
      if (window.size > 0 || isTooLong) yield { lines: linesOf(window.view(), decoder, maxLine, isTooLong), first };
      return;
    }
    const lines = linesOf(bytes.subarray(0, end - 1), decoder, maxLine, isTooLong);
    isTooLong = false;
    searched = 0;
    yield { lines, first };
    first += lines.length;
    window.consume(end);
  }
}

/** Skips a byte order mark at the start of an input. */
export async function skipMark(window: ByteWindow): Promise<void> {
  if ((await window.reach(MARK.length)) && MARK.every((byte, i) => window.view()[i] === byte))
    window.consume(MARK.length);
}

/** The last line break at or after `from`; -1 if there is none. */
function lastBreak(bytes: Buffer, from: number): number {
  const found = bytes.subarray(from).lastIndexOf(LINE_FEED);
  return found < 0 ? -1 : from + found;
}

/** Splits bytes that end before a line break into lines. `isTooLong`: the beginning of the first line was skipped. */
function linesOf(bytes: Uint8Array, decoder: TextDecoder, maxLine: number, isTooLong: boolean): LineBlock["lines"] {
  if (!isTooLong && bytes.length <= maxLine) {
    const text = decoded(bytes, decoder);
    if (text !== undefined) return text.includes("\r") ? text.split("\n").map(withoutReturn) : text.split("\n");
  }
  const lines: Line[] = [];
  for (let start = 0; start <= bytes.length; ) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found < 0 ? bytes.length : found;
    const isLong = end - start > maxLine || (isTooLong && start === 0);
    lines.push(isLong ? { bad: "too long" } : lineOf(bytes.subarray(start, end), decoder));
    start = end + 1;
  }
  return lines;
}

function lineOf(bytes: Uint8Array, decoder: TextDecoder): Line {
  const text = decoded(bytes, decoder);
  if (text !== undefined) return withoutReturn(text);
  return { bad: "not UTF-8", text: withoutReturn(new TextDecoder().decode(bytes)) };
}

function decoded(bytes: Uint8Array, decoder: TextDecoder): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
