/**
 * The base class of writers: memory, numbers, text, headers, depth and cycles. Two subclasses write the containers: MessageWriter
 * (message.ts) on servers, PageWriter (page.ts) in pages. other.ts writes rare values.
 *
 * Invariants:
 * - While `pos <= safeEnd`, MARGIN bytes are free: enough for any header, number or cached key. Every value begins with
 *   that test, so small writes need no further test.
 * - Every container is closed on every exit except an error. An error ends the message, and `begin` resets the state.
 * - `bytes`, `view` and `start` describe one of two places: the target passed to `begin` (a slab, from its free part on),
 *   or `memory`, from position 0 on. `inTarget` is true for the target. A message that outgrows the target moves to `memory`
 *   and keeps its positions, since open containers have stored them.
 */

import { toWellFormed, writeUtf8 } from "#platform";
import { GrowingMemory } from "../../bytes/buffer.js";
import { MoonpackError } from "../../bytes/errors.js";
import { Failure } from "../../bytes/failure.js";
import { KEPT_IN_USE_BYTES } from "../../bytes/kept-memory.js";
import type { WriteTarget } from "../../bytes/slab.js";
import { writeUtf8From } from "../../bytes/utf8/common.js";
import { containerHeader, textHeader } from "../read/formats.js";
import { NO_LENGTH, unsupported } from "./failure.js";
import { writeOther } from "./other.js";
import type { EncoderSettings } from "./settings.js";

const INITIAL_BYTES = 16384;
const MARGIN = 512;
/** A target with less space than this is not used, so that most messages that begin in a slab also fit into it. */
export const SLAB_ROOM = MARGIN + 256;
/** From this depth on, each container is compared with one that encloses it, so that a cycle ends long before maxDepth. */
export const CYCLE_DEPTH = 8;

export const objectPrototype = Object.prototype;
export const arrayPrototype = Array.prototype;

/** True when Object.prototype has enumerable properties, which for-in would return for every object. */
export function isPolluted(): boolean {
  for (const _ in objectPrototype) return true;
  return false;
}

/** Writes messages, one at a time. The message is `bytes[start..pos)`. Its fields are open to the other files of the encoder. */
export abstract class BaseWriter {
  readonly settings: EncoderSettings;
  bytes: Uint8Array<ArrayBuffer>;
  /** A view of all of `bytes`. */
  view: DataView<ArrayBuffer>;
  /** Where the next byte goes. */
  pos = 0;
  /** Where the message begins in `bytes`. */
  start = 0;
  /** True while the message is in the target of `begin`; false once it is in `memory`. */
  inTarget = false;
  /** This writer's own memory. Its `pos` is set only where it grows or resets. */
  readonly memory: GrowingMemory = new GrowingMemory(INITIAL_BYTES);
  /** Bytes that were moved because a header's size was guessed wrong, or because the target was full. */
  moved = 0;
  /** Open containers. */
  depth = 0;
  /** Values written by this writer. */
  values = 0;
  /** True if undefined properties are omitted; only fidelity "js" keeps them. */
  readonly dropsUndefined: boolean;
  /** The last `pos` with MARGIN free bytes after it, or the end of the slice. */
  safeEnd = 0;
  /** The ancestor that deeper values are compared with, and its depth (Brent's cycle test). */
  ancestor: unknown = null;
  ancestorDepth = 0;
  /** The key whose value is being written, if the writer tracks keys. */
  place: unknown = null;
  /** Containers nested deeper than this are written by `container`, without recursion. */
  readonly maxRecursion: number = Infinity;
  readonly maxDepth: number;
  readonly maxBytes: number;
  /** True if `array` and `object` write plain containers: no option changes them, and Object.prototype is not polluted. */
  isPlain = true;

  constructor(settings: EncoderSettings) {
    this.settings = settings;
    this.bytes = this.memory.bytes;
    this.view = this.memory.view;
    this.maxDepth = settings.maxDepth;
    this.maxBytes = settings.maxBytes;
    this.dropsUndefined = settings.js === null;
  }

  /** The numbers of object keys with known bytes (hits), and of other keys. */
  abstract readonly keys: { readonly hits: number; readonly misses: number };

  /** Writes the root value of the message. */
  abstract root(value: unknown): void;
  /** Writes a plain object: its own enumerable string keys, without undefined values. */
  abstract object(object: Record<string, unknown>): void;
  /** Writes a container of any kind. Returns false, and writes nothing, when the value is not a container. */
  abstract container(value: unknown): boolean;

