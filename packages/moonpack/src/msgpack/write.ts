/**
 * The encoder's hot file: writes one message by recursion over the value. Long because its parts call each other on the
 * hot path; classes and options live in write-other.ts.
 *
 * Invariants:
 * - While `pos <= #safe` there are MARGIN bytes of room: enough for any header, number or cached key. Every value
 *   begins with that test, so small writes need none of their own.
 * - Every container is closed on every way out but an error; an error ends the message and `reset` begins anew.
 */
import { toWellFormed, writeUtf8 } from "#utf8";
import { GrowingMemory } from "../bytes/buffer.js";
import { MoonpackError } from "../bytes/errors.js";
import type { WriteTarget } from "../bytes/slab.js";
import { Failure, PAUSE } from "./failure.js";
import { KeyTable, type KnownKey, UNCOUNTED, UNSTABLE } from "./known-keys.js";
import type { EncoderSettings } from "./options.js";
import { entriesOf, toJsonValue, writeLevels } from "./write-levels.js";
import { writeOther } from "./write-other.js";
import type { Pausing } from "./write-pauses.js";

const INITIAL_BYTES = 16384;
const MARGIN = 512;
/** As KEPT_IN_USE_BYTES of the growing memory: more is not kept once a message is done. */
const KEPT_SCRATCH = 16 * 1024 * 1024;
/** A slab with less room than this is left for a new one: most messages that begin in a slab then end in it. */
export const SLAB_ROOM = MARGIN + 256;
/** Containers nested deeper than this are written with a stack on the heap: recursion takes about 400 bytes a level. */
const MAX_RECURSION = 512;
/** From this depth on a value is compared with one of those that enclose it, so that a cycle ends long before maxDepth. */
const CYCLE_DEPTH = 8;
/** Keys of an object that are looked up in the key table; what has more is a dictionary, whose keys rarely recur. */
const MAX_KNOWN_KEYS = 200;

const { getPrototypeOf } = Object;
const objectPrototype = Object.prototype;
const arrayPrototype = Array.prototype;

function isPolluted(): boolean {
  for (const _ in objectPrototype) return true;
  return false;
}

export class MessageWriter extends GrowingMemory {
  readonly settings: EncoderSettings;
  /** Where the message begins in `bytes`. */
  start = 0;
  depth = 0;
  values = 0;
  readonly keys = new KeyTable();
  /** Memory of its own; `bytes` is this, or a slab. */
  #scratch: Uint8Array<ArrayBuffer>;
  #scratchView: DataView<ArrayBuffer>;
  /** `pos` up to which MARGIN bytes are free. */
  #safe: number;
  /** The ancestor that deeper values are compared with, and its depth (Brent's cycle test). */
  #ancestor: unknown = null;
  #ancestorDepth = 0;
  readonly #maxDepth: number;
  readonly #maxBytes: number;
  /** No option changes how plain values are written. */
  readonly #plain: boolean;
  readonly #json: boolean;
  /** Properties that are undefined are left out; only fidelity "js" keeps them. */
  readonly dropsUndefined: boolean;
  /** The key whose value is being written: its objects are expected to begin as the last ones did. */
  under: KnownKey;
  /** Somebody put enumerable properties on Object.prototype, which for-in would take for the object's own. */
  #inherits = false;
  /** Who keeps what a pause leaves open; null for a writer that never pauses. See write-pauses.ts. */
  pausing: Pausing | null = null;
  mayPause = false;
  #pauseAt = Infinity;

  constructor(settings: EncoderSettings) {
    super(INITIAL_BYTES);
    this.settings = settings;
    this.#scratch = this.bytes;
    this.#scratchView = this.view;
    this.#safe = INITIAL_BYTES - MARGIN;
    this.under = this.keys.root;
    this.#maxDepth = settings.maxDepth;
    this.#maxBytes = settings.maxBytes;
    this.#plain = !settings.canonical && !settings.json;
    this.#json = settings.json;
    this.dropsUndefined = settings.js === null;
  }

  /**
   * Writes the message of one value to `bytes[start..pos)`: into the free part of the slab if one is given, for as long
   * as it fits, else from position 0 on.
   */
  message(value: unknown, slab: WriteTarget | null): void {
    try {
      this.begin(slab);
      this.root(value);
      this.finish();
    } catch (error) {
      throw this.failed(error);
    }
  }

