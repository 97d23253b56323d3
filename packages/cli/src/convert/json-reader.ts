import { isUtf8 } from "node:buffer";
import type { ByteWindow } from "../shared/input.js";
import type { TextKind, TextOptions } from "./json-builder.js";
import { unexpectedByte, unexpectedEnd } from "./json-errors.js";
import { readJsonText } from "./json-exact.js";
import { isBlank, JsonScanner } from "./json-scanner.js";
import { isForm } from "./typed.js";

/** A typed form nests deeper in JSON than in MessagePack: `{"$map":[[k,v]]}` has three containers instead of one. */
const TYPED_DEPTH = 3;
/** Longer than any form's name with its quotes, even if every letter is an escape. */
const LONGEST_NAME = 64;
const LINE_FEED = 0x0a;

/** How JSON is read. */
export interface JsonReading {
  readonly typed: boolean;
  readonly maxDepth: number;
  /** A value of at most this many bytes is read whole; a larger array or object is read in parts. */
  readonly wholeBytes: number;
}

/** A text at the window's start, and how it ends. */
export interface Span {
  /** Bytes of the text. */
  readonly length: number;
  /** The comma or bracket that follows; empty at the end of the input. */
  readonly follow: string;
  /** True when JSON.parse reads the text without loss. */
  readonly plain: boolean;
  /** Number of elements or entries, provided the text is valid. */
  readonly count: number;
  /** True when the text begins its container. */
  readonly first?: boolean;
}

/** The form that an object begins with: its name, or "" for ordinary data, and the offset of its content. */
interface Form {
  readonly name: string;
  readonly content: number;
}

const NO_FORM: Form = { name: "", content: -1 };

/** Finds and reads JSON text at the start of a window. */
export class JsonReader {
  /** Open brackets around the window. Brackets within the text count in addition. */
  depth = 0;
  readonly #window: ByteWindow;
  readonly #reading: JsonReading;
  readonly #line: boolean;

  /** `line`: each line is one value. */
  constructor(window: ByteWindow, reading: JsonReading, line: boolean) {
    this.#window = window;
    this.#reading = reading;
    this.#line = line;
  }

  /** Skips a byte order mark, which UTF-8 does not need but some editors write. */
  async skipByteOrderMark(): Promise<void> {
    await this.#window.reach(3);
    const [a, b, c] = this.#window.view();
    if (a === 0xef && b === 0xbb && c === 0xbf) this.#window.consume(3);
  }

  /** Skips blanks. Returns the next byte, which stays in the window; undefined at the end of the input or line. */
  async peek(): Promise<number | undefined> {
    const window = this.#window;
    for (;;) {
      const { bytes, start, end } = window;
      const at = this.#afterBlanks(start);
      window.consume(at - start);
      if (at < end) return bytes[at] === LINE_FEED ? undefined : bytes[at]!;
      if (!(await window.more())) return undefined;
    }
  }

  /** Consumes this character after any blanks, or throws an error that names `expected`. */
  async expect(character: string, expected = `"${character}"`): Promise<void> {
    const byte = await this.peek();
    const { position } = this.#window;
    if (byte === undefined) throw unexpectedEnd("", expected, position);
    if (byte !== character.charCodeAt(0)) throw unexpectedByte(byte, expected, position);
    this.#window.consume(1);
  }

  /** Consumes the key at the start of the window, and its colon. Returns the key and its position. */
  async key(): Promise<[key: string, at: number]> {
    await this.peek();
    const window = this.#window;
    const at = window.position;
    const end = stringEnd(window.bytes, window.start, window.end);
    const key = this.textAt(window.start, end) as string;
    window.consume(end - window.start);
    await this.expect(":");
    return [key, at];
  }