  /** The error to throw after an error inside the result of `toMessagePack`. */
  fromReplacement(error: unknown, _replacement: unknown): unknown {
    return error;
  }

  /** Writes the message of one value: into the free part of `target` if there is one and it fits, else into `memory`. */
  message(value: unknown, target: WriteTarget | null): void {
    try {
      this.begin(target);
      this.root(value);
      this.finish();
    } catch (error) {
      throw this.failed(error);
    }
  }

  /** Begins a message. */
  begin(target: WriteTarget | null): void {
    this.toMemory();
    if (target !== null) {
      target.ready(SLAB_ROOM);
      this.bytes = target.bytes;
      this.view = target.view;
      this.start = this.pos = target.used;
      this.inTarget = true;
    }
    this.setSafeEnd();
  }

  /** Ends a complete message. */
  finish(): void {
    this.checkSize();
    if (this.bytes.length === 0) throw new Failure("ERR_USER_CODE", "user code detached the encoder's memory");
    this.values++;
  }

  /** Ends the message after an error, and returns the error for the caller. */
  failed(error: unknown): MoonpackError {
    this.depth = this.ancestorDepth = 0;
    this.ancestor = null;
    this.letGo();
    return Failure.from(error).toError();
  }

  /** Sets `safeEnd` for the current memory. */
  setSafeEnd(): void {
    this.safeEnd = this.bytes.length - MARGIN;
  }

  /** Called where a value begins after `safeEnd`: makes space. */
  atSafeEnd(): void {
    this.grow(MARGIN);
  }

