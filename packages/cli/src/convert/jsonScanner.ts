import { badInput } from "../shared/failure.js";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
/** Integers of up to this many digits are safe whatever the digits are. */
const SAFE_DIGITS = 15;

/**
 * Finds where values end in JSON text that arrives piece by piece, without building them: brackets, strings and commas.
 * It checks no grammar; whoever parses the found text does. On the way it notes what `JSON.parse` would damage
 * (`careful`): integers that may be unsafe, exponents that may overflow, lone surrogates, keys that look like array
 * indices (objects move those to the front), and typed forms. All offsets count from the start of the window.
 */
export class JsonScanner {
  /** Next byte to look at. */
  at = 0;
  /** Containers that are open at `at`, counted from where the scan began. */
  depth = 0;
  /** Where the last whole element ended: at a comma outside every container; -1 before the first. */
  lastComma = -1;
  /** Where the bracket stands that closes the surrounding container; -1 before it is found. */
  closer = -1;
  /** Something was seen that JSON.parse would damage. */
  careful = false;
  #inString = false;
  #stringStart = 0;
  readonly #typed: boolean;
  readonly #maxDepth: number;
  readonly #one: boolean;

  /**
   * `typed`: keys that begin with `$` need care. `maxDepth`: containers that may be open inside the scanned text.
   * `one`: stop behind the first element.
   */
  constructor(typed: boolean, maxDepth: number, one = false) {
    this.#typed = typed;
    this.#maxDepth = maxDepth;
    this.#one = one;
  }

  /** Nothing further is to be found: the surrounding container closes, or the one element that was asked for ends. */
  get found(): boolean {
    return this.closer >= 0 || (this.#one && this.lastComma >= 0);
  }

  /**
   * Looks at the bytes up to `end` and stops before the bracket that closes the surrounding container. `last`: nothing
   * follows these bytes; otherwise a number or an escape that touches the end is left for the next call.
   * `position` of `bytes[start]` in the file is for the error.
   */
  scan(bytes: Uint8Array, start: number, end: number, last: boolean, position: number): void {
    let at = start + this.at;
    while (at < end && !this.found) {
      if (this.#inString) {
        at = this.#string(bytes, start, at, end, last);
        if (this.#inString) break;
        continue;
      }
      const byte = bytes[at]!;
      if (byte === QUOTE) {
        this.#inString = true;
        this.#stringStart = ++at - start;
      } else if (byte === 0x5b || byte === 0x7b) {
        if (++this.depth > this.#maxDepth) {
          throw badInput("ERR_LIMIT_DEPTH", "more containers are open than the limit allows", position + at - start);
        }
        at++;
      } else if (byte === 0x5d || byte === 0x7d) {
        if (this.depth === 0) {
          this.closer = at - start;
        } else {
          this.depth--;
          at++;
        }
      } else if (byte === 0x2c) {
        if (this.depth === 0) this.lastComma = at - start;
        at++;
      } else if (isDigit(byte)) {
        const after = this.#number(bytes, at, end);
        if (after === end && !last) break;
        at = after;
      } else {
        at++;
      }
    }
    this.at = at - start;
  }

  /** Walks through a string to behind its closing quote, or to the end. */
  #string(bytes: Uint8Array, start: number, from: number, end: number, last: boolean): number {
    let at = from;
    while (at < end) {
      const byte = bytes[at]!;
      if (byte === QUOTE) {
        this.#endString(bytes, start + this.#stringStart, at, end);
        return at + 1;
      }
      if (byte === BACKSLASH) {
        if (at + 3 >= end && !last) return at;
        if (bytes[at + 1] === LOWER_U && (bytes[at + 2]! | 0x20) === 0x64 && bytes[at + 3]! > 0x37) this.careful = true;
        at += 2;
      } else {
        at++;
      }
    }
    return Math.min(at, end);
  }

  #endString(bytes: Uint8Array, from: number, to: number, end: number): void {
    this.#inString = false;
    const first = bytes[from]!;
    if (this.#typed && first === 0x24 && to > from) this.careful = true;
    // An all-digit string is a key when a colon follows. Blanks may hide the colon: then it is treated as one too.
    if (!isDigit(first) || to - from > 10) return;
    const next = to + 1 < end ? bytes[to + 1]! : 0x3a;
    if (next !== 0x3a && next > 0x20) return;
    for (let at = from + 1; at < to; at++) if (!isDigit(bytes[at]!)) return;
    this.careful = true;
  }

  /** Walks over a number from its first digit, noting those that a double may not hold. */
  #number(bytes: Uint8Array, from: number, end: number): number {
    let at = from;
    while (at < end && isDigit(bytes[at]!)) at++;
    if (at - from > SAFE_DIGITS) this.careful = true;
    if (bytes[at] === 0x2e) {
      at++;
      while (at < end && isDigit(bytes[at]!)) at++;
    }
    if (at < end && (bytes[at]! | 0x20) === 0x65) {
      at++;
      if (bytes[at] === 0x2b || bytes[at] === 0x2d) at++;
      const digits = at;
      while (at < end && isDigit(bytes[at]!)) at++;
      if (at - digits > 2) this.careful = true;
    }
    return Math.min(at, end);
  }
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** Is this one of the blanks that may stand between JSON tokens? */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
