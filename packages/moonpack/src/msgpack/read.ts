/**
 * The decoder's hot file: reads one message by recursion over its containers. Long because its parts call each other
 * on the hot path; what is rare lies in files of its own (scalars.ts, deep.ts, shapes/, keys.ts).
 *
 * Invariants:
 * - `owed` is what all enclosing containers still declare after the item being read, at one byte an element (two a
 *   pair). A container that declares more than the bytes left without those is refused at its header, so nothing is
 *   ever allocated ahead of the bytes: total work is bounded by the input's length.
 * - Keys and values of maps wait on two stacks, or a few in variables, until the whole map is read. No object exists half
 *   built, and a prediction that fails in the middle re-reads nothing.
 */
import { readUtf8, readUtf8Lossy } from "#utf8";
import { DecodeError, MoonpackError } from "../bytes/errors.js";
import { type BytesInput, emptyInput, toBytes, truncated } from "../bytes/input.js";
import { CUT, Level, readDeep } from "./deep.js";
import { Dictionary } from "./dictionary.js";
import { KeyCache } from "./keys.js";
import {
  buildDictionary,
  buildMap,
  buildObject,
  isInherited,
  MAX_FAST_KEYS,
  MAX_LITERAL_KEYS,
  MAX_UNPREPARED_KEYS,
} from "./objects.js";
import type { DecoderSettings } from "./options.js";
import { Records } from "./records.js";
import { readWide } from "./scalars.js";
import type { ShapeReading } from "./shapes/support.js";

/**
 * Input up to here is copied before it is read: a copy takes 25-50 ns, a DataView over the caller's memory 190 ns, and
 * up to 64 bytes the caller's array would have to leave V8's heap for it (500 ns).
 */
const COPIED_BYTES = 2048;
/**
 * Containers nested deeper than this are read with a stack on the heap: with 512 by recursion a worker in Chromium runs out
 * of its own, as long as V8 has not optimised the functions that they go through.
 */
export const MAX_RECURSION = 256;
/** Stacks that one large message has grown are let go. */
const KEPT_STACK = 4096;
/** Where no shape is noted. */
const NO_SLOT = -1;
/** Stands for a first byte that is to be read the careful way; no format begins with it. */
const NO_TOKEN = 0xc1;

/** The state of one message being read. Its fields are open to the other files of the decoder, and to generated code. */
export class MessageReader {
  readonly settings: DecoderSettings;
  src: Uint8Array<ArrayBuffer>;
  view: DataView<ArrayBuffer>;
  pos = 0;
  end = 0;
  owed = 0;
  depth = 0;
  readonly strict: boolean;
  readonly resumable: boolean;
  /** Keys and values of the maps being read, outermost first; `top` is where the next map's begin. */
  keys: unknown[] = emptyStack();
  values: unknown[] = emptyStack();
  top = 0;
  /** Maps are not simply objects, or not every map is welcome: deep.ts reads them. */
  readonly checksMaps: boolean;
  readonly #small: Uint8Array<ArrayBuffer>;
  readonly #smallView: DataView<ArrayBuffer>;
  readonly cache = new KeyCache();
  readonly records = new Records();
  readonly shapes: ShapeReading | null;
  /** The message has a key that Object.prototype has too; see objects.ts. */
  careful = false;
  /** Containers are opened, not read: deep.ts keeps them on a stack of its own. */
  flat = false;
  /**
   * Where the containers that the end of the input cuts are kept, innermost first; null where the whole message has to be
   * there. See resume.ts.
   */
  cut: Level[] | null = null;
  /** Bytes that may come after the end of the input, in a stream; `comes` says that these do, and no others. */
  mayCome = 0;
  comes = false;
  /** Keys other than short strings were read: the stack must not keep them. */
  hasLargeKeys = false;
  #nested: MessageReader | null = null;
  /** A message is being read. */
  busy = false;
  messages = 0;
  bytes = 0;
  count = 0;

