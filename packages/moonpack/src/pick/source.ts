/** A message that is read by parts: its bytes, and the decoder's reader for values. */
import { createReader, defaultShapes } from "#runtime";
import { invalidArgument } from "../bytes/errors.js";
import { type BytesInput, toBytes } from "../bytes/input.js";
import { type DecoderOptions, decoderSettings } from "../msgpack/options.js";
import { type BaseReader, tooLong, viewOf } from "../msgpack/read/base.js";
import type { DecoderSettings } from "../msgpack/read/settings.js";
import { type Item, itemAt } from "./item.js";
import { anyKey } from "./keys.js";
import { type SkipStack, skipItems } from "./skip.js";
import type { Node, Wanted } from "./tree.js";

/** The parts of a decoder that walks share. */
export interface Decoding {
  readonly settings: DecoderSettings;
  /** Take its `idle()` for each message. */
  readonly reader: BaseReader;
  /** No user code runs while it is used. */
  readonly stack: SkipStack;
}

// Created at its first use: importing the module allocates nothing, and a reader takes 10 us.
let shared: Decoding | undefined;

/** The decoder for these options. Without options it is one for all. */
export function decodingFor(options: DecoderOptions | undefined): Decoding {
  if (options === undefined && shared !== undefined) return shared;
  const settings = decoderSettings(options, defaultShapes);
  const decoding = { settings, reader: createReader(settings) as BaseReader, stack: new Int32Array(settings.maxDepth) };
  if (options === undefined) shared = decoding;
  return decoding;
}

/** One message. Positions are offsets into `bytes`, `depth` is the number of containers around an item. */
export class Source {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly end: number;
  readonly #decoding: Decoding;
  readonly #view: DataView<ArrayBuffer>;

  constructor(input: BytesInput, decoding: Decoding) {
    this.bytes = toBytes(input);
    this.end = this.bytes.length;
    this.#decoding = decoding;
    this.#view = viewOf(this.bytes);
    if (this.end > decoding.settings.maxBytes) throw tooLong(decoding.settings.maxBytes, 0);
  }

  /** For `skipItems` on other bytes. */
  get stack(): SkipStack {
    return this.#decoding.stack;
  }

  /** The header of the item at `pos`. */
  item(pos: number): Item {
    this.checkInput();
    return itemAt(this.bytes, this.#view, pos, this.end);
  }

  /** The offset after `count` items. */
  skip(pos: number, count: number, depth: number): number {
    this.checkInput();
    return skipItems(this.bytes, pos, this.end, count, depth, this.#decoding.stack);
  }

  /** Finds the key at `pos`, which has been skipped. */
  key(node: Node, pos: number): Wanted | null {
    return anyKey(node, this.bytes, this.#view, pos, this.end);
  }

  /** The value at `pos`. */
  value(pos: number, depth: number): unknown {
    this.checkInput();
    const reader = this.#decoding.reader.idle();
    reader.depth = depth;
    try {
      return reader.readAt(this.bytes, this.#view, pos, this.end, false);
    } finally {
      reader.depth = 0;
    }
  }

  /** Throws if user code has transferred the input. */
  checkInput(): void {
    if (this.bytes.length !== this.end) throw invalidArgument("the input was detached while it was in use");
  }

  /** The key at `pos` as a text that only equal keys have; undefined for keys that are not texts or numbers. */
  keyName(pos: number): string | undefined {
    const { type } = this.item(pos);
    if (type !== "string" && type !== "number") return undefined;
    return nameOfKey(this.value(pos, 0));
  }
}

/** A text that only equal keys have: V8 hashes texts with a seed, and numbers without one. */
export function nameOfKey(key: unknown): string {
  return typeof key === "string"
    ? `"${key}`
    : typeof key === "bigint" && !Number.isSafeInteger(Number(key))
      ? `${key}n`
      : String(key);
}
