/**
 * The decoder's hot file: reads one message by recursion over its containers. Long because its parts call each other
 * on the hot path; what is rare lies in files of its own (scalars.ts, deep.ts, shapes.ts, keys.ts).
 *
 * Invariants:
 * - `owed` is what all enclosing containers still declare after the item being read, at one byte an element (two a
 *   pair). A container that declares more than the bytes left without those is refused at its header, so nothing is
 *   ever allocated ahead of the bytes: total work is bounded by the input's length.
 * - Values of maps wait on two stacks until the whole map is read. No object exists half built, and a prediction that
 *   fails in the middle re-reads nothing.
 */
import { readUtf8, readUtf8Lossy } from "#utf8";
import { DecodeError, MoonpackError } from "../bytes/errors.js";
import { type BytesInput, toBytes, truncated } from "../bytes/input.js";
import type { ReaderState } from "./codegen/index.js";
import { readDeep } from "./deep.js";
import { KeyCache } from "./keys.js";
import type { DecoderSettings } from "./options.js";
import { readExtension, readWide } from "./scalars.js";
import { buildMap, buildObject, MAX_FAST_KEYS, setOwn, type Shape, ShapeTable } from "./shapes.js";

/**
 * Input up to here is copied before it is read: a copy takes 25-50 ns, a DataView over the caller's memory 190 ns, and
 * up to 64 bytes the caller's array would have to leave V8's heap for it (500 ns).
 */
const COPIED_BYTES = 2048;
/** Containers nested deeper than this are read with a stack on the heap: recursion takes about 600 bytes a level. */
const MAX_RECURSION = 512;
/** Stacks that one large message has grown are let go. */
const KEPT_STACK = 4096;
const NO_SHAPE = -1;
/** Stands for a first byte where fewer than five bytes are left; no format begins with it. */
const NO_TOKEN = 0xc1;

/** Counters of real work, see `Decoder.stats`. */
export interface DecoderStats {
  /** Messages decoded without error. */
  readonly messages: number;
  /** Bytes of those messages. */
  readonly bytes: number;
  /** Values read: every message, array element and map value counts one. */
  readonly values: number;
  /** Map keys found in the key cache. */
  readonly keyHits: number;
  /** Map keys that had to be decoded as strings. */
  readonly keyMisses: number;
  /** Objects read by a generated reader. */
  readonly shapeHits: number;
  /** Objects that a generated reader gave up on half-way. */
  readonly shapeMisses: number;
  /** Readers generated. */
  readonly shapesCompiled: number;
}

export class MessageReader implements ReaderState {
  readonly settings: DecoderSettings;
  src: Uint8Array<ArrayBuffer>;
  view: DataView<ArrayBuffer>;
  pos = 0;
  end = 0;
  owed = 0;
  depth = 0;
  readonly strict: boolean;
  readonly #maxDepth: number;
  /** Maps take the checked way: strict, or not objects by default. */
  readonly #checkedMaps: boolean;
  readonly #small: Uint8Array<ArrayBuffer>;
  readonly #smallView: DataView<ArrayBuffer>;
  readonly #keys = new KeyCache();
  readonly #shapes: ShapeTable;
  /** Keys and values of the maps being read, outermost first. */
  #keyStack: unknown[] = new Array<unknown>(64).fill(undefined);
  #valueStack: unknown[] = new Array<unknown>(64).fill(undefined);
  #top = 0;
  #messages = 0;
  #bytes = 0;
  #values = 0;
  #shapeHits = 0;
  #shapeMisses = 0;

  constructor(settings: DecoderSettings) {
    this.settings = settings;
    this.strict = settings.strict;
    this.#maxDepth = settings.maxDepth;
    this.#checkedMaps = settings.strict || settings.maps !== "auto";
    this.#small = new Uint8Array(COPIED_BYTES);
    this.#smallView = new DataView(this.#small.buffer);
    this.src = this.#small;
    this.view = this.#smallView;
    this.#shapes = new ShapeTable(settings.generator);
  }

