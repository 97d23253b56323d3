/**
 * Reading messages that come in parts. What a part holds of a message is read at once, by the same recursion as a whole
 * message; where the part ends, each open container puts itself onto a stack (`MessageReader.suspend`), and the next part
 * goes on from there. Nothing is read twice but the bytes of the one scalar that was cut, which wait here
 * until it is complete: so the work is linear in the bytes, however they are cut.
 */
import { DecodeError, invalidArgument, shifted } from "../bytes/errors.js";
import { truncated } from "../bytes/input.js";
import { type DecoderStats, statsOf } from "./decoder.js";
import { accept, CUT, expectItem, type Level, OPEN, readItem } from "./deep.js";
import { HeldItem } from "./held.js";
import { isContainer, isThere, itemSize } from "./item-size.js";
import { OpenKeys } from "./open-keys.js";
import { PIECES_END, Pieces } from "./pieces.js";
import { MAX_RECURSION, type MessageReader, viewOf } from "./read.js";
import { readOn } from "./read-on.js";
import { checkLength } from "./scalars.js";

export { OPEN };

const EMPTY = new Uint8Array(0);
const EMPTY_VIEW = viewOf(EMPTY);
/** Where less than this is left of a part, items are read one by one: in parts of 16 bytes a tenth quicker than by recursion (best times). */
export const SHORT = 64;

/** Reads one message after the other from parts that follow one another; or the items of one, `inPieces`. */
export class ResumableReader {
  /** Several may share one: it knows keys and shapes, and holds nothing between two calls. */
  readonly #shared: MessageReader;
  #r: MessageReader;
  /** Containers that are open, outermost first. */
  readonly #levels: Level[] = [];
  /** Maps are checked: every container is a level here, none is read by recursion. */
  readonly #checked: boolean;
  /** The part being read, from `#pos` to `#end`; its first byte is byte `#base` of the stream. */
  #src: Uint8Array<ArrayBuffer> = EMPTY;
  #view: DataView<ArrayBuffer> = EMPTY_VIEW;
  #pos = 0;
  #end = 0;
  #base = 0;
  /** The beginning of an item that was cut, and where it lies in the stream. */
  readonly #held = new HeldItem();
  #heldAt = 0;
  readonly #keys = new OpenKeys();
  /** Where in the stream the first byte of what the reader looks at lies: the part, or the bytes held. */
  #origin = 0;
  /** Where in the stream the message begins. */
  #start = 0;
  readonly #inPieces: boolean;
  #pieces: Pieces | null = null;
  #busy = false;
  #messages = 0;
  #bytes = 0;
  #values = 0;

  constructor(reader: MessageReader, inPieces = false) {
    this.#shared = this.#r = reader;
    this.#inPieces = inPieces;
    this.#checked = reader.settings.strict || reader.settings.maps !== "auto";
  }