  /** A view of the message in `memory`, valid until the next one. */
  shared(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.pos);
  }

  /** Releases very large memory. The caller has copied the message. */
  letGo(): void {
    if (this.memory.bytes.length > KEPT_IN_USE_BYTES) this.toMemory();
  }

  /** Discards the message and returns to the start of `memory`, which GrowingMemory.reset keeps or replaces. */
  toMemory(): void {
    const { memory } = this;
    memory.pos = this.pos;
    memory.reset();
    this.bytes = memory.bytes;
    this.view = memory.view;
    this.start = this.pos = 0;
    this.inTarget = false;
  }

  /** Makes space for `n` bytes at `pos`. */
  grow(n: number): void {
    const { bytes, start, pos, memory } = this;
    if (pos + n <= bytes.length) return; // `safeEnd` is the end of a slice
    try {
      if (this.inTarget) {
        memory.pos = 0;
        if (memory.bytes.length < pos + n) memory.grow(pos + n);
        memory.bytes.set(bytes.subarray(start, pos), start);
        this.moved += pos - start;
        this.inTarget = false;
      } else {
        memory.pos = pos;
        memory.grow(n);
      }
    } catch (cause) {
      throw cause instanceof MoonpackError ? new Failure(cause.code, cause.message, cause) : cause;
    }
    this.bytes = memory.bytes;
    this.view = memory.view;
    this.setSafeEnd();
    this.checkSize();
  }

  /** Throws `ERR_LIMIT_BYTES` if the message is larger than `maxBytes`. */
  checkSize(): void {
    if (this.pos - this.start > this.maxBytes) {
      throw new Failure("ERR_LIMIT_BYTES", `the message takes more than maxBytes (${this.maxBytes})`);
    }
  }

  /** Makes space for `n` bytes and the margin after them. */
  room(n: number): void {
    if (this.pos + n > this.safeEnd) this.grow(n + MARGIN);
  }

  /** Writes any value. */
  write(value: unknown): void {
    if (this.pos > this.safeEnd) this.atSafeEnd();
    switch (typeof value) {
      case "string":
        return this.string(value);
      case "number":
        return this.number(value);
      case "boolean":
        this.bytes[this.pos++] = value ? 0xc3 : 0xc2;
        return;
      case "object":
        if (value === null) {
          this.bytes[this.pos++] = 0xc0;
          return;
        }
        if (this.isPlain) {
          const prototype = Object.getPrototypeOf(value);
          if (prototype === arrayPrototype && Array.isArray(value)) return this.array(value);
          if (prototype === objectPrototype || prototype === null) return this.object(value as Record<string, unknown>);
        }
        return writeOther(this, value);
      default:
        return writeOther(this, value);
    }
  }

  /** Writes a number: a safe integer in its shortest form, else the smallest float that represents it exactly. */
  number(value: number): void {
    const { bytes, view, pos } = this;
    if ((value | 0) === value) {
      if (value >= 0) {
        if (value < 0x80) {
          if (value === 0 && 1 / value < 0) return this.#float(value);
          bytes[pos] = value;
          this.pos = pos + 1;
        } else if (value < 0x100) {
          bytes[pos] = 0xcc;
          bytes[pos + 1] = value;
          this.pos = pos + 2;
        } else if (value < 0x10000) {
          bytes[pos] = 0xcd;
          view.setUint16(pos + 1, value);
          this.pos = pos + 3;
        } else {
          bytes[pos] = 0xce;
          view.setInt32(pos + 1, value);
          this.pos = pos + 5;
        }
      } else if (value >= -32) {
        bytes[pos] = value;
        this.pos = pos + 1;
      } else if (value >= -0x80) {
        bytes[pos] = 0xd0;
        bytes[pos + 1] = value;
        this.pos = pos + 2;
      } else if (value >= -0x8000) {
        bytes[pos] = 0xd1;
        view.setInt16(pos + 1, value);
        this.pos = pos + 3;
      } else {
        bytes[pos] = 0xd2;
        view.setInt32(pos + 1, value);
        this.pos = pos + 5;
      }
    } else if (Number.isSafeInteger(value)) this.#wideInteger(value);
    else this.#float(value);
  }

  /** Writes a safe integer out of the range of int32. */
  #wideInteger(value: number): void {
    const { bytes, view, pos } = this;
    if (value > 0 && value <= 0xffffffff) {
      // Inlined: a call to `length` takes 20 % longer for a list of ids above 2^31.
      bytes[pos] = 0xce;
      view.setUint32(pos + 1, value);
      this.pos = pos + 5;
      return;
    }
    bytes[pos] = value > 0 ? 0xcf : 0xd3;
    const high = Math.floor(value / 0x100000000);
    view.setInt32(pos + 1, high);
    view.setUint32(pos + 5, value - high * 0x100000000);
    this.pos = pos + 9;
  }

  #float(value: number): void {
    const { bytes, view, pos } = this;
    if (Math.fround(value) === value) {
      bytes[pos] = 0xca;
      view.setFloat32(pos + 1, value);
      this.pos = pos + 5;
    } else if (!Number.isNaN(value)) {
      bytes[pos] = 0xcb;
      view.setFloat64(pos + 1, value);
      this.pos = pos + 9;
    } else this.notANumber();
  }

  notANumber(): void {
    this.bytes[this.pos] = 0xca;
    this.view.setUint32(this.pos + 1, 0x7fc00000); // always the same NaN
    this.pos += 5;
  }

  /** Writes a string as UTF-8. `ERR_INVALID_UTF8` for a lone surrogate, unless `utf8` is "replace". */
  string(text: string): void {
    const length = text.length;
    if (length >= 32) return this.#otherString(text, 0);
    // ASCII with a header of one byte, inlined: through writeUtf8, tiny messages take 5 % longer.
    const { bytes, pos } = this;
    const from = pos + 1;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 0x7f) return this.#otherString(text, i);
      bytes[from + i] = unit;
    }
    bytes[pos] = 0xa0 | length;
    this.pos = from + length;
  }

  /** Writes a string of 32 code units or more, or one whose first `from` units are ASCII and already written. The next one is not. */
  #otherString(text: string, from: number): void {
    const length = text.length;
    if (length > 40) this.room(length * 3 + 5);
    const { bytes, pos } = this;
    // Guesses the header's size as if all characters took as many bytes as the first one. A wrong guess moves the text.
    const unit = text.charCodeAt(0);
    const guess = textHeader((unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3) * length);
    const start = pos + guess;
    const end = length < 32 ? writeUtf8From(bytes, start + from, text, from) : writeUtf8(bytes, start, text);
    if (end < 0) {
      if (this.settings.utf8 === "strict") throw new Failure("ERR_INVALID_UTF8", "a lone surrogate has no UTF-8 form");
      return this.string(toWellFormed(text));
    }
    const n = end - start;
    const header = textHeader(n);
    if (header !== guess) bytes.copyWithin(pos + header, start, end);
    if (header === 1) bytes[pos] = 0xa0 | n;
    else this.length(0xd9, n);
    this.pos = pos + header + n;
  }

  /** Opens a container: counts the depth, and tests for a cycle from CYCLE_DEPTH on. */
  open(holder: unknown): void {
    const depth = ++this.depth;
    if (depth >= CYCLE_DEPTH) this.#openDeep(holder, depth);
    else if (depth > this.maxDepth) throw this.#tooDeep();
  }

  /**
   * Brent's test: compares the container with the ancestor at the last power of two. It finds a cycle within twice the
   * cycle's length.
   */
  #openDeep(holder: unknown, depth: number): void {
    if (holder === this.ancestor) throw new Failure("ERR_CYCLE", "a value contains itself");
    if (depth > this.maxDepth) throw this.#tooDeep();
    if ((depth & (depth - 1)) === 0) {
      this.ancestor = holder;
      this.ancestorDepth = depth;
    }
  }

  #tooDeep(): Failure {
    return new Failure("ERR_LIMIT_DEPTH", `nested deeper than maxDepth (${this.maxDepth})`);
  }

  /** Closes the innermost container. */
  close(): void {
    if (this.depth-- === this.ancestorDepth) {
      this.ancestor = null;
      this.ancestorDepth = 0;
    }
  }

  /** Writes a plain array. */
  array(array: readonly unknown[]): void {
    if (this.depth >= this.maxRecursion) return void this.container(array);
    this.open(array);
    const n = array.length;
    if (n >>> 0 !== n) throw new Failure("ERR_OUT_OF_RANGE", NO_LENGTH);
    this.arrayHeader(n);
    const { place } = this;
    let i = 0;
    try {
      for (; i < n; i++) {
        // By index, up to the length in the header: an element that a getter has removed is undefined, and an error.
        const value = array[i];
        if (typeof value === "number") {
          if (this.pos > this.safeEnd) this.atSafeEnd();
          this.number(value);
        } else if (value === undefined) this.element(array, i);
        else {
          this.place = place;
          this.write(value);
        }
      }
    } catch (error) {
      throw this.atElement(error, array, i, n);
    }
    this.close();
  }

  /** The error to throw after an error in element `i` of `n`. */
  atElement(error: unknown, array: readonly unknown[], i: number, _n: number): unknown {
    return Failure.at(error, i, array);
  }

  /** Writes an element that is undefined or a hole. */
  element(array: readonly unknown[], i: number): void {
    if (i in array || this.settings.js !== null) this.write(undefined);
    else throw unsupported("a hole in an array");
  }

  /** Writes the header of an array of `n` elements. */
  arrayHeader(n: number): void {
    this.values += n;
    if (n < 16) this.bytes[this.pos++] = 0x90 | n;
    else this.length(0xdb, n, n < 0x10000 ? 2 : 4);
  }

  /** Writes the header of a map of `n` members. */
  mapHeader(n: number): void {
    this.values += n;
    if (n < 16) this.bytes[this.pos++] = 0x80 | n;
    else this.length(0xdd, n, n < 0x10000 ? 2 : 4);
  }

  /**
   * Writes a first byte and the length `n` in 1, 2 or 4 bytes. `token` is the first byte for a length of 1 byte, `token + 1` for
   * 2 bytes, `token + 2` for 4 bytes. (Arrays and maps have no form with 1 byte.)
   */
  length(token: number, n: number, width = n < 0x100 ? 1 : n < 0x10000 ? 2 : 4): void {
    const { bytes, view, pos } = this;
    bytes[pos] = token + (width >> 1);
    if (width === 1) bytes[pos + 1] = n;
    else if (width === 2) view.setUint16(pos + 1, n);
    else view.setUint32(pos + 1, n);
    this.pos = pos + 1 + width;
  }

  /** Writes bytes without a header. */
  raw(data: Uint8Array): void {
    this.room(data.length);
    this.bytes.set(data, this.pos);
    this.pos += data.length;
  }

  /** Writes the map header into the `header` bytes reserved at `start`. Moves the members if the header has another size. */
  closeHeader(start: number, header: number, n: number): void {
    const needed = containerHeader(n);
    const end = this.pos + needed - header;
    if (needed !== header) {
      this.bytes.copyWithin(start + needed, start + header, this.pos);
      this.moved += this.pos - start - header;
    }
    this.pos = start;
    this.mapHeader(n);
    this.pos = end;
  }
}
