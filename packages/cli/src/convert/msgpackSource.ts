import { Decoder } from "moonpack";
import { DecodeError } from "moonpack/bytes";
import { StreamDecoder } from "moonpack/stream";
import { badInput, rebase } from "../shared/failure.js";
import type { ByteWindow } from "../shared/input.js";
import { asKey, duplicateKey, KeySet } from "./keySet.js";
import { headerOf, LONGEST_HEADER, type MsgpackHeader } from "./msgpackHeader.js";
import type { Sink } from "./sink.js";

/** How MessagePack is read. */
export interface MsgpackReading {
  readonly maxDepth: number;
  /** Exactly one message, as a JSON file holds one value; otherwise any number of them. */
  readonly single: boolean;
  /** A value of up to so many bytes is decoded whole; a larger array or map goes through in parts. */
  readonly wholeBytes: number;
}

/** Reads MessagePack messages, of any size, into a sink. */
export async function readMsgpack(window: ByteWindow, sink: Sink, reading: MsgpackReading): Promise<void> {
  const source = new MsgpackSource(window, sink, reading);
  if (reading.single && !(await source.hasMore())) throw badInput("ERR_TRUNCATED", "the input is empty", 0, 1);
  for (let first = true; await source.hasMore(); first = false) {
    if (reading.single && !first) {
      const text = "more bytes follow the message; --to ndjson converts a sequence of messages";
      throw badInput("ERR_TRAILING_BYTES", text, window.position);
    }
    await source.value();
    sink.endMessage();
    await sink.drain();
  }
  await sink.finish();
}

/**
 * The content of a large container is a sequence of messages, as the input is one: each is read by a stream's decoder of
 * its own. The window keeps the bytes of the value that is being decoded until it is clear whether it is too large.
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

  /** Does anything follow what has been read? */
  async hasMore(): Promise<boolean> {
    return this.#window.size > 0 || (await this.#more());
  }

  /** The next value, whole or in parts; as a key when there are `keys`, among which it has to be new. */
  async value(keys?: KeySet): Promise<void> {
    const window = this.#window;
    const begin = window.position;
    for (let next = this.#next(); ; next = this.#next()) {
      if (next.done !== true) {
        const { value } = next;
        if (keys?.add(value) === false) throw duplicateKey(value, begin);
        if (keys === undefined) this.#sink.value(value);
        else this.#sink.key(asKey(value));
        return window.consume(this.#base + this.#decoder.offset - window.position);
      }
      // Of a large string or binary the decoder keeps the bytes, the window need not.
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
      throw badInput("ERR_LIMIT_DEPTH", "more containers are open than the limit allows", window.position);
    }
    window.consume(length);
    this.#begin();
    this.#sink.open(kind!, count);
    const keys = kind === "map" ? new KeySet() : undefined;
    for (let index = 0; index < count; index++) {
      if (keys !== undefined) await this.value(keys);
      await this.value();
      if (index % 256 === 0) await this.#sink.drain();
    }
    await this.#sink.close();
    this.#depth--;
    this.#begin();
  }

  /** In a file of known size, what would end beyond it is refused before anything is read for it. */
  #checkRoom({ kind, count, length }: MsgpackHeader): void {
    const { total = Infinity, position } = this.#window;
    const missing = position + length + (kind === "map" ? count * 2 : count) - total;
    if (missing <= 0) return;
    const what = kind === undefined ? `an item of ${count} bytes` : `${kind} of ${count} elements`;
    throw badInput("ERR_TRUNCATED", `${what} has too few bytes`, position, missing);
  }

  /** Decodes from the window's first byte on, at a depth of its own: the limit counts from the message's top. */
  #begin(): void {
    this.#decoder = new StreamDecoder(this.#options());
    this.#values = this.#decoder[Symbol.iterator]();
    this.#base = this.#window.position;
    this.#decoder.push(this.#window.view());
  }

  #next(): IteratorResult<unknown> {
    try {
      return this.#values.next();
    } catch (error) {
      throw rebased(error, this.#base);
    }
  }

  /** Reads more bytes; false at the input's end. */
  async #more(): Promise<boolean> {
    const { size } = this.#window;
    if (!(await this.#window.more())) return false;
    this.#decoder.push(this.#window.view().subarray(size));
    return true;
  }

  /** The error of an input that ends in the value that begins there. */
  #cut(begin: number): unknown {
    const { position } = this.#window;
    try {
      if (position > begin) this.#decoder.end();
      // A decoder that sees all of the value blames the header that promises too much, that of a stream the end.
      else new Decoder(this.#options()).decode(this.#window.view());
    } catch (error) {
      return rebased(error, position > begin ? this.#base : position);
    }
    return badInput("ERR_TRUNCATED", "the input ends inside an item", begin, 1);
  }

  #options() {
    return {
      // Maps keep the order of their keys, and keys that are not strings.
      maps: "map",
      timestamps: "timestamp",
      unknownExtensions: "keep",
      maxDepth: Math.max(1, this.#reading.maxDepth - this.#depth),
      maxBufferedBytes: Infinity,
    } as const;
  }
}

/** Offsets that the user sees count from the file's start, the decoder's from where it began. */
function rebased(error: unknown, by: number): unknown {
  return error instanceof DecodeError ? rebase(error, by) : error;
}
