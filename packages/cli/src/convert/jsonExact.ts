import { badInput } from "../shared/failure.js";
import { JsonLexer } from "./jsonLexer.js";
import { isDigit } from "./jsonScanner.js";
import { badPair, isForm, notAlone, readForm } from "./typed.js";

/** What the text is: one value, or the inside of an array, object or list of pairs whose brackets are elsewhere. */
export type TextKind = "value" | "elements" | "entries" | "pairs";

/** How to read a text. `position` of its first byte in the file is for error offsets. */
export interface TextOptions {
  readonly kind: TextKind;
  readonly position: number;
  readonly typed: boolean;
  /** The character after the text that ended it, a comma or a bracket; empty at the end of the file. */
  readonly follow: string;
  /** Nothing stands before the elements or entries: their container may also be empty. For the error's text. */
  readonly first?: boolean;
  /** Containers that may be open inside the text. */
  readonly maxDepth: number;
  /** Objects become Maps, which keep the order of their keys, or plain objects, which JSON.stringify understands. */
  readonly objects: "map" | "object";
  /** Hears every key of `entries` with its position. */
  readonly onKey?: (key: string, at: number) => void;
  /** Where the form begins that the `pairs` belong to. */
  readonly form?: number;
}

const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;
const COLON = 0x3a;
const QUOTE = 0x22;
const MINUS = 0x2d;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;

/**
 * Reads JSON without losing anything, where JSON.parse would: integers up to 64 bits are exact (bigint when a number is
 * not enough), a number that nothing can hold is an error, and every error has its offset in the file. Later duplicates
 * of a key win. Errors come in reading order: the same text has the same first error, however much of it is read at once.
 */
export function readJsonText(bytes: Uint8Array, options: TextOptions): unknown {
  const reader = new ExactReader(bytes, options);
  return reader.read();
}

class ExactReader {
  readonly #lexer: JsonLexer;
  readonly #options: TextOptions;
  #depth = 0;

  constructor(bytes: Uint8Array, options: TextOptions) {
    this.#options = options;
    this.#lexer = new JsonLexer(bytes, options.position, options.follow);
  }

  read(): unknown {
    const { kind, first = false, form = 0, onKey } = this.#options;
    const lexer = this.#lexer;
    if (kind === "elements") return this.#items((expected) => this.#value(expected), first, false);
    if (kind === "pairs") return this.#items(() => this.#pair(form), first, false);
    if (kind === "entries") return this.#entries(new Map(), first ? "a key or }" : "a key", false, onKey);
    if (lexer.peek() < 0) throw badInput("ERR_TRUNCATED", "the text is empty: JSON is one value", lexer.position);
    const value = this.#value();
    if (lexer.peek() >= 0) throw badInput("ERR_TRAILING_BYTES", "more text follows the value", lexer.position);
    return value;
  }

