import type { ByteWindow } from "../shared/input.js";
import { startsValue } from "./json-builder.js";
import { tooDeep, trailingText } from "./json-errors.js";
import { JsonReader, type JsonReading, type Span } from "./json-reader.js";
import { isBlank } from "./json-scanner.js";
import { asKey, duplicateKey, KeySet } from "./key-set.js";
import type { Sink } from "./sink.js";
import { badPair, notAlone } from "./typed.js";

const LINE_FEED = 0x0a;

/** Reads one JSON value, of any size, into a sink. */
export async function readJson(window: ByteWindow, sink: Sink, reading: JsonReading): Promise<void> {
  const source = new JsonSource(window, sink, reading, false);
  await source.message();
  await sink.finish();
}

/** Reads one JSON value per line into a sink. Blank lines are skipped. */
export async function readNdjson(window: ByteWindow, sink: Sink, reading: JsonReading): Promise<void> {
  const source = new JsonSource(window, sink, reading, true);
  await source.begin();
  while ((await source.lines()) || (await source.largeLine()));
  await sink.finish();
}

class JsonSource {
  readonly #window: ByteWindow;
  readonly #sink: Sink;
  readonly #reading: JsonReading;
  readonly #text: JsonReader;
  /** Containers that are open in parts. A typed form counts as one, regardless of its brackets. */
  #depth = 0;

  constructor(window: ByteWindow, sink: Sink, reading: JsonReading, lines: boolean) {
    this.#window = window;
    this.#sink = sink;
    this.#reading = reading;
    this.#text = new JsonReader(window, reading, lines);
  }

  /** Skips a byte order mark. */
  async begin(): Promise<void> {
    await this.#text.skipByteOrderMark();
  }

