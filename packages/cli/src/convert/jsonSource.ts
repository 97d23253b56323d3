import { constants, isUtf8 } from "node:buffer";
import { badInput } from "../shared/failure.js";
import type { ByteWindow } from "../shared/input.js";
import { JsonScanner } from "./jsonScanner.js";
import { readJsonText, strayByte, type TextKind } from "./jsonTokens.js";
import type { Sink } from "./sink.js";
import { readPair } from "./typed.js";

/** A value of up to so many bytes is read whole; a larger array or object goes through in parts. */
const WHOLE = 1024 * 1024;
/** A typed form nests deeper in JSON than in MessagePack: `{"$map":[[k,v]]}` is three containers for one. */
const TYPED_DEPTH = 3;

/** How JSON is read. */
export interface JsonReading {
  readonly typed: boolean;
  readonly maxDepth: number;
  /** Reads every message whole, however large: canonical output must see all keys of a map before it writes one. */
  readonly whole: boolean;
}

/** Reads one JSON value, of any size, into a sink. */
export async function readJson(window: ByteWindow, sink: Sink, reading: JsonReading): Promise<void> {
  const source = new JsonSource(window, sink, reading);
  await source.skipByteOrderMark();
  await source.message();
  if ((await source.peek()) !== undefined)
    throw badInput("ERR_TRAILING_BYTES", "more text follows the value", window.position);
  await sink.finish();
}

/** Reads one JSON value a line into a sink, blank lines aside. */
export async function readNdjson(window: ByteWindow, sink: Sink, reading: JsonReading): Promise<void> {
  const source = new JsonSource(window, sink, reading);
  await source.skipByteOrderMark();
  while ((await source.lines()) || (await source.largeLine()));
  await sink.finish();
}

/** A text in the window, at its start, and how it ends. */
interface Span {
  /** Bytes of the text. */
  readonly length: number;
  /** The comma or bracket behind it; empty at the input's end. */
  readonly follow: string;
  /** JSON.parse reads it without loss. */
  readonly plain: boolean;
}

class JsonSource {
  readonly #window: ByteWindow;
  readonly #sink: Sink;
  readonly #reading: JsonReading;
  /** Containers that are open in parts. */
  #depth = 0;