  /** `resumable`: the end of its input may cut a message that goes on later; see resume.ts. */
  constructor(settings: DecoderSettings, resumable = false) {
    this.settings = settings;
    this.resumable = resumable;
    this.strict = settings.strict;
    this.checksMaps = settings.strict || settings.maps !== "auto";
    this.#small = this.src = new Uint8Array(COPIED_BYTES);
    this.#smallView = this.view = new DataView(this.src.buffer);
    this.shapes = settings.shapes === null ? null : settings.shapes(settings.codeGeneration);
  }

  /** This reader, or while it is at work (an extension calls back into us) one that it keeps for nested messages. */
  free(): MessageReader {
    if (!this.busy) return this;
    this.#nested ??= new MessageReader(this.settings, this.resumable);
    return this.#nested.free();
  }

  /** Reads the one value that is the whole input. */
  readAll(input: BytesInput): unknown {
    if (this.busy) return this.free().readAll(input);
    const mayCopy = this.settings.binary === "copy" && ArrayBuffer.isView(input) && input instanceof Uint8Array;
    if (mayCopy && input.length <= COPIED_BYTES && input.length > 0) {
      const n = input.length;
      try {
        this.#small.set(input);
      } catch {
        toBytes(input); // detached: its error says so
      }
      return this.readAt(this.#small, this.#smallView, 0, n, true);
    }
    const bytes = toBytes(input);
    return this.readAt(bytes, viewOf(bytes), 0, bytes.length, true);
  }

  /** Reads one value of `bytes[start..end)`; `pos` is its end then. `isAll`: nothing may follow it. */
  readAt(
    bytes: Uint8Array<ArrayBuffer>,
    view: DataView<ArrayBuffer>,
    start: number,
    end: number,
    isAll: boolean,
  ): unknown {
    const { maxBytes } = this.settings;
    const isCut = end - start > maxBytes;
    this.busy = true;
    this.src = bytes;
    this.view = view;
    this.careful = false;
    this.pos = start;
    this.end = isCut ? start + maxBytes : end;
    try {
      const value = this.read();
      if (isAll && this.pos !== end) throw new DecodeError("ERR_TRAILING_BYTES", "bytes after the value", this.pos);
      this.count++;
      this.messages++;
      this.bytes += this.pos - start;
      return value;
    } catch (error) {
      this.forget();
      this.depth = this.owed = 0;
      this.flat = false;
      const failure = this.familyError(error);
      throw isCut ? beyond(failure, maxBytes, start) : failure;
    } finally {
      this.busy = false;
      this.letGo();
    }
  }

  /** Empties the stacks of what was not finished. */
  forget(): void {
    if (this.cut !== null) this.cut.length = 0;
    this.keys.fill(undefined);
    this.values.fill(undefined);
    this.top = 0;
  }

  /** Lets go of the caller's memory, and of stacks that grew large. */
  letGo(): void {
    this.src = this.#small;
    this.view = this.#smallView;
    if (this.hasLargeKeys || this.keys.length > KEPT_STACK) {
      this.keys = emptyStack();
      this.values = emptyStack();
      this.hasLargeKeys = false;
    }
  }

  /** The error as one of the family. */
  familyError(error: unknown): MoonpackError {
    if (error instanceof MoonpackError) return error;
    // What is left: V8 ran out of stack (we were called from deep inside the caller's) or of memory.
    const isStack = error instanceof RangeError && error.message.includes("call stack");
    return new DecodeError(
      isStack ? "ERR_LIMIT_DEPTH" : "ERR_LIMIT_BYTES",
      "out of stack or memory",
      this.pos,
      0,
      error,
    );
  }

  /** Reads any item. CUT where the end of the input cuts it, in a stream: it is kept as far as it goes. */
  read(): unknown {
    const pos = this.pos;
    if (pos >= this.end) return this.short(pos, 1);
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

  /** The `n` bytes after a header of `header` bytes at `start`, as text; CUT as `read`. */
  readString(n: number, start: number, header: number): unknown {
    const from = start + header;
    const to = from + n;
    if (to > this.end) return this.short(start, to - this.end);
    this.pos = to;
    const text = readUtf8(this.src, this.view, from, to);
    return text !== null ? text : this.#malformed(start, from, to);
  }

  #malformed(start: number, from: number, to: number): string {
    if (this.settings.utf8 === "replace") return readUtf8Lossy(this.src, from, to);
    throw new DecodeError("ERR_INVALID_UTF8", "malformed UTF-8", start);
  }

  /** Checks a container's header: depth, and that `least` bytes may still come. Answers what the enclosing ones owe. */
  open(n: number, least: number, start: number, header: number): number {
    const { maxDepth } = this.settings;
    if (++this.depth > maxDepth)
      throw new DecodeError("ERR_LIMIT_DEPTH", `more than ${maxDepth} containers are open`, start);
    const first = start + header;
    const owed = this.owed;
    const missing = least + owed - (this.end - first);
    if (missing > 0) this.#lacks(start, missing);
    this.pos = first;
    this.count += n;
    return owed;
  }

  /** The item at `start` lacks bytes: throws, or in a stream stands at it and answers CUT. */
  short(start: number, missing: number): unknown {
    if (this.cut === null) throw this.end === 0 ? emptyInput() : truncated(start, missing);
    this.pos = start;
    return CUT;
  }

  /** More is declared than is here. In a stream it may still come, unless it is more than the message may have. */
  #lacks(start: number, missing: number): void {
    if (this.cut !== null && missing <= this.mayCome) return;
    if (this.cut === null || this.comes) throw truncated(start, missing - this.mayCome);
    throw new DecodeError("ERR_LIMIT_ELEMENTS", `more elements than maxBytes allows`, start);
  }

