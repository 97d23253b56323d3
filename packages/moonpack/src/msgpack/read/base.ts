/**
 * The base class of readers of a whole message: the position, single items, text, limits and errors. Two subclasses read the
 * containers: MessageReader (message.ts) on servers, PageReader (page.ts) in pages.
 *
 * Invariant: `reserved` is the minimum number of bytes that the enclosing containers still need after the current item: one for
 * each element, two for each pair. A container is refused at its header if its own minimum and `reserved` exceed the bytes left.
 * So nothing is allocated that the input cannot fill, and the total work is linear in the input's length.
 */
import { readUtf8, readUtf8Cold, readUtf8Lossy } from "#platform";
import { checkContainerSize, grantedElements, tooManyElements } from "../../bytes/elements.js";
import { DecodeError, MoonpackError } from "../../bytes/errors.js";
import { type BytesInput, emptyInput, toBytes, truncated } from "../../bytes/input.js";
import { isStackOverflow, MAX_KEYS } from "../../bytes/limits.js";
import { KeyTable } from "./key-table.js";
import type { MapStack } from "./map-stack.js";
import { isInherited } from "./objects.js";
import { readOther } from "./other.js";
import type { DecoderSettings } from "./settings.js";

/**
 * Input up to this size is copied before it is read: a copy takes 25-50 ns, a DataView over the caller's memory 190 ns, and
 * for arrays of up to 64 bytes V8 would first have to move their memory out of its heap (500 ns).
 */
const COPIED_BYTES = 2048;
/** A reader is warm after this many bytes: about when V8 has optimised its code. */
export const WARM_BYTES = 16 * 2 ** 20;

/**
 * Containers nested deeper than this are read with a stack on the heap, except in pages. With 512 levels of recursion a worker in
 * Chromium exhausts its call stack while V8 has not yet optimised the functions of the complete reader.
 */
export const MAX_RECURSION = 256;
/** A placeholder for a first byte that `read` must handle; no format starts with it. */
export const NO_TOKEN = 0xc1;

/** The state of one message being read. Its fields are open to the other files of the decoder, and to generated code. */
export abstract class BaseReader {
  readonly settings: DecoderSettings;
  src: Uint8Array<ArrayBuffer>;
  view: DataView<ArrayBuffer>;
  pos = 0;
  end = 0;
  /** See the invariant above. */
  reserved = 0;
  /** The number of open containers. */
  depth = 0;
  /** Elements that the message may still create; see bytes/elements.ts. */
  elementsLeft = 0;
  readonly #small: Uint8Array<ArrayBuffer>;
  readonly #smallView: DataView<ArrayBuffer>;
  readonly keyTable: KeyTable;
  #nested: this | null = null;
  /** True if text is read in the way that is fastest in optimised code. */
  isWarm: boolean;
  /** True while a message is being read. */
  busy = false;
  /** Values read. */
  values = 0;
  /** The other counters of DecoderStats; `shapes` counts the objects of generated readers. */
  readonly work = { messages: 0, bytes: 0, plain: 0, dictionaries: 0, maps: 0 };

  /** `isWarm`: starts as a warm reader, for callers that need not read the first messages fast. */
  constructor(settings: DecoderSettings, isWarm: boolean, keyTable = new KeyTable()) {
    this.settings = settings;
    this.keyTable = keyTable;
    this.#small = this.src = new Uint8Array(COPIED_BYTES);
    this.#smallView = this.view = viewOf(this.src);
    this.isWarm = isWarm;
  }

