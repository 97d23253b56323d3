import { constants, isUtf8 } from "node:buffer";
import { badInput } from "../shared/failure.js";
import type { ByteWindow } from "../shared/input.js";
import { isBlank, JsonScanner } from "./jsonScanner.js";
import { endsRun, readJsonText, strayByte, type TextKind } from "./jsonTokens.js";

/** A typed form nests deeper in JSON than in MessagePack: `{"$map":[[k,v]]}` is three containers for one. */
const TYPED_DEPTH = 3;

/** A typed form, and any reasonable number of blanks in it, shows within so many bytes. */
export const FORM_BYTES = 256;

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
}

/** Finds and reads pieces of JSON text at the start of a window. */
export class JsonReader {
  /** Containers that are open around the window: those of the pieces are counted on top. */
  depth = 0;
  readonly #window: ByteWindow;
  readonly #reading: JsonReading;

  constructor(window: ByteWindow, reading: JsonReading) {
    this.#window = window;
    this.#reading = reading;
  }

  /** A byte order mark says nothing in UTF-8, but some editors write one. */
  async skipByteOrderMark(): Promise<void> {
    await this.#window.reach(3);
    const [a, b, c] = this.#window.view();
    if (a === 0xef && b === 0xbb && c === 0xbf) this.#window.consume(3);
  }

  /** Skips blanks. Returns the byte that follows, still in the window; undefined at the input's end. */
  async peek(): Promise<number | undefined> {
    const window = this.#window;
    for (;;) {
      const { bytes, start, end } = window;
      let at = start;
      while (at < end && isBlank(bytes[at]!)) at++;
      window.consume(at - start);
      if (at < end) return bytes[at]!;
      if (!(await window.more())) return undefined;
    }
  }

  /** Consumes this character, which must come next, blanks aside. */
  async expect(character: string): Promise<void> {
    const byte = await this.peek();
    const { position } = this.#window;
    if (byte === undefined) throw badInput("ERR_TRUNCATED", `the text ends where ${character} is expected`, position);
    if (byte !== character.charCodeAt(0)) throw strayByte(byte, position);
    this.#window.consume(1);
  }

  /** Consumes the key, with its colon, that the window begins with. */
  async key(): Promise<string> {
    await this.peek();
    const window = this.#window;
    const end = stringEnd(window.bytes, window.start, window.end);
    const key = this.textAt(window.start, end) as string;
    window.consume(end - window.start);
    await this.expect(":");
    return key;
  }

  /**
   * The text of as many elements (entries) as the window holds, or of exactly `one`, which is made to fit. Undefined when
   * the first is an array or object that does not fit.
   */
  async span(kind: "array" | "map", one = false): Promise<Span | undefined> {
    const window = this.#window;
    const scanner = this.#scanner(one);
    for (;;) {
      scanner.scan(window.bytes, window.start, window.end, window.ended, window.position);
      const { closer, lastComma } = scanner;
      const length = closer >= 0 && !(one && lastComma >= 0) ? closer : lastComma;
      if (length >= 0) {
        const follow = String.fromCharCode(window.bytes[window.start + length]!);
        return { length, follow, plain: !scanner.careful };
      }
      if (window.ended) return { length: window.size, follow: "", plain: false };
      if (!one && window.size >= this.#reading.wholeBytes && this.goesInParts(this.#valueStart(kind))) return undefined;
      await window.more();
    }
  }

  /** Where the value of the first element or entry begins; the window's end when that is not to be seen. */
  #valueStart(kind: "array" | "map"): number {
    const { bytes, start, end } = this.#window;
    const blanks = (from: number): number => {
      let at = from;
      while (at < end && isBlank(bytes[at]!)) at++;
      return at;
    };
    const first = blanks(start);
    if (kind === "array") return first;
    const keyEnd = stringEnd(bytes, first, end);
    const colon = blanks(keyEnd);
    return bytes[colon] === 0x3a && colon < end ? blanks(colon + 1) : end;
  }

  /** Does an array or object begin here that may go through in parts? Typed forms of one value may not. */
  goesInParts(at: number): boolean {
    const { bytes, end } = this.#window;
    if (at >= end) return false;
    if (bytes[at] === 0x5b) return true;
    if (bytes[at] !== 0x7b) return false;
    return !(this.#reading.typed && /^\{\s*"\$(?:bin|ext|int|float|time)"/.test(asciiText(this.#window, at)));
  }

  /** True for an empty container. A run of blanks anywhere else, or the wrong bracket behind it, is an error. */
  isEmpty(run: Span, closer: string, first: boolean): boolean {
    const { bytes, start, position } = this.#window;
    for (let at = start; at < start + run.length; at++) if (!isBlank(bytes[at]!)) return false;
    const end = position + run.length;
    if (run.follow === "") throw badInput("ERR_TRUNCATED", `the text ends where ${closer} is expected`, end);
    if (first && run.follow === closer) return true;
    if (run.follow !== "," && run.follow !== closer) throw strayByte(run.follow.charCodeAt(0), end);
    const expected = closer === "]" ? "a value" : "a key";
    throw badInput("ERR_INVALID_BYTE", `${run.follow} stands where ${expected} is expected`, end);
  }

  /** The value of the text from `start` to `end` in the window's array, which holds exactly one. */
  textAt(start: number, end: number): unknown {
    const window = this.#window;
    const position = window.position + start - window.start;
    const scanner = this.#scanner();
    scanner.scan(window.bytes, start, end, true, position);
    return this.#read("value", window.bytes.subarray(start, end), position, {
      length: 0,
      follow: "",
      plain: !scanner.careful,
    });
  }

  /** The values or entries of a text at the window's start. */
  parse(kind: TextKind, span: Span): unknown {
    const { bytes, start, position } = this.#window;
    return this.#read(kind, bytes.subarray(start, start + span.length), position, span);
  }

  #read(kind: TextKind, bytes: Uint8Array, position: number, { plain, follow }: Span): unknown {
    const { typed } = this.#reading;
    if (bytes.length > constants.MAX_STRING_LENGTH) {
      throw badInput("ERR_LIMIT_BYTES", "a value is longer than a JavaScript string can be", position);
    }
    if (plain && (kind === "value" || endsRun(kind, follow)) && isUtf8(bytes)) {
      const [open, close] = BRACKETS[kind];
      try {
        return JSON.parse(open + asBuffer(bytes).toString("utf8") + close);
      } catch {
        // Not JSON: the exact reader below says what is wrong, and where.
      }
    }
    return readJsonText(bytes, { kind, position, typed, follow, objects: "map" });
  }

  #scanner(one = false): JsonScanner {
    const { typed, maxDepth } = this.#reading;
    return new JsonScanner(typed, (typed ? TYPED_DEPTH * maxDepth : maxDepth) - this.depth, one);
  }
}

const BRACKETS = { value: ["", ""], elements: ["[", "]"], entries: ["{", "}"] } as const;

/** Where the string ends that begins at `start`, behind its quote; `end` when it does not, or none begins there. */
function stringEnd(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] !== 0x22) return end;
  for (let at = start + 1; at < end; at++) {
    if (bytes[at] === 0x5c) at++;
    else if (bytes[at] === 0x22) return at + 1;
  }
  return end;
}

/** The text from here, as far as it tells a typed form: those are ASCII. */
export function asciiText(window: ByteWindow, at: number): string {
  return asBuffer(window.bytes.subarray(at, Math.min(window.end, at + FORM_BYTES))).toString("latin1");
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
