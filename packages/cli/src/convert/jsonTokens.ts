import { isUtf8 } from "node:buffer";
import { Tokenizer, TokenType } from "@streamparser/json";
import { badInput } from "../shared/failure.js";
import { isBlank } from "./jsonScanner.js";
import { readTyped } from "./typed.js";

/** What the text is: one value, or the inside of an array or object whose brackets are elsewhere. */
export type TextKind = "value" | "elements" | "entries";

/** How to read a text. `position` of its first byte in the file is for error offsets. */
export interface TextOptions {
  readonly kind: TextKind;
  readonly position: number;
  readonly typed: boolean;
  /** The character after the text that ended it, a comma or a bracket; empty at the end of the file. */
  readonly follow: string;
  /** Objects become Maps, which keep the order of their keys, or plain objects, which JSON.stringify understands. */
  readonly objects: "map" | "object";
}

const TRAILING = "more text follows the value";

type Container = unknown[] | Map<string, unknown>;

interface Frame {
  readonly items: Container;
  /** Position of the opening bracket. */
  readonly at: number;
  /** The content of `{"$obj": ..}`: ordinary data, whatever its keys look like. */
  readonly literal: boolean;
  key: string;
}

type Expected = "value" | "value or ]" | "key" | "key or }" | ":" | ", or ]" | ", or }" | "end of input";

/**
 * Reads JSON without losing anything, where JSON.parse would: integers up to 64 bits are exact (bigint when a number is
 * not enough), a number that nothing can hold is an error, later duplicates of a key win, and every error has its offset
 * in the file. A streaming tokenizer from the registry splits the text; the grammar is checked here.
 */
export function readJsonText(bytes: Uint8Array, options: TextOptions): unknown {
  checkUtf8(bytes, options.position);
  // The tokenizer would skip a byte order mark; the only one that JSON readers bear stands at the file's very start.
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) throw strayByte(0xef, options.position);
  const builder = new Builder(options);
  const tokenizer = new ExactTokenizer((type, value, offset) => builder.token(type, value, options.position + offset));
  let lexical = false;
  tokenizer.onError = (error) => {
    if (!("code" in error)) lexical = true;
    throw error;
  };
  try {
    tokenizer.write(bytes);
    if (!tokenizer.isEnded) tokenizer.end();
  } catch (error) {
    if (lexical) throw builder.trailing(bytes) ?? builder.misplaced(bytes) ?? locate(bytes, options);
    throw error;
  }
  return builder.finish(options.position + bytes.length);
}

/** The registry's tokenizer with number texts left as they are: `Number` would round them. */
class ExactTokenizer extends Tokenizer {
  #numberText = "";

  constructor(receive: (type: TokenType, value: unknown, offset: number) => void) {
    super();
    this.onToken = ({ token, value, offset }) => {
      receive(token, token === TokenType.NUMBER ? this.#numberText : value, offset);
    };
  }

  protected override parseNumber(text: string): number {
    this.#numberText = text;
    return 0;
  }
}

class Builder {
  readonly #options: TextOptions;
  readonly #frames: Frame[] = [];
  #expected: Expected;
  #result: unknown;
  /** One past the bracket that closed the value; -1 before that. */
  #closed = -1;
  /** Position of the last token; -1 before the first. */
  #last = -1;

  constructor(options: TextOptions) {
    this.#options = options;
    const { kind, position } = options;
    if (kind === "elements") this.#frames.push({ items: [], at: position, literal: true, key: "" });
    if (kind === "entries") this.#frames.push({ items: new Map(), at: position, literal: true, key: "" });
    this.#expected = kind === "entries" ? "key or }" : kind === "elements" ? "value or ]" : "value";
  }

