/** Checks JSON by its grammar, without recursion, where `JSON.parse` tells no offset and rounds numbers. */
import { DecodeError } from "moonpack/bytes";
import { isWellFormed } from "./well-formed.js";

/** Containers that may be open, as in MessagePack. */
const MAX_DEPTH = 512;
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
/** An escape that the end of the text cuts. */
const ESCAPE_BEGIN = /\\(?:u[0-9a-fA-F]{0,3})?$/y;
/**
 * `JSON.parse` keeps a property such as "1023" in an array that is as long as its index, up to some thousand places of 8 bytes. What
 * a body may make of it, as all other memory (SECURITY.md): some for any, and more for each byte.
 */
const FREE_EMPTY_BYTES = 64 * 2 ** 20;
const EMPTY_BYTES_EACH = 64;
const FAR_INDEX = /^[1-9]\d{1,9}$/;
const LONGEST_ARRAY = 1100;
const PLACE_BYTES = 12;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** What may come at a place. */
type Expected = "value" | "value or ]" | "key" | "key or }" | ":" | "," | "end";

/** Throws a `DecodeError` with the byte offset of what is wrong; see `readJson`. The value comes from the character `start` on. */
export function checkJson(text: string, start: number): void {
  const scan = new Scan(text, start);
  while (scan.step());
}

interface OpenObject {
  readonly keys: Set<string>;
  /** One of the keys made an array with empty places; others share it. */
  hasFarIndex: boolean;
}

class Scan {
  readonly #text: string;
  #at: number;
  /** The containers that are open: the keys so far of an object, null for an array. */
  readonly #open: (OpenObject | null)[] = [];
  #expected: Expected = "value";
  /** Bytes of arrays that keys which are array indices make at most. */
  #emptyBytes = 0;

  constructor(text: string, start: number) {
    this.#text = text;
    this.#at = start;
  }

  /** Reads one token. Returns false at the end of the text. */
  step(): boolean {
    this.#skipSpace();
    const expected = this.#expected;
    if (this.#at === this.#text.length) {
      if (expected === "end") return false;
      throw this.#truncated();
    }
    const char = this.#text[this.#at]!;
    if (expected === "end") throw this.#fault("ERR_TRAILING_BYTES", "text follows the JSON value");
    if (expected === ":" || expected === ",") this.#separator(char);
    else if ((char === "]" && expected === "value or ]") || (char === "}" && expected === "key or }")) this.#close();
    else if (expected === "key" || expected === "key or }") this.#key(char);
    else if (char === "[" || char === "{") this.#enter(char);
    else this.#scalar(char);
    return true;
  }

  #skipSpace(): void {
    for (; ; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    }
  }

  #separator(char: string): void {
    const isObject = this.#open.at(-1) !== null;
    if (char === this.#expected) {
      this.#expected = char === "," && isObject ? "key" : "value";
      this.#at++;
    } else if (this.#expected === "," && char === (isObject ? "}" : "]")) this.#close();
    else throw this.#invalid();
  }

  #enter(char: string): void {
    if (this.#open.length === MAX_DEPTH)
      throw this.#fault("ERR_LIMIT_DEPTH", `containers nested deeper than ${MAX_DEPTH}`);
    this.#open.push(char === "{" ? { keys: new Set(), hasFarIndex: false } : null);
    this.#expected = char === "{" ? "key or }" : "value or ]";
    this.#at++;
  }

  #close(): void {
    this.#open.pop();
    this.#at++;
    this.#afterValue();
  }

  #key(char: string): void {
    if (char !== '"') throw this.#invalid();
    const start = this.#at;
    const object = this.#open.at(-1)!;
    const { size } = object.keys;
    const key = this.#string();
    if (!object.hasFarIndex && FAR_INDEX.test(key)) {
      object.hasFarIndex = true;
      this.#addEmptyPlaces(Number(key), start);
    }
    if (object.keys.add(key).size === size) throw this.#fault("ERR_DUPLICATE_KEY", "a key for the second time", start);
    this.#expected = ":";
  }

  #addEmptyPlaces(index: number, start: number): void {
    this.#emptyBytes += Math.min(index, LONGEST_ARRAY) * PLACE_BYTES;
    if (this.#emptyBytes > FREE_EMPTY_BYTES + EMPTY_BYTES_EACH * this.#text.length)
      throw this.#fault("ERR_LIMIT_ELEMENTS", "too many keys that are numbers", start);
  }

  #scalar(char: string): void {
    if (char === '"') this.#string();
    else if (char === "-" || (char >= "0" && char <= "9")) this.#number();
    else if (this.#match(WORD) === null) throw this.#invalid();
    this.#afterValue();
  }

  #afterValue(): void {
    this.#expected = this.#open.length === 0 ? "end" : ",";
  }

  /** Reads a string and returns it. */
  #string(): string {
    const text = this.#text;
    const start = this.#at;
    let isPlain = true;
    for (this.#at++; this.#at < text.length; ) {
      const code = text.charCodeAt(this.#at);
      if (code === QUOTE) {
        this.#at++;
        return isPlain ? text.slice(start + 1, this.#at - 1) : this.#withEscapes(start);
      }
      if (code < 0x20) throw this.#invalid();
      if (code !== BACKSLASH) {
        this.#at++;
        continue;
      }
      isPlain = false;
      if (this.#match(ESCAPE) === null) throw this.#match(ESCAPE_BEGIN) === null ? this.#invalid() : this.#truncated();
    }
    throw this.#truncated();
  }

  /** The text of the string from `start` on, which has escapes. The body is UTF-8, so only these can be lone surrogates. */
  #withEscapes(start: number): string {
    const text = JSON.parse(this.#text.slice(start, this.#at)) as string;
    if (isWellFormed(text)) return text;
    throw this.#fault("ERR_INVALID_UTF8", "a string with an escape of a lone surrogate", start);
  }

  #number(): void {
    const start = this.#at;
    const number = this.#match(NUMBER);
    if (number === null) throw this.#invalid();
    const [digits, fraction, exponent] = number;
    const value = Number(digits);
    const isRoundedToZero = value === 0 && /[1-9]/.test(digits.replace(/[eE].*/, ""));
    if (!Number.isFinite(value) || isRoundedToZero)
      throw this.#fault("ERR_OUT_OF_RANGE", "a number that no double can hold", start);
    const isInteger = fraction === undefined && exponent === undefined;
    if (isInteger && !Number.isSafeInteger(value))
      throw this.#fault("ERR_UNSAFE_INTEGER", "an integer beyond 2^53, which would be rounded", start);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }

  #truncated(): DecodeError {
    return new DecodeError("ERR_TRUNCATED", "the JSON ends before its value does", this.#offset(this.#text.length), 1);
  }

  #invalid(): DecodeError {
    return this.#fault("ERR_INVALID_BYTE", "a character that is not valid JSON here");
  }

  #fault(code: DecodeError["code"], message: string, at = this.#at): DecodeError {
    return new DecodeError(code, message, this.#offset(at));
  }

  /** The offset of a character's first byte. */
  #offset(at: number): number {
    return new TextEncoder().encode(this.#text.slice(0, at)).length;
  }
}