  /** Writes the value that the message is. */
  root(value: unknown): void {
    this.#inherits = isPolluted();
    this.under = this.keys.root;
    this.write(this.#json ? toJsonValue(value, "") : value);
  }

  /** The message is complete. */
  finish(): void {
    this.#checkSize();
    if (this.bytes.length === 0) throw new Failure("ERR_USER_CODE", "user code transferred the encoder's memory away");
    this.values++;
  }

  /** Ends the message with an error; answers it for the caller. */
  failed(error: unknown): MoonpackError {
    this.depth = this.#ancestorDepth = 0;
    this.#ancestor = null;
    this.letGo();
    return Failure.from(error).toError();
  }

  /** Begins a message. */
  begin(slab: WriteTarget | null): void {
    this.#rewind();
    this.start = 0;
    if (slab !== null) {
      slab.ready(SLAB_ROOM);
      this.bytes = slab.bytes;
      this.view = slab.view;
      this.start = this.pos = slab.used;
    }
    this.#settle();
  }

  #settle(): void {
    this.#safe = Math.min(this.bytes.length - MARGIN, this.#pauseAt);
  }

  /** Pauses before the first value that begins behind `pos`; only where there is something that can go on, see `pausing`. */
  pauseAt(pos: number): void {
    this.#checkSize();
    this.#pauseAt = pos;
    this.#settle();
  }

  /** Every value begins with this, when there may be no room for it, or when it is time for a pause. */
  #full(): void {
    if (this.mayPause && this.pos > this.#pauseAt) throw PAUSE;
    this.grow(MARGIN);
  }

  /** For keys that are not written here. */
  ready(): void {
    if (this.pos > this.#safe) this.#full();
  }

  /** The message, with the memory of this writer that it lies in: the next one gets `spare`, or as much anew. */
  take(spare: Uint8Array<ArrayBuffer> | null): Uint8Array<ArrayBuffer> {
    const { bytes, start, pos } = this;
    this.#scratch = spare ?? new Uint8Array(Math.min(bytes.length, KEPT_SCRATCH));
    this.#scratchView = new DataView(this.#scratch.buffer);
    this.#rewind();
    return new Uint8Array(bytes.buffer, start, pos - start);
  }

  /** Gives back memory that one huge message took; its bytes have been copied by now. */
  letGo(): void {
    if (this.#scratch.length > KEPT_SCRATCH) this.#rewind();
  }

  /** Forgets what was written, in memory of its own: as {@link GrowingMemory.reset}, whatever `bytes` is now. */
  #rewind(): void {
    this.#toScratch();
    this.reset();
    this.#keepScratch();
  }

  #toScratch(): void {
    this.bytes = this.#scratch;
    this.view = this.#scratchView;
  }

