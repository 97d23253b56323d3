const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const LINE_FEED = 0x0a;
/** Integers of up to this many digits are safe whatever the digits are. */
const SAFE_DIGITS = 15;
/** With up to this many digits behind the point, and no exponent, a number other than 0 is none as a float either. */
const SAFE_FRACTION = 300;

/** What a scan looks for and where it stops. */
export interface ScanOptions {
  /** Keys that begin with `$` need care. */
  readonly typed: boolean;
  /** Containers that may be open inside the scanned text. */
  readonly maxDepth: number;
  /** Stop behind the first element. */
  readonly one?: boolean;
  /** A line feed ends the text. */
  readonly line?: boolean;
}

/**
 * Finds where values end in JSON text that arrives piece by piece, without building them: brackets, strings and commas.
 * It checks no grammar; whoever parses the found text does. On the way it notes what `JSON.parse` would damage
 * (`careful`): numbers that may be rounded, overflow or vanish, lone surrogates, keys that look like array indices
 * (objects move those to the front), and typed forms. All offsets count from the start of the window.
 */
export class JsonScanner {
  /** Next byte to look at. */
  at = 0;
  /** Containers that are open at `at`, counted from where the scan began. */
  depth = 0;
  /** Where the last whole element ended: at a comma outside every container; -1 before the first. */
  lastComma = -1;
  /** Commas outside every container. */
  commas = 0;
  /** Where the bracket stands that closes the surrounding container; -1 before it is found. */
  closer = -1;
  /** Where the text ends before that: behind a bracket too deep, or at the line feed; -1 when it does not. */
  cut = -1;
  /** Something was seen that JSON.parse would damage. */
  careful = false;
  #inString = false;
  #stringStart = 0;
  readonly #options: ScanOptions;

  constructor(options: ScanOptions) {
    this.#options = options;
  }

  /** Nothing further is to be found: the surrounding container closes, the text or the one element asked for ends. */
  get found(): boolean {
    return this.closer >= 0 || this.cut >= 0 || (this.#options.one === true && this.lastComma >= 0);
  }

  /**
   * Looks at the bytes up to `end` and stops before the bracket that closes the surrounding container. `last`: nothing
   * follows these bytes; otherwise a number or an escape that touches the end is left for the next call.
   */
  scan(bytes: Uint8Array, start: number, end: number, last: boolean): void {
    let at = start + this.at;
    while (at < end && !this.found) {
      if (this.#inString) {
        at = this.#string(bytes, start, at, end, last);
        if (this.#inString && this.cut < 0) break;
        continue;
      }
      const byte = bytes[at]!;
      if (byte === QUOTE) {
        this.#inString = true;
        this.#stringStart = ++at - start;
      } else if (byte === 0x5b || byte === 0x7b) {
        at++;
        if (++this.depth > this.#options.maxDepth) this.#cut(at - start);
      } else if (byte === 0x5d || byte === 0x7d) {
        if (this.depth === 0) {
          this.closer = at - start;
        } else {
          this.depth--;
          at++;
        }
      } else if (byte === 0x2c) {
        if (this.depth === 0) {
          this.lastComma = at - start;
          this.commas++;
        }
        at++;
      } else if (isDigit(byte)) {
        const after = this.#number(bytes, at, end);
        if (after === end && !last) break;
        at = after;
      } else if (byte === LINE_FEED && this.#options.line) {
        this.#cut(at - start);
      } else {
        at++;
      }
    }
    this.at = at - start;
  }

  /** What follows is not a part of the text; whoever reads it up to there says what that means. */
  #cut(at: number): void {
    this.cut = at;
    this.careful = true;
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
        at += bytes[at + 1] === LINE_FEED ? 1 : 2;
      } else if (byte === LINE_FEED && this.#options.line) {
        this.#cut(at - start);
        return at;
      } else {
        at++;
      }
    }
    return Math.min(at, end);
  }

  #endString(bytes: Uint8Array, from: number, to: number, end: number): void {
    this.#inString = false;
    if (this.#options.typed && isDollar(bytes, from, to)) this.careful = true;
    // An all-digit string is a key when a colon follows. Blanks may hide the colon: then it is treated as one too.
    if (!isIndex(bytes, from, to)) return;
    const next = to + 1 < end ? bytes[to + 1]! : 0x3a;
    if (next === 0x3a || next <= 0x20) this.careful = true;
  }

  /** Walks over a number from its first digit, noting those that a double may not hold. */
  #number(bytes: Uint8Array, from: number, end: number): number {
    let at = digitsEnd(bytes, from, end);
    let digits = at - from;
    if (digits > SAFE_DIGITS) this.careful = true;
    if (bytes[at] === 0x2e) {
      const fraction = at + 1;
      at = digitsEnd(bytes, fraction, end);
      digits += at - fraction;
      if (at - fraction > SAFE_FRACTION) this.careful = true;
    }
    if (at < end && (bytes[at]! | 0x20) === 0x65) {
      at++;
      const negative = bytes[at] === 0x2d;
      if (negative || bytes[at] === 0x2b) at++;
      const exponent = at;
      at = digitsEnd(bytes, at, end);
      // An integer in the guise of a float, or one that no float comes near.
      if (at - exponent > 2 || (digits > SAFE_DIGITS && !negative)) this.careful = true;
      if (negative && digits > SAFE_FRACTION - 100) this.careful = true;
    }
    return Math.min(at, end);
  }
}

function digitsEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && isDigit(bytes[at]!)) at++;
  return at;
}

/** Does the string from `from` to `to` begin with a dollar sign, as itself or as an escape? */
function isDollar(bytes: Uint8Array, from: number, to: number): boolean {
  if (bytes[from] !== BACKSLASH) return bytes[from] === 0x24 && to > from;
  return ESCAPED_DOLLAR.every((byte, index) => bytes[from + index] === byte);
}

const ESCAPED_DOLLAR = [...Buffer.from("\\u0024")];
const ESCAPED_DIGIT = [...Buffer.from("\\u003")];

/** Is the string from `from` to `to` up to ten digits, each as itself or as an escape? */
function isIndex(bytes: Uint8Array, from: number, to: number): boolean {
  let at = from;
  for (let digits = 0; at < to && digits <= 10; digits++) {
    if (bytes[at] === BACKSLASH && ESCAPED_DIGIT.every((byte, index) => bytes[at + index] === byte)) at += 5;
    if (!isDigit(bytes[at]!)) return false;
    at++;
  }
  return at === to && to > from;
}

/** Is this one of the ten digits? */
export function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** Is this one of the blanks that may stand between JSON tokens? */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
