import { isUtf8 } from "node:buffer";
import { badInput } from "../shared/failure.js";
import { isBlank, isDigit } from "./jsonScanner.js";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const MINUS = 0x2d;
const WORDS = new Map(["true", "false", "null"].map((word) => [word.charCodeAt(0), word]));
const ESCAPES = new Set(Buffer.from('"\\/bfnrt'));

/**
 * Walks over the tokens of a JSON text, without their values, and throws what is wrong with one: at the first byte with
 * which no JSON can go on, or, for a string that is no text, where its bytes or escapes go wrong.
 */
export class TokenWalk {
  /** Next byte to look at. */
  at = 0;
  readonly #bytes: Uint8Array;
  readonly #position: number;
  readonly #follow: string;

  /** `position` of the first byte in the file is for errors; `follow` is the character behind the text, if there is one. */
  constructor(bytes: Uint8Array, position: number, follow: string) {
    this.#bytes = bytes;
    this.#position = position;
    this.#follow = follow;
  }

  /** Position of the next byte in the file. */
  get position(): number {
    return this.#position + this.at;
  }

  /** Skips blanks. Returns the byte that follows, or -1 at the end. */
  peek(): number {
    while (this.at < this.#bytes.length && isBlank(this.#bytes[this.at]!)) this.at++;
    return this.#bytes[this.at] ?? -1;
  }

  /** Walks over the token that begins here, with a byte that may begin one. */
  token(): void {
    const byte = this.#bytes[this.at]!;
    const word = WORDS.get(byte);
    if (byte === QUOTE) this.#string();
    else if (byte === MINUS || isDigit(byte)) this.#number();
    else if (word !== undefined) this.#word(word);
    else this.at++;
  }

  #string(): void {
    const bytes = this.#bytes;
    const start = this.at++;
    let ascii = true;
    for (let byte = bytes[this.at]; byte !== QUOTE; byte = bytes[this.at]) {
      if (byte === undefined) throw badInput("ERR_TRUNCATED", "the text ends inside a string", this.position);
      if (byte < 0x20) {
        const text = `${shown(byte)} stands in a string, where only an escape may name it`;
        throw badInput("ERR_INVALID_BYTE", text, this.position);
      }
      if (byte === BACKSLASH) {
        this.#escape();
      } else {
        ascii &&= byte < 0x80;
        this.at++;
      }
    }
    const string = bytes.subarray(start, ++this.at);
    if (!ascii && !isUtf8(string)) {
      throw badInput(
        "ERR_INVALID_UTF8",
        "the text is not well-formed UTF-8",
        this.#position + start + firstBad(string),
      );
    }
  }

  #number(): void {
    const bytes = this.#bytes;
    if (bytes[this.at] === MINUS) this.at++;
    if (bytes[this.at] === 0x30) this.at++;
    else this.#digits();
    if (bytes[this.at] === 0x2e) {
      this.at++;
      this.#digits();
    }
    if ((bytes[this.at]! | 0x20) === 0x65) {
      this.at++;
      if (bytes[this.at] === 0x2b || bytes[this.at] === MINUS) this.at++;
      this.#digits();
    }
  }

  #word(word: string): void {
    for (let index = 0; index < word.length; index++, this.at++) {
      if (this.#bytes[this.at] !== word.charCodeAt(index)) throw this.#fault(`the rest of ${word}`);
    }
  }

  /** The error about the next byte, or about the text that ends here. */
  #fault(expected: string): Error {
    const byte = this.#bytes[this.at];
    if (byte === undefined) return atEnd(this.#follow, expected, this.position);
    return misplaced(byte, expected, this.position);
  }

  #digits(): void {
    if (!isDigit(this.#bytes[this.at]!)) throw this.#fault("a digit");
    while (isDigit(this.#bytes[this.at]!)) this.at++;
  }

  /** Walks over an escape, and over both when two make one character. */
  #escape(): void {
    const start = this.at++;
    const byte = this.#bytes[this.at]!;
    if (byte !== LOWER_U) {
      if (!ESCAPES.has(byte)) throw this.#fault('an escape (\\ and one of " \\ / b f n r t u)');
      this.at++;
      return;
    }
    const unit = this.#hex();
    if (unit < 0xd800 || unit > 0xdfff) return;
    const second = this.#bytes[this.at] === BACKSLASH && this.#bytes[this.at + 1] === LOWER_U;
    if (unit < 0xdc00 && second) {
      this.at++;
      const low = this.#hex();
      if (low >= 0xdc00 && low <= 0xdfff) return;
    }
    const written = `\\u${unit.toString(16)}`;
    const text = `${written} is a lone surrogate: only a pair of them is a character`;
    throw badInput("ERR_INVALID_UTF8", text, this.#position + start);
  }

  /** The four digits behind the `u` that is next. */
  #hex(): number {
    let value = 0;
    this.at++;
    for (let index = 0; index < 4; index++, this.at++) {
      const digit = "0123456789abcdef".indexOf(String.fromCharCode(this.#bytes[this.at] ?? 0).toLowerCase());
      if (digit < 0) throw this.#fault("a hexadecimal digit");
      value = value * 16 + digit;
    }
    return value;
  }
}

/** A text that ends where something else has to stand: at a character that follows it, or with the file. */
export function atEnd(follow: string, expected: string, at: number): Error {
  if (follow !== "") return misplaced(follow.charCodeAt(0), expected, at);
  return badInput("ERR_TRUNCATED", `the text ends where ${expected} is expected`, at);
}

/** A byte where something else has to stand. */
export function misplaced(byte: number, expected: string, at: number): Error {
  return badInput("ERR_INVALID_BYTE", `${shown(byte)} stands where ${expected} is expected`, at);
}

function shown(byte: number): string {
  if (byte > 0x20 && byte < 0x7f) return `the character ${String.fromCharCode(byte)}`;
  return `the byte 0x${byte.toString(16).padStart(2, "0")}`;
}

/** Where the first bytes stand that are no character. */
function firstBad(bytes: Uint8Array): number {
  let at = 0;
  for (;;) {
    const lead = bytes[at]!;
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (!isUtf8(bytes.subarray(at, at + length))) return at;
    at += length;
  }
}
