import { Decoder } from "moonpack";
import { DecodeError, shifted } from "moonpack/bytes";
import { StreamDecoder } from "moonpack/stream";
import { badInput } from "../shared/failure.js";
import type { ByteWindow } from "../shared/input.js";
import { asKey, duplicateKey, KeySet } from "./key-set.js";
import { headerOf, LONGEST_HEADER, type MsgpackHeader } from "./msgpack-header.js";
import type { Sink } from "./sink.js";

/** Elements, and their bytes, between two checks of the output's backlog: an element may be a string of any size. */
const BATCH = 256;
const BATCH_BYTES = 1024 * 1024;

/** How MessagePack is read. */
export interface MsgpackReading {
  readonly maxDepth: number;
  /** Exactly one message, as for a JSON file; otherwise any number of them. */
  readonly single: boolean;
  /** A value of at most this many bytes is decoded whole; a larger array or map is read in parts. */
  readonly wholeBytes: number;
}

/** Reads MessagePack messages, of any size, into a sink. */
export async function readMsgpack(window: ByteWindow, sink: Sink, reading: MsgpackReading): Promise<void> {
  const source = new MsgpackSource(window, sink, reading);
  if (reading.single && !(await source.hasMore())) throw badInput("ERR_TRUNCATED", "the input is empty", 0, 1);
  for (let first = true; await source.hasMore(); first = false) {
    if (reading.single && !first) {
      const text = "there are more bytes after the message; use --to ndjson to convert a sequence of messages";
      throw badInput("ERR_TRAILING_BYTES", text, window.position);
    }
    await source.value();
    sink.endMessage();
    await sink.drain();
  }
  await sink.finish();
}

/**
 * The content of a large container is a sequence of messages, like the whole input. Each sequence has its own stream decoder.
 * The window keeps the bytes of the current value until it is clear whether the value is too large.
 */
class MsgpackSource {
  readonly #window: ByteWindow;
  readonly #sink: Sink;
  readonly #reading: MsgpackReading;
  #depth = 0;
  #decoder!: StreamDecoder;
  #values!: Iterator<unknown>;
  /** Position of the decoder's first byte in the input. */
  #base = 0;

  constructor(window: ByteWindow, sink: Sink, reading: MsgpackReading) {
    this.#window = window;
    this.#sink = sink;
    this.#reading = reading;
    this.#begin();
  }

  /** True when the input has more bytes. */
  async hasMore(): Promise<boolean> {
    return this.#window.size > 0 || (await this.#more());
  }

  /** Reads the next value, whole or in parts; with `keys`, a key that must not be among them. */
  async value(keys?: KeySet): Promise<void> {
    const window = this.#window;
    const begin = window.position;
    for (;;) {
      const next = this.#next(keys === undefined);
      if (next === "too many") {
        const header = headerOf(window.view());
        this.#checkRoom(header);
        return this.#container(header);
      }
      if (next.done !== true) {
        const { value } = next;
        if (keys?.add(value) === false) throw duplicateKey(value, begin);
        if (keys === undefined) this.#sink.value(value);
        else this.#sink.key(asKey(value));
        return window.consume(this.#base + this.#decoder.offset - window.position);
      }
      // The decoder keeps the bytes of a large string or binary, so the window need not.
      let isText = window.position > begin;
      if (!isText && window.size >= Math.max(this.#reading.wholeBytes, LONGEST_HEADER)) {
        const header = headerOf(window.view());
        this.#checkRoom(header);
        isText = header.kind === undefined;
        if (!isText && keys === undefined) return this.#container(header);
      }
      if (isText) window.consume(window.size);
      if (!(await this.#more())) throw this.#cut(begin);
    }
  }

  async #container({ kind, count, length }: MsgpackHeader): Promise<void> {
    const window = this.#window;
    if (++this.#depth > this.#reading.maxDepth) {
      throw badInput("ERR_LIMIT_DEPTH", "arrays and maps are nested deeper than the limit", window.position);
    }
    window.consume(length);
    this.#begin();
    this.#sink.open(kind!, count);
    const keys = kind === "map" ? new KeySet() : undefined;
    let drained = window.position;
    for (let index = 0; index < count; index++) {
      if (keys !== undefined) await this.value(keys);
      await this.value();
      if (index % BATCH > 0 && window.position - drained < BATCH_BYTES) continue;
      await this.#sink.drain();
      drained = window.position;
    }
    await this.#sink.close();
    this.#depth--;
    this.#begin();
  }

  /** Throws if the item ends beyond a file of known size, before anything is read for it. */
  #checkRoom({ kind, count, length }: MsgpackHeader): void {
    const { total = Infinity, position } = this.#window;
    const missing = position + length + (kind === "map" ? count * 2 : count) - total;
    if (missing <= 0) return;
    const what = kind === undefined ? `an item of ${count} bytes` : `${kind} of ${count} elements`;
    throw badInput("ERR_TRUNCATED", `the input is too short for ${what}`, position, missing);
  }

  /** Starts a decoder at the window's first byte. Its depth limit is what is left of the message's. */
  #begin(): void {
    this.#decoder = new StreamDecoder(this.#options());
    this.#values = this.#decoder[Symbol.iterator]();
    this.#base = this.#window.position;
    this.#decoder.push(this.#window.view());
  }

  /** `mayBeParts`: a container with more elements than the decoder takes is `too many`; in parts there may be any number. */
  #next(mayBeParts: boolean): IteratorResult<unknown> | "too many" {
    try {
      return this.#values.next();
    } catch (error) {
      if (mayBeParts && error instanceof DecodeError && this.#hasTooMany(error)) return "too many";
      throw rebased(error, this.#base);
    }
  }

  /** True if the item at an error's offset has too many elements to be decoded whole. */
  #hasTooMany({ code, offset }: DecodeError): boolean {
    if (code !== "ERR_LIMIT_ELEMENTS") return false;
    const at = this.#base + offset - this.#window.position;
    if (at < 0) return false;
    const { kind, count } = headerOf(this.#window.view().subarray(at));
    return kind !== undefined && count > this.#reading.wholeBytes;
  }

  /** Reads more bytes. Returns false at the end of the input. */
  async #more(): Promise<boolean> {
    const { size } = this.#window;
    if (!(await this.#window.more())) return false;
    this.#decoder.push(this.#window.view().subarray(size));
    return true;
  }

  /** Returns the error of an input that ends within the value that begins at `begin`. */
  #cut(begin: number): unknown {
    const { position } = this.#window;
    try {
      if (position > begin) this.#decoder.end();
      // A one-shot decoder reports a header with an impossible length; a stream decoder only reports the end of the
      // input.
      else new Decoder(this.#options()).decode(this.#window.view());
    } catch (error) {
      return rebased(error, position > begin ? this.#base : position);
    }
    return badInput("ERR_TRUNCATED", "the input ends inside an item", begin, 1);
  }

  #options() {
    return {
      // Maps keep the order of keys, and keys that are not strings.
      maps: "map",
      timestamps: "timestamp",
      unknownExtensions: "keep",
      maxDepth: Math.max(1, this.#reading.maxDepth - this.#depth),
      maxBufferedBytes: Infinity,
    } as const;
  }
}

/** Moves an error's offset from the start of the decoder to the start of the file. */
function rebased(error: unknown, by: number): unknown {
  return error instanceof DecodeError ? shifted(error, by) : error;
}
