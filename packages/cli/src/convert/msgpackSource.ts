import { Decoder } from "moonpack";
import { DecodeError } from "moonpack/bytes";
import { badInput, rebase } from "../shared/failure.js";
import type { ByteWindow } from "../shared/input.js";
import { asKey, duplicateKey, KeySet } from "./keySet.js";
import type { ContainerKind, Sink } from "./sink.js";

/** How MessagePack is read. */
export interface MsgpackReading {
  readonly maxDepth: number;
  /** Exactly one message, as a JSON file holds one value; otherwise any number of them. */
  readonly single: boolean;
  /** A value of up to so many bytes is decoded whole; a larger array or map goes through in parts. */
  readonly wholeBytes: number;
}

/** Bytes that a header may make us read ahead: it may lie. */
const MOST_AHEAD = 1024 * 1024;

interface Header {
  readonly kind: ContainerKind;
  readonly count: number;
  readonly length: number;
}

/** Reads MessagePack messages, of any size, into a sink. */
export async function readMsgpack(window: ByteWindow, sink: Sink, reading: MsgpackReading): Promise<void> {
  const source = new MsgpackSource(window, sink, reading);
  if (reading.single && !(await window.reach(1))) throw badInput("ERR_TRUNCATED", "the input is empty", 0, 1);
  let first = true;
  while (await window.reach(1)) {
    if (reading.single && !first) {
      throw badInput(
        "ERR_TRAILING_BYTES",
        "more bytes follow the message; --to ndjson converts a sequence of messages",
        window.position,
      );
    }
    await source.value();
    sink.endMessage();
    await sink.drain();
    first = false;
  }
  await sink.finish();
}

class MsgpackSource {
  readonly #window: ByteWindow;
  readonly #sink: Sink;
  readonly #reading: MsgpackReading;
  /** A decoder for each depth at which values stand: the limit counts from the message's top. */
  readonly #decoders: Decoder[] = [];
  #depth = 0;

  constructor(window: ByteWindow, sink: Sink, reading: MsgpackReading) {
    this.#window = window;
    this.#sink = sink;
    this.#reading = reading;
  }

  /** The next value, whole or in parts; as a key when there are `keys`, among which it has to be new. */
  async value(keys?: KeySet): Promise<void> {
    const window = this.#window;
    for (;;) {
      try {
        const { value, end } = this.#decoder().decodeAt(window.bytes.subarray(0, window.end), window.start);
        // Rebased below, as the offsets of the decoder.
        if (keys?.add(value) === false) throw duplicateKey(value, window.start);
        if (keys === undefined) this.#sink.value(value);
        else this.#sink.key(asKey(value));
        window.consume(end - window.start);
        return;
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        const missing = error.code === "ERR_TRUNCATED" ? error.needMore : 0;
        // Offsets that the user sees count from the file's start, the decoder's from the array's.
        if (missing === 0 || window.ended) throw rebase(error, window.position - window.start);
        const header = keys !== undefined || window.size < this.#reading.wholeBytes ? undefined : this.#header();
        if (header !== undefined) return this.#container(header);
        this.#checkRoom(error, missing);
        // At least twice as much as there was: decoding a value of any size again and again stays linear.
        await window.reach(window.size + Math.max(Math.min(missing, MOST_AHEAD), window.size, 1));
      }
    }
  }

  async #container({ kind, count, length }: Header): Promise<void> {
    const window = this.#window;
    if (++this.#depth > this.#reading.maxDepth) {
      throw badInput("ERR_LIMIT_DEPTH", "more containers are open than the limit allows", window.position);
    }
    const least = kind === "map" ? count * 2 : count;
    const rest = window.total === undefined ? Infinity : window.total - window.position - length;
    if (least > rest) {
      throw badInput("ERR_TRUNCATED", `${kind} of ${count} elements has too few bytes`, window.position, least - rest);
    }
    window.consume(length);
    this.#sink.open(kind, count);
    const keys = kind === "map" ? new KeySet() : undefined;
    for (let index = 0; index < count; index++) {
      if (keys !== undefined) await this.value(keys);
      await this.value();
      if (index % 256 === 0) await this.#sink.drain();
    }
    await this.#sink.close();
    this.#depth--;
  }

  /** In a file of known size, a string that would end beyond it is refused before anything is read for it. */
  #checkRoom(error: DecodeError, missing: number): void {
    const { total, position, start, size } = this.#window;
    if (total !== undefined && position + size + missing > total) throw rebase(error, position - start);
  }

  /** The header of the array or map that begins the window; undefined for anything else. */
  #header(): Header | undefined {
    const { bytes, start, end } = this.#window;
    const byte = bytes[start]!;
    const view = new DataView(bytes.buffer, bytes.byteOffset + start, end - start);
    if (byte >= 0x80 && byte <= 0x8f) return { kind: "map", count: byte & 15, length: 1 };
    if (byte >= 0x90 && byte <= 0x9f) return { kind: "array", count: byte & 15, length: 1 };
    if (byte === 0xdc || byte === 0xde)
      return { kind: byte === 0xdc ? "array" : "map", count: view.getUint16(1), length: 3 };
    if (byte === 0xdd || byte === 0xdf)
      return { kind: byte === 0xdd ? "array" : "map", count: view.getUint32(1), length: 5 };
    return undefined;
  }

  #decoder(): Decoder {
    return (this.#decoders[this.#depth] ??= new Decoder({
      // Maps keep the order of their keys, and keys that are not strings.
      maps: "map",
      timestamps: "timestamp",
      unknownExtensions: "keep",
      binary: "view",
      maxDepth: Math.max(1, this.#reading.maxDepth - this.#depth),
    }));
  }
}
