const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const LINE_FEED = 0x0a;
/** Integers with at most this many digits are safe integers. */
const SAFE_DIGITS = 15;
/**
 * A number other than 0 with at most this many digits behind the point, and no exponent, does not become 0 as a float.
 */
const SAFE_FRACTION = 300;

/** The tokens to find, and where to stop. */
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
 * Finds the end of values in JSON text that arrives in pieces: it looks at brackets, strings and commas and builds nothing. It
 * does not check the grammar; the reader of the text does. It also notes whatever `JSON.parse` would change (`careful`):
 * numbers that may be rounded, overflow or vanish, lone surrogates, keys that look like array indices (which objects move to
 * the front), and typed forms. All offsets count from the start of the window.
 */
export class JsonScanner {
  /** Next byte to look at. */
  at = 0;
  /** Open containers at `at`, counted from the start of the scan. */
  depth = 0;
  /** Offset of the last comma outside every container, where an element ends; -1 before the first. */
  lastComma = -1;
  /** Number of commas outside every container. */
  commas = 0;
  /** Offset of the bracket that closes the surrounding container; -1 before it is found. */
  closer = -1;
  /** Offset where the text ends before that: behind a bracket that is too deep, or at the line feed; -1 otherwise. */
  cut = -1;
  /** True if the text has something that JSON.parse would change. */
  careful = false;
  #inString = false;
  #stringStart = 0;
  readonly #options: ScanOptions;

  constructor(options: ScanOptions) {
    this.#options = options;
  }

  /** True at the end of the surrounding container, of the text, or of the one element. */
  get found(): boolean {
    return this.closer >= 0 || this.cut >= 0 || (this.#options.one === true && this.lastComma >= 0);
  }

  /**
   * Scans the bytes up to `end`, and stops before the bracket that closes the surrounding container. `last` means that nothing
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

  /** Ends the text here. The exact reader will report why. */
  #cut(at: number): void {
    this.cut = at;
    this.careful = true;
  }

  /** Scans a string to the byte behind its closing quote, or to the end. */
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
    // A string of digits is a key if a colon follows. Blanks may hide the colon, so they count as one.
    if (!isIndex(bytes, from, to)) return;
    const next = to + 1 < end ? bytes[to + 1]! : 0x3a;
    if (next === 0x3a || next <= 0x20) this.careful = true;
  }

  /** Scans a number from its first digit, and notes whether a double may not hold it. */
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
      // An integer written as a float, or a number beyond the range of floats.
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

/** True if the string from `from` to `to` begins with a dollar sign, plain or escaped. */
function isDollar(bytes: Uint8Array, from: number, to: number): boolean {
  if (bytes[from] !== BACKSLASH) return bytes[from] === 0x24 && to > from;
  return ESCAPED_DOLLAR.every((byte, index) => bytes[from + index] === byte);
}

const ESCAPED_DOLLAR = [...Buffer.from("\\u0024")];
const ESCAPED_DIGIT = [...Buffer.from("\\u003")];

/** True if the string from `from` to `to` is one to ten digits, each plain or escaped. */
function isIndex(bytes: Uint8Array, from: number, to: number): boolean {
  let at = from;
  for (let digits = 0; at < to && digits <= 10; digits++) {
    if (bytes[at] === BACKSLASH && ESCAPED_DIGIT.every((byte, index) => bytes[at + index] === byte)) at += 5;
    if (!isDigit(bytes[at]!)) return false;
    at++;
  }
  return at === to && to > from;
}

/** True for one of the ten digits. */
export function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** True for a blank that JSON allows between tokens. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