  /**
   * Keeps a container that the end of the input has cut, with its items so far; answers CUT, for those around it.
   * `left` items are to come, a pair is two; `owed` is what the enclosing containers owe, `slot` as in {@link gather}.
   */
  suspend(keys: unknown[] | null, values: unknown[], left: number, owed: number, slot: number): unknown {
    const level = new Level(keys, values, left, owed);
    level.careful = this.careful;
    level.slot = slot;
    return this.keep(level);
  }

  /** Keeps a container that is cut once more. */
  keep(level: Level): unknown {
    this.cut!.push(level);
    return CUT;
  }

  readArray(n: number, start: number, header: number): unknown {
    if (this.depth >= MAX_RECURSION && !this.flat) return readDeep(this, start);
    const owed = this.open(n, n, start, header);
    if (this.flat) return new Level(null, [], n, owed);
    const array = n < 5 && n > 0 ? this.#few(n, owed) : this.elements(n, owed, null);
    this.depth--;
    this.owed = owed;
    return array;
  }

  /** Up to four elements are common (pairs, coordinates, tags): literals of their size, where push would make room for 17. */
  #few(n: number, owed: number): unknown {
    const first = this.element(owed + n - 1);
    if (first === CUT) return this.suspend(null, [], n, owed, NO_SLOT);
    if (n === 1) return [first];
    const second = this.element(owed + n - 2);
    if (second === CUT) return this.suspend(null, [first], n - 1, owed, NO_SLOT);
    if (n === 2) return [first, second];
    const third = this.element(owed + n - 3);
    if (third === CUT) return this.suspend(null, [first, second], n - 2, owed, NO_SLOT);
    if (n === 3) return [first, second, third];
    const fourth = this.element(owed);
    return fourth === CUT
      ? this.suspend(null, [first, second, third], 1, owed, NO_SLOT)
      : [first, second, third, fourth];
  }

  /** Reads `n` elements, into an array that has some already or a new one. CUT as `read`. */
  elements(n: number, owed: number, known: unknown[] | null): unknown {
    const { src, view, end } = this;
    // `[]` and push keep the array packed; `new Array(n)` would be holey for ever. What begins with a float gets a literal
    // of its own: V8 remembers for each what it came to hold, and keeps these numbers unboxed.
    const array: unknown[] = known !== null ? known : n > 0 && (src[this.pos]! & 0xfe) === 0xca ? [] : [];
    for (let left = n - 1; left >= 0; left--) {
      const pos = this.pos;
      const token = pos + 9 <= end && !this.strict ? src[pos]! : NO_TOKEN;
      if (token < 0x80) {
        this.pos = pos + 1;
        array.push(token);
      } else if (token === 0xce) {
        // Lists of ids; through `read` they take a third longer. Floats likewise.
        this.pos = pos + 5;
        array.push(view.getUint32(pos + 1));
      } else if (token === 0xcb) {
        this.pos = pos + 9;
        array.push(view.getFloat64(pos + 1));
      } else {
        this.owed = owed + left;
        const item = this.read();
        if (item === CUT) return this.suspend(null, array, left + 1, owed, NO_SLOT);
        array.push(item);
      }
    }
    return array;
  }

  element(owed: number): unknown {
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

  readMap(n: number, start: number, header: number): unknown {
    if ((this.checksMaps || this.depth >= MAX_RECURSION) && !this.flat) return readDeep(this, start);
    const owed = this.open(n, 2 * n, start, header);
    if (this.flat) {
      return n > MAX_FAST_KEYS ? new Dictionary(n, owed, this.settings.maps === "map") : new Level([], [], 2 * n, owed);
    }
    const shapes = this.shapes;
    let value: unknown;
    if (n === 0) value = {};
    else if (shapes !== null) value = shapes.readMap(this, n, owed);
    else value = n <= MAX_LITERAL_KEYS ? this.#fewPairs(n, owed) : this.gather(n, 0, owed, NO_SLOT);
    this.depth--;
    this.owed = owed;
    return value;
  }

  /**
   * Reads pairs `from..n` of a map onto the stacks, where the pairs before them lie, then builds its object, or a Map when
   * a key is no string. `slot` is where its shape would be noted; negative for nowhere.
   */
  gather(n: number, from: number, owed: number, slot: number): unknown {
    if (n > MAX_FAST_KEYS) return this.pairs(new Dictionary(n, owed, false));
    const { keys, values, top: base } = this;
    let strings = true;
    for (let i = from; i < n; i++) {
      const at = base + i;
      const after = owed + 2 * (n - 1 - i);
      const pos = this.pos;
      const token = pos < this.end ? this.src[pos]! : 0;
      let key: unknown;
      this.top = at;
      if (token > 0xa0 && token < 0xc0) key = this.key(token & 31, pos);
      else {
        this.owed = after + 1;
        key = this.read();
        if (key !== CUT) this.hasLargeKeys = true;
        if (typeof key !== "string") strings = false;
        else if (isInherited(key)) this.careful = true;
      }
      if (key === CUT) return this.#cutMap(base, i, i, 2 * (n - i), owed, slot);
      keys[at] = key;
      this.top = at + 1;
      const value = this.element(after);
      if (value === CUT) return this.#cutMap(base, i + 1, i, 2 * (n - i) - 1, owed, slot);
      values[at] = value;
    }
    this.top = base;
    if (!strings) return buildMap(keys, values, base, n);
    if (n > MAX_UNPREPARED_KEYS && !this.records.takes(keys, base, n)) return buildDictionary(keys, base, values, n);
    const { shapes } = this;
    const known =
      shapes === null ? n <= MAX_UNPREPARED_KEYS : slot >= 0 && !this.careful && shapes.sight(slot, this, base, n);
    return buildObject(keys, base, values, base, n, known, this.careful);
  }

  /**
   * Reads up to four pairs where no shapes are noted: in variables, for the stacks cost a tenth to a third of the time of
   * a small object.
   */
  #fewPairs(n: number, owed: number): unknown {
    const after = owed + 2 * n - 2;
    let second: string | null = null;
    let third: string | null = null;
    let fourth: string | null = null;
    let b: unknown;
    let c: unknown;
    let d: unknown;
    const first = this.#shortKey();
    if (first === null) return this.#otherwise(n, owed, [], []);
    const a = this.element(after);
    if (a === CUT) return this.#otherwise(n, owed, [first], []);
    if (n > 1) {
      second = this.#shortKey();
      if (second === null) return this.#otherwise(n, owed, [first], [a]);
      b = this.element(after - 2);
      if (b === CUT) return this.#otherwise(n, owed, [first, second], [a]);
      if (n > 2) {
        third = this.#shortKey();
        if (third === null) return this.#otherwise(n, owed, [first, second], [a, b]);
        c = this.element(after - 4);
        if (c === CUT) return this.#otherwise(n, owed, [first, second, third], [a, b]);
        if (n > 3) {
          fourth = this.#shortKey();
          if (fourth === null) return this.#otherwise(n, owed, [first, second, third], [a, b, c]);
          d = this.element(owed);
          if (d === CUT) return this.#otherwise(n, owed, [first, second, third, fourth], [a, b, c]);
        }
      }
    }
    if (this.careful) return buildObject([first, second, third, fourth], 0, [a, b, c, d], 0, n, true, true);
    const object: Record<string, unknown> = {};
    object[first] = a;
    if (second !== null) object[second] = b;
    if (third !== null) object[third] = c;
    if (fourth !== null) object[fourth] = d;
    return object;
  }

  /** The next key if it is a string of 1 to 31 bytes and all of it is there. */
  #shortKey(): string | null {
    const pos = this.pos;
    const token = pos < this.end ? this.src[pos]! : 0;
    if (token <= 0xa0 || token >= 0xc0 || pos + (token & 31) >= this.end) return null;
    return this.key(token & 31, pos) as string;
  }

  /** Goes on after these of the pairs: the next key is no short string or not there, or the last key's value is cut. */
  #otherwise(n: number, owed: number, keys: string[], values: unknown[]): unknown {
    const met = values.length;
    if (keys.length > met) return this.suspend(keys, values, 2 * (n - met) - 1, owed, NO_SLOT);
    for (let i = 0; i < met; i++) {
      this.keys[this.top + i] = keys[i];
      this.values[this.top + i] = values[i];
    }
    return this.gather(n, met, owed, NO_SLOT);
  }

  /** Takes a map that is cut off the stacks, where it begins at `base`: so many of its keys and values are there. */
  #cutMap(base: number, keys: number, values: number, left: number, owed: number, slot: number): unknown {
    this.top = base;
    const met = this.values.slice(base, base + values);
    this.values.fill(undefined, base, base + values);
    return this.suspend(this.keys.slice(base, base + keys), met, left, owed, slot);
  }

  /** Reads the pairs that are left of a large map. CUT as `read`. */
  pairs(map: Dictionary): unknown {
    const { owed } = map;
    while (map.left > 0) {
      if (map.left % 2 === 0) {
        this.owed = owed + map.left - 1;
        const key = this.read();
        if (key === CUT) return this.keep(map);
        map.pending = key;
        map.left--;
      }
      const value = this.element(owed + map.left - 1);
      if (value === CUT) return this.keep(map);
      map.put(map.pending, value);
      map.left--;
    }
    return map.value;
  }

  /** A key of 1 to 31 bytes whose header is at `pos`; CUT as `read`. */
  key(n: number, pos: number): unknown {
    const next = pos + n + 1;
    if (next > this.end) return this.short(pos, next - this.end);
    const text = this.cache.find(this.src, this.view, pos, n + 1);
    if (text === null) return this.#newKey(n, pos);
    this.pos = next;
    return text;
  }

  /** A key that the cache does not hold. Those that Object.prototype has never enter it: they make the message careful. */
  #newKey(n: number, pos: number): string {
    const text = this.readString(n, pos, 1) as string; // its bytes are there
    if (!isInherited(text)) return this.cache.learn(this.view, pos, n + 1, text);
    this.careful = true;
    return text;
  }
}

/** The error of a message at `start` that was read up to maxBytes only: what it lacks there is no fault of the input. */
export function beyond(failure: MoonpackError, maxBytes: number, start: number): MoonpackError {
  const isBeyond = failure.code === "ERR_TRUNCATED" || failure.code === "ERR_TRAILING_BYTES";
  return isBeyond ? new DecodeError("ERR_LIMIT_BYTES", `more than maxBytes (${maxBytes})`, start) : failure;
}

function emptyStack(): unknown[] {
  return new Array<unknown>(64).fill(undefined);
}

/** A view over the same bytes. */
export function viewOf(bytes: Uint8Array<ArrayBuffer>): DataView<ArrayBuffer> {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
