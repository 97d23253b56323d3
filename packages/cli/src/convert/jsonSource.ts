import { badInput } from "../shared/failure.js";
import type { ByteWindow } from "../shared/input.js";
import { asciiText, FORM_BYTES, JsonReader, type JsonReading } from "./jsonReader.js";
import { isBlank } from "./jsonScanner.js";
import type { Sink } from "./sink.js";
import { isForm, notAlone, readPair } from "./typed.js";

/** Reads one JSON value, of any size, into a sink. */
export async function readJson(window: ByteWindow, sink: Sink, reading: JsonReading): Promise<void> {
  const source = new JsonSource(window, sink, reading);
  await source.message();
  await sink.finish();
}

/** Reads one JSON value a line into a sink, blank lines aside. */
export async function readNdjson(window: ByteWindow, sink: Sink, reading: JsonReading): Promise<void> {
  const source = new JsonSource(window, sink, reading);
  await source.begin();
  while ((await source.lines()) || (await source.largeLine()));
  await sink.finish();
}

class JsonSource {
  readonly #window: ByteWindow;
  readonly #sink: Sink;
  readonly #reading: JsonReading;
  readonly #text: JsonReader;

  constructor(window: ByteWindow, sink: Sink, reading: JsonReading) {
    this.#window = window;
    this.#sink = sink;
    this.#reading = reading;
    this.#text = new JsonReader(window, reading);
  }

  /** What may stand before the first value. */
  async begin(): Promise<void> {
    await this.#text.skipByteOrderMark();
  }

  /** The one value of the input, as large as it may be. */
  async message(): Promise<void> {
    const window = this.#window;
    await this.begin();
    await this.#text.peek();
    if ((await window.reach(this.#reading.wholeBytes)) && this.#text.goesInParts(window.start)) {
      await this.#container();
      if ((await this.#text.peek()) !== undefined) {
        throw badInput("ERR_TRAILING_BYTES", "more text follows the value", window.position);
      }
    } else {
      await window.reach(Infinity);
      this.#sink.value(this.#text.textAt(window.start, window.end));
      window.consume(window.size);
    }
    this.#sink.endMessage();
    await this.#sink.drain();
  }

  /** All whole lines in the window. False when there is none: at the input's end, or before a line that does not fit. */
  async lines(): Promise<boolean> {
    const window = this.#window;
    let lastBreak = window.view().lastIndexOf(0x0a);
    while (
      lastBreak < 0 &&
      !window.ended &&
      (window.size < this.#reading.wholeBytes || !this.#text.goesInParts(window.start))
    ) {
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
        this.#sink.value(this.#text.textAt(start, stop));
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
    if ((await this.#text.peek()) === undefined) return false;
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
    if (++this.#text.depth > this.#reading.maxDepth) {
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
    this.#text.depth--;
  }

  /** Elements up to and with the closing bracket: in runs of as many as the window holds, a large one by itself. */
  async #elements(take: (value: unknown) => void, large: () => Promise<void>): Promise<void> {
    for (let first = true; ; first = false) {
      const run = await this.#text.span("array");
      if (run === undefined) {
        await large();
        if (await this.#endsAfterLarge("]")) return;
        continue;
      }
      if (!this.#text.isEmpty(run, "]", first))
        for (const value of this.#text.parse("elements", run) as unknown[]) take(value);
      this.#window.consume(run.length + 1);
      await this.#sink.drain();
      if (run.follow === "]") return;
    }
  }

  /** The entries of an object, likewise. `at` is where it began; -1 when it is data, whatever its first key. */
  async #entries(at: number): Promise<void> {
    let fresh = this.#reading.typed && at >= 0;
    const add = (key: string): void => {
      if (fresh && isForm(key)) throw notAlone(key, at);
      fresh = false;
      this.#sink.key(key);
    };
    for (let first = true, closed = false; !closed; first = false) {
      const run = await this.#text.span("map");
      if (run === undefined) {
        add(await this.#text.key());
        await this.#large();
        closed = await this.#endsAfterLarge("}");
        continue;
      }
      if (!this.#text.isEmpty(run, "}", first)) {
        for (const [key, value] of entriesOf(this.#text.parse("entries", run))) {
          add(key);
          this.#sink.value(value);
        }
      }
      this.#window.consume(run.length + 1);
      await this.#sink.drain();
      closed = run.follow === "}";
    }
  }

  /** `{"$map": [..` and `{"$obj": {..` in parts. False for any other object, of which nothing is consumed then. */
  async #typedContainer(at: number): Promise<boolean> {
    const window = this.#window;
    await this.#text.peek();
    await window.reach(FORM_BYTES);
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
    if ((await this.#text.peek()) === 0x2c) throw notAlone(`$${form}`, at);
    await this.#text.expect("}");
    return true;
  }

  #pair(pair: unknown, at: number): void {
    const [key, value] = readPair(pair, at);
    this.#sink.key(key);
    this.#sink.value(value);
  }

  /** A `[key, value]` of a `$map` whose value does not fit. */
  async #largePair(at: number): Promise<void> {
    await this.#text.expect("[");
    const key = (await this.#text.span("array", true))!;
    this.#sink.key((this.#text.parse("elements", key) as unknown[])[0]);
    this.#window.consume(key.length);
    await this.#text.expect(",");
    await this.#text.peek();
    await this.#window.reach(FORM_BYTES);
    if (this.#text.goesInParts(this.#window.start)) {
      await this.#container();
    } else {
      const value = (await this.#text.span("array", true))!;
      this.#sink.value(readPair([0, ...(this.#text.parse("elements", value) as unknown[])], at)[1]);
      this.#window.consume(value.length);
    }
    await this.#text.expect("]");
  }

  /** The next value: an array or object that does not fit. */
  async #large(): Promise<void> {
    await this.#text.peek();
    await this.#container();
  }

  /** After a large element: true behind the closing bracket, false behind a comma. */
  async #endsAfterLarge(closer: string): Promise<boolean> {
    if ((await this.#text.peek()) === 0x2c) {
      this.#window.consume(1);
      return false;
    }
    await this.#text.expect(closer);
    return true;
  }
}

function entriesOf(parsed: unknown): Iterable<[string, unknown]> {
  return parsed instanceof Map ? parsed : Object.entries(parsed as object);
}