  constructor(window: ByteWindow, sink: Sink, reading: JsonReading) {
    this.#window = window;
    this.#sink = sink;
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

  /** One top-level value, as large as it may be. */
  async message(): Promise<void> {
    const window = this.#window;
    await this.peek();
    if ((await window.reach(WHOLE)) && this.#goesInParts(window.start)) {
      await this.#container();
    } else {
      await window.reach(Infinity);
      this.#sink.value(this.#textAt(window.start, window.end));
      window.consume(window.size);
    }
    this.#sink.endMessage();
    await this.#sink.drain();
  }

  /** All whole lines in the window. False when there is none: at the input's end, or before a line that does not fit. */
  async lines(): Promise<boolean> {
    const window = this.#window;
    let lastBreak = window.view().lastIndexOf(0x0a);
    while (lastBreak < 0 && !window.ended && (window.size < WHOLE || !this.#goesInParts(window.start))) {
      await window.more();
      lastBreak = window.view().lastIndexOf(0x0a);
    }
    const length = lastBreak >= 0 ? lastBreak + 1 : window.ended ? window.size : 0;
    if (length === 0) return false;
    const end = window.start + length;
    for (let start = window.start; start < end; ) {
      const lineBreak = window.bytes.indexOf(0x0a, start);
      const stop = lineBreak >= 0 && lineBreak < end ? lineBreak : end;
      while (start < stop && isBlank(window.bytes[start]!)) start++;
      if (start < stop) {
        this.#sink.value(this.#textAt(start, stop));
        this.#sink.endMessage();
      }
      start = stop + 1;
    }
    window.consume(length);
    await this.#sink.drain();
    return true;
  }

  /** One line with an array or object that does not fit the window. False at the input's end. */
  async largeLine(): Promise<boolean> {
    const window = this.#window;
    if ((await this.peek()) === undefined) return false;
    await this.#container();
    this.#sink.endMessage();
    while ((await window.reach(1)) && window.bytes[window.start] !== 0x0a) {
      if (!isBlank(window.bytes[window.start]!)) {
        throw badInput("ERR_TRAILING_BYTES", "more text follows the value on its line", window.position);
      }
      window.consume(1);
    }
    return true;
  }

  /** An array or object in parts, from its opening bracket to its closing one. */
  async #container(): Promise<void> {
    const window = this.#window;
    const at = window.position;
    if (++this.#depth > this.#reading.maxDepth) {
      throw badInput("ERR_LIMIT_DEPTH", "more containers are open than the limit allows", at);
    }
    const isArray = window.bytes[window.start] === 0x5b;
    window.consume(1);
    if (isArray) {
      this.#sink.open("array", undefined);
      await this.#elements(
        (value) => this.#sink.value(value),
        () => this.#large(),
      );
      await this.#sink.close();
    } else if (!(this.#reading.typed && (await this.#typedContainer(at)))) {
      this.#sink.open("map", undefined);
      await this.#entries(at);
      await this.#sink.close();
    }
    this.#depth--;
  }

  /** Elements up to and with the closing bracket: in runs of as many as the window holds, a large one by itself. */
  async #elements(take: (value: unknown) => void, large: () => Promise<void>): Promise<void> {
    for (let first = true; ; first = false) {
      const run = await this.#span("array");
      if (run === undefined) {
        await large();
        if (await this.#endsAfterLarge("]")) return;
        continue;
      }
      if (!this.#isEmpty(run, "]", first)) for (const value of this.#parse("elements", run) as unknown[]) take(value);
      this.#window.consume(run.length + 1);
      await this.#sink.drain();
      if (run.follow === "]") return;
    }
  }

  /** The entries of an object, likewise. `at` is where it began; -1 when its keys are data, whatever they look like. */
  async #entries(at: number): Promise<void> {
    let keys = 0;
    let firstKey = "";
    const add = (key: string): void => {
      if (keys++ === 0) firstKey = key;
      this.#sink.key(key);
    };
    for (let first = true, closed = false; !closed; first = false) {
      const run = await this.#span("map");
      if (run === undefined) {
        add(await this.#largeKey());
        await this.#large();
        closed = await this.#endsAfterLarge("}");
        continue;
      }
      if (!this.#isEmpty(run, "}", first)) {
        for (const [key, value] of entriesOf(this.#parse("entries", run))) {
          add(key);
          this.#sink.value(value);
        }
      }
      this.#window.consume(run.length + 1);
      await this.#sink.drain();
      closed = run.follow === "}";
    }
    if (this.#reading.typed && at >= 0 && keys === 1 && firstKey.startsWith("$")) {
      throw badInput("ERR_INVALID_BYTE", `{"${firstKey.slice(0, 40)}": ..} is no typed form of this size`, at);
    }
  }

  /** `{"$map": [..` and `{"$obj": {..` in parts. False for any other object, of which nothing is consumed then. */
  async #typedContainer(at: number): Promise<boolean> {
    const window = this.#window;
    await this.peek();
    const [text, form] = /^"\$(map|obj)"\s*:\s*([[{])/.exec(asciiText(window, window.start)) ?? [];
    if (text === undefined || text.endsWith("[") !== (form === "map")) return false;
    window.consume(text.length);
    this.#sink.open("map", undefined);
    if (form === "obj") await this.#entries(-1);
    else
      await this.#elements(
        (pair) => this.#pair(pair, at),
        () => this.#largePair(at),
      );
    await this.#sink.close();
    if ((await this.peek()) === 0x2c) {
      throw badInput(
        "ERR_INVALID_BYTE",
        `a large object that begins with "$${form}" has other keys: wrap it in {"$obj": ..}`,
        at,
      );
    }
    await this.#expect("}");
    return true;
  }

  #pair(pair: unknown, at: number): void {
    const [key, value] = readPair(pair, at);
    this.#sink.key(key);
    this.#sink.value(value);
  }

  /** A `[key, value]` of a `$map` whose value does not fit. */
  async #largePair(at: number): Promise<void> {
    await this.#expect("[");
    const key = (await this.#span("array", true))!;
    this.#sink.key((this.#parse("elements", key) as unknown[])[0]);
    this.#window.consume(key.length);
    await this.#expect(",");
    await this.peek();
    if (this.#goesInParts(this.#window.start)) {
      await this.#container();
    } else {
      const value = (await this.#span("array", true))!;
      this.#sink.value(readPair([0, ...(this.#parse("elements", value) as unknown[])], at)[1]);
      this.#window.consume(value.length);
    }
    await this.#expect("]");
  }

  /** The key, with its colon, of an entry whose value does not fit. */
  async #largeKey(): Promise<string> {
    await this.peek();
    const window = this.#window;
    const end = stringEnd(window.bytes, window.start, window.end);
    const key = this.#textAt(window.start, end) as string;
    window.consume(end - window.start);
    await this.#expect(":");
    return key;
  }

  /** The next value: an array or object that does not fit. */
  async #large(): Promise<void> {
    await this.peek();
    await this.#container();
  }

  /** After a large element: true behind the closing bracket, false behind a comma. */
  async #endsAfterLarge(closer: string): Promise<boolean> {
    if ((await this.peek()) === 0x2c) {
      this.#window.consume(1);
      return false;
    }
    await this.#expect(closer);
    return true;
  }

