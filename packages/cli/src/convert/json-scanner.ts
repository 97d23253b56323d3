const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const LINE_FEED = 0x0a;
/** Integers with at most this many digits are safe integers. */
const SAFE_DIGITS = 15;
/** Without an exponent, a number with more digits than this after the point may become 0 as a double, although it is not 0. */
const SAFE_FRACTION = 300;

/** The tokens to find, and where to stop. */
export interface ScanOptions {
  /** Objects with a key such as `$bytes` stand for values that JSON does not have. They need the exact reader. */
  readonly typed: boolean;
  /** Maximum number of open containers inside the scanned text. */
  readonly maxDepth: number;
  /** Stop at the comma after the first element. */
  readonly one?: boolean;
  /** The text must be on one line: the scan stops at a line feed, and the exact reader reports it. */
  readonly line?: boolean;
}

/**
 * Finds the end of values in JSON text that arrives in pieces. It looks at brackets, strings and commas, and builds no values. It does
 * not check the grammar; the reader of the text does. It also notes text that `JSON.parse` would change, and that therefore needs
 * the exact reader: numbers that may be rounded, overflow or become 0, lone surrogates, keys that look like array indices (which
 * objects move to the front), and objects that stand for other values. All offsets count from the `start` of {@link scan}.
 */
export class JsonScanner {
  /** Offset of the next byte to scan. */
  at = 0;
  /** Number of open containers at `at`, counted from the start of the scan. */
  depth = 0;
  /** Offset of the last comma at depth 0, where an element ends; -1 before the first. */
  lastComma = -1;
  /** Number of commas at depth 0. */
  commas = 0;
  /** Offset of the bracket that closes the surrounding container; -1 before it is found. */
  closingBracket = -1;
  /** Offset where the scan has stopped early: after a bracket that is nested too deep, or at the line feed; -1 otherwise. */
  stoppedAt = -1;
  /** True if the text has something that `JSON.parse` would change. */
  needsExactReader = false;
  #inString = false;
  #stringStart = 0;
  readonly #options: ScanOptions;

  constructor(options: ScanOptions) {
    this.#options = options;
  }

  /**
   * True if the scan has reached the end of the surrounding container, has stopped early (`stoppedAt`), or, with the option `one`, has
   * passed the first element.
   */
  get isDone(): boolean {
    return this.closingBracket >= 0 || this.stoppedAt >= 0 || (this.#options.one === true && this.lastComma >= 0);
  }

  /**
   * Scans the bytes up to `end`, and stops before the bracket that closes the surrounding container. `last`: no bytes
   * follow. If it is false, a number or an escape that touches the end is left for the next call.
   */
  scan(bytes: Uint8Array, start: number, end: number, last: boolean): void {
    let at = start + this.at;
    while (at < end && !this.isDone) {
      if (this.#inString) {
        at = this.#string(bytes, start, at, end, last);
        if (this.#inString && this.stoppedAt < 0) break;
        continue;
      }
      const byte = bytes[at]!;
      if (byte === QUOTE) {
        this.#inString = true;
        this.#stringStart = ++at - start;
      } else if (byte === 0x5b || byte === 0x7b) {
        at++;
        if (++this.depth > this.#options.maxDepth) this.#stop(at - start);
      } else if (byte === 0x5d || byte === 0x7d) {
        if (this.depth === 0) {
          this.closingBracket = at - start;
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
        const numberEnd = this.#number(bytes, at, end);
        if (numberEnd === end && !last) break;
        at = numberEnd;
      } else if (byte === LINE_FEED && this.#options.line) {
        this.#stop(at - start);
      } else {
        at++;
      }
    }
    this.at = at - start;
  }

  /** Stops the scan. The exact reader will report why. */
  #stop(at: number): void {
    this.stoppedAt = at;
    this.needsExactReader = true;
  }

  /** Scans a string. Returns the offset after its closing quote, or the end. */
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
        if (bytes[at + 1] === LOWER_U && (bytes[at + 2]! | 0x20) === 0x64 && bytes[at + 3]! > 0x37)
          this.needsExactReader = true;
        at += bytes[at + 1] === LINE_FEED ? 1 : 2;
      } else if (byte === LINE_FEED && this.#options.line) {
        this.#stop(at - start);
        return at;
      } else {
        at++;
      }
    }
    return Math.min(at, end);
  }

  /** Checks the string whose end has been found. */
  #endString(bytes: Uint8Array, from: number, to: number, end: number): void {
    this.#inString = false;
    if (this.#options.typed && isDollar(bytes, from, to)) this.needsExactReader = true;
    // A string of digits is a key if a colon follows. A blank may stand before the colon, so it counts as a colon.
    if (!isIndex(bytes, from, to)) return;
    const next = to + 1 < end ? bytes[to + 1]! : 0x3a;
    if (next === 0x3a || next <= 0x20) this.needsExactReader = true;
  }

  /** Scans a number from its first digit, and notes it if a double may differ from it. Returns the end of the number. */
  #number(bytes: Uint8Array, from: number, end: number): number {
    let at = digitsEnd(bytes, from, end);
    let digits = at - from;
    if (digits > SAFE_DIGITS) this.needsExactReader = true;
    if (bytes[at] === 0x2e) {
      const fraction = at + 1;
      at = digitsEnd(bytes, fraction, end);
      digits += at - fraction;
      if (at - fraction > SAFE_FRACTION) this.needsExactReader = true;
    }
    if (at < end && (bytes[at]! | 0x20) === 0x65) {
      at++;
      const negative = bytes[at] === 0x2d;
      if (negative || bytes[at] === 0x2b) at++;
      const exponent = at;
      at = digitsEnd(bytes, at, end);
      // An exponent of three digits: the double may be Infinity or 0. Many digits and a positive exponent: an integer that may be rounded.
      if (at - exponent > 2 || (digits > SAFE_DIGITS && !negative)) this.needsExactReader = true;
      if (negative && digits > SAFE_FRACTION - 100) this.needsExactReader = true;
    }
    return Math.min(at, end);
  }
}

/** Returns the offset after the digits at `from`. */
function digitsEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && isDigit(bytes[at]!)) at++;
  return at;
}

/** Returns true if the string from `from` to `to` begins with a dollar sign, plain or escaped. */
function isDollar(bytes: Uint8Array, from: number, to: number): boolean {
  if (bytes[from] !== BACKSLASH) return bytes[from] === 0x24 && to > from;
  return ESCAPED_DOLLAR.every((byte, index) => bytes[from + index] === byte);
}

const ESCAPED_DOLLAR = [...Buffer.from("\\u0024")];
const ESCAPED_DIGIT = [...Buffer.from("\\u003")];

/** Returns true if the string from `from` to `to` consists of one to ten digits, each plain or escaped. */
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