  /** Returns this reader or, while it is busy (an extension calls back), the reader that it keeps for nested messages. */
  idle(): this {
    if (!this.busy) return this;
    return (this.#nested ??= new (this.constructor as new (settings: DecoderSettings) => this)(this.settings)).idle();
  }

  abstract readMap(n: number, start: number, header: number): unknown;
  /** Only a MessageReader has it: see there. */
  declare readonly stack?: MapStack;

  /** Reads the `left` remaining pairs of a map, with keys of any type, after the pairs in `object`. */
  resume?(object: Record<string, unknown>, left: number, reserved: number, isDictionary?: boolean): unknown;

  /** Only a PartReader has it: see there. */
  declare suspended?: unknown[] | null;

  /** Reads the item at `start`, which is deeper than `maxRecursion`, with a stack on the heap. */
  readNested?(start: number): unknown;

  /** A hint for the error of an unknown extension. */
  hintOf?(type: number): string;

  /** Strict: refuses a number or length that has a shorter form. */
  checkForm?(token: number, n: number, pos: number): void;

  /** Strict: refuses a timestamp of `size` bytes that has a shorter form. */
  checkTimestamp?(size: number, nanoseconds: number, high: number, start: number): void;

  /** Reads the one value that is the whole input. */
  readAll(input: BytesInput): unknown {
    if (this.busy) return this.idle().readAll(input);
    const n =
      this.settings.binary !== "view" && ArrayBuffer.isView(input) && input instanceof Uint8Array ? input.length : 0;
    if (n <= COPIED_BYTES && n > 0) {
      try {
        this.#small.set(input as Uint8Array);
      } catch {
        toBytes(input); // throws, since the input is detached
      }
      return this.readAt(this.#small, this.#smallView, 0, n, true);
    }
    const bytes = toBytes(input);
    return this.readAt(bytes, viewOf(bytes), 0, bytes.length, true);
  }

  /** Reads one value of `bytes[start..end)` and leaves `pos` at its end. `isAll`: refuses bytes after it. */
  readAt(
    bytes: Uint8Array<ArrayBuffer>,
    view: DataView<ArrayBuffer>,
    start: number,
    end: number,
    isAll: boolean,
  ): unknown {
    const { maxBytes, maxElements } = this.settings;
    const isLimited = end - start > maxBytes;
    this.elementsLeft = grantedElements(maxElements, end - start);
    this.isWarm ||= this.work.bytes + end - start > WARM_BYTES;
    this.busy = true;
    this.src = bytes;
    this.view = view;
    this.pos = start;
    this.end = isLimited ? start + maxBytes : end;
    try {
      const value = this.read();
      if (isAll && this.pos !== end) throw trailingBytes(this.pos);
      this.values++;
      this.work.messages++;
      this.work.bytes += this.pos - start;
      return value;
    } catch (error) {
      this.depth = this.reserved = 0;
      const failure = this.decodeError(error);
      throw isLimited ? limitError(failure, maxBytes, start) : failure;
    } finally {
      this.busy = false;
      this.release();
    }
  }

  /** Releases the caller's memory, and what a message that failed has left. */
  release(): void {
    this.src = this.#small;
    this.view = this.#smallView;
    this.stack?.release();
  }

  /**
   * Converts an error of the engine to a DecodeError: it ran out of call stack or of memory. A TypeError is neither: an extension
   * transferred the input.
   */
  decodeError(error: unknown): MoonpackError {
    if (error instanceof MoonpackError) return error;
    const code =
      error instanceof TypeError ? "ERR_USER_CODE" : isStackOverflow(error) ? "ERR_LIMIT_DEPTH" : "ERR_LIMIT_BYTES";
    return new DecodeError(code, `${error}`, this.pos, 0, error);
  }

  /** Reads any item. Like every method that reads, a PartReader returns INCOMPLETE if the input ends inside the item. */
  read(): unknown {
    const pos = this.pos;
    if (pos >= this.end) return this.incomplete(pos, 1);
    const token = this.src[pos]!;
    if (token < 0x80 || token >= 0xe0) {
      this.pos = pos + 1;
      return (token << 24) >> 24;
    }
    if (token < 0xa0) return token < 0x90 ? this.readMap(token & 15, pos, 1) : this.readArray(token & 15, pos, 1);
    if (token < 0xc0) return this.readString(token & 31, pos, 1);
    // The most frequent formats, inlined: through readOther, messages of ids, times and sentences take 10 % longer.
    if (!this.settings.strict) {
      switch (token) {
        case 0xc0:
          this.pos = pos + 1;
          return null;
        case 0xc2:
          this.pos = pos + 1;
          return false;
        case 0xc3:
          this.pos = pos + 1;
          return true;
        case 0xcb:
          if (pos + 9 > this.end) break;
          this.pos = pos + 9;
          return this.view.getFloat64(pos + 1);
        case 0xcc:
          if (pos + 2 > this.end) break;
          this.pos = pos + 2;
          return this.src[pos + 1]!;
        case 0xcd:
          if (pos + 3 > this.end) break;
          this.pos = pos + 3;
          return this.view.getUint16(pos + 1);
        case 0xce:
          if (pos + 5 > this.end) break;
          this.pos = pos + 5;
          return this.view.getUint32(pos + 1);
        case 0xd0:
          if (pos + 2 > this.end) break;
          this.pos = pos + 2;
          return this.view.getInt8(pos + 1);
        case 0xd1:
          if (pos + 3 > this.end) break;
          this.pos = pos + 3;
          return this.view.getInt16(pos + 1);
        case 0xd9:
          if (pos + 2 > this.end) break;
          return this.readString(this.src[pos + 1]!, pos, 2);
        case 0xdc:
          if (pos + 3 > this.end) break;
          return this.readArray(this.view.getUint16(pos + 1), pos, 3);
      }
    }
    return readOther(this, token, pos);
  }

  /** Reads the string of `n` bytes whose header of `header` bytes is at `start`. */
  readString(n: number, start: number, header: number): unknown {
    const from = start + header;
    const to = from + n;
    if (to > this.end) return this.incomplete(start, to - this.end);
    this.pos = to;
    const text = this.isWarm ? readUtf8(this.src, this.view, from, to) : readUtf8Cold(this.src, this.view, from, to);
    if (text !== null) return text;
    if (this.settings.utf8 === "replace") return readUtf8Lossy(this.src, from, to);
    throw new DecodeError("ERR_INVALID_UTF8", "malformed UTF-8", start);
  }

  /**
   * Opens the container of `n` elements or pairs whose header of `header` bytes is at `start`: checks its depth, and that its
   * `least` bytes fit into the rest of the input. Returns the `reserved` to restore when it closes.
   */
  open(n: number, least: number, start: number, header: number): number {
    const { maxDepth, maxElements } = this.settings;
    if (++this.depth > maxDepth)
      throw new DecodeError("ERR_LIMIT_DEPTH", `nested deeper than maxDepth (${maxDepth})`, start);
    const first = start + header;
    const reserved = this.reserved;
    const missing = least + reserved - (this.end - first);
    if (missing > 0) this.incomplete(start, missing, true);
    if (n > MAX_KEYS) this.checkSize(n, least > n, start);
    if (maxElements > 0) this.countElements(n, start);
    this.pos = first;
    this.values += n;
    return reserved;
  }

  /** Refuses a container of more elements or pairs than the engine can hold. */
  checkSize(n: number, isMap: boolean, start: number): void {
    checkContainerSize(n, isMap, start);
  }

  /** Counts elements against the message's budget. */
  countElements(n: number, start: number): void {
    this.elementsLeft -= n;
    if (this.elementsLeft < 0) throw tooManyElements(start);
  }

  /**
   * Throws, since the input ends inside the item at `start`. `isDeclared`: its items are missing, not its own bytes. A PartReader
   * returns INCOMPLETE instead, and does nothing for declared items that may still arrive.
   */
  incomplete(start: number, missing: number, _isDeclared = false): unknown {
    throw this.end === 0 ? emptyInput() : truncated(start, missing);
  }

  readArray(n: number, start: number, header: number): unknown {
    if (this.depth >= MAX_RECURSION && this.readNested) return this.readNested(start);
    const reserved = this.open(n, n, start, header);
    const array = n > 4 ? (this.floats(n) ?? this.elements(n, reserved)) : n > 0 ? this.shortArray(n, reserved) : [];
    this.depth--;
    this.reserved = reserved;
    return array;
  }

  /** Reads one to four elements, as pairs, coordinates and tags have. A literal has the exact size; push allocates 17 slots. */
  shortArray(n: number, reserved: number): unknown {
    const { src, view, pos } = this;
    if (n === 2 && src[pos] === 0xcb && pos + 18 <= this.end && src[pos + 9] === 0xcb && !this.settings.strict) {
      this.pos = pos + 18;
      // A separate literal for floats: V8 keeps its numbers unboxed.
      return [view.getFloat64(pos + 1), view.getFloat64(pos + 10)];
    }
    const first = this.element(reserved + n - 1);
    if (n === 1) return [first];
    const second = this.element(reserved + n - 2);
    if (n === 2) return [first, second];
    const third = this.element(reserved + n - 3);
    if (n === 3) return [first, second, third];
    return [first, second, third, this.element(reserved)];
  }

  /**
   * Reads `n` elements if all are float 64; otherwise returns null and reads nothing. Their array has a separate literal: V8 keeps
   * its numbers unboxed as long as arrays of this literal hold only floats.
   */
  floats(n: number): number[] | null {
    const { src, view, pos } = this;
    const next = pos + 9 * n;
    if (src[pos] !== 0xcb || next > this.end || src[next - 9] !== 0xcb || this.settings.strict) return null;
    const array: number[] = [];
    for (let at = pos; at < next; at += 9) {
      if (src[at] !== 0xcb) return null;
      array.push(view.getFloat64(at + 1));
    }
    this.pos = next;
    return array;
  }

  /** Reads `n` elements. */
  elements(n: number, reserved: number): unknown {
    const { src, view } = this;
    // Strict: every element is read by `read`, which checks its form.
    const end = this.settings.strict ? 0 : this.end;
    // `[]` and push keep the array packed; `new Array(n)` would be holey. Two literals, because V8 tracks the kind of elements of
    // each literal.
    const array: unknown[] = (src[this.pos]! & 0xfe) === 0xca ? [] : [];
    for (let left = n - 1; left >= 0; left--) {
      const pos = this.pos;
      const token = pos + 9 <= end ? src[pos]! : NO_TOKEN;
      if (token < 0x80) {
        this.pos = pos + 1;
        array.push(token);
        continue;
      }
      // Lists of numbers take a third longer through `read`.
      switch (token) {
        case 0xcb:
          this.pos = pos + 9;
          array.push(view.getFloat64(pos + 1));
          break;
        case 0xcc:
          this.pos = pos + 2;
          array.push(src[pos + 1]!);
          break;
        case 0xcd:
          this.pos = pos + 3;
          array.push(view.getUint16(pos + 1));
          break;
        case 0xce:
          this.pos = pos + 5;
          array.push(view.getUint32(pos + 1));
          break;
        case 0xd1:
          this.pos = pos + 3;
          array.push(view.getInt16(pos + 1));
          break;
        default:
          this.reserved = reserved + left;
          array.push(this.read());
      }
    }
    return array;
  }

  /** Reads an item inside a container: an element or a map's value. `reserved`: the bytes reserved after it. */
  element(reserved: number): unknown {
    const pos = this.pos;
    if (pos < this.end) {
      const token = this.src[pos]!;
      if (token < 0x80) {
        this.pos = pos + 1;
        return token;
      }
    }
    this.reserved = reserved;
    return this.read();
  }

  /**
   * Reads a map of up to four pairs, where no code is generated. Each pair has a separate assignment, since V8 caches keys per
   * assignment; through the loop of `fill`, objects of two numbers take twice the time. Calls `resume` at the first key that
   * `simpleKey` refuses.
   */
  smallMap(n: number, reserved: number): unknown {
    const object: Record<string, unknown> = {};
    const { keepsClasses } = this.settings;
    const after = reserved + 2 * n;
    if (n > 0) {
      const first = this.simpleKey();
      if (first === null) return this.resume!(object, n, reserved);
      const value = this.element(after - 2);
      if (keepsClasses && typeof value === "number") object[first] = null;
      object[first] = value;
    }
    if (n > 1) {
      const second = this.simpleKey();
      if (second === null) return this.resume!(object, n - 1, reserved);
      const value = this.element(after - 4);
      if (keepsClasses && typeof value === "number") object[second] = null;
      object[second] = value;
    }
    if (n > 2) {
      const third = this.simpleKey();
      if (third === null) return this.resume!(object, n - 2, reserved);
      const value = this.element(after - 6);
      if (keepsClasses && typeof value === "number") object[third] = null;
      object[third] = value;
    }
    if (n > 3) {
      const fourth = this.simpleKey();
      if (fourth === null) return this.resume!(object, 1, reserved);
      const value = this.element(reserved);
      if (keepsClasses && typeof value === "number") object[fourth] = null;
      object[fourth] = value;
    }
    this.work.plain++;
    return object;
  }

  /**
   * Reads the next key if it is a complete string of 1 to 255 bytes that is not inherited and does not start with a digit, so it
   * is not an array index. Otherwise returns null and reads nothing.
   */
  simpleKey(): string | null {
    const { src, view, pos, end } = this;
    const size = pos < end ? src[pos]! - 0x9f : 0;
    if (size < 2 || size > 32) return this.longKey(pos);
    if (pos + size >= end || (src[pos + 1]! >= 0x30 && src[pos + 1]! <= 0x39)) return null;
    const key = this.keyTable.find(src, view, pos, size);
    if (key === null) return this.newKey(size - 1, pos);
    this.pos = pos + size;
    return key;
  }

  /** As `simpleKey`, for a key that has a header of two bytes. */
  longKey(pos: number): string | null {
    const { src, end } = this;
    const n = pos + 2 < end && src[pos] === 0xd9 ? src[pos + 1]! : 0;
    if (n === 0 || pos + 2 + n > end || (src[pos + 2]! >= 0x30 && src[pos + 2]! <= 0x39)) return null;
    const key = this.readString(n, pos, 2) as string;
    if (isInherited(key)) {
      this.pos = pos;
      return null;
    }
    return key;
  }

  /**
   * As `simpleKey`, for a complete key of `n` bytes that is not in the table. Inherited names never enter the table, so this
   * method detects all of them.
   */
  newKey(n: number, pos: number): string | null {
    const { view, keyTable } = this;
    const text = this.readString(n, pos, 1) as string;
    if (!isInherited(text)) return keyTable.learn(view, pos, n + 1, text);
    this.pos = pos;
    return null;
  }

  /**
   * Reads a map with more pairs than a fast object may have directly into a dictionary: on servers the stacks take 15 to 40 %
   * longer. Calls `resume` at the first key that is not a string, or starts with a digit. The keys are not expected to recur, so
   * they stay out of the key table.
   */
  readDictionary(n: number, reserved: number): unknown {
    const { src } = this;
    // Without a prototype, no key is inherited while the object is filled.
    const dictionary = Object.create(null) as Record<string, unknown>;
    for (let left = n - 1; left >= 0; left--) {
      const token = src[this.pos]!;
      const header = token === 0xd9 ? 2 : token === 0xda ? 3 : 1;
      const first = src[this.pos + header]!;
      if ((header === 1 && (token < 0xa0 || token >= 0xc0)) || (first >= 0x30 && first <= 0x39)) {
        return this.resume!(dictionary, left + 1, reserved, true);
      }
      this.reserved = reserved + 2 * left + 1;
      const key = this.read() as string;
      dictionary[key] = this.element(reserved + 2 * left);
    }
    this.work.dictionaries++;
    return Object.setPrototypeOf(dictionary, Object.prototype);
  }
}

/** The error for bytes after the only value of an input. */
export function trailingBytes(pos: number): DecodeError {
  return new DecodeError("ERR_TRAILING_BYTES", "bytes after the value", pos);
}

/** The error for a message longer than `maxBytes`. */
export function tooLong(maxBytes: number, start: number): DecodeError {
  return new DecodeError("ERR_LIMIT_BYTES", `more than maxBytes (${maxBytes})`, start);
}

/** Converts the error of a message at `start` that was cut at `maxBytes`: missing bytes become the error of the limit. */
export function limitError(failure: MoonpackError, maxBytes: number, start: number): MoonpackError {
  const { code } = failure;
  return code === "ERR_TRUNCATED" || code === "ERR_TRAILING_BYTES" ? tooLong(maxBytes, start) : failure;
}

/** A view over the same bytes. */
export function viewOf(bytes: Uint8Array<ArrayBuffer>): DataView<ArrayBuffer> {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
