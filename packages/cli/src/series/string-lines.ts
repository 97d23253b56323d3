/**
 * Joins the lines of a multi-line record: a string of line protocol may contain line breaks. A quote that is never closed is an
 * error of one line; otherwise it would swallow the rest of the input.
 */
import type { Line } from "./lines.js";

/** Characters of the longest string that spans lines. */
const MOST = 1024 * 1024;

/** A record, and the number of its first line. Line breaks within it are `\n`. */
export interface LineRecord {
  readonly line: Line;
  readonly first: number;
}

/** True if a string is open at the end of a line. `isOpen`: one is open at its start. */
export type EndsInString = (line: string, isOpen: boolean) => boolean;

/** Joins lines to records. */
export class StringLines {
  readonly #endsInString: EndsInString;
  /** The lines of a record whose string is open. */
  #waiting: LineRecord[] = [];
  #length = 0;

  constructor(endsInString: EndsInString) {
    this.#endsInString = endsInString;
  }

  /** The records that end with a line; undefined for the line itself. */
  add(line: Line, first: number): readonly LineRecord[] | undefined {
    const text = typeof line === "string" ? line : line.text;
    const isOpen = this.#waiting.length > 0;
    // Nearly all lines have no quote.
    if (!isOpen && text?.includes('"') !== true) return undefined;
    const record = { line, first };
    if (text === undefined) return [...this.end(), record];
    if (!this.#endsInString(text, isOpen)) return isOpen ? [this.#join(record)] : undefined;
    this.#waiting.push(record);
    this.#length += text.length;
    return this.#length > MOST ? this.end() : NONE;
  }

  /** Returns the lines of an unclosed string as separate records. */
  end(): readonly LineRecord[] {
    const lines = this.#waiting;
    this.#waiting = [];
    this.#length = 0;
    return lines;
  }

  #join(last: LineRecord): LineRecord {
    const lines = [...this.end(), last];
    const bad = lines.find(({ line }) => typeof line !== "string");
    return bad ?? { line: lines.map(({ line }) => line).join("\n"), first: lines[0]!.first };
  }
}

const NONE: readonly LineRecord[] = [];