  /** Reads the only value of the input, of any size. */
  async message(): Promise<void> {
    const window = this.#window;
    await this.begin();
    await this.#text.peek();
    if ((await window.reach(this.#reading.wholeBytes)) && (await this.#text.nextInParts())) {
      await this.#container();
      if ((await this.#text.peek()) !== undefined) {
        throw trailingText(window.position);
      }
    } else {
      await window.reach(Infinity);
      this.#sink.value(this.#text.textAt(window.start, window.end));
      window.consume(window.size);
    }
    this.#sink.endMessage();
    await this.#sink.drain();
  }

  /**
   * Reads all complete lines in the window. Returns false at the end of the input, or before a line that does not fit.
   */
  async lines(): Promise<boolean> {
    const window = this.#window;
    await this.#text.peek();
    let lastBreak = window.view().lastIndexOf(LINE_FEED);
    let nextLook = this.#reading.wholeBytes;
    while (lastBreak < 0 && !window.ended) {
      const { size } = window;
      if (size >= nextLook) {
        if (this.#text.goesInParts(window.start)) break;
        nextLook = 2 * size;
      }
      await window.more();
      // Every byte is searched once: a long line from a pipe arrives in thousands of pieces.
      const found = window.view().subarray(size).lastIndexOf(LINE_FEED);
      if (found >= 0) lastBreak = size + found;
    }
    const length = lastBreak >= 0 ? lastBreak + 1 : window.ended ? window.size : 0;
    if (length === 0) return false;
    const end = window.start + length;
    for (let start = window.start; start < end; ) {
      const lineBreak = window.bytes.indexOf(LINE_FEED, start);
      const stop = lineBreak >= 0 && lineBreak < end ? lineBreak : end;
      while (start < stop && isBlank(window.bytes[start]!)) start++;
      if (start < stop) {
        this.#sink.value(this.#text.textAt(start, stop));
        this.#sink.endMessage();
      }
      start = stop + 1;
    }
    window.consume(length);
    await this.#sink.drain();
    return true;
  }

  /** Reads one line with an array or object that does not fit in the window. Returns false at the end of the input. */
  async largeLine(): Promise<boolean> {
    const window = this.#window;
    if ((await this.#text.peek()) === undefined) return window.size > 0;
    if (!(await this.#text.nextInParts())) return true;
    await this.#container();
    this.#sink.endMessage();
    if ((await this.#text.peek()) !== undefined) {
      throw trailingText(window.position);
    }
    return true;
  }

  /** Reads an array or object in parts, including its brackets. */
  async #container(): Promise<void> {
    const window = this.#window;
    if (++this.#depth > this.#reading.maxDepth) throw tooDeep(window.position);
    if (window.bytes[window.start] === 0x5b) {
      this.#begin("array", 1);
      await this.#elements();
      await this.#sink.close();
      this.#text.depth--;
    } else {
      await this.#object();
    }
    this.#depth--;
  }

  /** Reads an object in parts. With types, it may be `{"$map": [..` or `{"$obj": {..`. */
  async #object(): Promise<void> {
    const window = this.#window;
    const at = window.position;
    const { name, content } = this.#text.form(window.start)!;
    if (name === "") {
      this.#begin("map", 1);
      await this.#entries();
      await this.#sink.close();
      this.#text.depth--;
      return;
    }
    this.#begin("map", content + 1 - window.start);
    this.#text.depth++;
    if (name === "$obj") await this.#entries();
    else await this.#pairs(at);
    await this.#sink.close();
    this.#text.depth--;
    if ((await this.#text.peek()) === 0x2c) throw notAlone(name, at);
    await this.#text.expect("}", '"," or "}"');
    this.#text.depth--;
  }

  #begin(kind: "array" | "map", consumed: number): void {
    this.#sink.open(kind, undefined);
    this.#window.consume(consumed);
    this.#text.depth++;
  }

  async #elements(): Promise<void> {
    await this.#runs(
      "]",
      (run) => {
        for (const value of this.#text.parse("elements", run) as unknown[]) this.#sink.value(value);
      },
      () => this.#large(),
    );
  }

  async #entries(): Promise<void> {
    const keys = new KeySet();
    const check = (key: string, at: number): void => {
      if (!keys.add(key)) throw duplicateKey(key, at);
    };
    await this.#runs(
      "}",
      (run) => {
        for (const [key, value] of this.#distinct(run, keys, check)) {
          this.#sink.key(key);
          this.#sink.value(value);
        }
      },
      async () => {
        const [key, at] = await this.#text.key();
        check(key, at);
        this.#sink.key(key);
        await this.#large();
      },
    );
  }

  /** Returns the entries of a text. Throws if one of their keys is not new. */
  #distinct(run: Span, keys: KeySet, onKey: (key: string, at: number) => void): Iterable<[string, unknown]> {
    const parsed = this.#text.parse("entries", run, { onKey });
    if (parsed instanceof Map) return parsed;
    const entries = Object.entries(parsed as object);
    // JSON.parse keeps one of two equal keys and knows no offsets, so the exact reader finds the second one.
    const seen = new KeySet();
    const again = entries.length < run.count ? undefined : entries.find(([key]) => !keys.add(key))?.[0];
    if (again === undefined && entries.length === run.count) return entries;
    const find = (key: string, at: number): void => {
      if (again === undefined ? !seen.add(key) || !keys.add(key) : key === again) throw duplicateKey(key, at);
    };
    return this.#text.parse("entries", { ...run, plain: false }, { onKey: find }) as Map<string, unknown>;
  }

  /** Reads the pairs of the `$map` that begins at `form`. */
  async #pairs(form: number): Promise<void> {
    const keys = new KeySet();
    const add = (key: unknown): void => {
      if (!keys.add(key)) throw duplicateKey(key, form);
      this.#sink.key(asKey(key));
    };
    await this.#runs(
      "]",
      (run) => {
        for (const pair of this.#text.parse("pairs", run, { form }) as unknown[]) {
          if (!Array.isArray(pair) || pair.length !== 2) throw badPair(form);
          add(pair[0]);
          this.#sink.value(pair[1]);
        }
      },
      () => this.#largePair(form, add),
    );
  }

  /** Reads a `[key, value]` of a `$map` that does not fit in the window. */
  async #largePair(form: number, add: (key: unknown) => void): Promise<void> {
    const text = this.#text;
    const first = await text.peek();
    if (first !== 0x5b && first !== undefined && startsValue(first)) throw badPair(form);
    await text.expect("[");
    text.depth++;
    const key = (await text.span("array", true))!;
    if (key.follow === "]" && text.isBlank(key)) throw badPair(form);
    const [value] = text.parse("elements", {
      ...key,
      plain: key.plain && !text.isBlank(key),
      first: true,
    }) as unknown[];
    this.#window.consume(key.length + 1);
    if (key.follow === "]") throw badPair(form);
    add(value);
    if (await text.nextInParts()) {
      await this.#container();
    } else {
      const rest = (await text.span("array", true))!;
      const plain = rest.plain && !text.isBlank(rest);
      this.#sink.value((text.parse("elements", { ...rest, plain }) as unknown[])[0]);
      this.#window.consume(rest.length);
    }
    if ((await text.peek()) === 0x2c) throw badPair(form);
    await text.expect("]", '"," or "]"');
    text.depth--;
  }

  /**
   * Reads elements or entries up to the closing bracket: as many at a time as the window holds, and a large one in
   * parts.
   */
  async #runs(bracket: "]" | "}", take: (run: Span) => void, large: () => Promise<void>): Promise<void> {
    for (let first = true; ; first = false) {
      const run = await this.#text.span(bracket === "]" ? "array" : "map");
      if (run === undefined) {
        await large();
        if (await this.#endsAfterLarge(bracket)) return;
        continue;
      }
      const blank = this.#text.isBlank(run);
      // JSON.parse accepts an empty text, but after a comma an element must follow.
      if (!(blank && first && run.follow === bracket)) take({ ...run, plain: run.plain && !blank, first });
      this.#window.consume(run.length + 1);
      await this.#sink.drain();
      if (run.follow === bracket) return;
    }
  }

  /** Reads the next value, an array or object that does not fit in the window. */
  async #large(): Promise<void> {
    await this.#text.peek();
    await this.#container();
  }

  /** Reads what follows a large element. Returns true for the closing bracket, false for a comma. */
  async #endsAfterLarge(bracket: string): Promise<boolean> {
    if ((await this.#text.peek()) === 0x2c) {
      this.#window.consume(1);
      return false;
    }
    await this.#text.expect(bracket, `"," or "${bracket}"`);
    return true;
  }
}
