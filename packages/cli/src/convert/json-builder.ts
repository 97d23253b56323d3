import { recordOf } from "moonpack/bytes";
import { badInput } from "../shared/failure.js";
import { tooDeep, trailingText, unexpectedByte, unexpectedEnd } from "./json-errors.js";
import { exactNumber } from "./json-numbers.js";
import { isDigit } from "./json-scanner.js";
import { badPair, isForm, notAlone, readForm } from "./typed.js";

/** The content of a text: one value, or the content of an array, an object or a list of pairs, without the brackets. */
export type TextKind = "value" | "elements" | "entries" | "pairs";

/** How to read a text. `position` is the offset of its first byte in the file, for errors. */
export interface TextOptions {
  readonly kind: TextKind;
  readonly position: number;
  readonly typed: boolean;
  /** The comma or bracket that follows the text; empty at the end of the file. */
  readonly follow: string;
  /** True for the first text of its container. Errors then name the closing bracket too: the container may be empty. */
  readonly first?: boolean;
  /** The most containers that may be open inside the text. */
  readonly maxDepth: number;
  /** Objects become Maps, which keep the order of keys, or plain objects, which JSON.stringify can write. */
  readonly objects: "map" | "object";
  /** Called with every key of `entries` and its position. */
  readonly onKey?: (key: string, at: number) => void;
  /** Position of the form that the `pairs` belong to. */
  readonly form?: number;
}

const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;

const STARTS_VALUE = new Set(Buffer.from('"[{-0123456789tfn'));

/** The expected token, in the words of an error. */
type Expected = keyof typeof FIRST_BYTES;

const FIRST_BYTES = {
  "a value": STARTS_VALUE,
  'a value or "]"': new Set([...STARTS_VALUE, CLOSE_ARRAY]),
  '"["': new Set([OPEN_ARRAY]),
  "a key": new Set(Buffer.from('"')),
  'a key or "}"': new Set(Buffer.from('"}')),
  '":"': new Set([COLON]),
  '"," or "]"': new Set([COMMA, CLOSE_ARRAY]),
  '"," or "}"': new Set([COMMA, CLOSE_OBJECT]),
  "nothing more": new Set<number>(),
} as const;

/** An open container. */
interface Frame {
  /**
   * `pairs` is the content of `$map`, `pair` an element of it, `form` an object whose first key is the name of a form.
   */
  kind: "array" | "pairs" | "pair" | "object" | "form";
  readonly items: unknown[] | Map<string, unknown>;
  /** Position of the opening bracket. For a part of a form, the position of the form. */
  readonly at: number;
  /** True in the content of `{"$obj": ..}`, and in JSON without types: the first key has no special meaning. */
  readonly literal: boolean;
  key: string;
  keyAt: number;
}

/** Checks the order of a text's tokens and builds its value from them. */
export class JsonBuilder {
  readonly #options: TextOptions;
  readonly #frames: Frame[] = [];
  /** 1 when the text is the inside of a container, else 0. No bracket in the text closes that frame. */
  readonly #outer: number;
  #expected: Expected;
  #result: unknown;

  constructor(options: TextOptions) {
    this.#options = options;
    const { kind, first, form = 0 } = options;
    this.#outer = kind === "value" ? 0 : 1;
    this.#expected = "a value";
    if (kind === "entries") {
      this.#push("object", new Map(), form, true);
      this.#expected = first ? 'a key or "}"' : "a key";
    } else if (kind === "pairs") {
      this.#push("pairs", [], form);
      this.#expected = '"["';
    } else if (kind === "elements") {
      this.#push("array", [], form);
      if (first) this.#expected = 'a value or "]"';
    }
  }