  #value(expected = "a value"): unknown {
    const lexer = this.#lexer;
    const byte = lexer.peek();
    if (byte === QUOTE) return lexer.string();
    if (byte === OPEN_OBJECT) return this.#object(!this.#options.typed);
    if (byte === OPEN_ARRAY) return this.#array((first) => this.#value(first));
    if (byte === MINUS || isDigit(byte)) return lexer.number();
    if (byte === LOWER_T) return lexer.word("true", true);
    if (byte === LOWER_F) return lexer.word("false", false);
    if (byte === LOWER_N) return lexer.word("null", null);
    throw lexer.fault(expected);
  }

  #array(element: (expected: string) => unknown): unknown[] {
    this.#open();
    const items = this.#closes(CLOSE_ARRAY) ? [] : this.#items(element, true, true);
    this.#depth--;
    return items;
  }

  /** Elements with the bracket that closes them, when it is `inside`, or up to the text's end. */
  #items(element: (expected: string) => unknown, first: boolean, inside: boolean): unknown[] {
    const items: unknown[] = [];
    let expected = first ? "a value or ]" : "a value";
    do {
      items.push(element(expected));
      expected = "a value";
    } while (this.#goesOn(CLOSE_ARRAY, inside));
    return items;
  }

  /** `literal`: the content of `{"$obj": ..}`, or JSON without types: ordinary data, whatever its first key. */
  #object(literal: boolean): unknown {
    const at = this.#lexer.position;
    this.#open();
    const map = new Map<string, unknown>();
    if (!this.#closes(CLOSE_OBJECT)) {
      const key = this.#key("a key or }");
      if (!literal && isForm(key)) return this.#form(key, at);
      map.set(key, this.#value());
      if (this.#goesOn(CLOSE_OBJECT, true)) this.#entries(map, "a key", true);
    }
    this.#depth--;
    return this.#options.objects === "map" ? map : Object.fromEntries(map);
  }

  /** Entries with the bracket that closes them, when it is `inside`, or up to the text's end. */
  #entries(
    map: Map<string, unknown>,
    first: string,
    inside: boolean,
    onKey?: (key: string, at: number) => void,
  ): Map<string, unknown> {
    let expected = first;
    do {
      this.#lexer.peek();
      const at = this.#lexer.position;
      const key = this.#key(expected);
      onKey?.(key, at);
      map.set(key, this.#value());
      expected = "a key";
    } while (this.#goesOn(CLOSE_OBJECT, inside));
    return map;
  }

  #key(expected: string): string {
    const lexer = this.#lexer;
    if (lexer.peek() !== QUOTE) throw lexer.fault(expected);
    const key = lexer.string();
    if (lexer.peek() !== COLON) throw lexer.fault(":");
    lexer.at++;
    return key;
  }

  /** The content of a typed form, and the bracket that closes it. */
  #form(name: string, at: number): unknown {
    const byte = this.#lexer.peek();
    const content =
      name === "$obj" && byte === OPEN_OBJECT
        ? this.#object(true)
        : name === "$map" && byte === OPEN_ARRAY
          ? this.#array(() => this.#pair(at))
          : this.#value();
    if (this.#lexer.peek() === COMMA) throw notAlone(name, at);
    this.#goesOn(CLOSE_OBJECT, true);
    this.#depth--;
    return readForm(name, content, at);
  }

  /** One `[key, value]` of the `$map` that begins at `form`. */
  #pair(form: number): unknown {
    const lexer = this.#lexer;
    const byte = lexer.peek();
    if (byte !== OPEN_ARRAY) throw startsValue(byte) ? badPair(form) : lexer.fault("[");
    this.#open();
    if (this.#closes(CLOSE_ARRAY)) throw badPair(form);
    const key = this.#value("a value or ]");
    if (!this.#goesOn(CLOSE_ARRAY, true)) throw badPair(form);
    const value = this.#value();
    if (this.#goesOn(CLOSE_ARRAY, true)) throw badPair(form);
    this.#depth--;
    return [key, value];
  }

  #open(): void {
    if (++this.#depth > this.#options.maxDepth) throw tooDeep(this.#lexer.position);
    this.#lexer.at++;
  }

  /** Consumes the bracket if it is next: the container is empty. */
  #closes(bracket: number): boolean {
    const closes = this.#lexer.peek() === bracket;
    if (closes) this.#lexer.at++;
    return closes;
  }

  /** Behind an element or entry: true behind a comma, false behind the closing bracket or at the text's proper end. */
  #goesOn(bracket: number, inside: boolean): boolean {
    const lexer = this.#lexer;
    const byte = lexer.peek();
    const closer = String.fromCharCode(bracket);
    const { follow } = this.#options;
    if (!inside && byte < 0 && (follow === "," || follow === closer)) return false;
    if (byte !== COMMA && !(inside && byte === bracket)) throw lexer.fault(`, or ${closer}`);
    lexer.at++;
    return byte === COMMA;
  }
}

/** Can a JSON value begin with this byte? */
export function startsValue(byte: number): boolean {
  return byte === MINUS || isDigit(byte) || [QUOTE, OPEN_ARRAY, OPEN_OBJECT, LOWER_T, LOWER_F, LOWER_N].includes(byte);
}

/** More containers are open than may be. */
export function tooDeep(at: number): Error {
  return badInput("ERR_LIMIT_DEPTH", "more containers are open than the limit allows", at);
}
