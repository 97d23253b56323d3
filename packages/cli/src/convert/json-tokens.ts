import { constants, isUtf8 } from "node:buffer";
import { badInput } from "../shared/failure.js";
import { byteName, unexpectedByte, unexpectedEnd } from "./json-errors.js";
import { isBlank, isDigit } from "./json-scanner.js";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const MINUS = 0x2d;
/** The literals by their first byte. */
const LITERALS = new Map(
  [true, false, null].map((value) => [String(value).charCodeAt(0), { text: String(value), value }] as const),
);
const ESCAPES = new Set(Buffer.from('"\\/bfnrt'));

/**
 * Splits JSON text into tokens. Errors carry the offset of the first byte that no JSON can contain there; for a string
 * with malformed UTF-8 or a lone surrogate, the offset of the malformed bytes or of the escape.
 */
export class JsonTokens {
  /** Offset of the next byte. */
  #at = 0;
  readonly #bytes: Buffer;
  readonly #position: number;
  readonly #follow: string;

  /**
   * `position` is the offset of the first byte in the file, for errors. `follow` is the character after the text; empty
   * at the end of the file.
   */
  constructor(bytes: Uint8Array, position: number, follow: string) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#position = position;
    this.#follow = follow;
  }

  /** Offset of the next byte in the file. */
  get position(): number {
    return this.#position + this.#at;
  }

  /** Skips blanks. Returns the next byte, or -1 at the end. */
  peek(): number {
    const bytes = this.#bytes;
    while (this.#at < bytes.length && isBlank(bytes[this.#at]!)) this.#at++;
    return this.#at < bytes.length ? bytes[this.#at]! : -1;
  }

  /**
   * Reads the token that begins at the next byte, which must be one that can begin a token. Returns the value of a string
   * or literal, the text of a number, and undefined for a bracket, comma or colon.
   */
  next(): string | boolean | null | undefined {
    const byte = this.#bytes[this.#at]!;
    if (byte === QUOTE) return this.#string();
    if (byte === MINUS || isDigit(byte)) return this.#number();
    const literal = LITERALS.get(byte);
    if (literal === undefined) {
      this.#at++;
      return undefined;
    }
    this.#literal(literal.text);
    return literal.value;
  }

  #string(): string {
    const bytes = this.#bytes;
    const start = this.#at++;
    let ascii = true;
    let escaped = false;
    for (let byte = bytes[this.#at]; byte !== QUOTE; byte = bytes[this.#at]) {
      if (byte === undefined) throw badInput("ERR_TRUNCATED", "the text ends inside a string", this.position);
      if (byte < 0x20) {
        const text = `${byteName(byte)} must be written as an escape in a string`;
        throw badInput("ERR_INVALID_BYTE", text, this.position);
      }
      if (byte === BACKSLASH) {
        this.#escape();
        escaped = true;
      } else {
        ascii &&= byte < 0x80;
        this.#at++;
      }
    }
    const end = this.#at++;
    if (!ascii) this.#checkUtf8(start + 1, end);
    if (end - start >= constants.MAX_STRING_LENGTH) throw tooLong(this.#position + start);
    if (escaped) return JSON.parse(bytes.toString("utf8", start, end + 1)) as string;
    return bytes.toString(ascii ? "latin1" : "utf8", start + 1, end);
  }

  #checkUtf8(start: number, end: number): void {
    const string = this.#bytes.subarray(start, end);
    if (isUtf8(string)) return;
    const at = this.#position + start + malformedAt(string);
    throw badInput("ERR_INVALID_UTF8", "the text is not well-formed UTF-8", at);
  }

  #number(): string {
    const bytes = this.#bytes;
    const start = this.#at;
    if (bytes[this.#at] === MINUS) this.#at++;
    if (bytes[this.#at] === 0x30) this.#at++;
    else this.#digits();
    if (bytes[this.#at] === 0x2e) {
      this.#at++;
      this.#digits();
    }
    if ((bytes[this.#at]! | 0x20) === 0x65) {
      this.#at++;
      if (bytes[this.#at] === 0x2b || bytes[this.#at] === MINUS) this.#at++;
      this.#digits();
    }
    return bytes.toString("latin1", start, this.#at);
  }

  #literal(text: string): void {
    for (let index = 0; index < text.length; index++, this.#at++) {
      if (this.#bytes[this.#at] !== text.charCodeAt(index)) throw this.#unexpected(text);
    }
  }

  /** Returns the error of the next byte, or of the end of the text, in the place of `expected`. */
  #unexpected(expected: string): Error {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) return unexpectedEnd(this.#follow, expected, this.position);
    return unexpectedByte(byte, expected, this.position);
  }

  #digits(): void {
    if (!isDigit(this.#bytes[this.#at]!)) throw this.#unexpected("a digit");
    while (isDigit(this.#bytes[this.#at]!)) this.#at++;
  }

  /** Reads an escape, or the two escapes of a surrogate pair. */
  #escape(): void {
    const start = this.#at++;
    const byte = this.#bytes[this.#at]!;
    if (byte !== LOWER_U) {
      if (!ESCAPES.has(byte)) throw this.#unexpected('an escape (\\ and one of " \\ / b f n r t u)');
      this.#at++;
      return;
    }
    const unit = this.#hex();
    if (unit < 0xd800 || unit > 0xdfff) return;
    const second = this.#bytes[this.#at] === BACKSLASH && this.#bytes[this.#at + 1] === LOWER_U;
    if (unit < 0xdc00 && second) {
      this.#at++;
      const low = this.#hex();
      if (low >= 0xdc00 && low <= 0xdfff) return;
    }
    const text = `\\u${unit.toString(16)} is a lone surrogate: only a pair of surrogates is a character`;
    throw badInput("ERR_INVALID_UTF8", text, this.#position + start);
  }

  /** Reads `u` and the four digits after it. Returns their value. */
  #hex(): number {
    let value = 0;
    this.#at++;
    for (let index = 0; index < 4; index++, this.#at++) {
      const digit = "0123456789abcdef".indexOf(String.fromCharCode(this.#bytes[this.#at] ?? 0).toLowerCase());
      if (digit < 0) throw this.#unexpected("a hexadecimal digit");
      value = value * 16 + digit;
    }
    return value;
  }
}

/** Returns the error of a string that is longer than V8 allows. */
function tooLong(at: number): Error {
  return badInput("ERR_LIMIT_BYTES", "a value is longer than a JavaScript string can be", at);
}

/** Offset of the first malformed sequence. */
function malformedAt(bytes: Uint8Array): number {
  let at = 0;
  for (;;) {
    const lead = bytes[at]!;
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (!isUtf8(bytes.subarray(at, at + length))) return at;
    at += length;
  }
}