  /** Throws unless the next token may begin with this byte. */
  expect(byte: number, at: number): void {
    const frame = this.#frames.at(-1);
    const inside = this.#frames.length > this.#outer;
    const closes = byte === CLOSE_ARRAY || byte === CLOSE_OBJECT;
    if (FIRST_BYTES[this.#expected].has(byte) && (inside || !closes)) {
      if (frame?.kind === "pair" && !fitsPair(byte, frame.items as unknown[])) throw badPair(frame.at);
      if (frame?.kind === "form" && byte === COMMA) throw notAlone(frame.key, frame.at);
      return;
    }
    if (this.#expected === "nothing more") throw trailingText(at);
    if (this.#expected === '"["') {
      if (byte === CLOSE_ARRAY && inside && (frame!.items as unknown[]).length === 0) return;
      if (startsValue(byte)) throw badPair(frame!.at);
    }
    throw unexpectedByte(byte, this.#expected, at);
  }

  /**
   * Takes a token that `expect` has accepted: its first byte, its value and its position. The value of a number is its
   * text.
   */
  token(byte: number, value: unknown, at: number): void {
    if (byte === COMMA) this.#comma();
    else if (byte === COLON) this.#colon();
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.#open(byte, at);
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) this.#close();
    else if (this.#expected === "a key" || this.#expected === 'a key or "}"') this.#key(value as string, at);
    else this.#add(byte === MINUS || isDigit(byte) ? exactNumber(value as string, at) : value);
  }

  /** Ends the text. Returns its value. */
  end(at: number): unknown {
    const { kind, follow } = this.#options;
    if (kind === "value") {
      if (this.#expected === "nothing more") return this.#result;
      if (this.#frames.length === 0) throw badInput("ERR_TRUNCATED", "the text is empty, but JSON needs one value", at);
    } else if (this.#frames.length === 1) {
      const bracket = kind === "entries" ? "}" : "]";
      if (this.#expected === `"," or "${bracket}"` && (follow === "," || follow === bracket))
        return this.#frames[0]!.items;
    }
    throw unexpectedEnd(follow, this.#expected, at);
  }

  #comma(): void {
    const { kind } = this.#frames.at(-1)!;
    this.#expected = kind === "object" ? "a key" : kind === "pairs" ? '"["' : "a value";
  }

  #key(key: string, at: number): void {
    const frame = this.#frames.at(-1)!;
    frame.key = key;
    frame.keyAt = at;
    this.#expected = '":"';
  }

  #colon(): void {
    const frame = this.#frames.at(-1)!;
    if (this.#frames.length === this.#outer) this.#options.onKey?.(frame.key, frame.keyAt);
    const { size } = frame.items as Map<string, unknown>;
    if (!frame.literal && size === 0 && isForm(frame.key)) frame.kind = "form";
    this.#expected = "a value";
  }

  #open(byte: number, at: number): void {
    if (this.#frames.length - this.#outer >= this.#options.maxDepth) throw tooDeep(at);
    const parent = this.#frames.at(-1);
    const form = parent?.kind === "form" ? parent.key : "";
    if (byte === OPEN_OBJECT) this.#push("object", new Map(), at, form === "$obj" || !this.#options.typed);
    else if (form === "$map") this.#push("pairs", [], parent!.at);
    else if (parent?.kind === "pairs") this.#push("pair", [], parent.at);
    else this.#push("array", [], at);
    this.#expected = byte === OPEN_OBJECT ? 'a key or "}"' : form === "$map" ? '"["' : 'a value or "]"';
  }

  #push(kind: Frame["kind"], items: Frame["items"], at: number, literal = false): void {
    this.#frames.push({ kind, items, at, literal, key: "", keyAt: at });
  }

  #close(): void {
    const { kind, items, key, at } = this.#frames.pop()!;
    if (Array.isArray(items)) this.#add(items);
    else if (kind === "form") this.#add(readForm(key, items.get(key), at));
    else this.#add(this.#options.objects === "map" ? items : recordOf(items));
  }

  #add(value: unknown): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) {
      this.#result = value;
      this.#expected = "nothing more";
    } else if (Array.isArray(frame.items)) {
      frame.items.push(value);
      this.#expected = '"," or "]"';
    } else {
      frame.items.set(frame.key, value);
      this.#expected = '"," or "}"';
    }
  }
}

/** True if this byte may come next in a pair, which has exactly two elements. */
function fitsPair(byte: number, items: unknown[]): boolean {
  return byte === CLOSE_ARRAY ? items.length === 2 : byte !== COMMA || items.length === 1;
}

/** True for a byte that can begin a JSON value. */
export function startsValue(byte: number): boolean {
  return STARTS_VALUE.has(byte);
}