  #keepScratch(): void {
    this.#scratch = this.bytes;
    this.#scratchView = this.view;
    this.#settle();
  }

  protected override grow(n: number): void {
    const { bytes, start, pos } = this;
    if (pos + n <= bytes.length) return; // called because of a pause
    try {
      if (bytes !== this.#scratch && this.#scratch.length >= pos + n) {
        // The message outgrows the slab; offsets stay what they are.
        this.#toScratch();
        this.bytes.set(bytes.subarray(start, pos), start);
        this.copied += pos - start;
      } else super.grow(n);
    } catch (cause) {
      throw cause instanceof MoonpackError ? new Failure(cause.code, cause.message, cause) : cause;
    }
    this.#keepScratch();
    this.#checkSize();
  }

  #checkSize(): void {
    if (this.pos - this.start > this.#maxBytes) {
      throw new Failure("ERR_LIMIT_BYTES", `the message takes more than maxBytes (${this.#maxBytes})`);
    }
  }

  /** Makes room for `n` bytes and the margin after them. */
  room(n: number): void {
    if (this.pos + n > this.#safe) this.grow(n + MARGIN);
  }

  /** Writes any value. */
  write(value: unknown): void {
    if (this.pos > this.#safe) this.#full();
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
        if (this.#plain) {
          const prototype = getPrototypeOf(value);
          if (prototype === arrayPrototype && Array.isArray(value)) return this.array(value);
          if (prototype === objectPrototype || prototype === null) return this.object(value as Record<string, unknown>);
        }
        return writeOther(this, value);
      default:
        return writeOther(this, value);
    }
  }

  /** Will `write` take this object itself, by recursion? */
  isPlain(value: object): boolean {
    const prototype: unknown = getPrototypeOf(value);
    const isPlain =
      prototype === objectPrototype || prototype === null || (prototype === arrayPrototype && Array.isArray(value));
    return isPlain && this.#plain && this.depth < MAX_RECURSION;
  }

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

  /** A safe integer beyond int32. */
  #wideInteger(value: number): void {
    const { bytes, view, pos } = this;
    if (value > 0 && value <= 0xffffffff) {
      // In line: through `length` a list of ids above 2^31 takes a fifth longer.
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
    } else this.#notANumber();
  }

  #notANumber(): void {
    if (this.#json) this.bytes[this.pos++] = 0xc0;
    else {
      this.bytes[this.pos] = 0xca;
      this.view.setUint32(this.pos + 1, 0x7fc00000); // one NaN, whatever its payload
      this.pos += 5;
    }
  }

  string(text: string): void {
    const length = text.length;
    if (length > 40) this.room(length * 3 + 5);
    const { pos } = this;
    // The header for as many bytes as characters: right for ASCII, and for any text of up to 10 characters.
    const guess = length < 32 ? 1 : length < 0x100 ? 2 : length < 0x10000 ? 3 : 5;
    const end = writeUtf8(this.bytes, pos + guess, text);
    if (end < 0) return this.#illFormed(text);
    const n = end - pos - guess;
    if (n < 32) {
      this.bytes[pos] = 0xa0 | n;
      this.pos = end;
    } else this.#stringHeader(pos, guess, n, end);
  }

  #stringHeader(pos: number, guess: number, n: number, end: number): void {
    const { bytes } = this;
    const header = n < 0x100 ? 2 : n < 0x10000 ? 3 : 5;
    if (header !== guess) bytes.copyWithin(pos + header, pos + guess, end);
    this.length(0xd9, n);
    this.pos = pos + header + n;
  }

  #illFormed(text: string): void {
    if (this.settings.utf8 === "strict") throw new Failure("ERR_INVALID_UTF8", "a lone surrogate has no UTF-8 form");
    this.string(toWellFormed(text));
  }

  /** Opens a container: depth, and the cycle test once it is deep. */
  open(holder: unknown): void {
    const depth = ++this.depth;
    if (depth >= CYCLE_DEPTH) this.#openDeep(holder, depth);
    else if (depth > this.#maxDepth) throw this.#tooDeep();
  }

  /** Brent's test: the ancestor at the last power of two is compared; it is found within twice the cycle's length. */
  #openDeep(holder: unknown, depth: number): void {
    if (holder === this.#ancestor) throw new Failure("ERR_CYCLE", "a value contains itself");
    if (depth > this.#maxDepth) throw this.#tooDeep();
    if ((depth & (depth - 1)) === 0) {
      this.#ancestor = holder;
      this.#ancestorDepth = depth;
    }
  }

  #tooDeep(): Failure {
    return new Failure("ERR_LIMIT_DEPTH", `more than ${this.#maxDepth} containers are open`);
  }

  close(): void {
    if (this.depth-- === this.#ancestorDepth) {
      this.#ancestor = null; // it encloses nothing more
      this.#ancestorDepth = 0;
    }
  }

  array(array: readonly unknown[]): void {
    if (this.depth >= MAX_RECURSION) return void writeLevels(this, array);
    this.open(array);
    const n = array.length;
    // What a proxy says of its length may be no length at all.
    if (n >>> 0 !== n) throw new Failure("ERR_OUT_OF_RANGE", "an array whose length is no uint32");
    this.arrayHeader(n);
    const under = this.under;
    let i = 0;
    try {
      for (; i < n; i++) {
        // By index up to the length written: an element that a getter removes meanwhile is undefined, hence an error.
        const value = array[i];
        if (typeof value === "number") {
          if (this.pos > this.#safe) this.#full();
          this.number(value);
        } else if (value === undefined) this.element(array, i);
        else {
          this.under = under;
          this.write(value);
        }
      }
    } catch (error) {
      throw error === PAUSE ? this.pausing!.array(array, i, n, under) : Failure.at(error, i, array);
    }
    this.close();
  }

  /** An element that is undefined, or a hole. */
  element(array: readonly unknown[], i: number): void {
    if (i in array || this.settings.js !== null) this.write(undefined);
    else throw new Failure("ERR_UNSUPPORTED_TYPE", "a hole in an array has no MessagePack form");
  }

  arrayHeader(n: number): void {
    this.values += n;
    if (n < 16) this.bytes[this.pos++] = 0x90 | n;
    else this.length(0xdb, n, n < 0x10000 ? 2 : 4);
  }

  mapHeader(n: number): void {
    this.values += n;
    if (n < 16) this.bytes[this.pos++] = 0x80 | n;
    else this.length(0xdd, n, n < 0x10000 ? 2 : 4);
  }

  /**
   * A first byte and the length `n` in 1, 2 or 4 bytes. `token` is the first byte where it takes one; those of the others
   * follow it. (Arrays and maps have no such form.)
   */
  length(token: number, n: number, width = n < 0x100 ? 1 : n < 0x10000 ? 2 : 4): void {
    const { bytes, view, pos } = this;
    bytes[pos] = token + (width >> 1);
    if (width === 1) bytes[pos + 1] = n;
    else if (width === 2) view.setUint16(pos + 1, n);
    else view.setUint32(pos + 1, n);
    this.pos = pos + 1 + width;
  }

  /** Bytes as they are. */
  raw(data: Uint8Array): void {
    this.room(data.length);
    this.bytes.set(data, this.pos);
    this.pos += data.length;
  }

  /**
   * A plain object: its own enumerable string keys, undefined values left out. One pass, in which keys follow a chain of
   * known ones; the header is guessed from the last object that began with the same key. A wrong guess moves what was
   * written, once: from then on objects that begin with this key are counted before they are written.
   */
  object(object: Record<string, unknown>): void {
    if (this.depth >= MAX_RECURSION) return void writeLevels(this, object);
    this.open(object);
    const start = this.pos;
    const under = this.under;
    let known = under;
    let first: KnownKey | null = null;
    let header = 1;
    let n = 0;
    let key = "";
    let at = start;
    let isCounted = false;
    try {
      // for-in is 10-25 % quicker than Object.keys.
      for (key in object) {
        if (first === null) {
          first = under.inner;
          if (first === null || first.text !== key) first = under.inner = this.keys.find(key);
          if (first === null || first.counts < 0 || this.#inherits) {
            isCounted = true;
            this.#counted(object, first);
            return this.close();
          }
          header = first.counts < 16 ? 1 : first.counts < 0x10000 ? 3 : 5;
          this.pos += header;
        }
        const value = object[key];
        if (value === undefined && this.dropsUndefined) continue;
        at = this.pos;
        if (at > this.#safe) this.#full();
        if (n < MAX_KNOWN_KEYS) {
          let next = n === 0 ? first : known.next;
          if (next === null || next.text !== key) next = this.keys.after(known, key);
          if (next === null) this.string(key);
          else {
            known = next;
            this.#knownKey(next);
          }
        } else this.string(key);
        n++;
        if (typeof value === "number") this.number(value);
        else if (typeof value === "string") this.string(value);
        else {
          this.under = known;
          this.write(value);
        }
      }
    } catch (error) {
      if (error === PAUSE && !isCounted) throw this.pausing!.object(object, key, at, start, header, n, first);
      throw isCounted ? error : first === null ? Failure.from(error) : Failure.at(error, key, object);
    }
    if (first === null) this.bytes[this.pos++] = 0x80;
    else this.closeHeader(start, header, n, first);
    this.close();
  }

  #knownKey(key: KnownKey): void {
    const { view, pos } = this;
    const { size } = key;
    view.setInt32(pos, key.word0, true);
    if (size > 4) {
      view.setInt32(pos + 4, key.word1, true);
      if (size > 8) {
        view.setInt32(pos + 8, key.word2, true);
        view.setInt32(pos + 12, key.word3, true);
        if (size > 16) for (let i = 16; i < size; i++) this.bytes[pos + i] = key.bytes[i]!;
      }
    }
    this.pos = pos + size;
  }

  /** Writes the map header that was left open at `start`; moves the pairs when it takes another size than was guessed. */
  closeHeader(start: number, header: number, n: number, first: KnownKey | null): void {
    const needed = n < 16 ? 1 : n < 0x10000 ? 3 : 5;
    const end = this.pos + needed - header;
    if (needed !== header) {
      this.bytes.copyWithin(start + needed, start + header, this.pos);
      this.copied += this.pos - start - header;
      if (first !== null) first.counts = UNSTABLE;
    }
    this.pos = start;
    this.mapHeader(n);
    this.pos = end;
  }

  /** An object whose number of keys cannot be guessed: its pairs are gathered, then written. */
  #counted(object: Record<string, unknown>, first: KnownKey | null): void {
    if (this.mayPause && this.pausing!.isLarge(object)) throw PAUSE;
    const entries = entriesOf(object, this.dropsUndefined);
    if (first !== null && first.counts === UNCOUNTED) first.counts = entries.length;
    this.mapHeader(entries.length);
    let known = this.under;
    let i = 0;
    let at = this.pos;
    try {
      for (; i < entries.length; i++) {
        at = this.pos;
        if (at > this.#safe) this.#full();
        const text = entries[i]![0];
        const next =
          i >= MAX_KNOWN_KEYS
            ? null
            : known.next !== null && known.next.text === text
              ? known.next
              : this.keys.after(known, text);
        if (next === null) this.string(text);
        else {
          known = next;
          this.#knownKey(next);
        }
        this.under = known;
        this.write(entries[i]![1]);
      }
    } catch (error) {
      if (error === PAUSE) throw this.pausing!.entries(object, entries, i, at);
      throw Failure.at(error, entries[i]![0], object);
    }
  }
}