  async #expect(character: string): Promise<void> {
    const byte = await this.peek();
    const { position } = this.#window;
    if (byte === undefined) throw badInput("ERR_TRUNCATED", `the text ends where ${character} is expected`, position);
    if (byte !== character.charCodeAt(0)) throw strayByte(byte, position);
    this.#window.consume(1);
  }

  /**
   * The text of as many elements (entries) as the window holds, or of exactly `one`, which is made to fit. Undefined when
   * the first is an array or object that does not fit.
   */
  async #span(kind: "array" | "map", one = false): Promise<Span | undefined> {
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
      if (!one && window.size >= WHOLE && this.#goesInParts(this.#valueStart(kind))) return undefined;
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
  #goesInParts(at: number): boolean {
    const { bytes, end } = this.#window;
    if (this.#reading.whole || at >= end) return false;
    if (bytes[at] === 0x5b) return true;
    if (bytes[at] !== 0x7b) return false;
    return !(this.#reading.typed && /^\{\s*"\$(?:bin|ext|int|float|time)"/.test(asciiText(this.#window, at)));
  }

  /** True for an empty container. A run of blanks anywhere else, or the wrong bracket behind it, is an error. */
  #isEmpty(run: Span, closer: string, first: boolean): boolean {
    const { bytes, start, position } = this.#window;
    const end = position + run.length;
    if (run.follow !== "" && run.follow !== "," && run.follow !== closer)
      throw strayByte(run.follow.charCodeAt(0), end);
    for (let at = start; at < start + run.length; at++) if (!isBlank(bytes[at]!)) return false;
    if (run.follow === "") throw badInput("ERR_TRUNCATED", `the text ends where ${closer} is expected`, end);
    if (first && run.follow === closer) return true;
    const expected = closer === "]" ? "a value" : "a key";
    throw badInput("ERR_INVALID_BYTE", `${run.follow} stands where ${expected} is expected`, end);
  }

  /** The value of the text from `start` to `end` in the window's array, which holds exactly one. */
  #textAt(start: number, end: number): unknown {
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

  #parse(kind: TextKind, span: Span): unknown {
    const { bytes, start, position } = this.#window;
    return this.#read(kind, bytes.subarray(start, start + span.length), position, span);
  }

  #read(kind: TextKind, bytes: Uint8Array, position: number, { plain, follow }: Span): unknown {
    const { typed } = this.#reading;
    if (bytes.length > constants.MAX_STRING_LENGTH) {
      throw badInput("ERR_LIMIT_BYTES", "a value is longer than a JavaScript string can be", position);
    }
    if (plain && (kind === "value" || follow !== "") && isUtf8(bytes)) {
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
    return new JsonScanner(typed, (typed ? TYPED_DEPTH * maxDepth : maxDepth) - this.#depth, one);
  }
}

const BRACKETS = { value: ["", ""], elements: ["[", "]"], entries: ["{", "}"] } as const;

function entriesOf(parsed: unknown): Iterable<[string, unknown]> {
  return parsed instanceof Map ? parsed : Object.entries(parsed as object);
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Where the string ends that begins at `start`, behind its quote; `end` when it does not, or none begins there. */
function stringEnd(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] !== 0x22) return end;
  for (let at = start + 1; at < end; at++) {
    if (bytes[at] === 0x5c) at++;
    else if (bytes[at] === 0x22) return at + 1;
  }
  return end;
}

/** The beginning of the window from here, for a look at typed forms: they are ASCII. */
function asciiText(window: ByteWindow, at: number): string {
  return asBuffer(window.bytes.subarray(at, Math.min(window.end, at + 256))).toString("latin1");
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