  stats(): DecoderStats {
    return {
      messages: this.#messages,
      bytes: this.#bytes,
      values: this.#values,
      keyHits: this.#keys.hits,
      keyMisses: this.#keys.misses,
      shapeHits: this.#shapeHits,
      shapeMisses: this.#shapeMisses,
      shapesCompiled: this.#shapes.compiled,
    };
  }

  /** Reads the one value that is the whole input. */
  readAll(input: BytesInput): unknown {
    try {
      this.#begin(input);
      if (this.end > this.settings.maxBytes) {
        throw new DecodeError("ERR_LIMIT_BYTES", `${this.end} bytes, maxBytes is ${this.settings.maxBytes}`, 0);
      }
      const value = this.#message(0);
      if (this.pos !== this.end) throw new DecodeError("ERR_TRAILING_BYTES", `${this.end - this.pos} bytes after the value`, this.pos);
      this.#release();
      return value;
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** Reads one value from `start` on; `pos` is its end then. */
  readAt(bytes: Uint8Array<ArrayBuffer>, view: DataView<ArrayBuffer>, start: number): unknown {
    const { maxBytes } = this.settings;
    try {
      this.src = bytes;
      this.view = view;
      this.end = Math.min(bytes.length, start + maxBytes);
      const value = this.#message(start);
      this.#release();
      return value;
    } catch (error) {
      // The message goes on after the bytes that it may have.
      if (error instanceof DecodeError && error.code === "ERR_TRUNCATED" && bytes.length - start > maxBytes) {
        throw this.#failed(new DecodeError("ERR_LIMIT_BYTES", `more than maxBytes (${maxBytes})`, start));
      }
      throw this.#failed(error);
    }
  }

  #begin(input: BytesInput): void {
    if (input instanceof Uint8Array && input.length <= COPIED_BYTES && input.length > 0 && this.settings.binary === "copy") {
      this.#small.set(input);
      this.end = input.length;
      return;
    }
    const bytes = toBytes(input);
    this.src = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.end = bytes.length;
  }

  #message(start: number): unknown {
    this.pos = start;
    const value = this.read();
    this.#values++;
    this.#messages++;
    this.#bytes += this.pos - start;
    return value;
  }

  /** Lets go of the caller's memory and of stacks that grew large. */
  #release(): void {
    this.src = this.#small;
    this.view = this.#smallView;
    if (this.#keyStack.length > KEPT_STACK) this.#resetStacks();
  }

