import { constants, isUtf8 } from "node:buffer";
import { badInput } from "../shared/failure.js";
import type { ByteWindow } from "../shared/input.js";
import type { TextKind, TextOptions } from "./jsonBuilder.js";
import { readJsonText } from "./jsonExact.js";
import { misplaced } from "./jsonFaults.js";
import { isBlank, JsonScanner } from "./jsonScanner.js";
import { isForm } from "./typed.js";

/** A typed form nests deeper in JSON than in MessagePack: `{"$map":[[k,v]]}` is three containers for one. */
const TYPED_DEPTH = 3;
/** The name of a typed form with its quotes, each letter an escape, and some more. */
const LONGEST_NAME = 64;
const LINE_FEED = 0x0a;

/** How JSON is read. */
export interface JsonReading {
  readonly typed: boolean;
  readonly maxDepth: number;
  /** A value of up to so many bytes is read whole; a larger array or object goes through in parts. */
  readonly wholeBytes: number;
}

/** A text in the window, at its start, and how it ends. */
export interface Span {
  /** Bytes of the text. */
  readonly length: number;
  /** The comma or bracket behind it; empty at the input's end. */
  readonly follow: string;
  /** JSON.parse reads it without loss. */
  readonly plain: boolean;
  /** Elements or entries in it, if it is JSON. */
  readonly count: number;
  /** It begins its container. */
  readonly first?: boolean;
}

/** The typed form that an object begins with: its name, or "" for other data, and where its content begins. */
interface Form {
  readonly name: string;
  readonly content: number;
}

const NO_FORM: Form = { name: "", content: -1 };

/** Finds and reads pieces of JSON text at the start of a window. */
export class JsonReader {
  /** Brackets that are open around the window: those of the pieces are counted on top. */
  depth = 0;
  readonly #window: ByteWindow;
  readonly #reading: JsonReading;
  readonly #line: boolean;

  /** `line`: a value ends with its line. */
  constructor(window: ByteWindow, reading: JsonReading, line: boolean) {
    this.#window = window;
    this.#reading = reading;
    this.#line = line;
  }

  /** A byte order mark says nothing in UTF-8, but some editors write one. */
  async skipByteOrderMark(): Promise<void> {
    await this.#window.reach(3);
    const [a, b, c] = this.#window.view();
    if (a === 0xef && b === 0xbb && c === 0xbf) this.#window.consume(3);
  }

  /** Skips blanks. Returns the byte that follows, still in the window; undefined at the end of the input, or of the line. */
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

  /** Consumes this character, which must come next, blanks aside; `expected` is what the error names. */
  async expect(character: string, expected = character): Promise<void> {
    const byte = await this.peek();
    const { position } = this.#window;
    if (byte === undefined) throw badInput("ERR_TRUNCATED", `the text ends where ${expected} is expected`, position);
    if (byte !== character.charCodeAt(0)) throw misplaced(byte, expected, position);
    this.#window.consume(1);
  }

  /** Consumes the key, with its colon, that the window begins with. Returns it and its position. */
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
   * The text of as many elements (entries) as the window holds, or of exactly `one`, which is made to fit. Undefined when
   * the first is an array or object that does not fit.
   */
  async span(kind: "array" | "map", one = false): Promise<Span | undefined> {
    const window = this.#window;
    const scanner = this.#scanner(one);
    for (;;) {
      scanner.scan(window.bytes, window.start, window.end, window.ended);
      const { closer, lastComma, cut, commas } = scanner;
      const toCloser = closer >= 0 && !(one && lastComma >= 0);
      const length = toCloser ? closer : lastComma;
      if (length >= 0) {
        const follow = String.fromCharCode(window.bytes[window.start + length]!);
        return { length, follow, plain: !scanner.careful, count: toCloser ? commas + 1 : commas };
      }
      if (cut >= 0 || window.ended)
        return { length: cut >= 0 ? cut : window.size, follow: "", plain: false, count: commas + 1 };
      if (!one && window.size >= this.#reading.wholeBytes && this.goesInParts(this.#valueStart(kind))) return undefined;
      await window.more();
    }
  }

  /** Where the value of the first element or entry begins; the window's end when that is not to be seen. */
  #valueStart(kind: "array" | "map"): number {
    const { bytes, start, end } = this.#window;
    const first = this.#afterBlanks(start);
    if (kind === "array") return first;
    const keyEnd = stringEnd(bytes, first, end);
    const colon = keyEnd < 0 ? end : this.#afterBlanks(keyEnd);
    return colon < end && bytes[colon] === 0x3a ? this.#afterBlanks(colon + 1) : end;
  }

  /**
   * Does an array or object begin here that may go through in parts? Typed forms of one value may not. Undefined when the
   * window ends before that is to be seen.
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

  /** `goesInParts` of what comes next, with as much read as it takes to see that. */
  async nextInParts(): Promise<boolean> {
    await this.peek();
    let answer = this.goesInParts(this.#window.start);
    while (answer === undefined && (await this.#window.more())) answer = this.goesInParts(this.#window.start);
    return answer === true;
  }

  /** The typed form that the object here begins with; undefined when the window ends before that is to be seen. */
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

  /** True for nothing but blanks. */
  isBlank(run: Span): boolean {
    const { start } = this.#window;
    return this.#afterBlanks(start) >= start + run.length;
  }

  /** The value of the text from `start` to `end` in the window's array, which holds exactly one. */
  textAt(start: number, end: number): unknown {
    const window = this.#window;
    const scanner = this.#scanner();
    scanner.scan(window.bytes, start, end, true);
    const span = { length: end - start, follow: "", plain: !scanner.careful, count: 1 };
    return this.#read("value", start, span);
  }

  /** The values or entries of a text at the window's start. */
  parse(kind: TextKind, span: Span, more: Pick<TextOptions, "onKey" | "form"> = {}): unknown {
    return this.#read(kind, this.#window.start, span, more);
  }

  #read(kind: TextKind, start: number, span: Span, more = {}): unknown {
    const { length, plain, follow, first = false } = span;
    const window = this.#window;
    const bytes = window.bytes.subarray(start, start + length);
    const position = window.position + start - window.start;
    if (bytes.length > constants.MAX_STRING_LENGTH) {
      throw badInput("ERR_LIMIT_BYTES", "a value is longer than a JavaScript string can be", position);
    }
    const [open, close] = BRACKETS[kind];
    if (plain && (kind === "value" || follow === "," || follow === close) && isUtf8(bytes)) {
      try {
        return JSON.parse(open + asBuffer(bytes).toString("utf8") + close);
      } catch {
        // Not JSON: the exact reader below says what is wrong, and where.
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

/** Where the string ends that begins at `start`; -1 when it does not end, or none begins there. */
function stringEnd(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] !== 0x22) return -1;
  for (let at = start + 1; at < end; at++) {
    if (bytes[at] === 0x5c) at++;
    else if (bytes[at] === 0x22) return at + 1;
  }
  return -1;
}

/** The name of a typed form in a JSON string, escapes or not; "" for any other text. */
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
