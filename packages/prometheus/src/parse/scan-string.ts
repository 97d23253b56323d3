/** Strings in a query: in double or single quotes with Go's escape sequences, or in backquotes without any. */
import { quoteCharacter } from "./quote.js";
import { syntaxError } from "./syntax-error.js";

/** The characters of escape sequences of one character. */
const SIMPLE: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["\\", "\\"],
]);
/** The digits of `\x`, `\u` and `\U`. */
const HEX_DIGITS: ReadonlyMap<string, number> = /* @__PURE__ */ new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);
/** Lone surrogates and U+FFFD: Prometheus reads UTF-8, and takes U+FFFD for an invalid byte. */
const NOT_TEXT = /[\p{Cs}\uFFFD]/u;

/** Returns the offset after the string that begins at `start`. Throws `ERR_PROMQL_SYNTAX`. */
export function endOfString(query: string, start: number): number {
  const quote = query[start]!;
  for (let at = start + 1; at < query.length; at++) {
    const character = query[at]!;
    if (character === quote) return at + 1;
    if (quote === "`") continue;
    if (character === "\n") break;
    if (character === "\\") at++;
  }
  throw syntaxError(query, start, `unterminated ${quote === "`" ? "raw" : "quoted"} string`);
}

/** Returns the value of the string between `start` and `end`. Throws `ERR_PROMQL_SYNTAX`. */
export function stringValue(query: string, start: number, end: number): string {
  const inner = query.slice(start + 1, end - 1);
  const wrong = NOT_TEXT.exec(inner);
  if (wrong !== null) throw syntaxError(query, start + 1 + wrong.index, "invalid UTF-8 rune");
  if (query[start] === "`" || !inner.includes("\\")) return inner;
  const text = new TextOfBytes();
  for (let at = start + 1; at < end - 1; ) {
    const next = query.indexOf("\\", at);
    const plain = next === -1 || next >= end - 1 ? end - 1 : next;
    text.addText(query.slice(at, plain));
    at = plain === end - 1 ? plain : addEscape(text, query, plain + 1, query[start]!);
  }
  return text.finish();
}

/** Reads the escape sequence whose character after the backslash is at `at`. Returns the offset after it. */
function addEscape(text: TextOfBytes, query: string, at: number, quote: string): number {
  const character = query[at]!;
  const simple = character === quote ? quote : SIMPLE.get(character);
  if (simple !== undefined) {
    text.addText(simple);
    return at + 1;
  }
  const isOctal = character >= "0" && character <= "7";
  const count = isOctal ? 3 : HEX_DIGITS.get(character);
  if (count === undefined) {
    const whole = String.fromCodePoint(query.codePointAt(at)!);
    throw syntaxError(query, at - 1, `unknown escape sequence ${quoteCharacter(whole)}`);
  }
  const first = isOctal ? at : at + 1;
  for (let i = first; i < first + count; i++) {
    if (!(isOctal ? /[0-7]/ : /[0-9a-fA-F]/).test(query[i]!))
      throw syntaxError(query, i, `illegal character ${quoteCharacter(query[i]!)} in escape sequence`);
  }
  const code = Number.parseInt(query.slice(first, first + count), isOctal ? 8 : 16);
  const isByte = isOctal || character === "x";
  if (code > (isByte ? 0xff : 0x10_ffff) || (code >= 0xd800 && code <= 0xdfff))
    throw syntaxError(query, at - 1, "escape sequence is an invalid Unicode code point");
  if (isByte) text.addByte(code);
  else text.addText(String.fromCodePoint(code));
  return first + count;
}

/** Collects text and bytes. Bytes beside each other are read as UTF-8; those that are not become U+DC00 + byte. */
class TextOfBytes {
  readonly #parts: string[] = [];
  #bytes: number[] = [];

  addText(text: string): void {
    if (text === "") return;
    this.#addBytes();
    this.#parts.push(text);
  }

  addByte(byte: number): void {
    this.#bytes.push(byte);
  }

  finish(): string {
    this.#addBytes();
    return this.#parts.join("");
  }

  #addBytes(): void {
    const bytes = this.#bytes;
    this.#bytes = [];
    for (let at = 0; at < bytes.length; ) {
      const code = codePointAt(bytes, at);
      this.#parts.push(String.fromCodePoint(code ?? 0xdc00 + bytes[at]!));
      at += code === undefined || code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
    }
  }
}

/** The least code point of a UTF-8 sequence, by the number of bytes after the first one. */
const LEAST = [0, 0x80, 0x800, 0x1_0000];

/** Returns the code point at an index of UTF-8 bytes; undefined if the bytes there are not valid. */
function codePointAt(bytes: readonly number[], at: number): number | undefined {
  const first = bytes[at]!;
  if (first < 0x80) return first;
  const more = first < 0xc0 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf8 ? 3 : 0;
  let code = first & (0x3f >> more);
  for (let i = at + 1; i <= at + more; i++) {
    const byte = bytes[i] ?? 0;
    if ((byte & 0xc0) !== 0x80) return undefined;
    code = (code << 6) | (byte & 0x3f);
  }
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return more > 0 && code >= LEAST[more]! && code <= 0x10_ffff && !isSurrogate ? code : undefined;
}