  token(type: TokenType, value: unknown, at: number): void {
    this.#last = at;
    switch (type) {
      case TokenType.LEFT_BRACKET:
        this.#open([], at);
        break;
      case TokenType.LEFT_BRACE:
        this.#open(new Map(), at);
        break;
      case TokenType.RIGHT_BRACKET:
        if (this.#expected !== "value or ]" && this.#expected !== ", or ]") throw this.#unexpected("]", at);
        this.#close(at);
        break;
      case TokenType.RIGHT_BRACE:
        if (this.#expected !== "key or }" && this.#expected !== ", or }") throw this.#unexpected("}", at);
        this.#close(at);
        break;
      case TokenType.COMMA:
        if (this.#expected === ", or ]") this.#expected = "value";
        else if (this.#expected === ", or }") this.#expected = "key";
        else throw this.#unexpected(",", at);
        break;
      case TokenType.COLON:
        if (this.#expected !== ":") throw this.#unexpected(":", at);
        this.#expected = "value";
        break;
      case TokenType.STRING:
        this.#string(value as string, at);
        break;
      case TokenType.NUMBER:
        this.#expectValue(String(value), at);
        this.#add(exactNumber(value as string, at));
        break;
      default:
        this.#expectValue(String(value), at);
        this.#add(value);
    }
  }

  /** What the tokenizer stumbles over behind a whole value is not bad JSON, but too much of it. */
  trailing(bytes: Uint8Array): Error | undefined {
    if (this.#closed < 0) return undefined;
    const { position } = this.#options;
    let at = this.#closed - position;
    while (" \t\n\r".includes(String.fromCharCode(bytes[at]!))) at++;
    return badInput("ERR_TRAILING_BYTES", TRAILING, position + at);
  }

  /**
   * What the tokenizer stumbles over in the middle of a token may be wrong from its first byte: a string where only a
   * comma may stand.
   */
  misplaced(bytes: Uint8Array): Error | undefined {
    const allowed = FIRST_BYTES[this.#expected];
    if (allowed === undefined) return undefined;
    const { position } = this.#options;
    let at = this.#last < 0 ? 0 : tokenEnd(bytes, this.#last - position);
    while (at < bytes.length && isBlank(bytes[at]!)) at++;
    const found = String.fromCharCode(bytes[at] ?? 0);
    return at < bytes.length && !allowed.includes(found) ? strayByte(bytes[at]!, position + at) : undefined;
  }

  finish(end: number): unknown {
    const { kind, follow } = this.#options;
    const inside = kind === "value" ? 0 : 1;
    const whole = this.#frames.length === inside && !["value", "key", ":"].includes(this.#expected);
    if (whole && (kind === "value" || endsRun(kind, follow)))
      return inside === 1 ? this.#frames[0]!.items : this.#result;
    if (follow !== "") throw this.#unexpected(follow, end);
    throw badInput("ERR_TRUNCATED", `the text ends where ${words(this.#expected)} is expected`, end);
  }

  #string(text: string, at: number): void {
    if (!text.isWellFormed()) throw badInput("ERR_INVALID_UTF8", "a string holds half a surrogate pair", at);
    if (this.#expected === "key" || this.#expected === "key or }") {
      this.#frames.at(-1)!.key = text;
      this.#expected = ":";
      return;
    }
    this.#expectValue("a string", at);
    this.#add(text);
  }

  #open(items: Container, at: number): void {
    this.#expectValue(Array.isArray(items) ? "[" : "{", at);
    const parent = this.#frames.at(-1);
    // The object in {"$obj": ..} is data, whatever its first key.
    const wrapped = parent?.key === "$obj" && !parent.literal && parent.items instanceof Map && parent.items.size === 0;
    this.#frames.push({ items, at, literal: wrapped || !this.#options.typed, key: "" });
    this.#expected = Array.isArray(items) ? "value or ]" : "key or }";
  }

  #close(at: number): void {
    const frame = this.#frames.length > (this.#options.kind === "value" ? 0 : 1) ? this.#frames.pop() : undefined;
    if (frame === undefined) throw this.#unexpected("a closing bracket", at);
    this.#add(this.#finished(frame));
    if (this.#expected === "end of input") this.#closed = at + 1;
  }

  #finished({ items, at, literal }: Frame): unknown {
    if (Array.isArray(items)) return items;
    if (!literal) {
      const typed = readTyped(items, at);
      if (typed !== undefined) return typed.value;
    }
    return this.#options.objects === "map" ? items : plainObject(items);
  }

  #add(value: unknown): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) {
      this.#result = value;
      this.#expected = "end of input";
    } else if (Array.isArray(frame.items)) {
      frame.items.push(value);
      this.#expected = ", or ]";
    } else {
      frame.items.set(frame.key, value);
      this.#expected = ", or }";
    }
  }

  #expectValue(found: string, at: number): void {
    if (this.#expected !== "value" && this.#expected !== "value or ]") throw this.#unexpected(found, at);
  }

  #unexpected(found: string, at: number): Error {
    if (this.#expected === "end of input") return badInput("ERR_TRAILING_BYTES", TRAILING, at);
    return badInput("ERR_INVALID_BYTE", `${found.slice(0, 40)} stands where ${words(this.#expected)} is expected`, at);
  }
}

/** What a token may begin with where not every token may stand. */
const FIRST_BYTES: { readonly [expected in Expected]?: string } = {
  ":": ":",
  ", or ]": ",]",
  ", or }": ",}",
  key: '"',
  "key or }": '"}',
};

/** One past the token, known to be whole, that begins here. */
function tokenEnd(bytes: Uint8Array, start: number): number {
  if (bytes[start] === 0x22) {
    let at = start + 1;
    while (at < bytes.length && bytes[at] !== 0x22) at += bytes[at] === 0x5c ? 2 : 1;
    return at + 1;
  }
  let at = start + 1;
  if (!"[]{},:".includes(String.fromCharCode(bytes[start]!)))
    while (/[\w.+-]/.test(String.fromCharCode(bytes[at] ?? 0))) at++;
  return at;
}

/** May this character follow elements or entries: a comma, or the bracket that closes their container? */
export function endsRun(kind: "elements" | "entries", follow: string): boolean {
  return follow === "," || follow === (kind === "elements" ? "]" : "}");
}

/** A JSON number as it is: exact up to 64 bits, `ERR_OUT_OF_RANGE` where rounding would begin. */
export function exactNumber(text: string, at: number): number | bigint {
  if (/[.eE]/.test(text)) {
    const value = Number(text);
    if (Number.isFinite(value)) return value;
    throw badInput("ERR_OUT_OF_RANGE", `${shorten(text)} is beyond what a 64-bit float can hold`, at);
  }
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  const exact = text.length <= 20 ? BigInt(text) : undefined;
  if (exact !== undefined && exact >= -(2n ** 63n) && exact < 2n ** 64n) return exact;
  throw badInput("ERR_OUT_OF_RANGE", `the integer ${shorten(text)} does not fit 64 bits`, at);
}

/** A plain object with the entries of a map; `__proto__` becomes a property like any other. */
function plainObject(map: Map<string, unknown>): object {
  return Object.fromEntries(map);
}

/** The tokenizer says what is wrong, but not dependably where: the first byte that it refuses, found by replay. */
function locate(bytes: Uint8Array, { position, follow }: TextOptions): Error {
  const tokenizer = new Tokenizer();
  tokenizer.onToken = () => {};
  for (let at = 0; at < bytes.length; at++) {
    try {
      tokenizer.write(bytes.subarray(at, at + 1));
    } catch {
      return strayByte(bytes[at]!, position + at);
    }
  }
  if (follow !== "") return strayByte(follow.charCodeAt(0), position + bytes.length);
  return badInput("ERR_TRUNCATED", "the text ends inside a string, a number or a word", position + bytes.length);
}

/** UTF-8 is checked at once for the whole text: that is fast, and the offset is only searched when it is bad. */
function checkUtf8(bytes: Uint8Array, position: number): void {
  if (isUtf8(bytes)) return;
  const characterStart = (at: number): number => {
    let start = at;
    while (start > 0 && (bytes[start]! & 0xc0) === 0x80 && at - start < 3) start--;
    return start;
  };
  // The bad byte lies in (good, bad]: halve until it is found. A cut through a character is moved to its start.
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 4) {
    const middle = characterStart(good + ((bad - good) >> 1));
    if (middle <= good || middle >= bad) break;
    if (isUtf8(bytes.subarray(good, middle))) good = middle;
    else bad = middle;
  }
  // What is left is short. The bad sequence begins where the longest well-formed text ends.
  let end = good;
  for (let at = good; at < Math.min(bytes.length, bad + 4); at++) if (isUtf8(bytes.subarray(good, at))) end = at;
  throw badInput("ERR_INVALID_UTF8", "the text is not well-formed UTF-8", position + end);
}

/** A byte that JSON does not know at this place. */
export function strayByte(byte: number, at: number): Error {
  const hex = byte.toString(16).padStart(2, "0");
  const shown = byte > 0x20 && byte < 0x7f ? `the character ${String.fromCharCode(byte)}` : `the byte 0x${hex}`;
  return badInput("ERR_INVALID_BYTE", `${shown} has no place here in JSON`, at);
}

function words(expected: Expected): string {
  return expected === "value" || expected === "key" ? `a ${expected}` : expected;
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 30)}.. (${text.length} characters)` : text;
}