  /** Counters of the work. */
  stats(): DecoderStats {
    return { ...statsOf(this.#shared), messages: this.#messages, bytes: this.#bytes, values: this.#values };
  }

  /** Bytes of the stream that have been read. */
  get offset(): number {
    return this.#base + this.#pos;
  }

  /** Bytes of the part that have not been read. */
  get left(): number {
    return this.#end - this.#pos;
  }

  /** It is reading: an extension calls back. */
  get busy(): boolean {
    return this.#busy;
  }

  /** Nothing of a message has been read yet. */
  get isBetween(): boolean {
    return this.#levels.length === 0 && this.#held.size === 0;
  }

  /** Bytes that are kept of an item that was cut. */
  get buffered(): number {
    return this.#held.size;
  }

  /** The next part; the one before has been read. It is read in place, and let go when `next` answers OPEN. */
  give(bytes: Uint8Array<ArrayBuffer>, view: DataView<ArrayBuffer>, size: number): void {
    this.#base += this.#pos;
    this.#src = bytes;
    this.#view = view;
    this.#pos = 0;
    this.#end = size;
  }

  /** The next message, or OPEN when its end has not come yet. After an error there is no way on. */
  next(): unknown {
    const r = (this.#r = this.#shared.free());
    const before = r.count;
    r.cut ??= [];
    r.busy = this.#busy = true;
    this.#origin = this.#base;
    try {
      this.#checkSource();
      return this.#next(r);
    } catch (error) {
      this.#release();
      r.flat = false;
      r.forget();
      throw shifted(r.familyError(error), this.#origin);
    } finally {
      r.busy = this.#busy = false;
      r.letGo();
      this.#values += r.count - before;
    }
  }

  #checkSource(): void {
    if (this.#src.length < this.#end) throw invalidArgument("the input was detached before it was read");
  }

  #next(r: MessageReader): unknown {
    r.careful = false;
    if (this.isBetween) {
      if (this.#pos === this.#end) return this.#wait();
      if (this.#inPieces && this.#pieces === null && !mayBeContainer(this.#src[this.#pos]!)) {
        throw new DecodeError("ERR_UNSUPPORTED_TYPE", "neither an array nor a map", this.offset - this.#origin);
      }
      this.#start = this.offset;
    }
    if (this.#held.size > 0) {
      const value = this.#inPieces ? this.#piece(this.#readHeld(r)) : this.#readHeld(r);
      if (value !== OPEN) return this.#done(r, value);
      if (this.#held.size > 0) return this.#wait();
      this.#checkSource(); // an extension may have taken it
    }
    this.#look(this.#src, this.#view, this.#pos, this.#end, this.#base);
    while (r.pos < r.end) {
      if (this.#pieces !== null && this.#levels.length === 0) {
        throw new DecodeError("ERR_TRAILING_BYTES", "bytes after the value", r.pos);
      }
      const value = this.#inPieces ? this.#piece(this.#readItem(r)) : this.#readItem(r);
      if (value !== OPEN) {
        this.#pos = r.pos;
        return this.#done(r, value);
      }
      if (this.#held.size > 0) return this.#wait();
    }
    if (r.end < this.#end) throw this.#tooLong();
    this.#leave(r, r.pos);
    return this.#wait();
  }

  /** The stream ends here. `ERR_TRUNCATED` inside a message, at the item that is cut. */
  finish(): void {
    const level = this.#levels.at(-1);
    const size = this.#held.size;
    const at = size > 0 ? this.#heldAt : this.offset;
    // What is missing at least: of the item that was cut, and a byte for each that is still declared.
    let missing = level === undefined ? 0 : level.owed + level.left;
    if (size > 0) {
      const declared = this.#held.header + this.#held.payload;
      missing += declared - size - (level === undefined ? 0 : 1);
    } else if (this.#inPieces && this.#pieces === null) missing = 1;
    this.#release();
    if (missing > 0) throw truncated(at, missing);
  }

  /** What an item that has been read completes of the one container: an element or a pair, or nothing yet. */
  #piece(value: unknown): unknown {
    const levels = this.#levels;
    if (this.#pieces === null) {
      const top = levels[0];
      if (top === undefined && value === OPEN) return OPEN; // its header is cut
      this.#pieces = new Pieces(top?.keys ?? null, [], top?.left ?? 0, 0);
      if (top !== undefined) levels[0] = this.#pieces;
      return OPEN;
    }
    const pieces = this.#pieces;
    if (value === PIECES_END) return pieces.take();
    return levels.length === 1 && pieces.values.length > 0 ? pieces.take() : OPEN;
  }

  #done(r: MessageReader, value: unknown): unknown {
    this.#bytes = this.offset;
    if (this.#levels.length === 0) {
      r.count++;
      this.#messages++;
    }
    return value;
  }

  /** All of the part is read: it is the caller's again. */
  #wait(): typeof OPEN {
    this.#base += this.#end;
    this.#pos = this.#end = 0;
    this.#src = EMPTY;
    this.#view = EMPTY_VIEW;
    return OPEN;
  }

  #release(): void {
    this.#levels.length = 0;
    this.#held.drop();
    this.#keys.drop();
    this.#wait();
  }

  #tooLong(): DecodeError {
    const { maxBytes } = this.#r.settings;
    return new DecodeError("ERR_LIMIT_BYTES", `more than maxBytes (${maxBytes})`, this.#start - this.#origin);
  }

  /** Turns the reader to `src[pos..end)`, whose first byte is byte `origin` of the stream; not beyond `maxBytes`. */
  #look(src: Uint8Array<ArrayBuffer>, view: DataView<ArrayBuffer>, pos: number, end: number, origin: number): void {
    const r = this.#r;
    const allowed = this.#start + r.settings.maxBytes - origin;
    this.#origin = origin;
    r.src = src;
    r.view = view;
    r.pos = pos;
    r.end = Math.min(end, allowed);
    r.mayCome = allowed - r.end;
  }

  /** Reads the next item of the part, with all that it contains, or as much of it as is there. */
  #readItem(r: MessageReader): unknown {
    const levels = this.#levels;
    const level = levels.at(-1);
    const { pos, src } = r;
    const left = r.end - pos;
    r.depth = levels.length;
    if (level === undefined) r.owed = 0;
    else expectItem(r, level);
    if (left < SHORT && !isThere(src, r.view, pos, r.end)) return this.#hold(r, pos);
    const isTop = this.#inPieces && this.#pieces === null;
    const isDeep = this.#checked || (left < SHORT && level !== undefined) || levels.length >= MAX_RECURSION || isTop;
    const value = readOn(r, levels, isDeep);
    return value === CUT ? this.#hold(r, r.pos) : value;
  }

  #lookAtHeld(): void {
    const { bytes, view, size } = this.#held;
    this.#look(bytes, view, 0, size, this.#heldAt);
  }

  /** Keeps what is there of the item at `pos`, which the part's end cuts. */
  #hold(r: MessageReader, pos: number): typeof OPEN {
    if (r.end < this.#end) throw this.#tooLong();
    this.#leave(r, pos);
    this.#heldAt = this.#base + pos;
    this.#held.keep(r.src, pos, this.#end, itemSize(r.src, r.view, pos, this.#end));
    this.#pos = this.#end;
    this.#needed(r);
    return OPEN;
  }

  /** Bytes that the held item needs, as far as it can be told; refuses what is more than may be kept. */
  #needed(r: MessageReader): number {
    const { header, payload } = this.#held;
    const { maxBufferedBytes, maxBytes } = r.settings;
    if (this.#heldAt + header + payload - this.#start > maxBytes) {
      this.#lookAtHeld();
      throw this.#tooLong();
    }
    if (payload > maxBufferedBytes) {
      this.#lookAtHeld();
      throw new DecodeError(
        "ERR_LIMIT_BYTES",
        `${payload} bytes to hold back, maxBufferedBytes ${maxBufferedBytes}`,
        0,
      );
    }
    if (r.strict && payload > 0) {
      this.#lookAtHeld();
      checkLength(r, 0, payload);
    }
    return header + payload;
  }

  /** Completes the held item from the part and reads it; OPEN while it is not complete, or the message is not. */
  #readHeld(r: MessageReader): unknown {
    for (;;) {
      const declared = this.#needed(r);
      const missing = declared - this.#held.size;
      if (missing <= 0) break;
      const n = Math.min(missing, this.#end - this.#pos);
      this.#held.keep(this.#src, this.#pos, this.#pos + n, declared);
      this.#pos += n;
      if (n < missing) return OPEN;
    }
    const size = this.#held.size;
    this.#lookAtHeld();
    r.depth = this.#levels.length;
    // Not `expectItem`: the key began where it was cut.
    const level = this.#levels.at(-1);
    r.owed = level === undefined ? 0 : level.owed + level.left - 1;
    r.flat = isContainer(this.#held.bytes[0]!);
    const item = readItem(r, level);
    r.flat = false;
    const value = accept(r, this.#levels, item);
    this.#leave(r, size);
    this.#arrive(this.#pos);
    if (r.settings.binary === "view") this.#held.drop();
    else this.#held.clear();
    return value;
  }

  /** Before the bytes up to `to` go: keeps those of unfinished keys, which strict reading compares. 0 is `to` from now on. */
  #leave(r: MessageReader, to: number): void {
    if (!this.#checked) return;
    if (r.strict) this.#keys.keep(this.#levels, r.src, to);
    for (const level of this.#levels) {
      if (!level.awaitsKey) continue;
      level.keyFrom -= to;
      level.keyTo = 0;
    }
  }

  /** What was 0 is `pos` from now on. */
  #arrive(pos: number): void {
    if (!this.#checked) return;
    for (const level of this.#levels) {
      level.keyFrom += pos;
      level.keyTo += pos;
    }
  }
}

/** c1 begins nothing, and is to be refused as that. */
function mayBeContainer(token: number): boolean {
  return isContainer(token) || token === 0xc1;
}
