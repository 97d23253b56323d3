/** Checks the grammar of JSON, without recursion: `JSON.parse` has no offsets, rounds numbers, and keeps the last of equal keys. */
import { DecodeError } from "moonpack/bytes";
import { isWellFormed } from "./well-formed.js";

/** The most open containers, as in MessagePack. */
const MAX_DEPTH = 512;
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
/** An incomplete escape at the end of the text. */
const ESCAPE_BEGIN = /\\(?:u[0-9a-fA-F]{0,3})?$/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The next valid token. */
type Expected = "value" | "value or ]" | "key" | "key or }" | ":" | "," | "end";

/** Throws a `DecodeError` with a byte offset for invalid JSON; see `readJson`. The value begins at the character `start`. */
export function checkJson(text: string, start: number): void {
  const scan = new Scan(text, start);
  while (scan.step());
}

class Scan {
  readonly #text: string;
  #at: number;
  /**
   * The open containers: the keys of an object so far, null for an array. A key includes its opening quote: in Deno, and in Node before
   * March 2026, a Set of array indices takes quadratic time (CVE-2026-21717).
   */
  readonly #open: (Set<string> | null)[] = [];
  #expected: Expected = "value";

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
    this.#open.push(char === "{" ? new Set() : null);
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
    const keys = this.#open.at(-1)!;
    const { size } = keys;
    if (keys.add(this.#string()).size === size) throw this.#fault("ERR_DUPLICATE_KEY", "a duplicate key", start);
    this.#expected = ":";
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

  /** Reads a string and returns it with its opening quote. */
  #string(): string {
    const text = this.#text;
    const start = this.#at;
    let isPlain = true;
    for (this.#at++; this.#at < text.length; ) {
      const code = text.charCodeAt(this.#at);
      if (code === QUOTE) {
        this.#at++;
        return isPlain ? text.slice(start, this.#at - 1) : this.#withEscapes(start);
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

  /** Returns the string that begins at `start` and has escapes. The body is UTF-8, so only an escape can be a lone surrogate. */
  #withEscapes(start: number): string {
    const text = JSON.parse(this.#text.slice(start, this.#at)) as string;
    if (isWellFormed(text)) return `"${text}`;
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
      throw this.#fault("ERR_OUT_OF_RANGE", "a number that does not fit a double", start);
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

  /** Returns the offset of a character's first byte. */
  #offset(at: number): number {
    return new TextEncoder().encode(this.#text.slice(0, at)).length;
  }
}