  /**
   * Returns the text of as many elements or entries as the window holds; with `one`, of exactly one, for which the window grows.
   * Undefined when the first is an array or object that does not fit in the window.
   */
  async span(kind: "array" | "map", one = false): Promise<Span | undefined> {
    const window = this.#window;
    const scanner = this.#scanner(one);
    // Each check may scan most of the window, so the window doubles between two checks.
    let nextLook = this.#reading.wholeBytes;
    for (;;) {
      scanner.scan(window.bytes, window.start, window.end, window.ended);
      const { closingBracket, lastComma, stoppedAt, commas } = scanner;
      const toBracket = closingBracket >= 0 && !(one && lastComma >= 0);
      const length = toBracket ? closingBracket : lastComma;
      if (length >= 0) {
        const follow = String.fromCharCode(window.bytes[window.start + length]!);
        return { length, follow, plain: !scanner.needsExactReader, count: toBracket ? commas + 1 : commas };
      }
      if (stoppedAt >= 0 || window.ended)
        return { length: stoppedAt >= 0 ? stoppedAt : window.size, follow: "", plain: false, count: commas + 1 };
      if (!one && window.size >= nextLook) {
        if (this.goesInParts(this.#valueStart(kind))) return undefined;
        nextLook = 2 * window.size;
      }
      await window.more();
    }
  }

  /** Offset of the first element or of the first entry's value; the window's end if it is not in the window. */
  #valueStart(kind: "array" | "map"): number {
    const { bytes, start, end } = this.#window;
    const first = this.#afterBlanks(start);
    if (kind === "array") return first;
    const keyEnd = stringEnd(bytes, first, end);
    const colon = keyEnd < 0 ? end : this.#afterBlanks(keyEnd);
    return colon < end && bytes[colon] === 0x3a ? this.#afterBlanks(colon + 1) : end;
  }

  /**
   * True if an array or object begins here that may be read in parts. Forms of a single value may not. Undefined if the window
   * ends before this is known.
   */
  goesInParts(at: number): boolean | undefined {
    const { bytes, end } = this.#window;
    if (at >= end) return undefined;
    if (bytes[at] === 0x5b) return true;
    if (bytes[at] !== 0x7b) return false;
    const form = this.form(at);
    if (form === undefined) return undefined;
    if (form.name === "") return true;
    return bytes[form.content] === (form.name === "$map" ? 0x5b : form.name === "$obj" ? 0x7b : -1);
  }

  /** `goesInParts` for the next value; reads as much as that needs. */
  async nextInParts(): Promise<boolean> {
    await this.peek();
    const window = this.#window;
    let answer = this.goesInParts(window.start);
    while (answer === undefined && !window.ended) {
      await window.reach(2 * window.size + 1);
      answer = this.goesInParts(window.start);
    }
    return answer === true;
  }

  /** Returns the form that the object at `at` begins with; undefined if the window ends before it is known. */
  form(at: number): Form | undefined {
    if (!this.#reading.typed) return NO_FORM;
    const { bytes, end } = this.#window;
    const key = this.#afterBlanks(at + 1);
    if (key >= end) return undefined;
    const keyEnd = stringEnd(bytes, key, end);
    if (keyEnd < 0) return bytes[key] === 0x22 && end - key < LONGEST_NAME ? undefined : NO_FORM;
    const name = keyEnd - key < LONGEST_NAME ? formName(bytes.subarray(key, keyEnd)) : "";
    if (name === "") return NO_FORM;
    const colon = this.#afterBlanks(keyEnd);
    if (colon < end && bytes[colon] !== 0x3a) return NO_FORM;
    const content = this.#afterBlanks(colon + 1);
    return content < end ? { name, content } : undefined;
  }

  /** True if the text is blank. */
  isBlank(run: Span): boolean {
    const { start } = this.#window;
    return this.#afterBlanks(start) >= start + run.length;
  }

  /** Returns the one value in the text from `start` to `end` of the window's array. */
  textAt(start: number, end: number): unknown {
    const window = this.#window;
    const scanner = this.#scanner();
    scanner.scan(window.bytes, start, end, true);
    const span = { length: end - start, follow: "", plain: !scanner.needsExactReader, count: 1 };
    return this.#read("value", start, span);
  }

  /** Returns the values or entries of the text at the window's start. */
  parse(kind: TextKind, span: Span, more: Pick<TextOptions, "onKey" | "form"> = {}): unknown {
    return this.#read(kind, this.#window.start, span, more);
  }

  #read(kind: TextKind, start: number, span: Span, more = {}): unknown {
    const { length, plain, follow, first = false } = span;
    const window = this.#window;
    const bytes = window.bytes.subarray(start, start + length);
    const position = window.position + start - window.start;
    const [open, close] = BRACKETS[kind];
    const isComplete = kind === "value" || follow === "," || follow === close;
    if (plain && isComplete && isUtf8(bytes)) {
      try {
        return JSON.parse(open + asBuffer(bytes).toString("utf8") + close);
      } catch {
        // Not JSON, or too long for one string: the exact reader reports the error with its offset.
      }
    }
    const { typed } = this.#reading;
    const maxDepth = this.#maxDepth;
    return readJsonText(bytes, { kind, position, typed, follow, first, maxDepth, objects: "map", ...more });
  }

  get #maxDepth(): number {
    const { typed, maxDepth } = this.#reading;
    return (typed ? TYPED_DEPTH * maxDepth : maxDepth) - this.depth;
  }

  #scanner(one = false): JsonScanner {
    return new JsonScanner({ typed: this.#reading.typed, maxDepth: this.#maxDepth, one, line: this.#line });
  }

  #afterBlanks(from: number): number {
    const { bytes, end } = this.#window;
    let at = from;
    while (at < end && isBlank(bytes[at]!) && !(this.#line && bytes[at] === LINE_FEED)) at++;
    return at;
  }
}

const BRACKETS = { value: ["", ""], elements: ["[", "]"], pairs: ["[", "]"], entries: ["{", "}"] } as const;

/** End of the string that begins at `start`; -1 if it does not end in the window or no string begins there. */
function stringEnd(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] !== 0x22) return -1;
  for (let at = start + 1; at < end; at++) {
    if (bytes[at] === 0x5c) at++;
    else if (bytes[at] === 0x22) return at + 1;
  }
  return -1;
}

/** Returns the form that this JSON string names, with or without escapes; "" for any other string. */
function formName(string: Uint8Array): string {
  try {
    const name: unknown = JSON.parse(asBuffer(string).toString("latin1"));
    return isForm(name) ? (name as string) : "";
  } catch {
    return "";
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