  #resetStacks(): void {
    this.#keyStack = new Array<unknown>(64).fill(undefined);
    this.#valueStack = new Array<unknown>(64).fill(undefined);
  }

  /** Makes the reader ready for the next message and the error one of the family. */
  #failed(error: unknown): unknown {
    this.#resetStacks();
    this.#release();
    this.#top = this.depth = this.owed = 0;
    if (error instanceof MoonpackError) return error;
    // What is left: V8 ran out of stack (we were called from deep inside the caller's) or of memory.
    const stack = error instanceof RangeError && /call stack/.test(error.message);
    return stack
      ? new DecodeError("ERR_LIMIT_DEPTH", "the call stack is exhausted", this.pos, 0, error)
      : new DecodeError("ERR_LIMIT_BYTES", "no memory for the value", this.pos, 0, error);
  }

  /** Reads any item. */
  read(): unknown {
    const pos = this.pos;
    if (pos >= this.end) throw truncated(pos, 1);
    const token = this.src[pos]!;
    if (token < 0x80) {
      this.pos = pos + 1;
      return token;
    }
    if (token < 0xa0) return token < 0x90 ? this.readMap(token & 15, pos, 1) : this.readArray(token & 15, pos, 1);
    if (token < 0xc0) return this.readString(token & 31, pos, 1);
    if (token >= 0xe0) {
      this.pos = pos + 1;
      return token - 256;
    }
    // What ids, counts, times and sentences are; through readWide they cost a tenth of a message of such.
    if (token === 0xce && pos + 5 <= this.end && !this.strict) {
      this.pos = pos + 5;
      return this.view.getUint32(pos + 1);
    }
    if (token === 0xcd && pos + 3 <= this.end && !this.strict) {
      this.pos = pos + 3;
      return this.view.getUint16(pos + 1);
    }
    if (token === 0xd9 && pos + 2 <= this.end && !this.strict) return this.readString(this.src[pos + 1]!, pos, 2);
    return readWide(this, token, pos);
  }

  /** The `n` bytes after a header of `header` bytes at `start`, as text. */
  readString(n: number, start: number, header: number): string {
    const from = start + header;
    const to = from + n;
    if (to > this.end) throw truncated(start, to - this.end);
    this.pos = to;
    const text = readUtf8(this.src, this.view, from, to);
    return text !== null ? text : this.#malformed(start, from, to);
  }

  #malformed(start: number, from: number, to: number): string {
    if (this.settings.replaceUtf8) return readUtf8Lossy(this.src, from, to);
    throw new DecodeError("ERR_INVALID_UTF8", "a string is not well-formed UTF-8", start);
  }

  /** Checks a container's header: depth, and that `least` bytes may still come. Answers what the enclosing ones owe. */
  open(n: number, least: number, start: number, header: number): number {
    if (++this.depth > this.#maxDepth) throw this.tooDeep(start);
    const first = start + header;
    const owed = this.owed;
    const missing = least + owed - (this.end - first);
    if (missing > 0) throw truncated(start, missing);
    this.pos = first;
    this.#values += n;
    return owed;
  }

  tooDeep(start: number): DecodeError {
    return new DecodeError("ERR_LIMIT_DEPTH", `more than ${this.#maxDepth} containers are open`, start);
  }

  readArray(n: number, start: number, header: number): unknown[] {
    if (this.depth >= MAX_RECURSION) return readDeep(this, start) as unknown[];
    const owed = this.open(n, n, start, header);
    const first = this.pos;
    const array = n > 0 && (this.src[first]! & 0xfe) === 0xca ? this.#numbers(n, owed) : this.#elements(n, owed);
    this.depth--;
    this.owed = owed;
    return array;
  }

  #elements(n: number, owed: number): unknown[] {
    // `[]` and push keep the array packed; `new Array(n)` would be holey for ever. One and two elements are common
    // (pairs, coordinates) and literals of their size: push would make room for 17.
    if (n === 1) return [this.#element(owed)];
    if (n === 2) return [this.#element(owed + 1), this.#element(owed)];
    const { src, view, end } = this;
    const array: unknown[] = [];
    for (let left = n - 1; left >= 0; left--) {
      const pos = this.pos;
      const token = pos + 5 <= end ? src[pos]! : NO_TOKEN;
      if (token < 0x80) {
        this.pos = pos + 1;
        array.push(token);
      } else if (token === 0xce && !this.strict) {
        // Lists of ids: through `read` they take a third longer.
        this.pos = pos + 5;
        array.push(view.getUint32(pos + 1));
      } else {
        this.owed = owed + left;
        array.push(this.read());
      }
    }
    return array;
  }

  #element(owed: number): unknown {
    const pos = this.pos;
    if (pos < this.end) {
      const token = this.src[pos]!;
      if (token < 0x80) {
        this.pos = pos + 1;
        return token;
      }
    }
    this.owed = owed;
    return this.read();
  }

  /** An array that begins with a float: grown at a site of its own, so that V8 keeps its numbers unboxed. */
  #numbers(n: number, owed: number): unknown[] {
    const { src, view, end } = this;
    const array: unknown[] = [];
    for (let left = n - 1; left >= 0; left--) {
      const pos = this.pos;
      if (pos + 9 <= end && src[pos] === 0xcb && !this.strict) {
        this.pos = pos + 9;
        array.push(view.getFloat64(pos + 1));
      } else array.push(this.#element(owed + left));
    }
    return array;
  }

  readMap(n: number, start: number, header: number): unknown {
    if (this.depth >= MAX_RECURSION) return readDeep(this, start);
    const owed = this.open(n, 2 * n, start, header);
    let value: unknown;
    if (n === 0 || this.#checkedMaps) value = n === 0 && this.settings.maps !== "map" ? {} : this.#checkedMap(n, owed);
    else {
      const first = this.pos;
      let slot = NO_SHAPE;
      let shape: Shape | null = null;
      if (first + 4 <= this.end) {
        slot = ShapeTable.slot(this.view.getInt32(first, true), n);
        shape = this.#shapes.slots[slot]!;
      }
      if (shape === null || shape.keys.length !== n) value = this.#gather(n, 0, owed, slot);
      else if (shape.reader !== null) {
        this.#shapeHits++;
        value = shape.reader(this, owed, slot);
      } else value = shape.words !== null ? this.#predicted(shape, shape.words, owed, slot) : this.#gather(n, 0, owed, slot);
    }
    this.depth--;
    this.owed = owed;
    return value;
  }

  /** Reads a map that is expected to be of this shape: what generated code does, interpreted. */
  #predicted(shape: Shape, words: Int32Array, owed: number, slot: number): unknown {
    const { keys, sizes } = shape;
    const values = this.#valueStack;
    const base = this.#top;
    const n = keys.length;
    let w = 0;
    for (let i = 0; i < n; i++) {
      const pos = this.pos;
      const size = sizes[i]!;
      let q = pos;
      const last = pos + size - 4;
      if (last + 4 >= this.end) return this.#mispredicted(shape, i, owed, slot);
      for (; q < last; q += 4) if (this.view.getInt32(q, true) !== words[w++]) return this.#mispredicted(shape, i, owed, slot);
      if (this.view.getInt32(last, true) !== words[w++]) return this.#mispredicted(shape, i, owed, slot);
      this.pos = pos + size;
      this.#top = base + i + 1;
      values[base + i] = this.#element(owed + 2 * (n - 1 - i));
    }
    this.#top = base;
    this.#shapes.confirm(shape, values, base);
    return buildObject(keys, 0, values, base, n, shape);
  }

  #mispredicted(shape: Shape, met: number, owed: number, slot: number): unknown {
    const base = this.#top - met;
    this.#top = base;
    for (let i = 0; i < met; i++) this.#keyStack[base + i] = shape.keys[i];
    return this.#gather(shape.keys.length, met, owed, slot);
  }

  /** Goes on where a generated reader met another key than it was made for; its values are kept. */
  resume(keys: readonly string[], values: readonly unknown[], owed: number, slot: number): unknown {
    this.#shapeHits--;
    this.#shapeMisses++;
    const met = values.length;
    for (let i = 0; i < met; i++) {
      this.#keyStack[this.#top + i] = keys[i];
      this.#valueStack[this.#top + i] = values[i];
    }
    return this.#gather(keys.length, met, owed, slot);
  }

  /** Reads pairs `from..n` of a map onto the stacks, then builds its object, or a Map when a key is no string. */
  #gather(n: number, from: number, owed: number, slot: number): unknown {
    if (n > MAX_FAST_KEYS) return this.#dictionary(n, owed);
    const keys = this.#keyStack;
    const values = this.#valueStack;
    const base = this.#top;
    let strings = true;
    for (let i = from; i < n; i++) {
      const at = base + i;
      const after = owed + 2 * (n - 1 - i);
      const pos = this.pos;
      const token = pos < this.end ? this.src[pos]! : 0;
      this.#top = at;
      if (token > 0xa0 && token < 0xc0) keys[at] = this.#key(token & 31, pos);
      else {
        this.owed = after + 1;
        const key = this.read();
        if (typeof key !== "string") strings = false;
        keys[at] = key;
      }
      this.#top = at + 1;
      values[at] = this.#element(after);
    }
    this.#top = base;
    if (!strings) return buildMap(keys, values, base, n);
    const shape = slot === NO_SHAPE ? null : this.#shapes.sight(slot, keys, values, base, n);
    return buildObject(keys, base, values, base, n, shape);
  }

  /** A map too large for anything but a dictionary: filled as it is read, its keys not expected to recur. */
  #dictionary(n: number, owed: number): unknown {
    const keys: unknown[] = [];
    const object: Record<string, unknown> = {};
    for (let left = 2 * (n - 1); left >= 0; left -= 2) {
      this.owed = owed + left + 1;
      const key = this.read();
      keys.push(key);
      const value = this.#element(owed + left);
      if (typeof key !== "string") return this.#turnToMap(keys, object, key, value, left, owed);
      setOwn(object, key, value);
    }
    return object;
  }

  /** A key that is no string came: what the object holds so far becomes a Map, in the order of `keys`. */
  #turnToMap(keys: unknown[], object: Record<string, unknown>, key: unknown, value: unknown, left: number, owed: number): unknown {
    const map = new Map<unknown, unknown>();
    for (let i = 0; i < keys.length - 1; i++) map.set(keys[i], object[keys[i] as string]);
    map.set(key, value);
    for (left -= 2; left >= 0; left -= 2) {
      this.owed = owed + left + 1;
      const next = this.read();
      map.set(next, this.#element(owed + left));
    }
    return map;
  }

  /** A key of 1 to 31 bytes whose header is at `pos`. */
  #key(n: number, pos: number): string {
    const next = pos + n + 1;
    if (next > this.end) throw truncated(pos, next - this.end);
    const cache = this.#keys;
    const text = cache.find(this.src, this.view, pos, n + 1);
    if (text === null) return cache.learn(this.src, pos, n + 1, this.readString(n, pos, 1));
    this.pos = next;
    return text;
  }

  /** The ways that are chosen by option: `strict`, `maps: "object"`, `maps: "map"`. */
  #checkedMap(n: number, owed: number): unknown {
    const { maps } = this.settings;
    const base = this.#top;
    const seen = this.strict ? new Set<unknown>() : null;
    let strings = true;
    for (let i = 0; i < n; i++) {
      const at = base + i;
      const after = owed + 2 * (n - 1 - i);
      const start = this.pos;
      this.#top = at;
      this.owed = after + 1;
      const key = this.read();
      this.checkKey(key, start, seen);
      if (typeof key !== "string") strings = false;
      this.#keyStack[at] = key;
      this.#top = at + 1;
      this.#valueStack[at] = this.#element(after);
    }
    this.#top = base;
    if (maps === "map" || !strings) return buildMap(this.#keyStack, this.#valueStack, base, n);
    return buildObject(this.#keyStack, base, this.#valueStack, base, n, null);
  }

  /** Refuses a key that the options do not allow; `seen` collects a strict map's keys. */
  checkKey(key: unknown, start: number, seen: Set<unknown> | null): void {
    if (this.settings.maps === "object" && typeof key !== "string") {
      throw new DecodeError("ERR_UNSUPPORTED_TYPE", `maps: "object" takes string keys, not ${typeof key}`, start);
    }
    if (seen === null) return;
    if (seen.has(key)) throw new DecodeError("ERR_DUPLICATE_KEY", "a key comes twice", start);
    seen.add(key);
  }

  /** Counts values that were read elsewhere (deep.ts). */
  count(values: number): void {
    this.#values += values;
  }

  /** An extension of `n` bytes whose header, type byte included, takes `header` bytes. */
  readExtension(n: number, start: number, header: number): unknown {
    const to = start + header + n;
    if (to > this.end) throw truncated(start, to - this.end);
    this.pos = to;
    return readExtension(this, start, start + header, to);
  }
}
